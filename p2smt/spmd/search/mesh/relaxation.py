"""A lower bound on every program on a mesh, and where to begin: what each axis would do alone.

Whatever the other axes do, no device holds or computes less than the part that even cuts leave it. So an axis takes at
least what it takes where the others divide everything: bytes and work over the product of their sizes. Computing is one
sum for all. Of N = n1 n2 ... devices each computes W/N of an operation of work W where all axes divide it, and an axis
that does not is charged with what that adds where all others do, (n - 1) W/N. Where the axes of a set U do not divide
it, a device computes W/N times the product of their sizes, which is no less than what is counted:

    1 + sum over U of (n - 1) <= product over U of n
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import prod

from p2smt.errors import EngineError
from p2smt.problem.system.device_model import fastest_of
from p2smt.spmd.devices.carried_network import CarriedNetwork
from p2smt.spmd.devices.device_mesh import Mesh
from p2smt.spmd.devices.network import PICO, CollectivePrice, Network, NoNetwork
from p2smt.spmd.engines.certificate_check import check_certificate
from p2smt.spmd.engines.engine import Search
from p2smt.spmd.engines.problem import Best, Choice, JointProblem
from p2smt.spmd.engines.solving import JointSolver, Solution
from p2smt.spmd.model.build import NodeChoice, Sharding, build
from p2smt.spmd.model.forms import Forms
from p2smt.spmd.model.options import OptionCache
from p2smt.spmd.model.pricing import Pricing, in_even_shares
from p2smt.spmd.model.restriction import AxisRestriction, PerAxis


@dataclass(frozen=True)
class DividedNetwork:
    """An axis' network when the `other` groups divide everything, and all parts are of one size.

    Even parts are sent fastest where every rank has one. Where ranks may be left `empty`, with uneven shares or fewer
    atoms than ranks, broadcasts and reductions in a group are fewer calls, at least one: of both the cheaper counts.
    """

    network: Network
    other: int
    size: int
    empty: bool = False

    @property
    def _least(self) -> Sequence[Sequence[Fraction]]:
        """Parts of which one are sent at least as fast as any."""
        evenly = (Fraction(1, self.size),) * self.size
        return (evenly, (Fraction(1), *[Fraction(0)] * (self.size - 1))) if self.empty else (evenly,)

    def all_reduce(self, count: int) -> CollectivePrice:
        """The price for the rest of a tensor of `count` bytes."""
        return self.network.all_reduce(count // self.other)

    def all_gather(self, count: int, parts: Sequence[Fraction]) -> CollectivePrice:
        """The same."""
        return min(self.network.all_gather(count // self.other, each) for each in self._least)

    def reduce_scatter(self, count: int, parts: Sequence[Fraction]) -> CollectivePrice:
        """The same."""
        return min(self.network.reduce_scatter(count // self.other, each) for each in self._least)

    def all_to_all(self, count: int, before: Sequence[Fraction], after: Sequence[Fraction]) -> CollectivePrice:
        """The same."""
        return min(self.network.all_to_all(count // self.other, each, each) for each in self._least)


@dataclass(frozen=True, slots=True)
class AxisProblem:
    """The problem of one axis alone: the sharding, the problem whose optimum is a bound, and that optimum."""

    sharding: Sharding
    problem: JointProblem
    eliminated: Solution

    @property
    def least(self) -> int:
        """Picoseconds that the axis takes at least; 0 where it alone can do nothing."""
        return self.eliminated.bound


class Optima:
    """Proved or unproved optima of joint problems, each computed once: axes of several meshes can be alike."""

    def __init__(self, solver: JointSolver | None = None) -> None:
        self.solver = solver or JointSolver(Search(certify=True))
        self._known: dict[JointProblem, Solution] = {}
        self._proved: list[Solution] = []

    def of(self, problem: JointProblem) -> Solution:
        """The solution of a problem, solved once. Hashing a large problem is slow: it is looked up once."""
        found = self._known.get(problem)
        return found if found is not None else self._known.setdefault(problem, self.solver.solve(problem))

    def prove(self, one: AxisProblem) -> None:
        """EngineError where the checker does not accept the certificate of an optimum found here."""
        answer, certificate = one.eliminated.answer, one.eliminated.certificate
        if any(each is one.eliminated for each in self._proved) or not isinstance(answer, Best):
            return
        if certificate is None:
            raise EngineError("the bound of an axis is not by elimination and has no certificate; drop --certify")
        refuse(check_certificate(one.problem, certificate, answer.assignment))
        self._proved.append(one.eliminated)


class AxesAlone:
    """The problems of each axis of a mesh alone; each question is answered once."""

    def __init__(
        self, pricing: Pricing, forms: Forms, restrictions: Sequence[AxisRestriction], optima: Optima, *, certify: bool
    ) -> None:
        """`restrictions`: what each axis may choose from; `forms` are of a single axis of several ranks."""
        self._mesh = pricing.mesh
        self._known = tuple(
            OptionCache(divided(pricing, (axis,)), forms if size > 1 else None)
            for axis, size in enumerate(self._mesh.sizes)
        )
        self._restrictions = restrictions
        self._optima = optima
        self._certify = certify
        self._alone: dict[int, AxisProblem] = {}

    def alone(self, axis: int) -> AxisProblem:
        """The cheapest that an axis can do by itself."""
        if axis not in self._alone:
            self._alone[axis] = self.within(axis, self._restrictions[axis])
        return self._alone[axis]

    def within(self, axis: int, restriction: AxisRestriction) -> AxisProblem:
        """The same within a restriction. ProblemError where that leaves nothing."""
        sharding = build(self._known[axis], PerAxis((restriction,)), timed=False)
        problem = _charged(sharding)
        return AxisProblem(sharding, problem, self._optima.of(problem))

    def prove(self, axis: int) -> None:
        """EngineError where a certificate of what an axis takes is asked for, and its checker does not accept it."""
        if self._certify:
            self._optima.prove(self.alone(axis))

    @cached_property
    def bound(self) -> int:
        """A bound on every program: what all devices compute together at least, and what each axis takes at least.

        EngineError where a certificate is asked for, and its checker does not accept it.
        """
        every = [self.alone(axis) for axis in range(len(self._mesh.sizes))]
        for axis in range(len(every)):
            self.prove(axis)
        speeds = self._mesh.cluster.speeds
        return divided_work(every[0].sharding, len(speeds), sum(speeds)) + sum(each.least for each in every)


def refuse(fault: str | None) -> None:
    """EngineError with what is wrong with a certificate, if something is."""
    if fault is not None:
        raise EngineError(f"the certificate of the optimum is not accepted by its checker: {fault}; nothing is proved")


def divided(pricing: Pricing, axes: Sequence[int]) -> Pricing:
    """Prices on some axes while all others divide everything."""
    mesh = pricing.mesh
    mine = [mesh.axes[axis] for axis in axes]
    size = prod([each.size for each in mine])
    others = prod(mesh.sizes) // size
    # a block of the other axes has at least one atom for every rank only where there is one for every device
    few = any(1 < atoms < others * size for atoms in pricing.classes.atoms)
    made = []
    for axis, each in zip(axes, mine, strict=True):
        known = each.network
        if isinstance(known, CarriedNetwork):
            # with shares that differ the fastest processor may carry most
            known = replace(known, seconds=(min(known.seconds),) * each.size)
        empty = few or len(set(pricing.shares[axis].parts)) > 1
        network = DividedNetwork(known, others, each.size, empty) if each.size > 1 else NoNetwork()
        made.append(replace(each, network=network))
    fastest = max(mesh.cluster.devices, key=lambda device: device.speed)
    models = mesh.cluster.models
    model = fastest_of(models).times(others) if models else None
    devices = (replace(fastest, speed=fastest.speed * others, model=model),) * size
    cluster = replace(mesh.cluster, devices=devices, network=made[0].network)
    evenly = in_even_shares(pricing.graph, pricing.classes, Mesh(cluster, tuple(made)))
    if pricing.mirrored is None or not set(pricing.mirrored) <= set(axes):
        return evenly
    first, second = [list(axes).index(axis) for axis in pricing.mirrored]
    return replace(evenly, mirrored=(first, second))


def _charged(sharding: Sharding) -> JointProblem:
    """The joint problem with what an operation takes longer, at least, where this axis does not divide it."""
    pricing = sharding.pricing
    devices, speed = len(pricing.cluster.devices), pricing.cluster.speeds[0]
    choices, known = [], {}
    for choice, meaning in zip(sharding.problem.choices, sharding.meanings, strict=True):
        if not isinstance(meaning, NodeChoice):
            choices.append(choice)
            continue
        node, costs = meaning.node, []
        for rules in meaning.form.rules:
            key = (node.kind, bool(pricing.divided(node, rules)))
            if key not in known:
                work, _ = pricing.work(node)
                known[key] = 0 if key[1] else int(work * PICO * (devices - 1) // (devices * speed))
            costs.append(known[key])
        choices.append(Choice(choice.name, tuple(costs)))
    return replace(sharding.problem, choices=tuple(choices))


def divided_work(sharding: Sharding, devices: int, speed: int) -> int:
    """Picoseconds that all operations take where all axes divide them, each rounded down; `speed`: of all devices.

    A stage takes at least the mean of its devices' times, weighted by their speeds: all work by all of the speed.
    What an operation takes to be begun is divided by nothing.
    """
    pricing, known = sharding.pricing, dict[int, int]()
    nodes = [meaning.node for meaning in sharding.meanings if isinstance(meaning, NodeChoice)]
    for node in nodes:
        if node.kind not in known:
            work, begin = pricing.work(node)
            known[node.kind] = int((work + (begin * devices)) * PICO // speed)
    return sum(known[node.kind] for node in nodes)
