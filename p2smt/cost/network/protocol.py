"""NCCL's protocols: calls with small payloads trade more bytes for less latency.

    Simple   data only, with a fence between chunks
    LL128    120 of 128 bytes are data, stored at once, so no fence is needed
    LL       4 of 8 bytes are data, the others are a flag
For each call, NCCL uses the protocol that its own model predicts to be fastest (NCCL 2.30.7, `src/graph/tuning.cc`).
From that model come the latency of a hop (`hwLatencies`, NVLink and network, in us) and the share of Simple's bandwidth
for LL128 and LL: 0.92 and 0.5 for a ring; 7/9 inside a machine, 120/128 over several machines, and 1/3.8 for a tree. A
system file's latencies are those of Simple, so with S the seconds of the links and L those of the latencies
    seconds = min over protocols of  S / share + L x ratio + launch + memory.
A minimum of lines is concave, as it is with several algorithms. Links never take less than their bytes, so every link
lower bound stays valid. NVLS, CollNet and PAT use Simple only, and so do all-to-all and sends in this model.

Example: a ring over machines, S = 100 us for 1 MiB, L = 200 us: Simple takes 300 us, LL128 109 + 57, LL 200 + 39.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from p2smt.cost.network.cost import StepCost
from p2smt.problem.system.algorithm import SIMPLE_ALONE, Algorithm, NcclProtocol
from p2smt.problem.system.network import System


@dataclass(frozen=True, slots=True)
class ProtocolTerms:
    """The factors of a protocol on the bytes and on the latency of Simple."""

    bytes: float
    latency: float


_PLAIN = ProtocolTerms(1.0, 1.0)

_HOPS = {
    (Algorithm.RING, False): (3.4, 1.9, 0.6),
    (Algorithm.TREE, False): (4.0, 1.25, 0.6),
    (Algorithm.RING, True): (14.0, 4.0, 2.7),
    (Algorithm.TREE, True): (14.0, 8.5, 5.0),
}
"""Microseconds of a hop with Simple, LL128 and LL, by (algorithm, True if machines are crossed)."""

_SHARES = {
    (Algorithm.RING, False): (1.0, 0.92, 0.5),
    (Algorithm.TREE, False): (1.0, 7 / 9, 1 / 3.8),
    (Algorithm.RING, True): (1.0, 0.92, 0.5),
    (Algorithm.TREE, True): (1.0, 120 / 128, 1 / 3.8),
}
"""The share of Simple's bandwidth that each protocol reaches."""


def protocol_terms(algorithm: Algorithm | None, over_machines: bool) -> tuple[ProtocolTerms, ...]:
    """Return the terms of every protocol, in order; those of Simple for all if the algorithm has no other protocol."""
    if algorithm is None or algorithm in SIMPLE_ALONE:
        return (_PLAIN,) * len(NcclProtocol)
    key = (algorithm, over_machines)
    simple = _HOPS[key][0]
    return tuple(ProtocolTerms(1 / share, hop / simple) for share, hop in zip(_SHARES[key], _HOPS[key], strict=True))


def terms_of(cost: StepCost, system: System) -> tuple[ProtocolTerms, ...]:
    """Return the terms of every protocol for a call that is priced with Simple."""
    outside = {level.name for level in system.levels[: system.machine + 1]}
    over_machines = any(load.hops and load.link.level in outside for load in cost.per_byte.loads)
    return protocol_terms(cost.algorithm, over_machines)


def fastest_protocol(cost: StepCost, system: System) -> StepCost:
    """Return the call with the fastest protocol, the first of equal ones; unchanged if only Simple is available."""
    # Switches and parallel trees reduce with Simple only.
    if not system.network.protocols or cost.algorithm is None or cost.algorithm in SIMPLE_ALONE:
        return cost
    return min(_options(cost, system), key=lambda option: option.seconds)


def _options(cost: StepCost, system: System) -> Iterator[StepCost]:
    for protocol, terms in zip(NcclProtocol, terms_of(cost, system), strict=True):
        yield replace(
            cost, hop_bytes=cost.hop_bytes * terms.bytes, rounds=cost.rounds * terms.latency, protocol=protocol
        )
