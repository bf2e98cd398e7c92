"""Construct checked `System` values; this module contains all rules for networks."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from math import inf, prod

from p2smt.argument_types import require
from p2smt.errors import ProblemError
from p2smt.problem.names import check_names
from p2smt.problem.system.device_model import check_model
from p2smt.problem.system.devices import check_effort, check_kinds, check_profile
from p2smt.problem.system.link import Link, Wiring
from p2smt.problem.system.link_check import check_link_values, check_no_port_keys
from p2smt.problem.system.network import Level, Network, System
from p2smt.problem.system.processors import check_processors
from p2smt.problem.system.timings import check_timings
from p2smt.problem.system.tree import check_tree, machine_tree

MOST_JOINED = 1024
MOST_INSIDE = 4096

MEMORY_BANDWIDTH = 1e12
"""Memory bandwidth in bytes/s assumed for an unknown device, about two thirds of an A100's."""


LAUNCH = 8.4e-6
"""Default seconds to start a collective.

This is NCCL's base latency of a call with rings and the Simple protocol (`baseLat` in its `tuning.cc`).
"""


def default_link(name: str, level: int, levels: int) -> Link:
    """Return the default link of level number `level` (0 = outermost) out of `levels`.

    The innermost level has an NVSwitch (270 GB/s per GPU and direction), the outermost a network card (8 GB/s
    effective; both from the paper, section 5). Latencies are NCCL's per ring hop with the Simple protocol: 3.4
    us on NVLink and 14 us on the network. Levels in between are interpolated geometrically, so that bandwidth
    never falls and latency never rises towards the inside.

    >>> default_link("node", 0, 2).bandwidth, default_link("gpu", 1, 2).bandwidth
    (8000000000.0, 270000000000.0)
    """
    # 0 at the outermost level, 1 at the innermost; a single level counts as innermost.
    inside = 1.0 if level == levels - 1 else level / (levels - 1)
    bandwidth, latency = 8e9 ** (1 - inside) * 270e9**inside, 14e-6 ** (1 - inside) * 3.4e-6**inside
    return Link(name=name, level=name, wiring=Wiring.PORT, bandwidth=bandwidth, latency=latency, uplink=True)


def default_machine(levels: Sequence[Level]) -> str | None:
    """Return the default machine level: units of the second-innermost level; None if there is one level."""
    return levels[-2].name if len(levels) > 1 else None


def default_system(levels: Sequence[Level]) -> System:
    """Return a system with default links, given only its levels."""
    for level in levels:
        require(level, Level, "a level", "write Level('node', 4); find_system reads 'node:4,gpu:8'")
    links = [default_link(level.name, place, len(levels)) for place, level in enumerate(levels)]
    return build_system(
        System(tuple(levels), Network(tuple(links), MEMORY_BANDWIDTH, machine=default_machine(levels), launch=LAUNCH))
    )


def build_system(system: System) -> System:
    """Return the system if it satisfies all rules; kinds of machines with unequal sizes are turned into a tree.

    Raises ProblemError for invalid or repeated names, sizes below 1, levels without a port or bus or with two
    links of one kind, links on unknown levels, values out of range, and impossible rings.
    """
    check_names("level", [level.name for level in system.levels])
    for level in system.levels:
        if level.size < 1:
            raise ProblemError(f"level {level.name} has size {level.size}; a size is a whole number >= 1")
    network = system.network
    names = [level.name for level in system.levels]
    _check_figures(system, names)
    if system.kinds:
        check_names("kind", [kind.name for kind in system.kinds])
    system = _with_tree(system)
    _check_measured(system)
    check_names("link", [link.name for link in network.links], most=64)
    _check_not_memory(network)
    for link in network.links:
        if link.level not in names:
            raise ProblemError(f"link {link.name}: level {link.level!r} is unknown; the levels are {', '.join(names)}")
        _check_link(link, names.index(link.level), system)
    for name in names:
        _check_kinds(name, Counter(link.wiring is Wiring.RING for link in network.at(name)))
    return system


def _check_measured(system: System) -> None:
    """Raise ProblemError for invalid measurements of collectives or operations."""
    if system.profile is not None and system.timings is not None:
        raise ProblemError("[profile] and [timings] both have times of collectives; keep one of them")
    if system.profile is not None:
        check_profile(system.profile)
    if system.timings is not None:
        check_timings(system.timings)
    if system.effort is not None:
        check_effort(system.effort)
    if system.device is not None:
        check_model(system.device)


def check_alike(system: System, what: str) -> None:
    """Raise ProblemError for a system of irregular units, which `what` does not support."""
    if system.tree is not None:
        name = f"system {system.name}" if system.name else "the system"
        raise ProblemError(f"{name} is an irregular hierarchy, {system.tree}; {what}, which needs units of equal size")


def _with_tree(system: System) -> System:
    """Return the system with a tree if some machines have fewer devices, or without one if all are equal."""
    if system.tree is not None:
        check_tree(system.tree, system.sizes)
        if system.tree.is_uniform:
            system = replace(system, tree=None)
    check_kinds(system.kinds, system.machines, system.inside)
    given = [kind.devices for kind in system.kinds for _ in range(kind.machines)]
    if system.tree is None:
        sizes = [system.inside if devices is None else devices for devices in given]
        if all(size == system.inside for size in sizes):
            return system
        above, inside = system.sizes[: system.machine + 1], system.sizes[system.machine + 1 :]
        tree = machine_tree(above, sizes, inside)
        check_tree(tree, system.sizes)
        return replace(system, tree=tree)
    for number, (devices, size) in enumerate(zip(given, system.machine_sizes if given else (), strict=True)):
        if devices not in (None, size):
            raise ProblemError(
                f"machine {number} has {devices} devices by its kind, but {size} by the sizes of the levels; "
                "leave devices out of the kinds, or give one size for each level"
            )
    return system


def _check_figures(system: System, names: Sequence[str]) -> None:
    """Raise ProblemError for an invalid value of the network, a device or the measurements."""
    network = system.network
    if network.machine is not None and network.machine not in names:
        raise ProblemError(f"machine {network.machine!r} is not a level; the levels are {', '.join(names)}")
    if not 0 <= network.overlap <= 1:
        raise ProblemError(f"overlap {network.overlap} is out of range; give a fraction from 0 to 1")
    if not 0 < network.memory_bandwidth < inf:
        raise ProblemError(
            f"memory bandwidth {network.memory_bandwidth} is not a positive rate; write one such as 900GB/s"
        )
    if network.memory is not None and network.memory < 1:
        raise ProblemError(f"memory {network.memory} is not a positive number of bytes; write one such as 80GB")
    if not 0 <= network.launch < inf:
        raise ProblemError(f"launch {network.launch} is not a time; write one such as 5us")
    if not 0 <= network.exchange_launch < inf:
        raise ProblemError(f"all_to_all_launch {network.exchange_launch} is not a time; write one such as 5us")
    if network.processors is not None:
        check_processors(network.processors)
    _check_origin(system)


def _check_origin(system: System) -> None:
    """Raise ProblemError for a range of measurements that is not one, and for unknown links."""
    if system.measured_from is not None and system.measured_from < 1:
        raise ProblemError(
            f"measured_from {system.measured_from} is not a positive number of bytes; write one such as 1MiB"
        )
    links = [link.name for link in system.network.links]
    for key, some in (("unmeasured", system.unmeasured), ("measured_earlier", system.measured_earlier)):
        if unknown := [name for name in some if name not in links]:
            raise ProblemError(f"{key} has {unknown[0][:64]!r}, which is not a link; the links are {', '.join(links)}")


def _check_kinds(level: str, kinds: Counter[bool]) -> None:
    if kinds[True] > 1 or kinds[False] != 1:
        raise ProblemError(
            f"level {level} has {kinds[True]} rings and {kinds[False]} ports or buses; give every "
            "level exactly one port or bus and at most one ring, which takes the hops between "
            "neighbours"
        )


def _check_not_memory(network: Network) -> None:
    """Raise ProblemError for a link named "memory", which prices reserve for device memory."""
    if any(link.name == "memory" for link in network.links):
        raise ProblemError("link memory: the name is reserved for a device's own memory; give the link another")


def _check_link(link: Link, level: int, system: System) -> None:
    check_link_values(link)
    if link.wiring is not Wiring.PORT:
        check_no_port_keys(link)
    inside = prod(below.size for below in system.levels[level + 1 :])
    if not 1 <= link.count <= inside:
        raise ProblemError(
            f"link {link.name}: count {link.count} is out of range; a unit of level {link.level} has 1 to {inside} "
            "ports, at most one per device inside it"
        )
    if link.count > 1 and inside > MOST_INSIDE:
        raise ProblemError(
            f"link {link.name}: count {link.count} with {inside} devices per unit; several ports need "
            f"units of at most {MOST_INSIDE} devices, so give one port with their total bandwidth"
        )
    if link.wiring is Wiring.RING:
        _check_ring(link, level, system)
    elif link.neighbours:
        raise ProblemError(
            f"link {link.name} has wiring {link.wiring}, but neighbours are for wiring ring; leave them out"
        )


def _check_ring(link: Link, level: int, system: System) -> None:
    size = system.levels[level].size
    if link.uplink:
        raise ProblemError(
            f"link {link.name}: a ring carries hops between neighbours only; an uplink must be a port or a bus"
        )
    if level <= system.machine:
        raise ProblemError(
            f"link {link.name}: level {link.level} is not inside machines; a ring joins the devices of "
            "one machine, so use a port or a bus"
        )
    if size > MOST_JOINED:
        raise ProblemError(
            f"link {link.name}: level {link.level} has {size} units, but a ring joins at most "
            f"{MOST_JOINED}; use a port or a bus"
        )
    for one, other in link.neighbours:
        if not (0 <= one < size and 0 <= other < size and one != other):
            raise ProblemError(
                f"link {link.name}: neighbours {one} and {other} are not two units of level {link.level}, "
                f"which are numbered 0 to {size - 1}"
            )
