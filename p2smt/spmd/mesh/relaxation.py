"""A lower bound on every program on a mesh of two axes, and where to begin: what each axis would do alone.

Whatever the other axis does, no device holds or computes less than the part that an even cut leaves it. So an axis
takes at least what it takes where the other divides everything: bytes and work over the other's size. Computing is one
sum for both: it is counted for one of them, or half for each.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from p2smt.spmd.bound import relaxed
from p2smt.spmd.build import Sharding, build
from p2smt.spmd.cluster import Cluster
from p2smt.spmd.elimination import Eliminated, eliminate
from p2smt.spmd.forms import Forms
from p2smt.spmd.mesh.pricing import MeshPricing
from p2smt.spmd.network import Network, NoNetwork, Price
from p2smt.spmd.pricing import Pricing
from p2smt.spmd.problem import JointProblem
from p2smt.spmd.restriction import FREEDOM, Restriction
from p2smt.spmd.shares import even

PARTS = (Fraction(1), Fraction(1, 2), Fraction(0))
"""Of the computing, that the first axis is given; the second has the rest."""


@dataclass(frozen=True)
class DividedNetwork:
    """An axis' network when the other axis divides everything, and all parts are of one size."""

    network: Network
    other: int
    size: int

    @property
    def _parts(self) -> Sequence[Fraction]:
        return (Fraction(1, self.size),) * self.size

    def all_reduce(self, count: int) -> Price:
        """Of what is left of a tensor of `count` bytes."""
        return self.network.all_reduce(count // self.other)

    def all_gather(self, count: int, parts: Sequence[Fraction]) -> Price:
        """The same."""
        return self.network.all_gather(count // self.other, self._parts)

    def reduce_scatter(self, count: int, parts: Sequence[Fraction]) -> Price:
        """The same."""
        return self.network.reduce_scatter(count // self.other, self._parts)

    def all_to_all(self, count: int, before: Sequence[Fraction], after: Sequence[Fraction]) -> Price:
        """The same."""
        return self.network.all_to_all(count // self.other, self._parts, self._parts)


@dataclass(frozen=True, slots=True)
class Alone:
    """What an axis would do alone: the sharding, the problem whose optimum is a bound, and that optimum."""

    sharding: Sharding
    problem: JointProblem
    eliminated: Eliminated


def divided(pricing: MeshPricing, axis: int, forms: Forms, restriction: Restriction = FREEDOM) -> Sharding:
    """What an axis can do by itself while the other axis divides everything."""
    mesh = pricing.mesh
    mine, other = mesh.axes[axis], mesh.axes[1 - axis]
    network = DividedNetwork(mine.network, other.size, mine.size) if mine.size > 1 else NoNetwork()
    fastest = max(mesh.cluster.devices, key=lambda device: device.speed)
    devices = (replace(fastest, speed=fastest.speed * other.size),) * mine.size
    cluster = Cluster(mesh.cluster.name, devices, network)
    return build(Pricing(pricing.graph, pricing.classes, cluster, even(mine.size)), restriction, forms)


def alone(sharding: Sharding, part: Fraction) -> Alone:
    """The cheapest that an axis can do by itself, with this part of the computing."""
    speeds = sharding.pricing.cluster.speeds
    problem = relaxed(sharding, {speeds[0]: Fraction(part, len(speeds))})
    return Alone(sharding, problem, eliminate(problem))
