"""Loads of one step on the links, and the resulting time.

With t[l] the time of link class l (the largest of its limits), all links together take
    max t + (1 - overlap) (sum of t - max t):
for overlap 1 the busiest link alone, a bottleneck, for overlap 0 one after the other.
Complexity: O(links).
Reference: Hockney, "The communication challenge for MPP", 1994.

Example: links that need 6 and 2 seconds, and an overlap of 0.75, take 6.5 seconds.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from p2smt.cost.network.parallel_trees import BANDWIDTH_SHARE
from p2smt.problem.system.algorithm import Algorithm, flow_key
from p2smt.problem.system.link import Duplex, Link
from p2smt.problem.system.network import Network

SEND_FLOW = "send_flow"
"""The name of the limit on a single send, in system files, fitted parameters and explanations."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkLoad:
    """The load on one class of links during one step: bytes at its busiest places.

    `incoming`, `outgoing`: at the busiest port, per direction. `busiest`: bytes that share one bandwidth (one direction
    of a port, both of a half-duplex one, a whole bus, one direction of a point-to-point link). `switch`: through the
    switch of one parent, which joins `ports` ports. `flow`: over one connection of `algorithm`, or of a send
    (`is_send`). `hops`: number of hops on the path around.
    """

    link: Link
    ports: int
    incoming: float = 0.0
    outgoing: float = 0.0
    busiest: float = 0.0
    switch: float = 0.0
    hops: int = 0
    flow: float = 0.0
    algorithm: Algorithm = Algorithm.RING
    is_send: bool = False

    def times(self, factor: float) -> "LinkLoad":
        """Return the load with `factor` times the bytes."""
        return replace(
            self,
            incoming=self.incoming * factor,
            outgoing=self.outgoing * factor,
            busiest=self.busiest * factor,
            switch=self.switch * factor,
            flow=self.flow * factor,
        )

    @property
    def bandwidth_bytes(self) -> float:
        """The bytes that use `link.bandwidth`: at the busiest place, or through the switch as a share per port.

        NCCL's parallel trees reach only a part of the bandwidth, which counts as more bytes.
        """
        # A half-duplex port carries both directions in one bandwidth, so its share of the switch counts twice.
        both = 2 if self.link.duplex is Duplex.HALF else 1
        carried = max(self.busiest, self.switch * both * self.link.oversubscription / self.ports)
        return carried / BANDWIDTH_SHARE if self.algorithm is Algorithm.PAT else carried  # only: others have all of it

    @property
    def bounds(self) -> tuple[tuple[str, float], ...]:
        """The limits of the link, and the seconds that each one takes."""
        bandwidth = ("bandwidth", self.bandwidth_bytes / self.link.bandwidth)
        if self.is_send and self.link.send_flow is not None:
            return (bandwidth, (SEND_FLOW, self.flow / self.link.send_flow))
        if self.algorithm not in self.link.flow:
            return (bandwidth,)
        return (bandwidth, (flow_key(self.algorithm), self.flow / self.link.flow[self.algorithm]))

    @property
    def seconds(self) -> float:
        """The time until the last byte has arrived."""
        return max(seconds for _, seconds in self.bounds)


def links_seconds(loads: Iterable[LinkLoad], network: Network) -> float:
    """Return the time of all links together."""
    return busiest_seconds([load.seconds for load in loads], network)


def busiest_seconds(links: Collection[float], network: Network) -> float:
    """Return the busiest link's time plus the part of the others it does not hide: max + (1 - overlap)(sum - max)."""
    busiest = max(links, default=0.0)
    return busiest + (1 - network.overlap) * (sum(links) - busiest)


def around_seconds(loads: Iterable[LinkLoad]) -> float:
    """Return the latency once around the slowest ring, or along the longest path to the root of a tree."""
    return sum(load.hops * load.link.latency for load in loads)
