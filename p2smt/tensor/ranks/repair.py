"""A change of one value on the ranks, and what it reveals."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from p2smt.tensor.meaning import Meaning
from p2smt.tensor.operation import Array
from p2smt.tensor.placing import world
from p2smt.tensor.program import Call, Read
from p2smt.tensor.ranks.exchange import axis_groups
from p2smt.tensor.ranks.programs import (
    ArrayPermutation,
    Delivery,
    GroupExchange,
    LocalCall,
    NamedExchange,
    OneRankCall,
    RankPrograms,
    RankStatement,
)
from p2smt.tensor.ranks.simulation import Arrays, Origin

RIGHT = "{right}"
"""The phrase in a repair's message for what it makes right."""
Groups = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Repair:
    """Replacement arrays for a value, and the message."""

    arrays: Mapping[Origin, Array]
    words: str


@dataclass(frozen=True, slots=True)
class RankValue:
    """The values of ranks beside those of one device; `arrays` are those of the one that may be wrong.

    `whole` are the values of one device of which not all elements are alike.
    """

    ranks: RankPrograms
    name: str
    arrays: tuple[Array, ...]
    values: Sequence[Arrays]
    whole: Mapping[str, Array]
    meaning: Meaning

    def repair(self, arrays: Iterable[Array], words: str) -> Repair:
        """The value with these arrays, rank by rank."""
        return Repair({(rank, self.name): array for rank, array in enumerate(arrays)}, words)


Kind = Callable[[RankValue], Iterator[Repair]]


def axes_of(ranks: RankPrograms) -> list[tuple[str, Groups]]:
    """Each axis of several ranks, then all ranks: words and groups."""
    listed = [
        (f"{axis.name} = {axis.size}", axis_groups(ranks.mesh, (number,)))
        for number, axis in enumerate(ranks.mesh)
        if axis.size > 1
    ]
    if len(listed) > 1:
        listed.append((f"all {world(ranks.mesh)} ranks", (tuple(range(world(ranks.mesh))),)))
    return listed


def made_by(statement: RankStatement) -> tuple[str, ...]:
    """The names of what a statement makes."""
    match statement:
        case NamedExchange():
            return statement.names
        case LocalCall() | GroupExchange() | ArrayPermutation() | OneRankCall() | Delivery():
            return (statement.name,)


def read_by(statement: RankStatement) -> tuple[str, ...]:
    """The names of what a statement reads."""
    match statement:
        case LocalCall(_, calls):
            listed: Sequence[Call] = calls
        case OneRankCall(_, _, call):
            listed = (call,)
        case NamedExchange():
            return statement.operands
        case GroupExchange() | ArrayPermutation() | Delivery():
            return (statement.operand,)
    return tuple(each.name for call in listed for each in call.operands if isinstance(each, Read))


def calls_of(ranks: RankPrograms, name: str) -> list[Call]:
    """The calls of all ranks that make a value; empty if it comes from others, too."""
    calls: list[Call] = []
    for statement in ranks.statements:
        match statement:
            case LocalCall(made, theirs) if made == name:
                calls += theirs
            case OneRankCall(made, _, call) if made == name:
                calls.append(call)
            case _ if name in made_by(statement):
                return []
            case _:
                pass
    return calls


def is_all(ranks: RankPrograms, name: str, *operations: str) -> bool:
    """True if every rank has a value of this name from one of these operations."""
    calls = calls_of(ranks, name)
    return bool(calls) and all(call.operation in operations for call in calls)
