"""One bound for two mirrored placements: two axes of equal size that have exchanged their places on the hardware.

On 8 x 8 devices the placements 2x4/4x2 and 4x2/2x4 are such a pair. They differ only in which axis is the outer one
where both shard the same dimension. The common bound allows the conversions of both, at the lower of the two prices:

    every conversion of either placement is one of the pair's, and the pair's price is at most as high

so that its optimum is a lower bound on both. Pairs are formed only if the prices of sample collectives are equal;
otherwise the bound would still be valid, but weak.
Complexity: one bound in place of two.
Reference: Fisher, "The Lagrangian relaxation method for solving integer programming problems", 1981, for bounds by
relaxation.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from p2smt.spmd.devices.carried_network import CarriedNetwork
from p2smt.spmd.devices.device_mesh import MeshAxis
from p2smt.spmd.devices.network import CollectivePrice, NetworkModel
from p2smt.spmd.devices.shares import even
from p2smt.spmd.model.pricing import Pricing

_SAMPLES = (2**14, 2**24)
"""The sizes in bytes of the collectives by which placements are compared."""


@dataclass(frozen=True)
class CheaperNetwork:
    """The cheaper of two networks for every collective."""

    one: NetworkModel
    other: NetworkModel

    def all_reduce(self, count: int) -> CollectivePrice:
        """Return the lower price of an AllReduce of `count` bytes."""
        return min(self.one.all_reduce(count), self.other.all_reduce(count))

    def all_gather(self, count: int, parts: Sequence[Fraction]) -> CollectivePrice:
        """Return the lower price of an AllGather whose result has `count` bytes."""
        return min(self.one.all_gather(count, parts), self.other.all_gather(count, parts))

    def reduce_scatter(self, count: int, parts: Sequence[Fraction]) -> CollectivePrice:
        """Return the lower price of a ReduceScatter of `count` bytes on each device."""
        return min(self.one.reduce_scatter(count, parts), self.other.reduce_scatter(count, parts))

    def all_to_all(self, count: int, before: Sequence[Fraction], after: Sequence[Fraction]) -> CollectivePrice:
        """Return the lower price of an all-to-all of a tensor of `count` bytes."""
        return min(self.one.all_to_all(count, before, after), self.other.all_to_all(count, before, after))


def mirrored_pair(one: Pricing, other: Pricing) -> Pricing | None:
    """Return the common prices of two mirrored placements of one program; None if they are not mirrored.

    Ratios must be even and devices identical. The axes are numbered as in `one`.
    """
    mesh, mirror = one.mesh, other.mesh
    several = [axis for axis, size in enumerate(mesh.sizes) if size > 1]
    if mesh.sizes != mirror.sizes or one.shares != other.shares or not _is_plain(one) or not _is_plain(other):
        return None
    for first, second in pairwise(several):
        order = list(range(len(mesh.sizes)))
        order[first], order[second] = second, first
        theirs = [mirror.axes[axis].network for axis in order]
        if mesh.sizes[first] == mesh.sizes[second] and all(map(_seem_alike, mesh.networks, theirs, mesh.sizes)):
            pairs = zip(mesh.axes, theirs, strict=True)
            axes = tuple([_cheaper(axis, network) for axis, network in pairs])
            both = replace(mesh, axes=axes)
            return Pricing(one.graph, one.classes, both, one.shares, one.computing, mirrored=(first, second))
    return None


def _cheaper(axis: MeshAxis, network: NetworkModel) -> MeshAxis:
    return replace(axis, network=CheaperNetwork(axis.network, network)) if axis.size > 1 else axis


def _is_plain(pricing: Pricing) -> bool:
    """True if axes of equal size differ in their networks only."""
    devices = pricing.cluster.devices
    return (
        pricing.cluster.inside is None
        and all(device == devices[0] for device in devices)
        and all(shares == even(size) for shares, size in zip(pricing.shares, pricing.mesh.sizes, strict=True))
        and not any(isinstance(network, CarriedNetwork) for network in pricing.mesh.networks)
    )


def _seem_alike(one: NetworkModel, other: NetworkModel, size: int) -> bool:
    """True if sample collectives take the same time on both networks."""
    if size < 2:
        return True
    parts = even(size).parts
    return all(
        mine.time == theirs.time
        for count in _SAMPLES
        for mine, theirs in (
            (one.all_reduce(count), other.all_reduce(count)),
            (one.all_gather(count, parts), other.all_gather(count, parts)),
            (one.all_to_all(count, parts, parts), other.all_to_all(count, parts, parts)),
        )
    )
