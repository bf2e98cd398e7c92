"""Derive a laboratory from a system: its hosts, their ranks, and the rates of network cards and uplinks."""

from dataclasses import dataclass
from itertools import product
from math import prod

from p2smt.errors import LabError
from p2smt.placement.tree import digits_of
from p2smt.problem.system.link import Duplex, Link, Wiring
from p2smt.problem.system.network import Level, System
from p2smt.problem.system.tree import Tree
from p2smt.reduction.plan.model import Plan
from p2smt.wording import bare_sizes

MAX_HOSTS = 64
MAX_RANKS = 64
LEAST_RATE, MOST_RATE = 1e6 / 8, 1e10 / 8
"""Range of rates in bytes/s that a token bucket enforces accurately: 1 Mb/s to 10 Gb/s."""


@dataclass(frozen=True, slots=True)
class Tier:
    """A level of hosts, or of racks that contain hosts: `size` units per enclosing unit, each with one port.

    `rate` is the rate of a port per direction, in bytes/s including Ethernet headers.
    """

    level: str
    size: int
    rate: float


@dataclass(frozen=True, slots=True)
class LabShape:
    """The tiers of a laboratory, outermost first and hosts last, and the number of ranks on every host.

    Ranks are numbered like devices, host by host. If units are irregular, `tree` describes them, and `ranks`
    and the tiers' sizes are those of the largest units. `quotas` holds each rank's fraction of a core; empty
    means no limits.
    """

    tiers: tuple[Tier, ...]
    ranks: int
    tree: Tree | None = None
    quotas: tuple[float, ...] = ()

    @property
    def hosts(self) -> int:
        """The number of hosts."""
        return len(self.units(len(self.tiers)))

    @property
    def devices(self) -> int:
        """The number of ranks on all hosts."""
        return sum(self.ranks_on)

    @property
    def ranks_on(self) -> tuple[int, ...]:
        """The number of ranks on every host."""
        if self.tree is None:
            return (self.ranks,) * self.hosts
        return self.tree.inside(len(self.tiers) - 1)

    def units(self, depth: int) -> tuple[tuple[int, ...], ...]:
        """Return the units at a tier depth, each as its indices from tier to tier; depth 0 is the whole laboratory."""
        if self.tree is None:
            return tuple(product(*(range(tier.size) for tier in self.tiers[:depth])))
        return tuple(dict.fromkeys(digits[:depth] for digits in digits_of(self.tree)))


def lab_shape(system: System) -> LabShape:
    """Return the laboratory of a system: units of its machine level become hosts, levels above become racks.

    Only the bandwidths of links from the machine level outwards are emulated. Latencies are the machine's own,
    and ranks of one host communicate over loopback without limit. Raises LabError for features that cannot be
    emulated: a single machine, several levels inside a host, several or half-duplex network cards, buses
    between hosts, oversubscribed or railed switches, a network card that traffic to other racks bypasses, and
    rates or sizes out of range.

    >>> from p2smt.problem.system.file import preset
    >>> lab_shape(preset("lab"))
    LabShape(tiers=(Tier(level='host', size=2, rate=11162500.0),), ranks=4, tree=None, quotas=())
    """
    machine = system.machine
    if machine < 0:
        raise LabError("all devices of the system are in one machine; give two levels or more, say host:2,rank:4")
    inside = system.levels[machine + 1 :]
    if len(inside) > 1:
        names = ", ".join(level.name for level in inside)
        raise LabError(
            f"levels {names} are inside one host, but the ranks of a laboratory's host are all alike; "
            f'say machine = "{system.levels[-2].name}" or join the levels'
        )
    outside = system.levels[: machine + 1]
    shape = LabShape(
        tuple(
            _tier(level, system.network.at(level.name)[-1], first=not number) for number, level in enumerate(outside)
        ),
        prod(level.size for level in inside),
        system.tree,
        _quotas(system),
    )
    for count, most, what in ((shape.hosts, MAX_HOSTS, "hosts"), (shape.devices, MAX_RANKS, "ranks")):
        if count > most:
            raise LabError(
                f"{count} {what} on one machine are more than the {most} of a laboratory; give smaller levels"
            )
    return shape


def _quotas(system: System) -> tuple[float, ...]:
    """Return every rank's fraction of a core; empty if no kind of device has a quota."""
    quotas = [kind.quota for kind in system.kinds for _ in range(kind.machines)]
    known = [quota for quota in quotas if quota is not None]
    if not known:
        return ()
    if len(known) < len(quotas):
        raise LabError(
            "some kinds of devices have a quota and others have none; give each kind one, for example 1.0 "
            "for a whole core"
        )
    return tuple(quota for quota, size in zip(known, system.machine_sizes, strict=True) for _ in range(size))


def _tier(level: Level, link: Link, *, first: bool) -> Tier:
    for refused, why in (
        (link.wiring is not Wiring.PORT, f"it is a {link.wiring}; hosts and racks of a laboratory have a port each"),
        (link.duplex is not Duplex.FULL, "it is half duplex; virtual network cards are full duplex"),
        (link.count > 1, f"it has count {link.count}; hosts and racks of a laboratory have one port each"),
        (link.oversubscription > 1, f"it has oversubscription {link.oversubscription}; describe racks with slow ports"),
        (link.rails, "it is on rails; hosts of a laboratory have one port each"),
        (not first and not link.uplink, "bytes to other racks pass a host's only port; say uplink = true"),
        (
            not LEAST_RATE <= link.bandwidth <= MOST_RATE,
            f"{link.bandwidth * 8 / 1e6:g} Mb/s is out of range; a laboratory shapes 1 Mb/s to 10000 Mb/s",
        ),
    ):
        if refused:
            raise LabError(f"link {link.name} of level {level.name}: {why}")
    return Tier(level.name, level.size, link.bandwidth)


def check_levels(plan: Plan, shape: LabShape) -> None:
    """Raise LabError unless a plan has the levels of the laboratory; levels of size 1 are ignored."""
    planned = [size for _, size in plan.levels]
    there = [*(tier.size for tier in shape.tiers), shape.ranks]
    alike = [size for size in planned if size > 1] == [size for size in there if size > 1]
    if not alike or plan.tree != shape.tree:
        ours = bare_sizes(there) if shape.tree is None else str(shape.tree)
        theirs = bare_sizes(planned) if plan.tree is None else str(plan.tree)
        raise LabError(f"the plan is for levels {theirs}, but the laboratory has {ours}; give the system of the plan")
