"""Builder of plans from collective calls in which each member may use its own source and target.

A plan step has one source and one target for all members. If a call has several, it becomes
    wire = source of each member;   wire_out = operation(wire);   target of each member = wire_out,
and all these steps carry the call's number. Blocks of unequal length become one operation per block. At the end the
plan is cut into the largest chunks that divide every part:
    chunk = gcd of all lengths and positions,
so that a plan has as few chunks as its parts allow (Euclid's algorithm; Knuth, "The Art of Computer Programming 2",
section 4.5.2).
Complexity: O(members) steps for each call, O(steps) divisors.

Example: parts [0, 6) and [6, 10) have the chunk gcd(0, 6, 6, 4) = 2: 3 and 2 chunks.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from itertools import accumulate
from math import gcd

from p2smt.collective import Collective, Exchange
from p2smt.errors import VerifyError
from p2smt.verify.goal import check_goal
from p2smt.verify.limits import check_divisions, check_size
from p2smt.verify.operation import LocalOperation, Operation, adds_members, blocks_of, can_be_in_place
from p2smt.verify.plan import BufferRange, Goal, VerificationPlan, VerificationStep
from p2smt.wording import listed

DATA = "data"
"""The importers' name for the buffer in which the payload begins."""

WIRE = "wire"
WIRE_OUT = "wire_out"


@dataclass(frozen=True, slots=True)
class CallMember:
    """A device that takes part in a call, with the part that it contributes and the part for its result."""

    device: int
    source: BufferRange
    target: BufferRange


@dataclass(frozen=True, slots=True)
class GroupCall:
    """One operation of one group, members in group order.

    `blocks` are the block lengths of a ReduceScatter or AllGather with unequal blocks; for an AllToAll, member
    `i` sends `table[i][j]` elements to member `j`. Both are empty for equal blocks.
    """

    operation: Operation
    members: tuple[CallMember, ...]
    _: KW_ONLY
    root: int = 0
    divisor: int = 1
    blocks: tuple[int, ...] = ()
    table: tuple[tuple[int, ...], ...] = ()

    @property
    def group(self) -> tuple[int, ...]:
        """The members' devices."""
        return tuple(member.device for member in self.members)


class PlanBuilder:
    """A builder that collects steps call by call and cuts the plan into the largest chunks that divide every part.

    Lengths and positions are in elements, or in any other unit of the importer.
    """

    def __init__(self, devices: int) -> None:
        self._devices = devices
        self._buffers: dict[str, int] = {}
        self._steps: list[VerificationStep] = []
        self._zeros: list[str] = []

    def buffer(self, name: str, length: int) -> None:
        """Declare a buffer of at least this length on every device."""
        self._buffers[name] = max(length, self._buffers.get(name, 0))

    def zero(self, name: str, length: int) -> BufferRange:
        """Declare a buffer of zeros, which no step may write, and return it as a part."""
        self.buffer(name, length)
        if name not in self._zeros:
            self._zeros.append(name)
        return BufferRange(name, 0, length)

    def add(self, devices: Iterable[int], source: BufferRange, target: BufferRange, number: int) -> None:
        """Add one part to another on each of these devices."""
        alone = tuple((device,) for device in sorted(devices))
        self._steps.append(VerificationStep(LocalOperation.ADD, alone, source, target, number=number))

    def divide(self, devices: Iterable[int], target: BufferRange, divisor: int, number: int) -> None:
        """Divide a part by a number on each of these devices."""
        alone = tuple((device,) for device in sorted(devices))
        self._steps.append(
            VerificationStep(LocalOperation.SCALE, alone, target, target, number=number, divisor=divisor)
        )

    def negate(self, devices: Iterable[int], target: BufferRange, number: int) -> None:
        """Negate a part on each of these devices."""
        alone = tuple((device,) for device in sorted(devices))
        self._steps.append(VerificationStep(LocalOperation.NEGATE, alone, target, target, number=number))

    def copy(self, devices: Iterable[int], source: BufferRange, target: BufferRange, number: int) -> None:
        """Copy one part to another on each of these devices."""
        alone = tuple((device,) for device in sorted(devices))
        if source != target and source.length and alone:
            self._steps.append(VerificationStep(LocalOperation.COPY, alone, source, target, number=number))

    def together(self, calls: Sequence[GroupCall], number: int) -> None:
        """Add calls of disjoint groups that run at the same time; calls of the same kind and shape share a step."""
        alike: dict[VerificationStep, list[tuple[int, ...]]] = {}
        for call in calls:
            first = call.members[0]
            same = all((m.source, m.target) == (first.source, first.target) for m in call.members)
            if same and not call.blocks and not call.table:
                step = VerificationStep(
                    call.operation,
                    (),
                    first.source,
                    first.target,
                    root=call.root,
                    in_place=_in_place(call, first),
                    number=number,
                    divisor=call.divisor,
                )
                alike.setdefault(step, []).append(call.group)
            else:
                self._by_wire(call, number)
        self._steps += (replace(step, groups=tuple(sorted(groups))) for step, groups in alike.items())

    def plan(self, goal: Goal, integers: bool = False, labels: tuple[tuple[int, str], ...] = ()) -> VerificationPlan:
        """Return the plan; raises VerifyError if the goal does not fit it, or if it is too large to verify."""
        as_step = VerificationStep(goal.collective, goal.groups, goal.source, goal.target)
        unit = gcd(*(number for step in (as_step, *self._steps) for number in _positions(step)))
        buffers = {name: -(-length // unit) for name, length in self._buffers.items()}
        check_size(self._devices, buffers, len(self._steps))
        check_divisions(self._steps)
        goal = replace(goal, source=_divided(goal.source, unit), target=_divided(goal.target, unit))
        check_goal(goal, self._devices, tuple(buffers.items()))
        steps = (replace(s, source=_divided(s.source, unit), target=_divided(s.target, unit)) for s in self._steps)
        return VerificationPlan(
            devices=self._devices,
            buffers=tuple(buffers.items()),
            goal=goal,
            steps=tuple(steps),
            zeros=tuple(self._zeros),
            integers=integers,
            labels=labels,
        )

    def _by_wire(self, call: GroupCall, number: int) -> None:
        if call.table:
            self._all_to_all(call, number)
        elif not call.blocks:
            self._equal(call, number)
        elif adds_members(call.operation):
            self._reduce_scatter(call, number)
        else:
            self._all_gather(call, number)

    def _equal(self, call: GroupCall, number: int) -> None:
        lengths = {(m.source.length, m.target.length) for m in call.members}
        if len(lengths) > 1:
            raise VerifyError(
                f"step {number}: the members of {listed(call.group)} contribute parts of "
                "different lengths; give all the same length"
            )
        brought, got = lengths.pop()
        wire, out = BufferRange(WIRE, 0, brought), BufferRange(WIRE_OUT, 0, got)
        self.buffer(WIRE, brought)
        self.buffer(WIRE_OUT, got)
        self._in(call.members, (wire,) * len(call.members), number)
        self._steps.append(
            VerificationStep(
                call.operation, (call.group,), wire, out, root=call.root, number=number, divisor=call.divisor
            )
        )
        receives = [m for place, m in enumerate(call.members) if not _keeps(call, place)]
        self._out(receives, (out,) * len(receives), number)

    def _reduce_scatter(self, call: GroupCall, number: int) -> None:
        parts = self._blocks(call)
        whole = BufferRange(WIRE, 0, sum(call.blocks))
        self._in(call.members, (whole,) * len(parts), number)
        for root, part in enumerate(parts):
            if part.length:
                step = VerificationStep(
                    Collective.REDUCE, (call.group,), part, part, root=root, number=number, divisor=call.divisor
                )
                self._steps.append(step)
        self._out(call.members, parts, number)

    def _all_gather(self, call: GroupCall, number: int) -> None:
        parts = self._blocks(call)
        self._in(call.members, parts, number)
        for root, part in enumerate(parts):
            if part.length:
                self._steps.append(
                    VerificationStep(Collective.BROADCAST, (call.group,), part, part, root=root, number=number)
                )
        whole = BufferRange(WIRE, 0, sum(call.blocks))
        self._out(call.members, (whole,) * len(parts), number)

    def _all_to_all(self, call: GroupCall, number: int) -> None:
        """Add an AllToAll as messages: every block gets a place of its own in a wire buffer."""
        self.buffer(WIRE, sum(map(sum, call.table)))
        sent = list(_cut(BufferRange(WIRE, 0, 0), [length for row in call.table for length in row]))
        rows = [sent[i * len(call.table) :][: len(call.table)] for i in range(len(call.table))]
        for member, row in zip(call.members, rows, strict=True):
            for part, wire in zip(_cut(member.source, [w.length for w in row]), row, strict=True):
                self.copy([member.device], part, wire, number)
        for i, row in enumerate(rows):
            for j, wire in enumerate(row):
                if i != j and wire.length:
                    pair = (call.group[i], call.group[j])
                    self._steps.append(VerificationStep(Exchange.SEND, (pair,), wire, wire, number=number))
        for j, member in enumerate(call.members):
            for part, wire in zip(
                _cut(member.target, [row[j].length for row in rows]), (r[j] for r in rows), strict=True
            ):
                self.copy([member.device], wire, part, number)

    def _blocks(self, call: GroupCall) -> list[BufferRange]:
        self.buffer(WIRE, sum(call.blocks))
        return list(_cut(BufferRange(WIRE, 0, 0), call.blocks))

    def _in(self, members: Sequence[CallMember], wires: Sequence[BufferRange], number: int) -> None:
        self._copies([(m.source, wire, m.device) for m, wire in zip(members, wires, strict=True)], number)

    def _out(self, members: Sequence[CallMember], wires: Sequence[BufferRange], number: int) -> None:
        self._copies([(wire, m.target, m.device) for m, wire in zip(members, wires, strict=True)], number)

    def _copies(self, copies: Iterable[tuple[BufferRange, BufferRange, int]], number: int) -> None:
        alike: dict[tuple[BufferRange, BufferRange], list[int]] = {}
        for source, target, device in copies:
            alike.setdefault((source, target), []).append(device)
        for (source, target), devices in alike.items():
            self.copy(devices, source, target, number)


def _in_place(call: GroupCall, first: CallMember) -> bool:
    return can_be_in_place(call.operation) and first.source == first.target


def _keeps(call: GroupCall, place: int) -> bool:
    return call.operation is Exchange.SEND and place == call.root  # only: the sender keeps what it has


def _cut(part: BufferRange, lengths: Sequence[int]) -> Iterator[BufferRange]:
    """Consecutive parts of these lengths, from the beginning of the part."""
    for end, length in zip(accumulate(lengths), lengths, strict=True):
        yield BufferRange(part.buffer, part.start + end - length, length)


def _positions(step: VerificationStep) -> Iterator[int]:
    for part in (step.source, step.target):
        yield from (part.start, part.length)
    if blocks_of(step.operation)[0] or step.in_place:
        for size in {len(group) for group in step.groups}:
            yield step.source.length // size if step.source.length % size == 0 else step.source.length


def _divided(part: BufferRange, unit: int) -> BufferRange:
    return BufferRange(part.buffer, part.start // unit, part.length // unit)
