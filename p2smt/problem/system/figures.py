"""Override a system's bandwidths and latencies by text: `node=8GB/s,gpu=270GB/s`."""

from p2smt.problem.quantity import parse_bandwidth, parse_seconds
from p2smt.problem.system.network import System
from p2smt.problem.text import parse_per_name


def with_figures(system: System, bandwidth: str | None = None, latency: str | None = None) -> System:
    """Return the system with bandwidths and latencies per link replaced.

    Raises ProblemError for unknown links and malformed values. Measured timings of collectives are dropped, as
    they no longer apply.

    >>> from p2smt.problem.system.text import find_system
    >>> [link.bandwidth for link in with_figures(find_system("node:2,gpu:4"), "node=1GB/s").network.links]
    [1000000000.0, 270000000000.0]
    """
    names, also = [link.name for link in system.network.links], system.network.other_names
    rates = {} if bandwidth is None else parse_per_name(bandwidth, names, parse_bandwidth, "--bandwidth", also)
    times = {} if latency is None else parse_per_name(latency, names, parse_seconds, "--latency", also)

    return system.with_links(rates, times)
