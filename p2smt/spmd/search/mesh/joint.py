"""A lower bound on all programs on a mesh whose axes are chosen together, and a program to start the search from.

The axes are divided into groups, mostly one group of all axes. Within a group, layouts are tuples, and the price of a
conversion depends on the sharding along the group's other axes; axes outside are assumed to divide everything, as in
`relaxation.py`.

An operation costs the mean of all devices' times, weighted by their speeds, which is a lower bound on a stage
(`search/bound.py`); with rooflines this includes launches and the inefficiency of small kernels. With r the rules on
the axes of a group, and s those on the other axes, which are charged c(s) alone (`relaxation.py`), a group is charged

    a(r) = min over s of  mean time(r, s) - c(s),      so that  a(r) + c(s) <= mean time(r, s)

The problem of a group is too large for an exact solution; `message_passing.py` bounds it, with each tensor costing what
its most expensive layout costs by itself.
Complexity: sweeps over tables of (layouts on all axes of the group)^2 entries, and times of all rules on all axes.
Reference: Kolmogorov, "A new look at reweighted message passing", PAMI 37 (2015).

Example: an operation takes 8 if neither axis of sizes 2 and 4 divides it, and 1, a launch, if any does; axis b alone is
charged 0 for it. The group {a} is charged 1, whatever its rule: with b dividing the operation it takes no more.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from p2smt.spmd.engines.certificate_check import check_bound
from p2smt.spmd.engines.engine import EngineOptions
from p2smt.spmd.engines.message_passing import relax
from p2smt.spmd.engines.parts import relax_parts
from p2smt.spmd.engines.parts_check import bound_of_parts
from p2smt.spmd.engines.problem import Choice, JointProblem
from p2smt.spmd.model.build import NodeChoice, Sharding, TensorChoice, build
from p2smt.spmd.model.divisions import Rules
from p2smt.spmd.model.graph import Node
from p2smt.spmd.model.layouts import WHOLE
from p2smt.spmd.model.options import OptionCache
from p2smt.spmd.model.restriction import FREEDOM, AxisRestriction, PerAxis, Restriction
from p2smt.spmd.search.bound import MeanTimes, relaxed
from p2smt.spmd.search.mesh.relaxation import AxesAlone, divided, refuse
from p2smt.spmd.search.mesh.turns import StartProgram

MOST_TOGETHER = 2
"""The most axes of several ranks in one group; with three, tensors have hundreds of layouts."""


@dataclass(frozen=True)
class MeshBound:
    """A lower bound in picoseconds; `begin` finds a program that is cheap in the relaxation, which is slow."""

    bound: int
    begin: Callable[[], StartProgram | None] = lambda: None

    @cached_property
    def start(self) -> StartProgram | None:
        """Return the program that is cheap in the relaxation, computed on first access; None if there is none."""
        return self.begin()


def mesh_bound(
    known: OptionCache,
    restriction: Restriction,
    each_axis: Sequence[AxisRestriction],
    alone: AxesAlone,
    search: EngineOptions,
    enough: int | None = None,
    *,
    again: bool = False,
) -> MeshBound | None:
    """Return the bound of a mesh by groups of its axes; None if the tables of a group exceed the memory.

    `each_axis` has the restriction of each axis alone. Once the bound reaches `enough`, it is not raised further. With
    `again`, the axes are grouped in another way (`_regrouped`); there must be axes outside of the first group.
    Raises EngineError if a requested certificate is rejected, and ProblemError if the restriction is infeasible.
    """
    group, others = _together(known.pricing.mesh.sizes)
    if again:
        group, others = _regrouped(group, others, alone)
    grouped = _grouped(known, restriction, each_axis, alone, group, others)
    known_otherwise = sum([alone.alone(axis).least for axis in grouped.others])
    missing = None if enough is None else enough - known_otherwise
    found = _relaxed(grouped.problem, search, missing)
    if found is None:
        return None
    for axis in grouped.others:
        alone.prove(axis)
    bound, assignment = found

    def begin() -> StartProgram | None:
        options = assignment()
        return None if options is None else _start(known, grouped, options)

    return MeshBound(known_otherwise + bound, begin)


def mesh_start(
    known: OptionCache,
    restriction: Restriction,
    each_axis: Sequence[AxisRestriction],
    alone: AxesAlone,
    search: EngineOptions,
) -> StartProgram | None:
    """Return the start program of `mesh_bound` without computing a bound; None if none was found."""
    grouped = _grouped(known, restriction, each_axis, alone, *_together(known.pricing.mesh.sizes))
    parts = relax_parts(grouped.problem, search.memory, proof=False)
    found = relax(grouped.problem, search.memory, proof=False) if parts is None else parts
    return None if found.assignment is None else _start(known, grouped, found.assignment)


@dataclass(frozen=True, slots=True)
class _GroupProblem:
    """The problem of the largest group of axes, including the cost of computation, and the axes outside it."""

    sharding: Sharding
    problem: JointProblem
    group: tuple[int, ...]
    others: tuple[int, ...]


def _grouped(
    known: OptionCache,
    restriction: Restriction,
    each_axis: Sequence[AxisRestriction],
    alone: AxesAlone,
    group: tuple[int, ...],
    others: tuple[int, ...],
) -> _GroupProblem:
    pricing, mine, restricted = known.pricing, known, restriction
    if others:
        mine = OptionCache(divided(pricing, group))
        restricted = PerAxis(tuple([each_axis[axis] for axis in group]))
    sharding = build(mine, restricted, separate=True, timed=False)
    speeds = pricing.cluster.speeds
    weights = {speed: Fraction(speed, sum(speeds)) for speed in speeds}
    if others:
        charges = _GroupCharges(known, group, others, MeanTimes(pricing, weights), alone)
        return _GroupProblem(sharding, charges.charged(sharding), group, others)
    return _GroupProblem(sharding, relaxed(sharding, weights), group, others)


_Options = Callable[[], tuple[int, ...] | None]


def _relaxed(problem: JointProblem, search: EngineOptions, enough: int | None) -> tuple[int, _Options] | None:
    """Return a bound and a function that finds a cheap assignment; the bound uses repeated parts if there are any.

    The certificate is checked if requested. None if the tables exceed the memory.
    """
    parts = relax_parts(problem, search.memory)
    if parts is not None:
        bound = bound_of_parts(problem, parts.parts)
        if isinstance(bound, str):
            refuse(bound)
        else:
            return bound, lambda: parts.assignment
    relaxed = relax(problem, search.memory, proof=search.certify, enough=enough)
    if relaxed.bound is None:
        return None
    if search.certify and relaxed.certificate is not None:
        refuse(check_bound(problem, relaxed.certificate))
    return relaxed.bound, lambda: relaxed.assignment


def _together(sizes: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the axes of the largest group, and the other axes of several ranks, each a group of its own."""
    several = [axis for axis, size in enumerate(sizes) if size > 1]
    largest = sorted(several, key=lambda axis: (-sizes[axis], -axis))[:MOST_TOGETHER]
    others = tuple([axis for axis in several if axis not in largest])
    return (tuple(sorted(largest)), others) if others else (tuple(range(len(sizes))), ())


def _regrouped(
    group: tuple[int, ...], others: tuple[int, ...], alone: AxesAlone
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the groups after two axes swap: the cheapest one of `group` and the dearest one of `others`, alone."""
    goes = min(group, key=lambda axis: (alone.alone(axis).least, axis))
    comes = max(others, key=lambda axis: (alone.alone(axis).least, -axis))
    swapped = {goes: comes, comes: goes}
    both = [sorted([swapped.get(axis, axis) for axis in axes]) for axes in (group, others)]
    return tuple(both[0]), tuple(both[1])


@dataclass(frozen=True, slots=True)
class _GroupCharges:
    """The costs of operations in the problem of a group of axes."""

    known: OptionCache
    group: tuple[int, ...]
    others: tuple[int, ...]
    times: MeanTimes
    alone: AxesAlone

    def of(self, node: Node) -> dict[Rules, int]:
        """Map an operation's rules on the group to its least mean time less the charges of the other axes."""
        # Of all rules on all axes with one part on the group, the least remainder is what the group may be charged.
        least: dict[Rules, int] = {}
        for rules in self.known.forms.form(node, FREEDOM).rules:
            mine = tuple([rules[axis] for axis in self.group])
            charged = sum([self.alone.charge(axis, node, rules[axis]) for axis in self.others])
            time = self.times.of(node, rules) - charged
            least[mine] = min(time, least.get(mine, time))
        return least

    def charged(self, sharding: Sharding) -> JointProblem:
        """Return the problem of the group in which operations have these costs."""
        choices, known = [], dict[tuple[object, ...], tuple[int, ...]]()
        for choice, meaning in zip(sharding.problem.choices, sharding.meanings, strict=True):
            if not isinstance(meaning, NodeChoice):
                choices.append(choice)
                continue
            node = meaning.node
            # Nodes of one form and kind cost the same where their tensors are cut into as many parts.
            cuts = [sharding.pricing.cut(each) for each in (*node.operands, node.result) if isinstance(each, int)]
            key = (meaning.form.number, node.kind, *cuts)
            if key not in known:
                least = self.of(node)
                known[key] = tuple([least[rules] for rules in meaning.form.rules])
            choices.append(Choice(choice.name, known[key]))
        return replace(sharding.problem, choices=tuple(choices))


def _start(known: OptionCache, grouped: _GroupProblem, assignment: Sequence[int]) -> StartProgram:
    """Return the program of a group's assignment; other axes replicate everything and are optimised first."""
    group = grouped.group
    axes = range(len(known.pricing.mesh.sizes))
    place = {axis: number for number, axis in enumerate(group)}
    rules, stored = {}, {}
    for meaning, option in zip(grouped.sharding.meanings, assignment, strict=True):
        match meaning:
            case NodeChoice(node, form):
                whole = known.forms.whole_rule(node)
                made = form.rules[option]
                rules[node.result] = tuple([made[place[axis]] if axis in place else whole for axis in axes])
            case TensorChoice(tensor, layouts, _, options):
                if known.pricing.graph.tensors[tensor].source is not None:
                    kept = layouts[options[option][0]]
                    stored[tensor] = tuple([kept[place[axis]] if axis in place else WHOLE for axis in axes])
    several = [axis for axis in group if known.pricing.mesh.sizes[axis] > 1]
    return StartProgram(rules, stored, (*grouped.others, *reversed(several)))
