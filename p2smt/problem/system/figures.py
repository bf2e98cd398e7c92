"""Override a system's bandwidths and latencies by text: `node=8GB/s,gpu=270GB/s`."""

from collections.abc import Mapping
from dataclasses import replace

from p2smt.errors import ProblemError
from p2smt.problem.quantity import parse_bandwidth, parse_seconds
from p2smt.problem.system.build import build_system
from p2smt.problem.system.network import Link, System
from p2smt.problem.text import parse_per_name
from p2smt.wording import did_you_mean


def with_figures(system: System, bandwidth: str | None = None, latency: str | None = None) -> System:
    """Return the system with bandwidths and latencies per link replaced.

    Raises ProblemError for unknown links and malformed values. Measured timings of collectives are dropped, as
    they no longer apply.

    >>> from p2smt.problem.system.text import find_system
    >>> [link.bandwidth for link in with_figures(find_system("node:2,gpu:4"), "node=1GB/s").network.links]
    [1000000000.0, 270000000000.0]
    """
    names, also = [link.name for link in system.network.links], _other_names(system)
    rates = {} if bandwidth is None else parse_per_name(bandwidth, names, parse_bandwidth, "--bandwidth", also)
    times = {} if latency is None else parse_per_name(latency, names, parse_seconds, "--latency", also)

    return with_links(system, rates, times)


def _other_names(system: System) -> dict[str, str]:
    """Map what else a link may be called to its name: its level, and `nic` for the link between machines.

    Only of levels with one link, and never a name that another link has.

    >>> from p2smt.problem.system.text import find_system
    >>> _other_names(find_system("node:2,gpu:4")), _other_names(find_system("dgx-h100"))
    ({'nic': 'node'}, {'node': 'nic', 'gpu': 'nvswitch'})
    """
    links = system.network.links
    alone = {link.level: link.name for link in links if len(system.network.at(link.level)) == 1}
    machine = system.network.machine
    also = {**alone, **({"nic": alone[machine]} if machine in alone else {})}
    return {name: link for name, link in also.items() if name not in {each.name for each in links}}


def with_links(system: System, rates: Mapping[str, float], times: Mapping[str, float]) -> System:
    """Return the system with the links' bandwidths (bytes/s) and latencies (seconds) replaced.

    A link may be given by its level, or as `nic` if it is the one between machines. Raises ProblemError for unknown
    links.
    """
    also = _other_names(system)
    rates = {also.get(name, name): rate for name, rate in rates.items()}
    times = {also.get(name, name): time for name, time in times.items()}
    names = [link.name for link in system.network.links]
    for name in (*rates, *times):
        if name not in names:
            meant = did_you_mean(name, names)
            raise ProblemError(
                f"{system.name or 'the system'} has no link {name!r}; its links are {', '.join(names)}{meant}"
            )

    def changed(link: Link) -> Link:
        return replace(link, bandwidth=rates.get(link.name, link.bandwidth), latency=times.get(link.name, link.latency))

    given = replace(system.network, links=tuple(map(changed, system.network.links)))
    return build_system(replace(system, network=given, timings=system.timings if given == system.network else None))
