"""The rules that a link keeps by itself; those that need the levels are in `build.py`."""

from math import inf

from p2smt.errors import ProblemError
from p2smt.problem.system.algorithm import flow_key
from p2smt.problem.system.link import Duplex, Link


def check_link_values(link: Link) -> None:
    """Raise ProblemError for a bandwidth, latency or other value out of range."""
    flows = [(flow_key(algorithm), rate) for algorithm, rate in link.flow.items()]
    for what, rate in (("bandwidth", link.bandwidth), *flows):
        if not 0 < rate < inf:
            raise ProblemError(f"link {link.name}: {what} {rate} is not a positive rate; write one such as 25GB/s")
    for what, value, unit in (("latency", link.latency, "time"), ("burst", link.burst, "number of bytes")):
        if not 0 <= value < inf:
            raise ProblemError(f"link {link.name}: {what} {value} is not a {unit}")
    if not 1 <= link.oversubscription < inf:
        raise ProblemError(
            f"link {link.name}: oversubscription {link.oversubscription} is not a number of at least "
            "1; write one such as 2"
        )


def check_no_port_keys(link: Link) -> None:
    """Raise ProblemError for a bus or ring with values that only a port has."""
    for what, given, default in (
        ("duplex", link.duplex, Duplex.FULL),
        ("count", link.count, 1),
        ("rails", link.rails, False),
        ("oversubscription", link.oversubscription, 1.0),
        ("burst", link.burst, 0),
    ):
        if given != default:
            raise ProblemError(
                f"link {link.name} has wiring {link.wiring}, but {what} is for wiring port; leave it out"
            )
