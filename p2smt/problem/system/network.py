"""Networks between devices: links per level, device memory, and the system that contains them.

A level's units are connected within their parent unit. Every level has exactly one `port` or `bus`, which can
carry every hop, and may have a `ring` of faster point-to-point links, which carries hops between neighbours.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod

from p2smt.display import html_table, one_line
from p2smt.errors import ProblemError
from p2smt.problem.quantity import format_decimal, format_seconds, parse_bandwidth, parse_seconds
from p2smt.problem.system.device_model import DeviceModel
from p2smt.problem.system.devices import ComputingMethod, DeviceKind, Effort, Profile
from p2smt.problem.system.link import Link, Wiring
from p2smt.problem.system.link_check import check_link_values
from p2smt.problem.system.processors import Processors
from p2smt.problem.system.timings import Timings
from p2smt.problem.system.tree import Tree
from p2smt.wording import did_you_mean, sizes_text

SIMPLE_FROM = 2**20
"""Payload in bytes from which parameters without a stated measurement range are assumed to hold."""


@dataclass(frozen=True, slots=True)
class Level:
    """One level of the hardware hierarchy: `size` units inside every unit of the level above."""

    name: str
    size: int


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

    @property
    def other_names(self) -> dict[str, str]:
        """Other names of links, each with the link's own: its level, and `nic` for the link between machines.

        Only of levels with one link, and never a name that another link has.

        >>> from p2smt.problem.system.text import find_system
        >>> find_system("node:2,gpu:4").network.other_names, find_system("dgx-h100").network.other_names
        ({'nic': 'node'}, {'node': 'nic', 'gpu': 'nvswitch'})
        """
        alone = {link.level: link.name for link in self.links if len(self.at(link.level)) == 1}
        also = {**alone, **({"nic": alone[self.machine]} if self.machine in alone else {})}
        return {name: link for name, link in also.items() if name not in {each.name for each in self.links}}


@dataclass(frozen=True, slots=True)
class System:
    """A cluster: its levels, outermost first, the network that connects them, and the origin of its parameters.

    A level's `size` is the number of units in the largest unit of the level above. `tree` gives the number for every
    unit if they differ; None if all are equal. `measured_from` is the smallest payload, in bytes, of the measurements
    to which the parameters were fitted; None if not stated. If it is, `unmeasured` names the links whose bandwidths
    no measurement determined, `measured_earlier` those that only an earlier fit did. `kinds` are the machines, in
    order, by their devices; empty if all devices are equal and of unknown speed. `profile` holds measured rates of
    collectives over all devices, None if there are none. `effort` holds cost weights of operations other than
    contractions; None if all count alike. `timings` holds measured times of collectives over all devices; None to
    price by links only. `device` is the model of all devices whose kind has none; None if unknown. `computing` is the
    pricing method of computing; None for the default in `device_models.py`.
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
    unmeasured: tuple[str, ...] = ()
    measured_earlier: tuple[str, ...] = ()

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
        given = {name: parse_bandwidth(rate) if isinstance(rate, str) else rate for name, rate in links.items()}
        return self.with_links(given, {})

    def with_latency(self, **links: str | float) -> "System":
        """Return the system with other latencies: `with_latency(nic="5us")`; a number is in seconds.

        Raises ProblemError for unknown links and malformed latencies.
        """
        given = {name: parse_seconds(time) if isinstance(time, str) else time for name, time in links.items()}
        return self.with_links({}, given)

    def with_links(self, rates: Mapping[str, float], times: Mapping[str, float]) -> "System":
        """Return the system with the links' bandwidths (bytes/s) and latencies (seconds) replaced.

        A link may be given by its level, or as `nic` if it is the one between machines. Measured timings of
        collectives are dropped if a link changes, as they no longer apply. Raises ProblemError for unknown links and
        values out of range.
        """
        also = self.network.other_names
        rates = {also.get(name, name): rate for name, rate in rates.items()}
        times = {also.get(name, name): time for name, time in times.items()}
        names = [link.name for link in self.network.links]
        for name in (*rates, *times):
            if name not in names:
                meant = did_you_mean(name, names)
                raise ProblemError(
                    f"{self.name or 'the system'} has no link {name!r}; its links are {', '.join(names)}{meant}"
                )
        links = tuple(
            replace(link, bandwidth=rates.get(link.name, link.bandwidth), latency=times.get(link.name, link.latency))
            for link in self.network.links
        )
        for link in links:
            check_link_values(link)
        network = replace(self.network, links=links)
        return replace(
            self,
            network=network,
            timings=self.timings if network == self.network else None,
            unmeasured=self._also_unmeasured(rates),
            measured_earlier=tuple(name for name in self.measured_earlier if name not in rates),
        )

    def _also_unmeasured(self, rates: Mapping[str, float]) -> tuple[str, ...]:
        """Return the links of a fitted system whose bandwidths are not measured once these are replaced."""
        if self.measured_from is None:
            return ()
        names = [link.name for link in self.network.links]
        return tuple(name for name in names if name in self.unmeasured or name in rates)

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
