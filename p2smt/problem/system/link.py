"""Links between the units of a level, and how they join them."""

from dataclasses import dataclass, field
from enum import StrEnum

from p2smt.problem.system.algorithm import PerAlgorithm


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
