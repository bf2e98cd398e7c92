"""Bandwidths and latencies that a level has when the user gives none."""

from p2smt.problem.model import Link

INNERMOST = Link(bandwidth=270e9, latency=3.4e-6)
OUTERMOST = Link(bandwidth=8e9, latency=14e-6)


def default_link(level: int, levels: int) -> Link:
    """The link of level number `level` (0 = outermost) of `levels`.

    The innermost level is an NVSwitch (270 GB/s per GPU and direction: paper, section 5), the outermost a
    network card (8 GB/s effective: paper, section 5); latencies are NCCL's per ring hop with the Simple
    protocol, 3.4 us on NVLink and 14 us on the network. Levels between them lie on a geometric scale, so
    bandwidth never falls and latency never rises towards the inside.

    >>> default_link(0, 2).bandwidth, default_link(1, 2).bandwidth, default_link(0, 1).bandwidth
    (8000000000.0, 270000000000.0, 270000000000.0)
    """
    if level == levels - 1:
        return INNERMOST
    inside = level / (levels - 1)
    return Link(
        bandwidth=OUTERMOST.bandwidth ** (1 - inside) * INNERMOST.bandwidth**inside,
        latency=OUTERMOST.latency ** (1 - inside) * INNERMOST.latency**inside,
    )
