"""Joining of the ranks' own statements into statements of all ranks.

Two steps. First each rank's expressions become flat (A-normal form; Flanagan et al., "The essence of compiling with
continuations", 1993):  z = f(g(x), y)  ->  z.of0 = g(x); z = f(z.of0, y).  Then position i of all ranks is joined:
    calls on every rank                    ->  one local call, with each rank's attributes
    the same collective on every rank      ->  one exchange, whose groups must be a partition of the ranks
    anything else                          ->  refused; `aligning.py` finds another matching
Complexity: O(statements x ranks).

Example: ranks 0 and 1 run y = relu(x), ranks 0 and 1 then z = AllReduce(y) among (0, 1): a local call and an exchange.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from p2smt.tensor.conversion import Send
from p2smt.tensor.expression import Call, Convert, Expression, Number, Read, Statement
from p2smt.tensor.ranks.programs import ArrayPermutation, GroupExchange, LocalCall, RankStatement
from p2smt.tensor.shapes import Whole, whole_of
from p2smt.tensor.signature import Shape

Group = tuple[int, ...]
Pairs = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class ArrayMessage:
    """One array sent from a rank to another, or to itself; `key` identifies the call."""

    key: str
    source: int
    target: int


class UnlikeRanksError(Exception):
    """Ranks run different statements; the message names the first difference."""


class UnmetError(UnlikeRanksError):
    """A rank sends an array that no other rank receives."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OneRank:
    """The program of one rank: flat statements, the shapes of their results, and the groups of collectives.

    `pairs` has the rank pairs of messages, which are written as Send. `keys` identifies a collective among
    those of its group, by default by its name; calls with equal keys are one call. `received` maps names to
    incoming messages, `sent` outgoing messages to names.
    """

    statements: tuple[Statement, ...]
    shapes: Mapping[str, Shape]
    groups: Mapping[str, Group]
    outputs: tuple[tuple[str, str], ...]
    updates: tuple[tuple[str, str], ...]
    pairs: Mapping[str, Pairs] = field(default_factory=dict)
    keys: Mapping[str, str] = field(default_factory=dict)
    received: Mapping[str, ArrayMessage] = field(default_factory=dict)
    sent: Mapping[ArrayMessage, str] = field(default_factory=dict)


def flat(statements: Iterable[Statement], known: dict[str, Whole]) -> list[Statement]:
    """Return statements whose operands are names and literals only; `known` receives the shapes of new names."""
    found: list[Statement] = []
    for statement in statements:
        match statement.expression:
            case Call():
                _flat_call(statement.name, statement.expression, known, found)
            case Convert(conversion, Number() as operand, axis) if not isinstance(conversion, Send):
                _flat_call(f"{statement.name}.operand", Call("add", (operand, Number(0))), known, found)
                found.append(Statement(statement.name, Convert(conversion, Read(found[-1].name), axis)))
            case Convert():
                found.append(statement)
            case Read() | Number() as same:
                _flat_call(statement.name, Call("add", (same, Number(0))), known, found)
            case other:
                raise AssertionError(f"{statement.name} is {other}")
    return found


def _flat_call(name: str, call: Call, known: dict[str, Whole], found: list[Statement]) -> None:
    operands: list[Expression] = []
    for position, operand in enumerate(call.operands):
        if isinstance(operand, Call):
            inner = f"{name}.of{position}"
            _flat_call(inner, operand, known, found)
            operands.append(Read(inner))
        else:
            operands.append(operand)
    plain = Call(call.operation, tuple(operands), call.attributes)
    known[name] = whole_of(plain, known)
    found.append(Statement(name, plain))


def joined_statements(ranks: Sequence[OneRank]) -> tuple[RankStatement, ...]:
    """Return the statements of all ranks.

    UnlikeRanksError if the ranks' statements differ (`aligning.py` handles that case).
    """
    return tuple(_statement(ranks, position) for position in range(_count(ranks)))


def _count(ranks: Sequence[OneRank]) -> int:
    names = [[statement.name for statement in rank.statements] for rank in ranks]
    for rank, listed in enumerate(names):
        if listed != names[0]:
            pairs = ((mine, first) for mine, first in zip(listed, names[0], strict=False) if mine != first)
            mine, first = next(pairs, ("nothing more", "more"))
            raise UnlikeRanksError(
                f"rank {rank} runs {mine} where rank 0 runs {first}; all ranks must run the same operations"
            )
    outputs = {(rank.outputs, rank.updates) for rank in ranks}
    if len(outputs) > 1:
        raise UnlikeRanksError("ranks return different results; all must return the same")
    return len(names[0])


def _statement(ranks: Sequence[OneRank], position: int) -> RankStatement:
    name = ranks[0].statements[position].name
    expressions = [rank.statements[position].expression for rank in ranks]
    first = expressions[0]
    calls = tuple(each for each in expressions if isinstance(each, Call))
    if len(calls) == len(expressions):
        return LocalCall(name, calls)
    if isinstance(first, Convert) and all(each == first for each in expressions) and isinstance(first.operand, Read):
        if name in ranks[0].pairs:
            return ArrayPermutation(name, first.operand.name, ranks[0].pairs[name])
        groups = tuple(dict.fromkeys(rank.groups[name] for rank in ranks))
        if sorted(member for group in groups for member in group) != list(range(len(ranks))):
            raise UnlikeRanksError(
                f"{name}: the groups of its ranks overlap, or do not cover all ranks; every rank must be in exactly one"
            )
        return GroupExchange(name, first.conversion, first.operand.name, groups)
    raise UnlikeRanksError(f"{name} is another operation on some ranks; all ranks must call the same")
