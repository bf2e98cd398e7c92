"""Networks between devices: links per level, device memory, and the system that contains them.

A level's units are connected within their parent unit. Every level has exactly one `port` or `bus`, which can
carry every hop, and may have a `ring` of faster point-to-point links, which carries hops between neighbours.
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
"""Payload in bytes from which parameters without a stated measurement range are assumed to hold."""


class Wiring(StrEnum):
    """The way in which a link connects the units of a level within a parent unit.

    port: every unit has its own connection to a switch (an NVSwitch port, a network card). bus: all units of a
    parent share one medium (a PCIe host bridge, loopback through memory). ring: point-to-point links between
    neighbours; hops between other units use the level's port or bus.
    """

    PORT = "port"
    BUS = "bus"
    RING = "ring"


class Duplex(StrEnum):
    """Sharing of a port's bandwidth: available in both directions at once, or shared by incoming and outgoing bytes."""

    FULL = "full"
    HALF = "half"


@dataclass(frozen=True, slots=True)
class Level:
    """One level of the hardware hierarchy: `size` units inside every unit of the level above."""

    name: str
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A class of links, with one instance per unit (port), parent (bus) or pair of neighbours (ring) of a level.

    `bandwidth` is in bytes/s: per port and direction (both together if half duplex), of the whole bus, or per
    point-to-point link and direction. `latency` is in seconds per hop that crosses this level and no outer one.
    A port with `uplink` also carries traffic that enters or leaves its parent unit. A unit with `count` ports
    spreads a group's bytes evenly over the ports next to the group's members. A parent's switch passes
    1/`oversubscription` of its ports' combined rate. With `rails`, each port number has its own switch, and
    only traffic that changes its port number uses the oversubscribed ones.

    `flow` maps an algorithm to the bytes/s per direction that one connection of its ring or of one of its two
    trees reaches on a port even without other traffic (NCCL's tuning limits bandwidth per channel likewise).
    `send_flow` is the same for a send between two devices; None means the whole port. `neighbours` lists the
    pairs of units that a ring connects; empty means each unit with the next, and the last with the first.
    `burst` is the bytes that an idle port passes without delay, as with a token bucket; it counts in lower
    bounds, and in the comparison of chunked with unchunked plans.
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
    """All links, and the parameters of a device's own work.

    `memory_bandwidth` (bytes/s) is a device's rate of reading or writing; a collective reads its input and
    writes its output once. `overlap`, from 0 (times add up) to 1, is the fraction of the other links' time that
    the busiest link's time hides. `machine` names the level whose units are machines, which NCCL's trees
    connect, with chains inside them; None means that all devices are in one machine. `memory` is bytes per
    device, None if unknown. `launch` is the seconds a device needs to start a collective, and
    `all_to_all_launch` those for an all-to-all (None: the same). With `protocols`, NCCL's low-latency protocols
    are priced; otherwise only Simple is. `processors` are the cores shared by all devices if gloo runs the
    collectives; None means that every device has its own.
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
        """The seconds to start an all-to-all."""
        return self.launch if self.all_to_all_launch is None else self.all_to_all_launch

    def at(self, level: str) -> tuple[Link, ...]:
        """Return the links of a level, with the ring first."""
        found = (link for link in self.links if link.level == level)
        # False sorts before True: the ring comes first, the port or bus, which takes all other hops, last.
        return tuple(sorted(found, key=lambda link: link.wiring is not Wiring.RING))


@dataclass(frozen=True, slots=True)
class System:
    """A cluster: its levels, outermost first, the network that connects them, and the origin of its parameters.

    A level's `size` is the number of units in the largest unit of the level above. `tree` gives the number for
    every unit if they differ; None if all are equal. `measured_from` is the smallest payload, in bytes, of the
    measurements to which the parameters were fitted; None if not stated. `kinds` are the machines, in order, by
    their devices; empty if all devices are equal and of unknown speed. `profile` holds measured rates of
    collectives over all devices, None if there are none. `effort` holds cost weights of operations other than
    contractions; None if all count alike. `timings` holds measured times of collectives over all devices; None
    to price by links only. `device` is the model of all devices whose kind has none; None if unknown.
    `computing` is the pricing method of computing; None for the default in `device_models.py`.
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
        """The smallest payload in bytes for which the parameters are not extrapolated."""
        return SIMPLE_FROM if self.measured_from is None else self.measured_from

    @property
    def sizes(self) -> tuple[int, ...]:
        """The size of every level, which are the radices of device numbers."""
        return tuple(level.size for level in self.levels)

    @property
    def devices(self) -> int:
        """The number of devices."""
        return prod(self.sizes) if self.tree is None else self.tree.devices

    @property
    def present(self) -> Sequence[int]:
        """The existing devices' numbers, ascending, in the numbering of a system with uniform levels."""
        return range(self.devices) if self.tree is None else self.tree.present

    @property
    def machine(self) -> int:
        """The index of the level whose units are machines; -1 if all devices are in one machine."""
        names = [level.name for level in self.levels]
        return -1 if self.network.machine is None else names.index(self.network.machine)

    @property
    def inside(self) -> int:
        """The largest number of devices in a machine."""
        return prod(self.sizes[self.machine + 1 :])

    @property
    def machines(self) -> int:
        """The number of machines."""
        return prod(self.sizes[: self.machine + 1]) if self.tree is None else len(self.tree.inside(self.machine))

    @property
    def machine_sizes(self) -> tuple[int, ...]:
        """The number of devices in every machine."""
        return (self.inside,) * self.machines if self.tree is None else self.tree.inside(self.machine)

    @property
    def is_uneven(self) -> bool:
        """True if units of one level differ in their number of children."""
        return self.tree is not None

    def with_bandwidth(self, **links: str | float) -> "System":
        """Return the system with other bandwidths: `with_bandwidth(nic="25GB/s")`; a number is in bytes/s.

        Raises ProblemError for unknown links and malformed bandwidths.
        """
        from p2smt.problem.system.figures import with_links

        given = {name: parse_bandwidth(rate) if isinstance(rate, str) else rate for name, rate in links.items()}
        return with_links(self, given, {})

    def with_latency(self, **links: str | float) -> "System":
        """Return the system with other latencies: `with_latency(nic="5us")`; a number is in seconds.

        Raises ProblemError for unknown links and malformed latencies.
        """
        from p2smt.problem.system.figures import with_links

        given = {name: parse_seconds(time) if isinstance(time, str) else time for name, time in links.items()}
        return with_links(self, {}, given)

    def __repr__(self) -> str:
        return one_line(self, f"{self.name or 'without a name'}: {sizes_text(self.levels)}, {self.devices} devices")

    def _repr_html_(self) -> str:
        """Return a table of the links."""
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
