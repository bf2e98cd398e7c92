"""Contents of every buffer after every step: sums of contributions, or nothing that can be relied on.

A cell is a sum `(n_0 x_0 + n_1 x_1 + ...) / unit` of contributions `x_i` (device and chunk) with whole numbers `n_i`,
or undefined. Collectives add and move cells; no rule is broken by what they hold, so a plan is right exactly when its
result is. The numbers are fields of one integer, `n_0 + n_1 2^w + n_2 4^w + ...`, wide enough for the difference of any
two of either sign; `unit` is 1 in plans without division, and otherwise so large that every division leaves whole
numbers.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce as fold
from typing import NamedTuple

from p2smt.collective import Collective, Exchange
from p2smt.verify.goal import averaged
from p2smt.verify.growth import greatest_count, negates, unit
from p2smt.verify.operation import Local, Operation
from p2smt.verify.plan import Step, VerificationPlan
from p2smt.verify.truncation import Truncation, Truncations


class Sum(NamedTuple):
    """A sum of contributions: (chunk, fields) per chunk, ascending, where a field is how often a device's is in it.

    `truncated` is what divisions of integers have dropped of it, as far as the goal misses it.
    """

    counts: tuple[tuple[int, int], ...]
    truncated: Truncation | None = None


ZERO = Sum(())

Cell = Sum | None
Cells = list[Cell]

Targets = list[Cells | None]
"""The targets of all members afterwards; None: it keeps what it has."""

Write = tuple[int, tuple[int, ...]]
"""Step, counted from 1, and group; (0, ()) for a cell that no step wrote."""


@dataclass(frozen=True, slots=True)
class Suspect:
    """The first step and group that made this sum of several chunks, or counted these contributions twice.

    `fields` is not 0 in the field of every device that is counted twice, or negatively; 0 for a sum of several chunks.
    """

    step: int
    group: tuple[int, ...]
    chunks: tuple[int, ...]
    fields: int
    truncated: Truncation | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """`cells[device][buffer][chunk]`, the (step, group) that wrote each last, and what looked wrong on the way.

    `width` bits count how often one device's contribution is in a sum, in `unit`ths; the highest is for the sign.
    """

    cells: list[dict[str, list[Cell]]]
    writes: list[dict[str, list[Write]]]
    suspects: tuple[Suspect, ...]
    width: int
    unit: int

    def count(self, fields: int, device: int) -> int:
        """The number of times that a device's contribution is in a sum."""
        return count(fields, device, self.width)

    def counted(self, fields: int) -> Iterator[int]:
        """The devices whose contribution is in a sum, ascending."""
        return (device for device, _ in counts(fields, self.width))


def count(fields: int, device: int, width: int) -> int:
    """The number in a device's field of a packed sum."""
    below = device * width
    return _signed((fields - _signed(fields, below)) >> below, width)


def counts(fields: int, width: int) -> Iterator[tuple[int, int]]:
    """The devices whose fields are not 0, ascending, and the numbers there."""
    while fields:
        # `fields & -fields` is the lowest bit that is set; its place says which field it is in.
        device = ((fields & -fields).bit_length() - 1) // width
        number = _signed(fields >> device * width, width)
        yield device, number
        fields -= number << device * width


def _signed(number: int, bits: int) -> int:
    """The number nearest to 0 that is congruent to this one modulo 2^bits."""
    rest = number & ((1 << bits) - 1)
    # The highest bit of a field is its sign (two's complement).
    return rest - (1 << bits) if bits and rest >> (bits - 1) else rest


def execute(plan: VerificationPlan) -> Outcome:
    """Run a plan whose steps keep the rules of shape."""
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
    """About how many bytes the cells of a plan take, if no two devices hold equal ones."""
    return plan.devices * sum(length for _, length in plan.buffers) * plan.devices * _width(plan) // 16


def _width(plan: VerificationPlan) -> int:
    return (unit(plan) * greatest_count(plan)).bit_length() + 1 + negates(plan)


def _read(held: dict[str, Cells], step: Step) -> Cells:
    return [cell for part in step.reads for cell in held[part.buffer][part.start : part.end]]


class _Divisions:
    """Divides cells and records which fractions integers drop."""

    def __init__(self, plan: VerificationPlan, parts: int, width: int) -> None:
        self._integers, self._width, self._devices = plan.integers, width, plan.devices
        self._truncations = Truncations(parts, averaged(plan.goal))
        self._known: dict[int, Truncation | None] = {}

    def made(self, values: Cells, divisor: int) -> Cells:
        """Every number divided by the divisor, which divides them all, so that fields do not mix."""
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
    """The fields of devices counted twice or negatively; empty if contributions are divided into parts."""
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


def all_reduce(step: Step, read: list[Cells]) -> Targets:
    """Everyone gets the sum."""
    return [_added(read)] * len(read)


def reduce_scatter(step: Step, read: list[Cells]) -> Targets:
    """Block `i` of the sum to member `i`; in place the other blocks are lost."""
    total, blocks = _added(read), _blocks(read)
    if step.in_place:
        return [[cell if i in block else None for i, cell in enumerate(total)] for block in blocks]
    return [total[block.start : block.stop] for block in blocks]


def reduce(step: Step, read: list[Cells]) -> Targets:
    """The sum to the root; the others are undefined afterwards (some libraries leave partial sums there)."""
    nothing: Cells = [None] * len(read[0])
    return [_added(read) if place == step.root else nothing for place in range(len(read))]


def all_gather(step: Step, read: list[Cells]) -> Targets:
    """Everyone gets the members' parts one after the other; in place, member `i` brings its block `i`."""
    blocks = _blocks(read)
    own = [cells[b.start : b.stop] for cells, b in zip(read, blocks, strict=True)] if step.in_place else read
    return [[cell for cells in own for cell in cells]] * len(read)


def broadcast(step: Step, read: list[Cells]) -> Targets:
    """Everyone gets what the root has."""
    return [read[step.root]] * len(read)


def send(step: Step, read: list[Cells]) -> Targets:
    """All but the root get what the root has."""
    return [None if place == step.root else read[step.root] for place in range(len(read))]


def all_to_all(step: Step, read: list[Cells]) -> Targets:
    """Member `j` gets block `j` of every member, in group order."""
    return [[cell for cells in read for cell in cells[b.start : b.stop]] for b in _blocks(read)]


def add(step: Step, read: list[Cells]) -> Targets:
    """Everyone's target gets its own source added."""
    half = step.source.length
    return [_added([cells[:half], cells[half:]]) for cells in read]


def copy(step: Step, read: list[Cells]) -> Targets:
    """Every member's source to its own target; a scale is a copy whose step has a divisor."""
    return list(read)


def negate(step: Step, read: list[Cells]) -> Targets:
    """Everyone's target gets its own source with the other sign."""
    return [[None if cell is None else _negated(cell) for cell in cells] for cells in read]


RULES: dict[Operation, Callable[[Step, list[Cells]], Targets]] = {
    Collective.ALL_REDUCE: all_reduce,
    Collective.REDUCE_SCATTER: reduce_scatter,
    Collective.REDUCE: reduce,
    Collective.ALL_GATHER: all_gather,
    Collective.BROADCAST: broadcast,
    Exchange.SEND: send,
    Exchange.ALL_TO_ALL: all_to_all,
    Local.ADD: add,
    Local.COPY: copy,
    Local.SCALE: copy,
    Local.NEGATE: negate,
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
