"""What is measured of plans in chunks: hosts, and racks of hosts, whose cards have like and unlike rates."""

from dataclasses import dataclass, replace
from math import prod

from lab_experiments import LATENCY, LOOPBACK

from p2smt.problem.build import build_problem
from p2smt.problem.model import Axis, Payload, Problem, Search
from p2smt.problem.system.build import build_system
from p2smt.problem.system.link import Link, Wiring
from p2smt.problem.system.network import Level, Network, System
from p2smt.run.lab.commands import burst_bytes

MBIT = 1e6 / 8


@dataclass(frozen=True, slots=True)
class Setting:
    """Tiers of racks and hosts, outermost first: how many in one around them, the rate of each one's port in Mb/s.

    `ranks` are those on a host; `bytes` what every rank reduces, over all ranks.
    """

    tiers: tuple[tuple[int, int], ...]
    ranks: int
    bytes: int

    @property
    def devices(self) -> int:
        """Number of ranks."""
        return self.ranks * prod(size for size, _ in self.tiers)

    def __str__(self) -> str:
        sizes = "x".join(str(size) for size, _ in self.tiers)
        rates = "/".join(str(rate) for _, rate in self.tiers)
        return f"{sizes} hosts of {self.ranks}, {rates} Mb/s, {self.bytes / 1e6:g} MB"


SETTINGS = (
    Setting(((2, 100),), 4, 2_000_000),
    Setting(((4, 100),), 2, 2_000_000),
    Setting(((2, 400),), 4, 8_000_000),
    Setting(((2, 50), (4, 100)), 1, 2_000_000),
    Setting(((4, 50), (2, 100)), 1, 2_000_000),
    Setting(((3, 50), (3, 100)), 1, 2_000_000),
    Setting(((2, 50), (2, 100)), 2, 2_000_000),
    Setting(((2, 50), (2, 100), (2, 200)), 1, 2_000_000),
    Setting(((2, 30), (2, 60), (2, 60)), 1, 1_000_000),
    Setting(((2, 100), (4, 100)), 1, 2_000_000),
    Setting(((2, 100), (2, 100), (2, 100)), 1, 2_000_000),
    Setting(((2, 50), (4, 100)), 1, 8_000_000),
    Setting(((2, 50), (4, 100)), 1, 50_000),
    Setting(((2, 50), (2, 100), (2, 200)), 1, 50_000),
    Setting(((2, 50), (4, 100)), 1, 10_000),
    Setting(((2, 50), (2, 100), (2, 200)), 1, 10_000),
    Setting(((4, 100),), 2, 50_000),
    Setting(((2, 50), (4, 100)), 1, 20_000),
    Setting(((2, 50), (2, 100), (2, 200)), 1, 20_000),
    Setting(((3, 50), (3, 100)), 1, 30_000),
    Setting(((4, 50), (2, 100)), 1, 10_000),
    Setting(((2, 50), (2, 100)), 2, 20_000),
    Setting(((2, 30), (2, 60), (2, 60)), 1, 20_000),
    Setting(((2, 100), (4, 100)), 1, 10_000),
    Setting(((2, 100),), 4, 10_000),
    Setting(((2, 50), (4, 100)), 1, 100_000),
    Setting(((3, 50), (3, 100)), 1, 60_000),
    Setting(((4, 50), (2, 100)), 1, 50_000),
    Setting(((2, 50), (2, 100)), 2, 50_000),
    Setting(((2, 30), (2, 60), (2, 60)), 1, 50_000),
    Setting(((2, 100), (2, 100), (2, 100)), 1, 50_000),
    Setting(((2, 100), (4, 100)), 1, 100_000),
    Setting(((2, 400),), 4, 200_000),
)


def problem_of(setting: Setting, system: System) -> Problem:
    """The reduction over all ranks of a setting."""
    return build_problem(system, [Axis("data", setting.devices)], (0,), Payload(setting.bytes, "float32"), Search())


def system_of(setting: Setting) -> System:
    """The system that the laboratory is shaped by: the nominal rates of its cards."""
    names = [f"tier{number}" for number in range(len(setting.tiers) - 1)] + ["host"]
    links = []
    for name, (_, rate) in zip(names, setting.tiers, strict=True):
        card = Link(name=f"{name}-card", level=name, wiring=Wiring.PORT, bandwidth=rate * MBIT, latency=LATENCY)
        links.append(replace(card, uplink=bool(links), burst=burst_bytes(card.bandwidth)))
    levels = [Level(name, size) for name, (size, _) in zip(names, setting.tiers, strict=True)]
    if setting.ranks > 1:
        levels.append(Level("rank", setting.ranks))
        links.append(Link(name="loopback", level="rank", wiring=Wiring.BUS, bandwidth=LOOPBACK, latency=LATENCY))
    network = Network(tuple(links), memory_bandwidth=5e9, machine="host")
    return build_system(System(tuple(levels), network, "lab", "network namespaces with shaped cards"))
