"""The `[[link]]` tables of system files."""

import msgspec

from p2smt.problem.system.algorithm import Algorithm, PerAlgorithm, flow_key
from p2smt.problem.system.link import Duplex, Link, Wiring
from p2smt.problem.system.values import bytes_text, rate_text, read_bytes, read_rate, read_time, time_text


class LinkEntry(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One `[[link]]` table; `Link` documents the keys. Rates and times are text with a unit."""

    name: str
    level: str
    bandwidth: str | int | float
    latency: str | int | float
    wiring: Wiring = Wiring.PORT
    duplex: Duplex = Duplex.FULL
    uplink: bool = False
    count: int = 1
    oversubscription: float = 1.0
    rails: bool = False
    ring_flow: str | int | float | None = None
    tree_flow: str | int | float | None = None
    nvls_flow: str | int | float | None = None
    nvls_tree_flow: str | int | float | None = None
    collnet_direct_flow: str | int | float | None = None
    collnet_chain_flow: str | int | float | None = None
    pat_flow: str | int | float | None = None
    send_flow: str | int | float | None = None
    neighbours: tuple[tuple[int, int], ...] = ()
    burst: str | None = None


def link_of(entry: LinkEntry) -> Link:
    """Return the link described by a table. Raises ProblemError for values without a unit."""
    place = f"link {entry.name[:64]}"
    flows = _flows(entry)
    return Link(
        name=entry.name,
        level=entry.level,
        wiring=entry.wiring,
        bandwidth=read_rate(entry.bandwidth, f"{place}: bandwidth"),
        latency=read_time(entry.latency, f"{place}: latency"),
        duplex=entry.duplex,
        uplink=entry.uplink,
        count=entry.count,
        oversubscription=entry.oversubscription,
        rails=entry.rails,
        flow=PerAlgorithm(
            {
                algorithm: read_rate(value, f"{place}: {flow_key(algorithm)}")
                for algorithm, value in flows.items()
                if value is not None
            }
        ),
        send_flow=None if entry.send_flow is None else read_rate(entry.send_flow, f"{place}: send_flow"),
        neighbours=entry.neighbours,
        burst=read_bytes(entry.burst, f"{place}: burst") or 0,
    )


def link_entry(link: Link) -> LinkEntry:
    """Return the table of a link."""
    return LinkEntry(
        name=link.name,
        level=link.level,
        bandwidth=rate_text(link.bandwidth),
        latency=time_text(link.latency),
        wiring=link.wiring,
        duplex=link.duplex,
        uplink=link.uplink,
        count=link.count,
        oversubscription=link.oversubscription,
        rails=link.rails,
        send_flow=None if link.send_flow is None else rate_text(link.send_flow),
        neighbours=link.neighbours,
        burst=bytes_text(link.burst or None),
        **{flow_key(algorithm): rate_text(rate) for algorithm, rate in link.flow.items()},
    )


def _flows(entry: LinkEntry) -> dict[Algorithm, str | int | float | None]:
    return {
        Algorithm.RING: entry.ring_flow,
        Algorithm.TREE: entry.tree_flow,
        Algorithm.NVLS: entry.nvls_flow,
        Algorithm.NVLS_TREE: entry.nvls_tree_flow,
        Algorithm.COLLNET_DIRECT: entry.collnet_direct_flow,
        Algorithm.COLLNET_CHAIN: entry.collnet_chain_flow,
        Algorithm.PAT: entry.pat_flow,
    }
