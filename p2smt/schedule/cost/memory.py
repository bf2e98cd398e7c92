"""Peak memory of a rank that executes a scheduled program: values, chunks, and copies in flight, in bytes.

Sources are always resident. A value is resident from its unit to the last unit that reads it, or to the end if it
is an output; a new version replaces the old one in place. Inside a kernel, only inputs and results of collectives
take memory. Inside a loop, a value read by no other unit is kept in chunks: one per stage from its own to its last
reader's. A collective in a loop copies its input and result if a chunk of them is not contiguous.

    resident(u) = sources + sum of bytes of values v with  unit(v) <= u <= last reader(v)
    peak        = max over units u of  resident(u) + in flight(u)
Liveness in a straight line needs one pass: a value is added at its unit and taken off behind its last reader. Ranks
with equal bytes for every value are alike, so one of them counts.
Complexity: O(units + values) for each kind of rank.
Reference: Aho, Lam, Sethi and Ullman, "Compilers", 2006, section 9.2 (live variables).

Example: a (2 GB) is read by b (1 GB), b by c (1 GB): resident 2, 3, 2; the peak is 3 GB at b.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from p2smt.schedule.chunks import Chunker, chunked
from p2smt.schedule.graph import observed, reads, statements
from p2smt.schedule.kernel import sends
from p2smt.schedule.scheduled import Loop, ScheduledProgram
from p2smt.tensor.expression import Convert, Read
from p2smt.tensor.footprint import Footprint, ValueFootprint


@dataclass(frozen=True, slots=True, kw_only=True)
class PeakMemory:
    """The peak bytes of a rank, the unit where the peak occurs, and the bytes of chunks and copies in flight there."""

    peak: int
    unit: str
    in_flight: int


@dataclass(frozen=True, slots=True)
class _Unit:
    """A statement, group or loop, with the stage number of each of its statements (0 outside loops)."""

    name: str
    stages: Mapping[str, int]
    loop: Loop | None
    kernel: bool


def held(scheduled: ScheduledProgram, values: Footprint) -> PeakMemory:
    """Return the peak memory of the rank with the highest peak.

    `values` is the footprint of the same statements in any order.
    """
    known = {value.name: value for value in values.values}
    units = list(_units(scheduled))
    last = _last_readers(scheduled, units)
    most = PeakMemory(peak=0, unit="", in_flight=0)
    inner = [_UnitMemory.of(scheduled, unit, known, frozenset(unit.stages) - last.keys()) for unit in units]
    for rank in _unlike_ranks(values):
        now = sum(known[source.name].bytes[rank] for source in scheduled.program.sources)
        most = max(most, PeakMemory(peak=now, unit="", in_flight=0), key=_peak)
        # Values are freed after the last unit that reads them; the bytes to free are kept by that
        # unit.
        freed: dict[int, int] = {}
        for position, unit in enumerate(units):
            for name in unit.stages:
                if name in last and not _in_place(known[name]):
                    now += known[name].bytes[rank]
                    freed[last[name]] = freed.get(last[name], 0) + known[name].bytes[rank]
            flying = inner[position].bytes(rank)
            most = max(most, PeakMemory(peak=now + flying, unit=unit.name, in_flight=flying), key=_peak)
            now -= freed.pop(position, 0)
    return most


def _peak(held: PeakMemory) -> int:
    return held.peak


def _units(scheduled: ScheduledProgram) -> Iterator[_Unit]:
    for name, loop in scheduled.units():
        stages = (name,) if loop is None else loop.stages
        of = {member: number for number, stage in enumerate(stages) for member in scheduled.members(stage)}
        yield _Unit(name, of, loop, scheduled.group(name) is not None)


def _last_readers(scheduled: ScheduledProgram, units: list[_Unit]) -> dict[str, int]:
    """Return, for each value, the number of the last unit that reads it; one past the end for outputs.

    Values read only inside their own unit have none, except results of single-statement units.
    """
    position = {name: number for number, unit in enumerate(units) for name in unit.stages}
    expressions = statements(scheduled.program)
    # Behind the last unit: what is observed is never freed.
    last = {name: len(units) for name in observed(scheduled.program) if name in position}
    for name, expression in expressions.items():
        for read in reads(expression):
            if read in position and position[read] != position[name]:
                last[read] = max(last.get(read, 0), position[name])
    for number, unit in enumerate(units):
        if len(unit.stages) == 1:
            last.setdefault(next(iter(unit.stages)), number)
    return last


def _in_place(value: ValueFootprint) -> bool:
    """True for a version of a state, which reuses the bytes of the old one."""
    return value.what[-1] == "update"


def _unlike_ranks(values: Footprint) -> list[int]:
    """Return one representative of each set of ranks with equal bytes for every value."""
    found: dict[tuple[int, ...], int] = {}
    for rank, column in enumerate(zip(*(value.bytes for value in values.values), strict=True)):
        found.setdefault(column, rank)
    return list(found.values())


@dataclass(frozen=True, slots=True)
class _UnitMemory:
    """Memory of a unit's internal values and of copies.

    `values` pairs each value with its number of resident chunks, `copies` each copied value with its chunked
    dimension.
    """

    values: tuple[tuple[ValueFootprint, int], ...]
    copies: tuple[tuple[ValueFootprint, int], ...]
    slices: tuple[int, ...]
    chunks: int

    @classmethod
    def of(
        cls, scheduled: ScheduledProgram, unit: _Unit, known: Mapping[str, ValueFootprint], inner: frozenset[str]
    ) -> "_UnitMemory":
        """Return the memory of a unit; `inner` are its values that no other unit reads."""
        expressions = statements(scheduled.program)
        moved = [
            (name, convert.operand.name)
            for name in unit.stages
            if isinstance(convert := expressions[name], Convert)
            and sends(convert.conversion)
            and isinstance(convert.operand, Read)
        ]
        buffers = {name for pair in moved for name in pair}
        counts: dict[str, int] = {}
        for name in unit.stages:
            behind = [unit.stages[other] for other in unit.stages if name in reads(expressions[other])]
            stages = max(behind, default=unit.stages[name]) - unit.stages[name]
            if name in inner and not _in_place(known[name]) and (stages or name in buffers):
                counts[name] = stages + 1
        values = tuple((known[name], count) for name, count in counts.items())
        if unit.loop is None:
            return cls(values if unit.kernel else (), (), (1,), 1)
        order = tuple(each.name for each in scheduled.program.statements if each.name in unit.stages)
        chunking = chunked(scheduled.program, order, unit.loop.dimension)
        copies = tuple((known[name], _dimension(chunking, name)) for pair in moved for name in pair)
        return cls(values, copies, chunking.chunks().slices, unit.loop.chunks)

    def bytes(self, rank: int) -> int:
        """Return the bytes on one rank."""
        found = 0
        for value, count in self.values:
            found += min(value.bytes[rank], count * self._of_chunk(value, rank))
        for value, dimension in self.copies:
            found += self._of_chunk(value, rank) if self._is_in_pieces(value, dimension, rank) else 0
        return found

    def _of_chunk(self, value: ValueFootprint, rank: int) -> int:
        """Return the bytes of the largest chunk, which has the first block of each slice."""
        # Blocks are rounded up, so the first of a slice is the largest; a fraction keeps the bytes exact.
        largest = max(Fraction(-(-size // self.chunks), size) for size in self.slices if size)
        return ceil(value.bytes[rank] * largest)

    def _is_in_pieces(self, value: ValueFootprint, dimension: int, rank: int) -> bool:
        local = value.local[rank]
        if local is None:
            return False
        own = max(self.slices) * value.shape[dimension] // sum(self.slices)
        return any(length > 1 for length in local[:dimension]) or local[dimension] > own


def _dimension(chunking: Chunker, name: str) -> int:
    return chunking.dimensions[name] if name in chunking.dimensions else min(chunking.outside[name])
