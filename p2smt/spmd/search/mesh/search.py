"""Find the cheapest program on a mesh: exactly if the problem is small, else axis by axis, with a lower bound.

Coordinate descent on the mesh axes (`turns.py`): with x[a] the rules along axis a,
    x[a] = argmin of cost(..., x[a], ...) with the rules of all other axes fixed, axis after axis.
Each step is an exact search of the size of one axis, and no step raises the cost; the end is a local optimum (iterated
conditional modes; Besag, "On the statistical analysis of dirty pictures", 1986). It starts from the cheapest program in
the relaxation that gives the bound (`joint.py`), or from each axis alone (`relaxation.py`) if that exceeds the memory.
Programs found on other meshes of the same sizes are mixed with those found here, and the search stops once a program is
within `_ENOUGH` of the bound.
Complexity: a small problem has at most `MOST_PAIRS` pairs of layouts; otherwise one search of one axis for each step.

Example: on 8 x 8 devices a program begins with data parallelism on both axes. Axis 1 alone, given axis 0, is better
with tensor parallelism; axis 0, given that, stays. The next step changes nothing, so the search ends.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil

from p2smt.errors import ProblemError
from p2smt.spmd.account.instructions import Accounts
from p2smt.spmd.devices.device_mesh import Mesh
from p2smt.spmd.engines.engine import MEMORY, EngineOptions, ShardingEngine
from p2smt.spmd.engines.problem import Best
from p2smt.spmd.engines.solving import JointSolver, for_bounds
from p2smt.spmd.model.build import Sharding, build
from p2smt.spmd.model.forms import Forms
from p2smt.spmd.model.options import OptionCache
from p2smt.spmd.model.restriction import FREEDOM, AxisRestriction, PerAxis, Restriction
from p2smt.spmd.search.mesh.baseline_search import BaselineSearch
from p2smt.spmd.search.mesh.fitting import fitting_programs, lacks
from p2smt.spmd.search.mesh.joint import MOST_TOGETHER, MeshBound
from p2smt.spmd.search.mesh.placement_bounds import PlacementBounds
from p2smt.spmd.search.mesh.relaxation import AxesAlone, Optima
from p2smt.spmd.search.mesh.turns import Folder, StartProgram, Turn, Turns, start_alone
from p2smt.spmd.search.searching import FoundProgram, made_of, searched

MOST_PAIRS = 5_000
"""The most pairs of layouts, summed over tensors, for which all axes are searched at once."""

_ENOUGH, _ENOUGH_OF_MANY = 1.002, 1.03
"""Programs within this factor of the bound are not improved further; the second is for many pairs."""

_MANY_PAIRS = 300_000
"""The most pairs for which improving a program is quick; a GPT with eight layers on 8 x 8 takes minutes.

With more, on three or more axes, only one placement is searched; its best program is adapted to the others.
"""

_ROUNDS = 2
"""The number of rounds of coordinate descent from the start program of the bound."""

_NEAR, _MOST_NEAR = 1.01, 3
"""Programs within this factor of the least cost, and at most this many, are compared by stages."""


@dataclass(frozen=True, slots=True)
class MeshAnswer:
    """The fastest program, and a bound on all in picoseconds; `exact` if all axes were searched at once."""

    fastest: FoundProgram
    bound: int
    exact: bool


class MeshSearch:
    """Searches of one program on one mesh."""

    def __init__(
        self,
        known: OptionCache,
        engine: ShardingEngine = ShardingEngine.ELIMINATION,
        *,
        certify: bool = False,
        each_axis: Sequence[AxisRestriction] = (),
        forms: Forms | None = None,
        optima: Optima | None = None,
        memory: int = MEMORY,
        bounds: PlacementBounds | None = None,
    ) -> None:
        """Take the prices of the mesh and, optionally, results shared with other meshes.

        `each_axis` has the restriction of each axis alone; empty: none. `forms` are those of the same graph on a
        single axis; `optima` has solutions from other meshes; `memory` is elimination's limit in bytes; `bounds` may
        be of a mirrored pair.
        """
        each_axis = each_axis or (FREEDOM,) * len(known.pricing.mesh.axes)
        self._known = known
        self._pricing = known.pricing
        self._graph = known.pricing.graph
        self._engine = engine
        self._search = EngineOptions(engine, certify=certify, memory=memory)
        optima = optima or Optima(for_bounds(self._search))
        self._notes = optima.solver.notes
        self._aside = JointSolver(JointSolver.aside(self._search).search, self._notes)
        forms = forms or Forms(self._graph, self._pricing.classes, (2,))  # of an axis of several ranks, however many
        self.alone = AxesAlone(self._pricing, forms, each_axis, optima, certify=certify)
        self._own = PlacementBounds(known, each_axis, self.alone, self._search)
        self._bounds = bounds or self._own
        self._programs: list[FoundProgram] = []
        self._accounts = Accounts(self._pricing.cluster, self.mesh.networks)
        self._folder = Folder(self._aside)
        self._baselines = BaselineSearch(known, self.alone, self._aside)
        self._begun: tuple[StartProgram, Turn | None] | None = None

    @property
    def mesh(self) -> Mesh:
        """Return the mesh of the search."""
        return self._pricing.mesh

    @property
    def is_small(self) -> bool:
        """True if all axes are searched at once: at most one has several ranks, or there are few pairs of layouts."""
        return sum(size > 1 for size in self.mesh.sizes) < 2 or self._pairs <= MOST_PAIRS

    @property
    def is_apart(self) -> bool:
        """True if more axes have several ranks than are bounded together."""
        return sum(size > 1 for size in self.mesh.sizes) > MOST_TOGETHER

    @cached_property
    def _pairs(self) -> int:
        """Return the number of pairs of layouts, summed over tensors."""
        return sum(len(self._known.layouts(tensor)) ** 2 for tensor in range(len(self._graph.tensors)))

    @property
    def _enough(self) -> float:
        """Return the factor of the bound up to which a program is not improved, here or on other meshes."""
        return _ENOUGH_OF_MANY if self._pairs > _MANY_PAIRS else _ENOUGH

    def _is_near(self, cost: int, bound: int) -> bool:
        """True if a cost is so close to the bound that improving the program is not worthwhile."""
        return cost <= bound * self._enough

    def not_worthwhile(self, known: int) -> int:
        """Return the bound from which the mesh is skipped, if a program elsewhere takes `known` picoseconds."""
        return known if self.is_small else ceil(known / self._enough)

    def lower_bound(self, restriction: Restriction, enough: int | None = None) -> MeshBound:
        """Return a lower bound on all programs within a restriction, with a start program; computed once.

        If more axes have several ranks than are bounded together, it is that of single axes.
        Once it reaches `enough`, it is not raised further. Raises ProblemError if the restriction is infeasible.
        """
        if self._engine is not ShardingEngine.ELIMINATION or self.is_small or self.is_apart:
            return MeshBound(self.alone.bound)
        return self._bounds.of(restriction, enough)

    def raised(self, restriction: Restriction, times: int) -> int | None:
        """Return a slower bound, after `times` others: the largest axes together, then other axes; None for no more."""
        if self._engine is not ShardingEngine.ELIMINATION or self.is_small or not self.is_apart or times > 1:
            return None
        return self._own.regrouped(restriction) if times else self._bounds.of(restriction, None).bound

    def search(self, restriction: Restriction, others: Sequence["Elsewhere"] = ()) -> MeshAnswer:
        """Return the fastest program within a restriction; `others` are the fastest on other meshes.

        Raises ProblemError if there is none.
        """
        if self._engine is not ShardingEngine.ELIMINATION or self.is_small:
            exact = searched(build(self._known, restriction), self._search)
            self._notes.extend(exact.notes)
            return MeshAnswer(exact.fastest, exact.bound, True)
        turns, bound = Turns(self._known, restriction, self._folder), self.lower_bound(restriction).bound
        is_wide = self.is_apart and self._pairs > _MANY_PAIRS
        known = self._as_elsewhere(turns, others) if is_wide else []
        if known:
            return MeshAnswer(self._fastest(known, others), bound, False)
        start = self._start(restriction)
        found = [] if start is None else self._from(start, turns, bound)
        if not found or (not is_wide and min([turn.cost for turn in found]) > bound * _ENOUGH_OF_MANY):
            found += self._turned(turns, others)
        near = self._is_near(min([turn.cost for turn in found], default=0), bound)
        sizes = self.mesh.sizes
        alike = [each.made for each in others if each.made.sharding.pricing.mesh.sizes == sizes]
        rules = [turn.chosen.rules for turn in found] + [made.chosen.rules for made in alike]
        mixed = turns.mixed(rules) if len(rules) > 1 and not near else None
        found += [] if mixed is None else [mixed]
        if not found:
            raise ProblemError("no program satisfies all conditions; drop one of them")
        return MeshAnswer(self._fastest(found, others), bound, False)

    def _as_elsewhere(self, turns: Turns, others: Sequence["Elsewhere"]) -> list[Turn]:
        """Return the cheapest mixture of programs found on other placements, improved if it is not much dearer."""
        alike = [each.made for each in others if each.made.sharding.pricing.mesh.sizes == self.mesh.sizes]
        first = turns.mixed([made.chosen.rules for made in alike]) if alike else None
        if first is None or first.cost > min([made.cost for made in alike]) * _NEAR:
            return [] if first is None else [first]
        axes = tuple([axis for axis, size in enumerate(self.mesh.sizes) if size > 1])
        return [first, *turns.after(StartProgram(first.chosen.rules, first.stored, axes), len(axes))]

    def _start(self, restriction: Restriction) -> StartProgram | None:
        """Return the start program of this placement's own relaxation, or of the mirrored pair's if that is near."""
        if self.is_apart:
            return self._own.start(restriction)
        shared = self.lower_bound(restriction)
        begun = self.begun(restriction)
        if self._bounds is self._own or (begun is not None and self._is_near(begun, shared.bound)):
            return shared.start
        return self._own.start(restriction) or shared.start

    def begun(self, restriction: Restriction) -> int | None:
        """Return the cost of the program that a search starts with; None if there is none."""
        start = self.lower_bound(restriction).start
        first = None if start is None else self._begin(start, Turns(self._known, restriction, self._folder))
        return None if first is None else first.cost

    def _begin(self, start: StartProgram, turns: Turns) -> Turn | None:
        """Return the cheapest program with the rules of a start program, computed once."""
        if self._begun is None or self._begun[0] is not start:
            self._begun = start, turns.mixed([start.rules])
        return self._begun[1]

    def _from(self, start: StartProgram, turns: Turns, bound: int) -> list[Turn]:
        """Return the cheapest program with a start program's rules, and improved ones if it is not near the bound."""
        first = self._begin(start, turns)
        if first is not None and self._is_near(first.cost, bound):
            return [first]
        after = start if first is None else StartProgram(first.chosen.rules, first.stored, start.order)
        return [*([] if first is None else [first]), *turns.after(after, _ROUNDS * len(start.order))]

    def _turned(self, turns: Turns, others: Sequence["Elsewhere"]) -> list[Turn]:
        """Return successively improved programs, starting from each axis alone."""
        found: list[Turn] = []
        for start in self._starts():
            costs = [each.made.cost for each in others] + [turn.cost for turn in found]
            found += turns.after(start, least=min(costs, default=None))
        return found

    def fitting(self, restriction: Restriction, fastest: FoundProgram) -> FoundProgram:
        """Return a program that fits into every device's memory if one is found, else the fastest, which does not.

        If the problem is small, `fastest` is returned: its exact search has already looked for a program that fits.
        Raises ProblemError if stored sources alone exceed a device's memory.
        """
        if not lacks(fastest) or self.is_small:
            return fastest
        return min(fitting_programs(self._known, restriction, fastest), key=_time, default=fastest)

    def within(self, restriction: PerAxis) -> FoundProgram | None:
        """Return a fast program within restrictions of each axis, for comparison; None if there is none.

        It is the cheapest if the problem is small; else see `BaselineSearch`.
        """
        try:
            if self.is_small:
                return self._cheapest(build(self._known, restriction))
            turn = self._baselines.turn(restriction)
        except ProblemError:
            return None
        return None if turn is None else self._written(turn)

    def _cheapest(self, sharding: Sharding) -> FoundProgram | None:
        answer = self._aside.solve_within_memory(sharding.problem).answer
        return made_of(sharding, answer.assignment, self._accounts) if isinstance(answer, Best) else None

    def _written(self, turn: Turn) -> FoundProgram:
        """Return the emitted program of a turn; strategies with equal programs share one."""
        alike = [each for each in self._programs if each.chosen == turn.chosen and each.cost == turn.cost]
        if not alike:
            alike = [made_of(turn.sharding, turn.assignment, self._accounts, turn.chosen)]
            self._programs += alike
        return alike[0]

    def _fastest(self, found: Sequence[Turn], others: Sequence["Elsewhere"]) -> FoundProgram:
        """Return the fastest program, by stages, of those that cost little more than the cheapest here or elsewhere."""
        # One program for each cost; `reversed` lets the first one found win.
        ranked = sorted({turn.cost: turn for turn in reversed(found)}.items())
        least = min([ranked[0][0], *[each.made.cost for each in others]])
        near = [turn for cost, turn in ranked if cost <= least * _NEAR] or [ranked[0][1]]
        return min((self._written(turn) for turn in near[:_MOST_NEAR]), key=_time)

    def _starts(self) -> Iterator[StartProgram]:
        """Yield start programs from each axis alone, the most expensive axis first."""
        for axis in sorted(range(len(self.mesh.axes)), key=lambda number: -self.alone.alone(number).least):
            alone = self.alone.alone(axis)
            start = start_alone(axis, alone.sharding, alone.eliminated.answer, self._known)
            if start is not None:
                yield start


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """The fastest program on another mesh."""

    search: MeshSearch
    made: FoundProgram


def _time(made: FoundProgram) -> int:
    return made.time
