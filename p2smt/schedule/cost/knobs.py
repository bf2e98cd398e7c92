"""Parameters varied by explanations: dimension lengths, the bandwidth of all links, the compute speed of devices."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from p2smt.cost.network.backend import cost_of
from p2smt.problem.system.algorithm import PerAlgorithm
from p2smt.problem.system.link import Link
from p2smt.schedule.cost.machine import Machine
from p2smt.schedule.cost.protocols import ProtocolCarrier
from p2smt.schedule.scheduled import ScheduledProgram
from p2smt.tensor.program import Program
from p2smt.tensor.verification.resize import NewSizes, resized


@dataclass(frozen=True, slots=True)
class Length:
    """A dimension length of sources, with the names of all sizes that have this value."""

    names: tuple[str, ...]
    value: int

    def __str__(self) -> str:
        return ", ".join(self.names) if self.names else f"the length {self.value}"


@dataclass(frozen=True, slots=True)
class Bandwidth:
    """The bandwidth of all links, scaled together."""

    def __str__(self) -> str:
        return "bandwidth of the links"


@dataclass(frozen=True, slots=True)
class Speed:
    """The arithmetic operations per second of a device."""

    def __str__(self) -> str:
        return "speed of computing"


Knob = Length | Bandwidth | Speed


def knobs_of(program: Program, machine: Machine) -> tuple[Knob, ...]:
    """Return the parameters to vary.

    These are named lengths (all lengths of sources if none is named), the bandwidth, and the compute speed.
    With measured rates there is no speed, because call times are measured.
    """
    lengths = {length for source in program.sources for length in source.shape if length > 1}
    named: dict[int, list[str]] = {}
    for name, size in program.sizes:
        if size in lengths:
            named.setdefault(size, []).append(name)
    found = named or {length: [] for length in sorted(lengths)}
    lengths_of = (Length(tuple(names), size) for size, names in found.items())
    return (*lengths_of, Bandwidth(), *(() if machine.rates is not None else (Speed(),)))


def turned(
    knob: Knob, factor: float, scheduled: ScheduledProgram, machine: Machine
) -> tuple[ScheduledProgram, Machine]:
    """Return program and machine with one parameter multiplied by a factor; lengths are rounded, and at least 1.

    ProgramError, now or when pricing, if shapes no longer fit.
    """
    match knob:
        case Length(_, value):
            new: Mapping[int, int] = {value: max(1, round(value * factor))}
            return scheduled.with_program(resized(scheduled.program, NewSizes({}, new))), machine
        case Bandwidth():
            return scheduled, _faster(machine, factor)
        case Speed():
            return scheduled, replace(
                machine,
                flops=machine.flops * factor,
                model=None if machine.model is None else machine.model.faster(factor),
            )


def _faster(machine: Machine, factor: float) -> Machine:
    system = machine.cost.system
    links = tuple(_faster_link(link, factor) for link in system.network.links)
    faster = replace(system, network=replace(system.network, links=links))
    made = replace(machine, cost=cost_of(faster, machine.backend), carrier=None)
    return ProtocolCarrier.on(machine.carrier.mesh, made) if isinstance(machine.carrier, ProtocolCarrier) else made


def _faster_link(link: Link, factor: float) -> Link:
    flow = PerAlgorithm({algorithm: figure * factor for algorithm, figure in link.flow.items()})
    return replace(link, bandwidth=link.bandwidth * factor, flow=flow)
