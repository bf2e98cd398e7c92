"""A lower bound on all programs on a mesh from each axis alone, which also gives starting points for the search.

Whatever the other axes do, no device holds or computes less than an even sharding over them would leave. So an axis
costs at least what it costs if the others divide all bytes and all work by the product of their sizes. Computation is
charged once for all axes: each of N = n1 n2 ... devices computes W/N of an operation of work W if all axes divide it,
and an axis of size n that does not divide it is charged (n - 1) W/N. If the axes of a set U do not divide it, a device
computes W/N times the product of their sizes, which is at least what is charged:

    1 + sum over U of (n - 1) <= product over U of n
Complexity: one joint problem on one axis for each axis.
Reference: Fisher, "The Lagrangian relaxation method for solving integer programming problems", 1981, for bounds by
relaxation.

Example: axes of 2 and 4, and an operation that the first does not divide: 1 + (2 - 1) = 2 of W/8, which is what a
device computes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import prod

from p2smt.errors import EngineError
from p2smt.problem.system.device_model import fastest_of
from p2smt.spmd.devices.carried_network import CarriedNetwork
from p2smt.spmd.devices.device_mesh import Mesh
from p2smt.spmd.devices.network import PICO, CollectivePrice, NetworkModel, NoNetwork
from p2smt.spmd.engines.certificate_check import check_certificate
from p2smt.spmd.engines.engine import EngineOptions
from p2smt.spmd.engines.problem import Best, Choice, JointProblem
from p2smt.spmd.engines.solving import JointSolver, Solution
from p2smt.spmd.model.build import NodeChoice, Sharding, build
from p2smt.spmd.model.divisions import Rules
from p2smt.spmd.model.forms import Forms
from p2smt.spmd.model.graph import Node
from p2smt.spmd.model.options import OptionCache
from p2smt.spmd.model.pricing import Pricing, in_even_shares
from p2smt.spmd.model.restriction import AxisRestriction, PerAxis
from p2smt.tensor.rule import Rule


@dataclass(frozen=True)
class DividedNetwork:
    """An axis's network if `other` groups divide everything into parts of equal size.

    If every rank has a part, even parts are cheapest. If ranks may be left without a part (`empty`: uneven ratios, or
    fewer atoms than ranks), grouped broadcasts and reductions need fewer calls, at least one; the cheaper of both
    counts.
    """

    network: NetworkModel
    other: int
    size: int
    empty: bool = False

    @property
    def _least(self) -> Sequence[Sequence[Fraction]]:
        """Return candidate ratios; one of them is at least as cheap as any other."""
        evenly = (Fraction(1, self.size),) * self.size
        return (evenly, (Fraction(1), *[Fraction(0)] * (self.size - 1))) if self.empty else (evenly,)

    def all_reduce(self, count: int) -> CollectivePrice:
        """Return the price for a tensor of `count` bytes that the other axes have divided."""
        return self.network.all_reduce(count // self.other)

    def all_gather(self, count: int, parts: Sequence[Fraction]) -> CollectivePrice:
        """Return the least price for a tensor of `count` bytes that the other axes have divided."""
        return min(self.network.all_gather(count // self.other, each) for each in self._least)

    def reduce_scatter(self, count: int, parts: Sequence[Fraction]) -> CollectivePrice:
        """Return the least price for a tensor of `count` bytes that the other axes have divided."""
        return min(self.network.reduce_scatter(count // self.other, each) for each in self._least)

    def all_to_all(self, count: int, before: Sequence[Fraction], after: Sequence[Fraction]) -> CollectivePrice:
        """Return the least price for a tensor of `count` bytes that the other axes have divided."""
        return min(self.network.all_to_all(count // self.other, each, each) for each in self._least)


@dataclass(frozen=True, slots=True)
class AxisProblem:
    """The problem of one axis alone, whose optimum is the bound, and its solution."""

    sharding: Sharding
    eliminated: Solution

    @property
    def least(self) -> int:
        """Return a lower bound on the axis's cost in picoseconds; 0 if the axis alone is infeasible."""
        return self.eliminated.bound


class Optima:
    """Solutions of joint problems, each computed once, because axes of different meshes can be equal."""

    def __init__(self, solver: JointSolver | None = None) -> None:
        self.solver = solver or JointSolver(EngineOptions(certify=True))
        self._known: dict[JointProblem, Solution] = {}
        self._alone: list[tuple[tuple[object, ...], AxisProblem]] = []
        self._proved: list[Solution] = []

    def of(self, problem: JointProblem) -> Solution:
        """Return the solution of a problem, solved once; the problem is hashed once, because that is slow."""
        found = self._known.get(problem)
        return found if found is not None else self._known.setdefault(problem, self.solver.solve(problem))

    def alone(self, alike: tuple[object, ...], made: Callable[[], AxisProblem]) -> AxisProblem:
        """Return the problem of one axis and its solution, made once for axes of which `alike` says the same."""
        found = next((problem for mine, problem in self._alone if mine == alike), None)
        if found is None:
            found = made()
            self._alone.append((alike, found))
        return found

    def prove(self, one: AxisProblem) -> None:
        """Raise EngineError if the checker rejects the certificate of an optimum found here."""
        answer, certificate = one.eliminated.answer, one.eliminated.certificate
        if any(each is one.eliminated for each in self._proved) or not isinstance(answer, Best):
            return
        if certificate is None:
            raise EngineError(
                "the bound of one axis was not found by elimination, so it has no certificate; leave certify out"
            )
        refuse(check_certificate(one.sharding.problem, certificate, answer.assignment))
        self._proved.append(one.eliminated)


class AxesAlone:
    """The problems of each axis of a mesh alone; each is solved once."""

    def __init__(
        self, pricing: Pricing, forms: Forms, restrictions: Sequence[AxisRestriction], optima: Optima, *, certify: bool
    ) -> None:
        """Take each axis's restriction, and the `forms` of a single axis of several ranks."""
        self._mesh = pricing.mesh
        self._known = tuple(
            OptionCache(divided(pricing, (axis,)), forms if size > 1 else None)
            for axis, size in enumerate(self._mesh.sizes)
        )
        self._charges = tuple(_Charges(known.pricing) for known in self._known)
        self._restrictions = restrictions
        self._optima = optima
        self._certify = certify
        self._alone: dict[int, AxisProblem] = {}

    def alone(self, axis: int) -> AxisProblem:
        """Return the optimum of an axis alone."""
        if axis not in self._alone:
            pricing, restriction = self._known[axis].pricing, self._restrictions[axis]
            # the name of an axis, and its position, change nothing
            alike = (pricing.cluster, pricing.mesh.sizes, pricing.mesh.networks, pricing.shares, restriction)
            self._alone[axis] = self._optima.alone(alike, lambda: self.within(axis, restriction))
        return self._alone[axis]

    def within(self, axis: int, restriction: AxisRestriction) -> AxisProblem:
        """Return the optimum of an axis alone within a restriction. Raises ProblemError if it is infeasible."""
        sharding = self.problem(axis, restriction)
        return AxisProblem(sharding, self._optima.of(sharding.problem))

    def problem(self, axis: int, restriction: AxisRestriction) -> Sharding:
        """Return the problem of an axis alone within a restriction. Raises ProblemError if it is infeasible."""
        sharding = build(self._known[axis], PerAxis((restriction,)), timed=False)
        return replace(sharding, problem=self._charges[axis].charged(sharding))

    def charge(self, axis: int, node: Node, rule: Rule) -> int:
        """Return the picoseconds that an axis alone is charged for an operation under a rule."""
        return self._charges[axis].of(node, (rule,))

    def prove(self, axis: int) -> None:
        """Raise EngineError if a certificate is requested and the checker rejects it."""
        if self._certify:
            self._optima.prove(self.alone(axis))

    @cached_property
    def bound(self) -> int:
        """Return a bound on all programs: evenly divided computation of all devices, plus each axis's least cost.

        Raises EngineError if a requested certificate is rejected.
        """
        every = [self.alone(axis) for axis in range(len(self._mesh.sizes))]
        for axis in range(len(every)):
            self.prove(axis)
        speeds = self._mesh.cluster.speeds
        return divided_work(every[0].sharding, len(speeds), sum(speeds)) + sum(each.least for each in every)


def refuse(fault: str | None) -> None:
    """Raise EngineError if a certificate has a fault."""
    if fault is not None:
        raise EngineError(
            f"the checker rejects the certificate of the optimum: {fault}; leave certify out, and "
            "please report this defect of p2smt"
        )


def divided(pricing: Pricing, axes: Sequence[int]) -> Pricing:
    """Return prices on some axes if all other axes divide everything."""
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


class _Charges:
    """The costs of operations on one axis alone: their least extra time if the axis does not divide them."""

    def __init__(self, pricing: Pricing) -> None:
        self._pricing = pricing
        self._known: dict[tuple[int, bool], int] = {}

    def of(self, node: Node, rules: Rules) -> int:
        """Return the charge of an operation in picoseconds, rounded down."""
        pricing, is_divided = self._pricing, bool(self._pricing.divided(node, rules))
        key = (node.kind, is_divided)
        if key not in self._known:
            devices, speed = len(pricing.cluster.devices), pricing.cluster.speeds[0]
            work, _ = pricing.work(node)
            self._known[key] = 0 if is_divided else int(work * PICO * (devices - 1) // (devices * speed))
        return self._known[key]

    def charged(self, sharding: Sharding) -> JointProblem:
        """Return the joint problem of this axis in which operations cost their charges."""
        choices = []
        for choice, meaning in zip(sharding.problem.choices, sharding.meanings, strict=True):
            if not isinstance(meaning, NodeChoice):
                choices.append(choice)
                continue
            charges = tuple([self.of(meaning.node, rules) for rules in meaning.form.rules])
            choices.append(Choice(choice.name, charges))
        return replace(sharding.problem, choices=tuple(choices))


def divided_work(sharding: Sharding, devices: int, speed: int) -> int:
    """Return the picoseconds of all operations if all axes divide them, each rounded down.

    `speed` is the total speed of all devices. A stage takes at least the mean of its devices' times, weighted by speed:
    total work by total speed. The start-up cost of an operation is not divided.
    """
    pricing, known = sharding.pricing, dict[int, int]()
    nodes = [meaning.node for meaning in sharding.meanings if isinstance(meaning, NodeChoice)]
    for node in nodes:
        if node.kind not in known:
            work, begin = pricing.work(node)
            known[node.kind] = int((work + (begin * devices)) * PICO // speed)
    return sum(known[node.kind] for node in nodes)
