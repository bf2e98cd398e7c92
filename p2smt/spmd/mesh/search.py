"""The cheapest program on a mesh of two axes: exactly where it is small, else axis by axis, beside a lower bound.

Axis by axis (`turns.py`) begins from what each axis would do alone (`relaxation.py`); what was found on other meshes of
the same sizes is mixed with what is found here.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from p2smt.errors import ProblemError
from p2smt.spmd.bound import lost
from p2smt.spmd.engine import MEMORY, Engine, Search
from p2smt.spmd.forms import Forms
from p2smt.spmd.instructions import Account, account
from p2smt.spmd.memory import beyond
from p2smt.spmd.mesh.bound import relaxed
from p2smt.spmd.mesh.build import MeshSharding, build
from p2smt.spmd.mesh.chosen import ChosenPairs, chosen
from p2smt.spmd.mesh.emission import emit
from p2smt.spmd.mesh.memory import fitted_on
from p2smt.spmd.mesh.mesh import Mesh
from p2smt.spmd.mesh.options import PairOptions
from p2smt.spmd.mesh.relaxation import Alone, AxesAlone, Optima
from p2smt.spmd.mesh.restriction import Fixed, MeshRestriction, PerAxis
from p2smt.spmd.mesh.turns import Folder, Start, Turn, Turns, start_alone, start_of
from p2smt.spmd.problem import JointProblem
from p2smt.spmd.restriction import FREEDOM, Restriction
from p2smt.spmd.solving import Solver, for_bounds
from p2smt.tensor.program import Program

MOST_PAIRS = 5_000
"""Up to so many pairs of pairs of layouts, summed over tensors, all choices of both axes are searched at once."""

_MOST_MIRRORED = 2
"""Turns from a program for a mesh whose axes are these the other way round."""

_NEAR, _MOST_NEAR = 1.01, 3
"""Programs up to so many times the least cost, and so many, are written down: the fastest by stages is the answer."""


@dataclass(frozen=True, slots=True)
class Made:
    """A program and what it takes; `cost` adds up operation by operation."""

    sharding: MeshSharding
    assignment: tuple[int, ...]
    cost: int
    program: Program
    account: Account

    @property
    def chosen(self) -> ChosenPairs:
        """What is chosen, in terms of the program."""
        return chosen(self.sharding, self.assignment)


@dataclass(frozen=True, slots=True)
class Searched:
    """The fastest, and a proved bound on all in picoseconds; `exact`: all choices were searched at once."""

    fastest: Made
    bound: int
    exact: bool


class MeshSearch:
    """Searches of one program on one mesh."""

    def __init__(
        self,
        known: PairOptions,
        engine: Engine = Engine.ELIMINATION,
        *,
        certify: bool = False,
        one_axis: Restriction = FREEDOM,
        forms: Forms | None = None,
        optima: Optima | None = None,
        memory: int = MEMORY,
    ) -> None:
        """`one_axis`: what an axis alone may choose from, which has all that either can on the mesh.

        `forms`, if given, are of the same graph; `optima` are what was found on other meshes; `memory` is how many
        bytes elimination may take.
        """
        self._known = known
        self._pricing = known.pricing
        self._graph = known.pricing.graph
        self._engine = engine
        search = Search(engine, certify=certify, memory=memory)
        optima = optima or Optima(for_bounds(search))
        self._solver = Solver(search, optima.solver.notes)
        forms = forms or Forms(self._graph, self._pricing.classes)
        self.alone = AxesAlone(self._pricing, forms, one_axis, optima, certify=certify)
        self._first: list[tuple[Restriction, Alone]] = []
        self._folder = Folder(Solver(Solver.aside(search).search, optima.solver.notes))

    @property
    def mesh(self) -> Mesh:
        """What it searches on."""
        return self._pricing.mesh

    @property
    def is_small(self) -> bool:
        """Whether all choices of both axes are searched at once."""
        tensors = range(len(self._graph.tensors))
        return sum(len(self._known.pairs(tensor)) ** 2 for tensor in tensors) <= MOST_PAIRS

    def search(self, restriction: MeshRestriction, others: Sequence["Elsewhere"] = ()) -> Searched:
        """The fastest within a restriction; `others` are the fastest on other meshes.

        ProblemError where there is none.
        """
        if self._engine is not Engine.ELIMINATION or self.is_small:
            sharding = build(self._known, restriction)
            best, least = self._solver.proved(sharding.problem)
            made = self._written(Turn(sharding, best.assignment, best.cost))
            return Searched(made, self._exact_bound(sharding, least), True)
        turns = Turns(self._known, restriction, self._folder)
        found = self._near_mirrored(turns, others)
        if not found:
            found = self._turned(turns, others)
        sizes = self.mesh.sizes
        alike = [each.made for each in others if each.made.sharding.pricing.mesh.sizes == sizes]
        known = [turn.chosen for turn in found] + [made.chosen for made in alike]
        mixed = turns.mixed(known) if len(known) > 1 else None
        found += [] if mixed is None else [mixed]
        if not found:
            raise ProblemError("no program was found that keeps all conditions; drop one of them")
        return Searched(self._fastest(found, others), self.alone.bound, False)

    def _turned(self, turns: Turns, others: Sequence["Elsewhere"]) -> list[Turn]:
        """Programs that get better, from what each axis would do alone."""
        found: list[Turn] = []
        for start in self._starts():
            costs = [each.made.cost for each in others] + [turn.cost for turn in found]
            found += turns.after(start, least=min(costs, default=None))
        return found

    def _near_mirrored(self, turns: Turns, others: Sequence["Elsewhere"]) -> list[Turn]:
        """Programs that get better, from one found where each axis is what the other one is here, if there is one."""
        made = next((each.made for each in others if each.search.alone.mirrors(self.alone)), None)
        if made is None:
            return []
        start = start_of(made.sharding, made.chosen, 0)
        return turns.after(replace(start, axis=1), _MOST_MIRRORED)

    def fitting(self, restriction: MeshRestriction, fastest: Made) -> Made:
        """A program that fits into every device's memory, if one is found, else the fastest, which does not.

        Unless all choices are searched at once, one axis computes as the fastest does, and all is stored as need be.
        ProblemError where what is stored is too much for a device alone.
        """
        if not lacks(fastest):
            return fastest
        if self.is_small:
            shardings = [fastest.sharding]
        else:
            picked = fastest.chosen
            starts = [start_of(fastest.sharding, picked, axis) for axis in range(2)]
            fixed = [Fixed(start.axis, start.rules, {}, restriction) for start in starts]
            shardings = [build(self._known, each, narrow=True) for each in fixed]
        found = []
        for sharding in shardings:
            fits = fitted_on(sharding)
            if fits is not None:
                cost = sharding.problem.cost(fits.assignment)
                found.append(Made(sharding, fits.assignment, cost, fits.program, fits.account))
        return min(found, key=_time, default=fastest)

    def within(self, restriction: PerAxis) -> Made | None:
        """A fast program within restrictions of each axis, for comparison; None where there is none.

        Unless it is small: what the first axis does alone, and the best that the other can do then.
        """
        try:
            if self.is_small:
                sharding = build(self._known, restriction)
                return self.made(sharding, sharding.problem)
            start = start_alone(0, self._first_alone(restriction.axes[0]))
        except ProblemError:
            return None
        found = [] if start is None else Turns(self._known, restriction, self._folder).after(start, 1)
        return self._written(found[0]) if found else None

    def _first_alone(self, restriction: Restriction) -> Alone:
        """What the first axis does alone within a restriction; of each restriction once."""
        known = next((one for mine, one in self._first if mine is restriction), None)
        if known is None:
            known = self.alone.within(0, restriction)
            self._first.append((restriction, known))
        return known

    def made(self, sharding: MeshSharding, problem: JointProblem) -> Made:
        """The program of the cheapest assignment of a problem. ProblemError where there is none."""
        best, _ = self._solver.proved(problem)
        return self._written(Turn(sharding, best.assignment, sharding.problem.cost(best.assignment)))

    def _written(self, turn: Turn) -> Made:
        program = emit(turn.sharding, turn.assignment)
        taken = account(program, self.mesh.cluster, self.mesh.networks)
        return Made(turn.sharding, turn.assignment, turn.cost, program, taken)

    def _fastest(self, found: Sequence[Turn], others: Sequence["Elsewhere"]) -> Made:
        """By stages, of those that cost little more than the cheapest here or elsewhere, or the cheapest."""
        ranked = sorted({turn.cost: turn for turn in reversed(found)}.items())
        least = min([ranked[0][0], *[each.made.cost for each in others]])
        near = [turn for cost, turn in ranked if cost <= least * _NEAR] or [ranked[0][1]]
        return min((self._written(turn) for turn in near[:_MOST_NEAR]), key=_time)

    def _exact_bound(self, sharding: MeshSharding, least: int) -> int:
        """With the mean of the devices' computing in place of the longest, as on one axis (`bound.py`).

        `least` is a bound on the sum operation by operation.
        """
        problem = relaxed(sharding)
        rounded = lost(sharding.problem, problem)
        if rounded <= len(problem.choices):
            return least - rounded
        return self._solver.proved(problem)[1]

    def _starts(self) -> Iterator[Start]:
        """What each axis would do alone; first the one that takes longer."""
        for axis in sorted(range(2), key=lambda number: -self.alone.alone(number).least):
            start = start_alone(axis, self.alone.alone(axis))
            if start is not None:
                yield start


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """What was found on another mesh."""

    search: MeshSearch
    made: Made


def lacks(made: Made) -> bool:
    """Whether a device has less memory than the program needs at its peak."""
    return any(beyond(made.sharding.pricing.mesh.cluster.devices, made.account.memory))


def _time(made: Made) -> int:
    return made.account.time
