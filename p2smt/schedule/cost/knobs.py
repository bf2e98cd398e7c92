"""Parameters that an explanation varies: lengths of a program, the bandwidth of all links, how fast devices compute."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from p2smt.cost.network.backend import cost_of
from p2smt.problem.system.algorithm import PerAlgorithm
from p2smt.problem.system.network import Link
from p2smt.schedule.cost.machine import Machine
from p2smt.schedule.cost.protocols import ProtocolCarrier
from p2smt.schedule.scheduled import ScheduledProgram
from p2smt.tensor.program import Program
from p2smt.tensor.verification.resize import NewSizes, resized


@dataclass(frozen=True, slots=True)
class Length:
    """A length that sources have, with the names of all sizes that are as large."""

    names: tuple[str, ...]
    value: int

    def __str__(self) -> str:
        return ", ".join(self.names) if self.names else f"the length {self.value}"


@dataclass(frozen=True, slots=True)
class Bandwidth:
    """The bandwidth of all links; they change in proportion."""

    def __str__(self) -> str:
        return "bandwidth of the links"


@dataclass(frozen=True, slots=True)
class Speed:
    """Operations on numbers that a device does in a second."""

    def __str__(self) -> str:
        return "speed of computing"


Knob = Length | Bandwidth | Speed


def knobs_of(program: Program, machine: Machine) -> tuple[Knob, ...]:
    """The lengths that have a name, or all lengths of sources where none has one; then what a system has.

    With rates the speed of computing is none: what calls take was measured.
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
    """The same with a knob at so many times what it is; lengths are whole and at least 1.

    ProgramError, now or where it is priced, if shapes do not fit any more.
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
