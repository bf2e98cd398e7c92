"""Estimated time of a scheduled program, unit by unit; loops by recurrence and by shared resources."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf

from p2smt.errors import ProgramError
from p2smt.schedule.chunks import Chunker, chunked
from p2smt.schedule.cost.along import AxisDevices
from p2smt.schedule.cost.calls import OperationCall, calls
from p2smt.schedule.cost.chunk_calls import ChunkCalls, copying
from p2smt.schedule.cost.collectives import price, program_price
from p2smt.schedule.cost.fused_kernel import fused_seconds
from p2smt.schedule.cost.machine import Machine, devices, patterns
from p2smt.schedule.cost.memory import PeakMemory, held
from p2smt.schedule.cost.price import COMPUTATION, MEMORY, Price
from p2smt.schedule.cost.rates import Rates
from p2smt.schedule.cost.stage import Stage, chunk_ends, shared
from p2smt.schedule.cost.turning import turned_seconds
from p2smt.schedule.graph import readers, reads, statements
from p2smt.schedule.kernel import sends
from p2smt.schedule.scheduled import Implementation, Loop, ScheduledProgram
from p2smt.tensor.footprint import Footprint, ValueFootprint, footprint
from p2smt.tensor.program import Call, Convert, Expression, Read, parts


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementTime:
    """A statement, group or loop, with its time in seconds: seconds = fixed + moving - hidden.

    `fixed` are start-ups, and `moving` grows with sizes. `hidden` is saved by overlapping a loop's stages,
    and by bursts of links that were idle.
    """

    name: str
    way: str
    fixed: float
    moving: float
    hidden: float = 0.0

    @property
    def seconds(self) -> float:
        """The total time."""
        return self.fixed + self.moving - self.hidden


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """The time of a scheduled program, unit by unit. `holding` computes a rank's peak memory."""

    seconds: float
    units: tuple[StatementTime, ...]
    holding: Callable[[], PeakMemory] = field(repr=False, compare=False)

    @cached_property
    def held(self) -> PeakMemory:
        """The peak memory of a rank, computed on first use."""
        return self.holding()

    @property
    def parts(self) -> tuple[float, float, float]:
        """Seconds of start-ups, seconds proportional to sizes, hidden seconds; total = first + second - third."""
        units = self.units
        return sum(unit.fixed for unit in units), sum(unit.moving for unit in units), sum(unit.hidden for unit in units)


def estimate(scheduled: ScheduledProgram, machine: Machine, pricer: "Pricer | None" = None) -> Estimate:
    """Return the time of one run of the program.

    ProgramError if the mesh does not fit the system. `pricer` may be that of a program with the same
    statements and reduction programs in another order.
    """
    pricer = Pricer(scheduled, machine) if pricer is None else pricer
    units = tuple(timed_units(scheduled, pricer))
    return Estimate(seconds=sum(unit.seconds for unit in units), units=units, holding=lambda: pricer.held(scheduled))


def timed_units(scheduled: ScheduledProgram, pricer: "Pricer") -> Iterator[StatementTime]:
    """Yield every unit; the first includes the program's time outside of calls."""
    start = 0.0 if pricer.rates is None else pricer.rates.start
    for unit in _timed(scheduled, pricer):
        yield replace(unit, fixed=unit.fixed + start) if start else unit
        start = 0.0


def _timed(scheduled: ScheduledProgram, pricer: "Pricer") -> Iterator[StatementTime]:
    """Yield every unit; idle links save up a burst, and are idle before the program."""
    idle = inf
    for name, loop in scheduled.units():
        if loop is not None:
            yield looped(scheduled, loop, pricer, idle)
            idle = 0.0
            continue
        stage = pricer.stage(scheduled.members(name))
        hidden = stage.saved(idle)
        yield StatementTime(name=name, way=stage.way, fixed=stage.fixed, moving=stage.moving, hidden=hidden)
        idle = 0.0 if stage.wires else idle + stage.seconds


def looped(scheduled: ScheduledProgram, loop: Loop, pricer: "Pricer", idle: float = 0.0) -> StatementTime:
    """Return the time of a loop, after `idle` seconds of idle links; with measured rates, as emitted."""
    units = [scheduled.members(each) for each in loop.stages]
    if pricer.rates is None:
        stages = [pricer.stage(members) for members in units]
        # A loop takes at least the recurrence and at least the busy time of each shared resource.
        return _looped(loop, stages, max([chunk_ends(stages, loop.chunks)[-1][-1], *shared(stages).values()]))
    inside = {member for each in units for member in each}
    members = [each.name for each in scheduled.program.statements if each.name in inside]
    calls_on = pricer.on_chunks(chunked(scheduled.program, tuple(members), loop.dimension), loop.chunks)
    stages = [pricer.in_loop(name, calls_on, pricer.rates) for each in units for name in each]
    return _looped(loop, stages, turned_seconds(stages, loop.chunks, pricer.rates, idle))


def _looped(loop: Loop, stages: Sequence[Stage], seconds: float) -> StatementTime:
    """Return the time of a loop that takes `seconds`; the rest of its stages' time is hidden."""
    ways = "; ".join(stage.way for stage in stages)
    fixed, moving = sum(stage.fixed for stage in stages), sum(stage.moving for stage in stages)
    return StatementTime(
        name=loop.name, way=f"{loop.chunks} chunks: {ways}", fixed=fixed, moving=moving, hidden=fixed + moving - seconds
    )


class Pricer:
    """Prices of a program's units, independent of their neighbours and cached.

    ProgramError if the program has no layouts, or its mesh does not fit the system.
    """

    def __init__(self, scheduled: ScheduledProgram, machine: Machine, values: Footprint | None = None) -> None:
        """Prepare prices; `values` is the program's footprint, if known."""
        program = scheduled.program
        self._noted = {noted.statement: noted for noted in scheduled.implementations}
        values = values or footprint(program)
        if values.refused is not None:
            raise ProgramError(str(values.refused))
        self._footprint = values
        self._program = program
        self._machine = machine
        self._values = {value.name: value for value in values.values}
        self._expressions = statements(program)
        self._readers = readers(program)
        self._devices = devices(program.mesh, machine)
        self._patterns = patterns(program.mesh, machine)
        self._stages: dict[tuple[str, ...], Stage] = {}

    @property
    def rates(self) -> Rates | None:
        """Measured times of calls, or None."""
        return self._machine.rates

    def on_chunks(self, chunking: Chunker, chunks: int) -> ChunkCalls:
        """Return the costs of a loop's chunks in addition to their shares of whole calls."""
        return ChunkCalls(self._program, self._values, chunking, chunks)

    def in_loop(self, name: str, loop: ChunkCalls, rates: Rates) -> Stage:
        """Return a loop's statement as emitted, including the extra costs of its chunks."""
        stage = self.stage((name,))
        each = loop.parts(name) * rates.part + loop.reread(self._calls[name], name, rates)
        return replace(
            stage,
            fixed=stage.fixed + each,
            own=stage.own + each,
            moving=stage.moving + copying(rates, loop.copied(name)),
        )

    def held(self, scheduled: ScheduledProgram) -> PeakMemory:
        """Return the peak memory of the same statements in this order and grouping."""
        return held(scheduled, self._footprint)

    def brought(self, name: str) -> list[tuple[int, ...]]:
        """Return the bytes that each rank contributes to each conversion of a statement."""
        return [sent.bytes for sent in self._values[name].sent]

    def ways(self, name: str) -> list[str]:
        """Return the names of the implementations of a statement's collectives."""
        return [made.way for made in self._sent(name)]

    def as_it_is(self, name: str) -> Price:
        """Return the price of a statement's only conversion as currently implemented."""
        (price,) = self._sent(name)
        return price

    def by_program(self, name: str, noted: Implementation) -> Price:
        """Return the price of a statement's only conversion by a reduction program."""
        (convert,) = (part for part in parts(self._expressions[name]) if isinstance(part, Convert))
        return program_price(noted, self.brought(name)[0], self._along(convert), self._machine)

    def _along(self, convert: Convert) -> AxisDevices:
        axis = self._program.axis(convert.axis)
        return AxisDevices(self._program.mesh, axis, self._patterns[axis], self._devices)

    def stage(self, members: tuple[str, ...]) -> Stage:
        """Return a unit as one kernel: its collectives, and its computation by the roofline."""
        if members not in self._stages:
            self._stages[members] = self._stage(members)
        return self._stages[members]

    def _stage(self, members: tuple[str, ...]) -> Stage:
        sent = [made for member in members for made in self._sent(member)]
        if self._machine.rates is not None:
            return self._called(members, sent, self._machine.rates)
        moved = self._moved(members)
        launch = self._machine.cost.system.network.launch
        computes = moved > 0
        arithmetic, memory, begin = self._computing(members, moved)
        fixed = sum(each.fixed for each in sent) - (max(0, len(sent) - 1) * launch)
        fixed += begin if computes and not sent else 0.0
        busy = {COMPUTATION: arithmetic, MEMORY: memory}
        for each in sent:
            for resource, seconds in each.busy:
                busy[resource] = busy.get(resource, 0.0) + seconds
        ways = [each.way for each in sent] + (["computation"] if computes else [])
        moving = sum(each.moving for each in sent) + max(arithmetic, memory)
        return Stage(" and ".join(ways) or "a view", fixed, moving, busy, fixed)

    def _computing(self, members: tuple[str, ...], moved: float) -> tuple[float, float, float]:
        """Return a kernel's seconds of arithmetic, of memory traffic, and of its start."""
        values = [self._values[member] for member in members]
        flops = [max(value.flops) for value in values]
        model, network = self._machine.model, self._machine.cost.system.network
        if model is None:
            return sum(flops) / self._machine.flops, moved / network.memory_bandwidth, network.launch
        return fused_seconds(model, values, flops, moved)

    def _called(self, members: tuple[str, ...], sent: list[Price], rates: Rates) -> Stage:
        """Return calls in sequence, as emitted, whether or not they form one kernel."""
        made = [
            rates.call(each.operation, each.size, each.moved()) for member in members for each in self._calls[member]
        ]
        computing = sum(begin + more for begin, more in made)
        turns = sum(each.fixed if each.wire is None else each.wire.carrying.own for each in sent)
        busy = {COMPUTATION: computing + turns}
        for each in sent:
            for resource, seconds in each.busy:
                busy[resource] = busy.get(resource, 0.0) + seconds
        ways = [each.way for each in sent] + (["computation"] if made else [])
        fixed = sum(each.fixed for each in sent) + sum(begin for begin, _ in made)
        moving = sum(each.moving for each in sent) + sum(more for _, more in made)
        wires = tuple(each.wire for each in sent if each.wire is not None)
        own = turns + sum(begin for begin, _ in made)
        return Stage(" and ".join(ways) or "a view", fixed, moving, busy, own, wires)

    @cached_property
    def _calls(self) -> Mapping[str, tuple[OperationCall, ...]]:
        return calls(self._program)

    def _sent(self, name: str) -> list[Price]:
        value, found = self._values[name], list[Price]()
        conversions = [part for part in parts(self._expressions[name]) if isinstance(part, Convert)]
        for convert, sent in zip(conversions, value.sent, strict=True):
            if sends(convert.conversion):
                along = self._along(convert)
                noted = self._noted.get(name)
                found.append(
                    price(convert.conversion, sent.bytes, along, self._machine)
                    if noted is None
                    else program_price(noted, sent.bytes, along, self._machine)
                )
        return found

    def _moved(self, members: tuple[str, ...]) -> float:
        """Return the bytes a kernel reads and writes, each input and result once; collectives count their own."""
        computing = [name for name in members if not self._is_moved_only(name)]
        inside = set(members)
        inputs: dict[str, float] = {}
        for name in computing:
            for read in reads(self._expressions[name]) - inside:
                inputs[read] = max(inputs.get(read, 0.0), self._read(name, read))
        written = [name for name in computing if set(self._readers[name]) - inside or not self._readers[name]]
        return sum(inputs.values()) + sum(max(self._values[name].bytes) for name in written)

    def _is_moved_only(self, name: str) -> bool:
        """True if a statement computes nothing: a collective, an alias, or an update."""
        expression: Expression = self._expressions[name]
        match expression:
            case Call("update", (Read(), Read(value))):
                return value in self._expressions and len(self._readers[value]) == 1
            case Convert(_, operand):
                return isinstance(operand, Read)
            case Read():
                return True
            case _:
                return False

    def _read(self, name: str, read: str) -> float:
        """Return the bytes that a statement reads of a value: its slice, if it slices the value."""
        value, own = self._values[read], self._values[name]
        whole = max(value.bytes)
        return min(whole, _scaled(own, value)) if self._is_sliced(name, read) else whole

    def _is_sliced(self, name: str, read: str) -> bool:
        found = [part for part in parts(self._expressions[name]) if isinstance(part, Convert)]
        return any(not sends(part.conversion) and part.operand == Read(read) for part in found)


def _scaled(own: ValueFootprint, value: ValueFootprint) -> float:
    """Return the bytes of as many elements as `own` has on a rank, in the type of `value`."""
    return max(own.bytes) / own.dtype.bytes * value.dtype.bytes
