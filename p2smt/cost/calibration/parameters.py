"""The parameters of a network that can be fitted, by name: `nic.bandwidth`, `device.memory_bandwidth`, ..."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from p2smt.cost.network.load import SEND_FLOW
from p2smt.problem.system.algorithm import Algorithm, PerAlgorithm, flow_key
from p2smt.problem.system.link import Link
from p2smt.problem.system.network import Network

MEMORY = "device.memory_bandwidth"
LAUNCH = "device.launch"
OVERLAP = "overlap"

_BANDWIDTH, _LATENCY = "bandwidth", "latency"


def parameters(network: Network) -> dict[str, float]:
    """Return all parameters that can be fitted, with their values: rates in bytes/s, times in s, overlap without unit.

    A flow that the system does not name is not a parameter; neither is a latency or launch of 0, which stays 0.
    """
    found = {f"{link.name}.{what}": value for link in network.links for what, value in _of_link(link) if value > 0}
    found[MEMORY] = network.memory_bandwidth
    if network.launch > 0:
        found[LAUNCH] = network.launch
    if len(network.links) > 1:
        found[OVERLAP] = network.overlap
    return found


def with_parameters(network: Network, values: Mapping[str, float]) -> Network:
    """Return the network with other parameter values, the inverse of `parameters`."""
    return replace(
        network,
        links=tuple(_changed(link, values) for link in network.links),
        memory_bandwidth=values.get(MEMORY, network.memory_bandwidth),
        overlap=values.get(OVERLAP, network.overlap),
        launch=values.get(LAUNCH, network.launch),
    )


def measured_bandwidths(network: Network, identified: Collection[str]) -> frozenset[str]:
    """Return the links whose bandwidths are among the identified parameters."""
    return frozenset(link.name for link in network.links if f"{link.name}.{_BANDWIDTH}" in identified)


def with_fitted(network: Network, values: Mapping[str, float]) -> Network:
    """Return the network with fitted values, rounded to six significant digits; values that it has stay exact.

    No fit is known to more than about one part in a thousand, and files are read by people: 423.646GB/s.
    """
    before = parameters(network)
    changed = {name: value for name, value in values.items() if value != before.get(name)}
    return with_parameters(network, {name: float(f"{value:.6g}") for name, value in changed.items()})


def _of_link(link: Link) -> Iterator[tuple[str, float]]:
    yield _BANDWIDTH, link.bandwidth
    yield _LATENCY, link.latency
    yield from ((flow_key(algorithm), rate) for algorithm, rate in link.flow.items())
    if link.send_flow is not None:
        yield SEND_FLOW, link.send_flow


def _changed(link: Link, values: Mapping[str, float]) -> Link:
    flows = {
        algorithm: values.get(f"{link.name}.{flow_key(algorithm)}", link.flow.get(algorithm)) for algorithm in Algorithm
    }
    return replace(
        link,
        bandwidth=values.get(f"{link.name}.{_BANDWIDTH}", link.bandwidth),
        latency=values.get(f"{link.name}.{_LATENCY}", link.latency),
        flow=PerAlgorithm({algorithm: rate for algorithm, rate in flows.items() if rate is not None}),
        send_flow=values.get(f"{link.name}.{SEND_FLOW}", link.send_flow),
    )
