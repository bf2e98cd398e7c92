"""Execute a plan symbolically: the contents of every buffer after every step, as sums of contributions or undefined.

A cell is undefined, or a sum `(n_0 x_0 + n_1 x_1 + ...) / unit` of contributions `x_i` (device and chunk) with integers
`n_i`. Collectives add and move cells (symbolic execution; King, 1976) and never fail on contents, so a plan is right
exactly if its result is. The numbers are packed into fields of one integer, `n_0 + n_1 2^w + n_2 4^w + ...`, wide
enough for the difference of any two, of either sign; so x_0 + x_1 is 1 + 2^w. `unit` is 1 in plans without division,
and otherwise so large that every division is exact.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce as fold
from typing import NamedTuple

from p2smt.collective import Collective, Exchange
from p2smt.verify.goal import averaged
from p2smt.verify.growth import greatest_count, negates, unit
from p2smt.verify.operation import LocalOperation, Operation
from p2smt.verify.plan import VerificationPlan, VerificationStep
from p2smt.verify.truncation import Truncation, Truncations


class Sum(NamedTuple):
    """A sum of contributions: (chunk, fields) per chunk, ascending; a field counts one device's contribution.

    `truncated` describes the fraction that integer divisions dropped, if it affects the goal.
    """

    counts: tuple[tuple[int, int], ...]
    truncated: Truncation | None = None


ZERO = Sum(())

Cell = Sum | None
Cells = list[Cell]

Targets = list[Cells | None]
"""The new targets of all members; None if a member's target is unchanged."""

Write = tuple[int, tuple[int, ...]]
"""The step, counted from 1, and the group; (0, ()) if no step wrote the cell."""


@dataclass(frozen=True, slots=True)
class Suspect:
    """The first step and group that added several chunks together, or counted contributions more than once.

    `fields` is nonzero in the field of each device counted twice or negatively; 0 for a sum of several chunks.
    """

    step: int
    group: tuple[int, ...]
    chunks: tuple[int, ...]
    fields: int
    truncated: Truncation | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The final contents `cells[device][buffer][chunk]`, the last write to each, and suspicious sums on the way.

    A field has `width` bits, including a sign bit, and counts a device's contribution in multiples of 1/`unit`.
    """

    cells: list[dict[str, list[Cell]]]
    writes: list[dict[str, list[Write]]]
    suspects: tuple[Suspect, ...]
    width: int
    unit: int

    def count(self, fields: int, device: int) -> int:
        """Return the number of times that a device's contribution occurs in a sum."""
        return count(fields, device, self.width)

    def counted(self, fields: int) -> Iterator[int]:
        """Yield the devices whose contribution occurs in a sum, ascending."""
        return (device for device, _ in counts(fields, self.width))


def count(fields: int, device: int, width: int) -> int:
    """Return the number in a device's field of a packed sum."""
    below = device * width
    return _signed((fields - _signed(fields, below)) >> below, width)


def counts(fields: int, width: int) -> Iterator[tuple[int, int]]:
    """Yield the devices with nonzero fields, ascending, and the numbers in these fields."""
    while fields:
        # `fields & -fields` is the lowest bit that is set; its place says which field it is in.
        device = ((fields & -fields).bit_length() - 1) // width
        number = _signed(fields >> device * width, width)
        yield device, number
        fields -= number << device * width


def _signed(number: int, bits: int) -> int:
    """Return the number nearest to 0 that is congruent to `number` modulo 2^bits."""
    rest = number & ((1 << bits) - 1)
    # The highest bit of a field is its sign (two's complement).
    return rest - (1 << bits) if bits and rest >> (bits - 1) else rest


def execute(plan: VerificationPlan) -> Outcome:
    """Execute a plan whose steps satisfy the rules of shape."""
    parts, width = unit(plan), _width(plan)
    cells: list[dict[str, list[Cell]]] = [
        {name: [ZERO if name in plan.zeros else None] * length for name, length in plan.buffers}
        for _ in range(plan.devices)
    ]
    writes: list[dict[str, list[Write]]] = [
        {name: [(0, ())] * length for name, length in plan.buffers} for _ in range(plan.devices)
    ]
    given = plan.goal.source
    for device in range(plan.devices):
        own = [Sum(((chunk, parts << device * width),)) for chunk in range(given.length)]
        cells[device][given.buffer][given.start : given.end] = own
    twice = _not_once(plan, parts, width)
    divisions = _Divisions(plan, parts, width)
    suspects: dict[tuple[tuple[int, ...], int, Truncation | None], Suspect] = {}
    for number, step in plan.numbered:
        part = step.target
        for group in step.groups:
            read = [_read(cells[device], step) for device in group]
            last: Cells | None = None
            for device, written in zip(group, RULES[step.operation](step, read), strict=True):
                if written is None:
                    continue
                if written is not last:  # most collectives give all members one and the same list
                    last, values = written, divisions.made(written, step.divisor)
                    for suspect in _suspects(number, group, values, twice):
                        suspects.setdefault((suspect.chunks, suspect.fields, suspect.truncated), suspect)
                cells[device][part.buffer][part.start : part.end] = values
                writes[device][part.buffer][part.start : part.end] = [(number, group)] * part.length
    return Outcome(cells, writes, tuple(suspects.values()), width, parts)


def memory_needed(plan: VerificationPlan) -> int:
    """Return an estimate of the bytes needed for a plan's cells if no devices hold equal ones."""
    return plan.devices * sum(length for _, length in plan.buffers) * plan.devices * _width(plan) // 16


def _width(plan: VerificationPlan) -> int:
    return (unit(plan) * greatest_count(plan)).bit_length() + 1 + negates(plan)


def _read(held: dict[str, Cells], step: VerificationStep) -> Cells:
    return [cell for part in step.reads for cell in held[part.buffer][part.start : part.end]]


class _Divisions:
    """Divides cells, and records the fractions that integer divisions drop."""

    def __init__(self, plan: VerificationPlan, parts: int, width: int) -> None:
        self._integers, self._width, self._devices = plan.integers, width, plan.devices
        self._truncations = Truncations(parts, averaged(plan.goal))
        self._known: dict[int, Truncation | None] = {}

    def made(self, values: Cells, divisor: int) -> Cells:
        """Return the cells divided by the divisor, which must divide all counts so that fields do not mix."""
        if divisor == 1:
            return values
        return [None if cell is None else self._quotient(cell, divisor) for cell in values]

    def _quotient(self, cell: Sum, divisor: int) -> Sum:
        # One division divides all fields: `unit` makes each of them divisible.
        counts = tuple((chunk, fields // divisor) for chunk, fields in cell.counts)
        if not self._integers or cell.truncated:
            return Sum(counts, cell.truncated)
        return Sum(counts, next(filter(None, (self._truncated(fields) for _, fields in counts)), None))

    def _truncated(self, fields: int) -> Truncation | None:
        if fields not in self._known:
            mask = (1 << self._width) - 1
            counts = {one: fields >> one * self._width & mask for one in range(self._devices)}
            found = self._truncations.truncated({one: count for one, count in counts.items() if count})
            self._known[fields] = found
        return self._known[fields]


def _not_once(plan: VerificationPlan, parts: int, width: int) -> Callable[[int], int]:
    """Return a function that extracts fields counted twice or negatively; always 0 if `parts` is not 1."""
    if parts != 1:
        return lambda fields: 0
    if negates(plan):
        return lambda fields: sum(1 << one * width for one, number in counts(fields, width) if number != 1)
    # The lowest bit of every field: a device that is counted twice or more has another bit set.
    once = sum(1 << device * width for device in range(plan.devices))
    twice = (1 << plan.devices * width) - 1 - once
    return lambda fields: fields & twice


def _suspects(
    number: int, group: tuple[int, ...], values: Sequence[Cell], twice: Callable[[int], int]
) -> list[Suspect]:
    return [
        Suspect(number, group, tuple(chunk for chunk, _ in cell.counts), twice(cell.counts[-1][1]), cell.truncated)
        for cell in values
        if cell and cell.counts and (cell.truncated or len(cell.counts) > 1 or twice(cell.counts[0][1]))
    ]


def all_reduce(step: VerificationStep, read: list[Cells]) -> Targets:
    """Return the sum for every member."""
    return [_added(read)] * len(read)


def reduce_scatter(step: VerificationStep, read: list[Cells]) -> Targets:
    """Return block `i` of the sum for member `i`; in place, the other blocks become undefined."""
    total, blocks = _added(read), _blocks(read)
    if step.in_place:
        return [[cell if i in block else None for i, cell in enumerate(total)] for block in blocks]
    return [total[block.start : block.stop] for block in blocks]


def reduce(step: VerificationStep, read: list[Cells]) -> Targets:
    """Return the sum for the root; other members become undefined, as some libraries leave partial sums there."""
    nothing: Cells = [None] * len(read[0])
    return [_added(read) if place == step.root else nothing for place in range(len(read))]


def all_gather(step: VerificationStep, read: list[Cells]) -> Targets:
    """Return the members' parts, concatenated, for every member; in place, member `i` contributes its block `i`."""
    blocks = _blocks(read)
    own = [cells[b.start : b.stop] for cells, b in zip(read, blocks, strict=True)] if step.in_place else read
    return [[cell for cells in own for cell in cells]] * len(read)


def broadcast(step: VerificationStep, read: list[Cells]) -> Targets:
    """Return the root's content for every member."""
    return [read[step.root]] * len(read)


def send(step: VerificationStep, read: list[Cells]) -> Targets:
    """Return the root's content for all other members."""
    return [None if place == step.root else read[step.root] for place in range(len(read))]


def all_to_all(step: VerificationStep, read: list[Cells]) -> Targets:
    """Return block `j` of every member, in group order, for member `j`."""
    return [[cell for cells in read for cell in cells[b.start : b.stop]] for b in _blocks(read)]


def add(step: VerificationStep, read: list[Cells]) -> Targets:
    """Return, for each member, its source added to its target."""
    half = step.source.length
    return [_added([cells[:half], cells[half:]]) for cells in read]


def copy(step: VerificationStep, read: list[Cells]) -> Targets:
    """Return each member's source; a scale is a copy in a step with a divisor."""
    return list(read)


def negate(step: VerificationStep, read: list[Cells]) -> Targets:
    """Return, for each member, its source multiplied by -1."""
    return [[None if cell is None else _negated(cell) for cell in cells] for cells in read]


RULES: dict[Operation, Callable[[VerificationStep, list[Cells]], Targets]] = {
    Collective.ALL_REDUCE: all_reduce,
    Collective.REDUCE_SCATTER: reduce_scatter,
    Collective.REDUCE: reduce,
    Collective.ALL_GATHER: all_gather,
    Collective.BROADCAST: broadcast,
    Exchange.SEND: send,
    Exchange.ALL_TO_ALL: all_to_all,
    LocalOperation.ADD: add,
    LocalOperation.COPY: copy,
    LocalOperation.SCALE: copy,
    LocalOperation.NEGATE: negate,
}


def _blocks(read: list[Cells]) -> list[range]:
    size = len(read[0]) // len(read)
    return [range(place * size, (place + 1) * size) for place in range(len(read))]


def _added(read: list[Cells]) -> Cells:
    return [fold(_sum, cells) for cells in zip(*read, strict=True)]


def _sum(one: Cell, other: Cell) -> Cell:
    if one is None or other is None:
        return None
    if not one.counts or not other.counts:
        return one if one.counts else other
    truncated = one.truncated or other.truncated
    joined = dict(one.counts)
    for chunk, fields in other.counts:
        # Contributions that cancel leave no entry, so equal sums have one form.
        total = joined.pop(chunk, 0) + fields
        if total:
            joined[chunk] = total
    return Sum(tuple(sorted(joined.items())), truncated and truncated.with_more())


def _negated(cell: Sum) -> Sum:
    return Sum(tuple((chunk, -fields) for chunk, fields in cell.counts), cell.truncated)
