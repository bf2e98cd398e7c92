"""What is measured in the laboratory: which axes on which hosts, and what is reduced."""

from dataclasses import dataclass

from p2smt.problem.build import build_problem
from p2smt.problem.model import Axis, Payload, Problem, Search
from p2smt.problem.system.build import build_system
from p2smt.problem.system.link import Link, Wiring
from p2smt.problem.system.network import Level, Network, System

BYTES = 500_000
NIC = 100e6 / 8
LOOPBACK = 600e6
LATENCY = 1e-3
SAMPLE = 120
"""Programs of a placement that are measured where there are more, which is so at three levels."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """A reduction over some axes of a system of hosts, or racks of hosts, with ranks on each."""

    sizes: tuple[int, ...]
    axes: tuple[int, ...]
    reduce: tuple[int, ...]

    @property
    def problem(self) -> Problem:
        """The problem with the figures that the laboratory is shaped by."""
        axes = [Axis(f"axis{number}", size) for number, size in enumerate(self.axes)]
        return build_problem(lab_system(self.sizes), axes, self.reduce, Payload(BYTES, "float32"), Search())


EXPERIMENTS = (
    Experiment((2, 4), (8,), (0,)),
    Experiment((4, 2), (8,), (0,)),
    Experiment((2, 2, 2), (8,), (0,)),
    Experiment((4, 4), (16,), (0,)),
    Experiment((2, 8), (16,), (0,)),
    Experiment((2, 4), (2, 4), (1,)),
    Experiment((4, 2), (2, 4), (1,)),
    Experiment((4, 4), (2, 8), (1,)),
    Experiment((2, 8), (2, 8), (1,)),
    Experiment((2, 4), (4, 2), (0,)),
    Experiment((4, 2), (4, 2), (0,)),
    Experiment((4, 4), (4, 4), (0,)),
    Experiment((2, 8), (4, 4), (1,)),
    Experiment((2, 4), (2, 2, 2), (0, 2)),
    Experiment((4, 2), (2, 2, 2), (0, 2)),
)


def lab_system(sizes: tuple[int, ...]) -> System:
    """Hosts with ranks (two sizes), or racks of hosts with ranks (three); every card and uplink has one rate."""
    names = ("rack", "host", "rank")[-len(sizes) :]
    card = Link(name="nic", level="host", wiring=Wiring.PORT, bandwidth=NIC, latency=LATENCY, uplink=len(sizes) > 2)
    links = [card, Link(name="loopback", level="rank", wiring=Wiring.BUS, bandwidth=LOOPBACK, latency=LATENCY)]
    if len(sizes) > 2:
        links.insert(0, Link(name="uplink", level="rack", wiring=Wiring.PORT, bandwidth=NIC, latency=LATENCY))
    levels = tuple(Level(name, size) for name, size in zip(names, sizes, strict=True))
    network = Network(tuple(links), memory_bandwidth=5e9, machine="host")
    return build_system(System(levels, network, "lab", "network namespaces with shaped cards"))
