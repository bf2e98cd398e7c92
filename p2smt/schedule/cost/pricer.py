"""Prices of a program's units: collectives, kernels, and pairs of both by symmetric memory.

A unit is one kernel. Its computation has the time of the roofline (Williams, Waterman and Patterson, "Roofline: an
insightful visual performance model for multicore architectures", 2009), its collectives a latency and a time on links:
    moving = sum over collectives of their time on links + max(flops / peak, bytes / memory bandwidth),
    fixed  = sum over collectives of their latency - (collectives - 1) launches, or the start of a kernel without any,
    bytes  = every input once, and every result that is read outside of the unit or by nobody.
With measured rates (`rates.py`) a unit is its calls one after another instead, as they are emitted.
Complexity: O(members and their operands) for each unit; prices are kept, as they do not depend on neighbours.

Example: s = x + b and y = relu(s), with s, x and y of 8 MB, b small, and 2 TB/s. One kernel reads x and writes y: 16
MB, 8 us. Two kernels write and read s as well: 32 MB, 16 us, and a second start.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

from p2smt.errors import ProgramError
from p2smt.schedule.chunks import Chunker
from p2smt.schedule.cost.along import AxisDevices
from p2smt.schedule.cost.calls import OperationCall, calls
from p2smt.schedule.cost.chunk_calls import ChunkCalls, copying
from p2smt.schedule.cost.collectives import price, program_price
from p2smt.schedule.cost.fused_kernel import fused_seconds
from p2smt.schedule.cost.machine import Machine, devices, patterns
from p2smt.schedule.cost.memory import PeakMemory, held
from p2smt.schedule.cost.pipelined import PipelinedTime, pipelined_time, signal_seconds
from p2smt.schedule.cost.price import COMPUTATION, MEMORY, Price
from p2smt.schedule.cost.rates import Rates
from p2smt.schedule.cost.stage import Stage
from p2smt.schedule.graph import readers, reads, statements
from p2smt.schedule.kernel import sends
from p2smt.schedule.scheduled import Implementation, ScheduledProgram
from p2smt.tensor.expression import Call, Convert, Expression, Read, parts
from p2smt.tensor.footprint import Footprint, ValueFootprint, footprint


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

    def pipelined(self, contraction: str, collective: str) -> PipelinedTime | None:
        """Return the time of a pair as one operation of symmetric memory; None if devices share no memory."""
        convert, (sent,) = self._expressions[collective], self._values[collective].sent
        assert isinstance(convert, Convert)
        along = self._along(convert)
        signal = signal_seconds(along.pattern, self._machine)
        if signal is None or along.size == 1 or collective in self._noted:
            return None
        product = self.stage((contraction,))
        return pipelined_time(product, convert.conversion, sent.bytes, along, self._machine, signal)

    @cached_property
    def avoids_starts(self) -> bool:
        """True if start-ups of collectives can be avoided: devices share memory, and there is a product for a pair."""
        called = [each.operation for each in self._program.expressions() if isinstance(each, Call)]
        if self.rates is not None or "matmul" not in called:
            return False
        return any(signal_seconds(each, self._machine) is not None for each in self._patterns)

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
