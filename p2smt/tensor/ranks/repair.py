"""Repairs: replacements of one value on the ranks that would make observed values right."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from p2smt.tensor.expression import Call, Read
from p2smt.tensor.meaning import Meaning
from p2smt.tensor.operation import Array
from p2smt.tensor.placing import world
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
"""Placeholder in a repair's message for the values that the repair makes right."""
Groups = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Repair:
    """Replacement arrays for a value on the ranks, and the message that explains the mistake."""

    arrays: Mapping[Origin, Array]
    words: str


@dataclass(frozen=True, slots=True)
class RankValue:
    """A value on the ranks that may be wrong, with all other values.

    `arrays` has the value on each rank, `values` all values of each rank. `whole` has the single-device
    values whose elements are not all equal.
    """

    ranks: RankPrograms
    name: str
    arrays: tuple[Array, ...]
    values: Sequence[Arrays]
    whole: Mapping[str, Array]
    meaning: Meaning

    def repair(self, arrays: Iterable[Array], words: str) -> Repair:
        """Return the repair that replaces the value by these arrays, one per rank."""
        return Repair({(rank, self.name): array for rank, array in enumerate(arrays)}, words)


Kind = Callable[[RankValue], Iterator[Repair]]


def axes_of(ranks: RankPrograms) -> list[tuple[str, Groups]]:
    """Return the mesh axes of several ranks, then all of them together: description and groups."""
    listed = [
        (f"{axis.name} = {axis.size}", axis_groups(ranks.mesh, (number,)))
        for number, axis in enumerate(ranks.mesh)
        if axis.size > 1
    ]
    if len(listed) > 1:
        listed.append((f"all {world(ranks.mesh)} ranks", (tuple(range(world(ranks.mesh))),)))
    return listed


def made_by(statement: RankStatement) -> tuple[str, ...]:
    """Return the names of a statement's results."""
    match statement:
        case NamedExchange():
            return statement.names
        case LocalCall() | GroupExchange() | ArrayPermutation() | OneRankCall() | Delivery():
            return (statement.name,)


def read_by(statement: RankStatement) -> tuple[str, ...]:
    """Return the names that a statement reads."""
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
    """Return the ranks' calls that compute a value; empty if another kind of statement also defines it."""
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
    """True if the value is computed, on every rank that has it, by one of these operations."""
    calls = calls_of(ranks, name)
    return bool(calls) and all(call.operation in operations for call in calls)
