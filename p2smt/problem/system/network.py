"""Networks between devices: links per level, device memory, and the system that they make up.

A level's units are joined inside their parent unit. Every level has one link that takes every hop, a `port` or
a `bus`, and may have a `ring` of faster point-to-point links, which takes the hops between neighbours.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import prod

from p2smt.display import html_table, one_line
from p2smt.problem.quantity import format_decimal, format_seconds, parse_bandwidth, parse_seconds
from p2smt.problem.system.algorithm import PerAlgorithm
from p2smt.problem.system.device_model import DeviceModel
from p2smt.problem.system.devices import ComputingMethod, DeviceKind, Effort, Profile
from p2smt.problem.system.processors import Processors
from p2smt.problem.system.timings import Timings
from p2smt.problem.system.tree import Tree
from p2smt.wording import sizes_text

SIMPLE_FROM = 2**20
"""The payload, in bytes, from which parameters without a measurement are taken to hold."""


class Wiring(StrEnum):
    """The way in which a link joins the units of a level inside one parent unit.

    port: every unit has its own connection to a switch (an NVSwitch port, a network card).
    bus: the units of one parent share one medium (a PCIe host bridge, loopback through memory).
    ring: point-to-point links between neighbours; hops between others take the level's port or bus.
    """

    PORT = "port"
    BUS = "bus"
    RING = "ring"


class Duplex(StrEnum):
    """Direction of a port's bandwidth: full in both directions, or shared by incoming and outgoing bytes."""

    FULL = "full"
    HALF = "half"


@dataclass(frozen=True, slots=True)
class Level:
    """One level of the hardware hierarchy: `size` units inside every unit of the level above."""

    name: str
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """One class of links, at every unit (port), parent (bus) or pair of neighbours (ring) of a level.

    `bandwidth` is in bytes/s: of one port and direction (half duplex: both together), of the whole bus, of one
    point-to-point link and direction. `latency` is in seconds per hop that crosses this level and nothing
    further out. A port with `uplink` also carries what enters or leaves its parent unit. A unit with `count`
    ports spreads the bytes of a group evenly over the ports next to the group's members. The switch of a
    parent passes 1/`oversubscription` of what its ports could send at once; with `rails` every port number has
    a switch of its own, and only bytes that change their port number go through the oversubscribed ones.
    `flow` is, per algorithm that is bounded so, the bytes/s and direction that one connection of a ring, or of one
    of the two trees, gets on a port even when it is alone (as NCCL's tuning bounds bandwidth per channel).
    `send_flow` is the same of a send between two devices, which fills a part of a card; None: all of a port.
    `neighbours` lists the pairs of units that a ring joins; none: every unit with the next, the last with the
    first. `burst` is the bytes that a port which was idle passes at once, as one shaped by a token bucket does; it
    counts in the wire, and where plans in chunks are weighed against those in one piece.
    """

    name: str
    level: str
    wiring: Wiring
    bandwidth: float
    latency: float
    duplex: Duplex = Duplex.FULL
    uplink: bool = False
    count: int = 1
    oversubscription: float = 1.0
    rails: bool = False
    flow: PerAlgorithm = field(default_factory=PerAlgorithm)
    send_flow: float | None = None
    neighbours: tuple[tuple[int, int], ...] = ()
    burst: int = 0


@dataclass(frozen=True, slots=True)
class Network:
    """All links, and what a device does on its own.

    `memory_bandwidth` (bytes/s) is what a device reads or writes; a collective reads its input and writes its
    output once. `overlap` is the part of the time on other links that the busiest link's time hides, from 0
    (they add up) to 1. `machine` names the level whose units are machines: NCCL's trees go over machines and
    are chains inside them; None: all devices are in one machine. `memory` is how many bytes a device holds;
    None: not known. `launch` is how many seconds a device needs to begin a collective, whatever it moves,
    `all_to_all_launch` those of an all-to-all; None: the same.
    `protocols`: NCCL's protocols of small messages are priced; False: that of large ones alone.
    `processors` are those that all devices share, where gloo carries collectives; None: every device has its own.
    """

    links: tuple[Link, ...]
    memory_bandwidth: float
    overlap: float = 1.0
    machine: str | None = None
    memory: int | None = None
    launch: float = 0.0
    processors: Processors | None = None
    all_to_all_launch: float | None = None
    protocols: bool = False

    @property
    def exchange_launch(self) -> float:
        """Seconds to begin an all-to-all."""
        return self.launch if self.all_to_all_launch is None else self.all_to_all_launch

    def at(self, level: str) -> tuple[Link, ...]:
        """The links of a level, a ring first."""
        found = (link for link in self.links if link.level == level)
        # False sorts before True: the ring comes first, the port or bus, which takes all other hops, last.
        return tuple(sorted(found, key=lambda link: link.wiring is not Wiring.RING))


@dataclass(frozen=True, slots=True)
class System:
    """A cluster: its levels, outermost first, what connects them, and where the figures come from.

    A level's `size` is how many units the largest unit above has. `tree` is how many each has, where these differ;
    None: all are alike. `measured_from` is the least payload, in bytes, of the measurements that the figures were
    fitted to; None: not said. `kinds` are the machines in order, by the devices that they have; none: devices are all
    alike, and nothing is known of how fast they compute. `profile` has measured rates of collectives among all
    devices; None: there are none. `effort` is what operations take beside contractions; None: they count alike.
    `timings` are what collectives among all devices were timed to take; None: nothing but links.
    `device` is the model of all devices that no kind has one of; None: not known. `computing` says how computing is
    priced; None: as `device_models.py` says.
    """

    levels: tuple[Level, ...]
    network: Network
    name: str = ""
    source: str = ""
    measured_from: int | None = None
    kinds: tuple[DeviceKind, ...] = ()
    profile: Profile | None = None
    tree: Tree | None = None
    effort: Effort | None = None
    timings: Timings | None = None
    device: DeviceModel | None = None
    computing: ComputingMethod | None = None

    @property
    def known_from(self) -> int:
        """The smallest payload for which the parameters are more than an extrapolation."""
        return SIMPLE_FROM if self.measured_from is None else self.measured_from

    @property
    def sizes(self) -> tuple[int, ...]:
        """The size of every level: device numbers are spelled over them."""
        return tuple(level.size for level in self.levels)

    @property
    def devices(self) -> int:
        """Number of devices."""
        return prod(self.sizes) if self.tree is None else self.tree.devices

    @property
    def present(self) -> Sequence[int]:
        """The numbers of the devices that there are, among those that levels of one size would have; ascending."""
        return range(self.devices) if self.tree is None else self.tree.present

    @property
    def machine(self) -> int:
        """The number of the level whose units are machines, -1 when all devices are in one."""
        names = [level.name for level in self.levels]
        return -1 if self.network.machine is None else names.index(self.network.machine)

    @property
    def inside(self) -> int:
        """The largest number of devices in a machine."""
        return prod(self.sizes[self.machine + 1 :])

    @property
    def machines(self) -> int:
        """Number of machines."""
        return prod(self.sizes[: self.machine + 1]) if self.tree is None else len(self.tree.inside(self.machine))

    @property
    def machine_sizes(self) -> tuple[int, ...]:
        """Numbers of devices of all machines."""
        return (self.inside,) * self.machines if self.tree is None else self.tree.inside(self.machine)

    @property
    def is_uneven(self) -> bool:
        """True if some units have fewer units inside than others of their level."""
        return self.tree is not None

    def with_bandwidth(self, **links: str | float) -> "System":
        """The system with other bandwidths: `with_bandwidth(nic="25GB/s")`; a number is in bytes/s.

        ProblemError for links that there are not, and for what is no bandwidth.
        """
        from p2smt.problem.system.figures import with_links

        given = {name: parse_bandwidth(rate) if isinstance(rate, str) else rate for name, rate in links.items()}
        return with_links(self, given, {})

    def with_latency(self, **links: str | float) -> "System":
        """The system with other latencies: `with_latency(nic="5us")`; a number is in seconds. ProblemError as above."""
        from p2smt.problem.system.figures import with_links

        given = {name: parse_seconds(time) if isinstance(time, str) else time for name, time in links.items()}
        return with_links(self, {}, given)

    def __repr__(self) -> str:
        return one_line(self, f"{self.name or 'without a name'}: {sizes_text(self.levels)}, {self.devices} devices")

    def _repr_html_(self) -> str:
        """A table of the links."""
        rows = [
            (
                link.level,
                link.name,
                str(link.wiring),
                f"{format_decimal(link.bandwidth)}B/s",
                format_seconds(link.latency),
            )
            for link in self.network.links
        ]
        return html_table(repr(self)[1:-1], ("level", "link", "wiring", "bandwidth", "latency"), rows)
