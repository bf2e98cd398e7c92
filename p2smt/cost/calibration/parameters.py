"""The figures of a network that measurements can tell, by name: `nic.bandwidth`, `device.memory_bandwidth`, ..."""

from collections.abc import Mapping
from dataclasses import replace

from p2smt.problem.system.network import Link, Network

MEMORY = "device.memory_bandwidth"
OVERLAP = "overlap"

_OF_LINK = ("bandwidth", "latency", "ring_flow", "tree_flow")


def parameters(network: Network) -> dict[str, float]:
    """All figures that can be fitted, with their values: rates in bytes/s, latencies in s, overlap without unit.

    A flow that the system does not name is no parameter; a latency of 0 stays 0.
    """
    found = {
        f"{link.name}.{what}": value
        for link in network.links
        for what in _OF_LINK
        if (value := getattr(link, what)) is not None and value > 0
    }
    found[MEMORY] = network.memory_bandwidth
    if len(network.links) > 1:
        found[OVERLAP] = network.overlap
    return found


def with_parameters(network: Network, values: Mapping[str, float]) -> Network:
    """The same network with other figures. Reading `parameters` back gives them."""
    return replace(
        network,
        links=tuple(_changed(link, values) for link in network.links),
        memory_bandwidth=values.get(MEMORY, network.memory_bandwidth),
        overlap=values.get(OVERLAP, network.overlap),
    )


def _changed(link: Link, values: Mapping[str, float]) -> Link:
    named = {what: values[f"{link.name}.{what}"] for what in _OF_LINK if f"{link.name}.{what}" in values}
    return replace(link, **named)  # type: ignore[arg-type]
