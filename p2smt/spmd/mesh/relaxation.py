"""A lower bound on every program on a mesh of two axes, and where to begin: what each axis would do alone.

Whatever the other axis does, no device holds or computes less than the part that an even cut leaves it. So an axis
takes at least what it takes where the other divides everything: bytes and work over the other's size. Computing is one
sum for both: it is counted for one of them, or half for each.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from p2smt.errors import EngineError
from p2smt.spmd.bound import relaxed
from p2smt.spmd.build import Sharding, build
from p2smt.spmd.certificate_check import check_certificate
from p2smt.spmd.elimination import Eliminated, eliminate
from p2smt.spmd.forms import Forms
from p2smt.spmd.known import Known
from p2smt.spmd.mesh.pricing import MeshPricing
from p2smt.spmd.network import Network, NoNetwork, Price
from p2smt.spmd.pricing import Pricing
from p2smt.spmd.problem import Best, JointProblem
from p2smt.spmd.restriction import Restriction
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

    @property
    def least(self) -> int:
        """Picoseconds that the axis takes at least; 0 where it alone can do nothing."""
        answer = self.eliminated.answer
        return answer.cost if isinstance(answer, Best) else 0


class AxesAlone:
    """What each axis of a mesh would do alone; of each question one answer."""

    def __init__(self, pricing: MeshPricing, forms: Forms, restriction: Restriction, *, certify: bool) -> None:
        """`restriction`: what an axis may choose from."""
        self._pricings = tuple(_divided(pricing, axis) for axis in range(2))
        self._known = (Known(), Known())
        self._forms = forms
        self._restriction = restriction
        self._certify = certify
        self._shardings: dict[int, Sharding] = {}
        self._alone: dict[tuple[int, Fraction], Alone] = {}

    def alone(self, axis: int, part: Fraction) -> Alone:
        """The cheapest that an axis can do by itself, with this part of the computing."""
        if axis not in self._shardings:
            self._shardings[axis] = self._built(axis, self._restriction)
        if (axis, part) not in self._alone:
            self._alone[axis, part] = _cheapest(self._shardings[axis], part)
        return self._alone[axis, part]

    def within(self, axis: int, restriction: Restriction) -> Alone:
        """The same within a restriction, with all of the computing. ProblemError where that leaves nothing."""
        return _cheapest(self._built(axis, restriction), Fraction(1))

    @cached_property
    def bound(self) -> int:
        """A bound on every program: the sum of what each axis takes at least, however the computing is divided.

        EngineError where a certificate is asked for, and its checker does not accept it.
        """
        divided = [(self.alone(0, part), self.alone(1, 1 - part)) for part in PARTS]
        best = max(divided, key=lambda both: sum(each.least for each in both))
        for each in best:
            answer, certificate = each.eliminated.answer, each.eliminated.certificate
            if self._certify and isinstance(answer, Best):
                assert certificate is not None
                refuse(check_certificate(each.problem, certificate, answer.assignment))
        return sum(each.least for each in best)

    def _built(self, axis: int, restriction: Restriction) -> Sharding:
        return build(self._pricings[axis], restriction, self._forms, known=self._known[axis])


def refuse(fault: str | None) -> None:
    """EngineError with what is wrong with a certificate, if something is."""
    if fault is not None:
        raise EngineError(f"the certificate of the optimum is not accepted by its checker: {fault}; nothing is proved")


def _divided(pricing: MeshPricing, axis: int) -> Pricing:
    """What things cost on an axis while the other axis divides everything."""
    mesh = pricing.mesh
    mine, other = mesh.axes[axis], mesh.axes[1 - axis]
    network = DividedNetwork(mine.network, other.size, mine.size) if mine.size > 1 else NoNetwork()
    fastest = max(mesh.cluster.devices, key=lambda device: device.speed)
    devices = (replace(fastest, speed=fastest.speed * other.size),) * mine.size
    return Pricing(
        pricing.graph, pricing.classes, replace(mesh.cluster, devices=devices, network=network), even(mine.size)
    )


def _cheapest(sharding: Sharding, part: Fraction) -> Alone:
    speeds = sharding.pricing.cluster.speeds
    problem = relaxed(sharding, {speeds[0]: Fraction(part, len(speeds))})
    return Alone(sharding, problem, eliminate(problem))
