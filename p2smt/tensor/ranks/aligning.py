"""Alignment of ranks that run different statements, by the collectives and messages between them.

Statements have no side effects, so any order works in which values exist before they are read. Method: greedy
topological sort. Each rank runs every statement that is ready; a collective runs once the operands of all its
members exist. Calls of different ranks are matched by their keys. Time: statements times the longest chain of
messages.

    ready(statement) = its operands exist;    ready(collective) = the operands of all its members exist.

Reference: Kahn, "Topological sorting of large networks", 1962.

Example: rank 0 adds a bias, rank 1 does not, and both reduce: OneRankCall(add, 0), NamedExchange(AllReduce, (0,
1)).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from p2smt.tensor.expression import Call, Convert, Number, Read, Statement
from p2smt.tensor.ranks.joining import ArrayMessage, OneRank, UnlikeRanksError, UnmetError
from p2smt.tensor.ranks.programs import Delivery, NamedExchange, OneRankCall, RankStatement
from p2smt.tensor.signature import Shape


@dataclass(frozen=True, slots=True)
class Alignment:
    """The statements of all ranks in one order, each rank's shapes, and common names of observed values."""

    statements: tuple[RankStatement, ...]
    shapes: tuple[dict[str, Shape], ...]
    outputs: tuple[tuple[str, str], ...]
    updates: tuple[tuple[str, str], ...]


def aligned(ranks: Sequence[OneRank], given: Sequence[dict[str, Shape]]) -> Alignment:
    """Return all ranks' statements in one order.

    `given` has the shapes of each rank's sources. UnlikeRanksError if ranks return different results, or a
    member of a call is missing.
    """
    outputs = {tuple(name for name, _ in rank.outputs) for rank in ranks}
    updates = {frozenset(name for name, _ in rank.updates) for rank in ranks}
    if len(outputs) > 1:
        raise UnlikeRanksError(
            "ranks return different results: some return tensors that others do not; return the same on all ranks"
        )
    statements = _Order(ranks, given).statements()
    shapes = [dict(rank.shapes) for rank in ranks]
    named = []
    (names,) = outputs
    for position, name in enumerate(names):
        common = f"{name or 'output'}.{position}.given"
        named.append((name, common))
        for rank, one in enumerate(ranks):
            statements.append(_copy(common, rank, one.outputs[position][1], shapes[rank], given[rank]))
    kept = []
    for source in sorted(frozenset.union(*updates)):
        common = f"{source}.kept"
        kept.append((source, common))
        for rank, one in enumerate(ranks):
            statements.append(_copy(common, rank, dict(one.updates).get(source, source), shapes[rank], given[rank]))
    return Alignment(tuple(statements), tuple(shapes), tuple(named), tuple(kept))


def _copy(name: str, rank: int, value: str, shapes: dict[str, Shape], given: dict[str, Shape]) -> OneRankCall:
    """Return a copy of a rank's observed value under a name that all ranks share."""
    shapes[name] = shapes[value] if value in shapes else given[value]
    return OneRankCall(name, rank, Call("add", (Read(value), Number(0))))


class _Order:
    def __init__(self, ranks: Sequence[OneRank], given: Sequence[dict[str, Shape]]) -> None:
        self._ranks, self._given = ranks, given
        self._known = [set(each) for each in given]
        self._pending = [list(rank.statements) for rank in ranks]
        self._named = [{(rank.groups[name], rank.keys.get(name, name)): name for name in rank.groups} for rank in ranks]
        self._read = [
            {
                each.name: each.expression.operand.name
                for each in rank.statements
                if isinstance(each.expression, Convert) and isinstance(each.expression.operand, Read)
            }
            for rank in ranks
        ]
        self._conversions = [
            {each.name: each.expression.conversion for each in rank.statements if isinstance(each.expression, Convert)}
            for rank in ranks
        ]
        self._found: list[RankStatement] = []

    def statements(self) -> list[RankStatement]:
        while any(self._pending):
            before = sum(map(len, self._pending))
            for rank in range(len(self._ranks)):
                self._advance(rank)
            if sum(map(len, self._pending)) == before:
                left = next(rank for rank, pending in enumerate(self._pending) if pending)
                raise UnlikeRanksError(
                    f"rank {left}, {self._pending[left][0].name}: it waits for a value that no other rank sends"
                )
        return self._found

    def _advance(self, rank: int) -> None:
        """Run the rank's statements that are ready, in order."""
        left = []
        for statement in self._pending[rank]:
            if statement.name in self._known[rank] or self._runs(rank, statement):
                self._known[rank].add(statement.name)
            else:
                left.append(statement)
        self._pending[rank] = left

    def _runs(self, rank: int, statement: Statement) -> bool:
        if (message := self._ranks[rank].received.get(statement.name)) is not None:
            return self._deliver(rank, statement.name, message)
        match statement.expression:
            case Call(_, operands) as call:
                if not all(each.name in self._known[rank] for each in operands if isinstance(each, Read)):
                    return False
                self._found.append(OneRankCall(statement.name, rank, call))
                return True
            case Convert():
                return self._meets(rank, statement.name)
            case other:
                raise AssertionError(f"{statement.name} is {other}")

    def _deliver(self, rank: int, name: str, message: ArrayMessage) -> bool:
        operand = self._ranks[message.source].sent.get(message)
        if operand is None or operand not in self._known[message.source]:
            return False
        sent, taken = self._shape(message.source, operand), self._ranks[rank].shapes.get(name)
        if prod(sent) != prod(taken or ()):
            raise UnmetError(
                f"{name}: rank {rank} takes {list(taken or ())} from rank {message.source}, which sends {list(sent)}"
            )
        self._found.append(Delivery(name, operand, message.source, rank))
        return True

    def _shape(self, rank: int, name: str) -> Shape:
        return self._ranks[rank].shapes[name] if name in self._ranks[rank].shapes else self._given[rank][name]

    def _meets(self, rank: int, name: str) -> bool:
        one = self._ranks[rank]
        group = one.groups[name]
        key = group, one.keys.get(name, name)
        names = [self._named[member].get(key) for member in group]
        if any(each is None for each in names):
            raise UnlikeRanksError(f"{name}: the groups of its ranks overlap, or do not cover all ranks")
        found = [each for each in names if each is not None]
        operands = [self._read[member][each] for member, each in zip(group, found, strict=True)]
        if not all(operand in self._known[member] for member, operand in zip(group, operands, strict=True)):
            return False
        conversions = {self._conversions[member][each] for member, each in zip(group, found, strict=True)}
        if len(conversions) > 1:
            raise UnlikeRanksError(f"{name} is another operation on some ranks; all ranks must call the same")
        self._found.append(NamedExchange(conversions.pop(), group, tuple(operands), tuple(found)))
        for member, each in zip(group, found, strict=True):
            self._known[member].add(each)
        return True
