"""Find the fastest program of one joint problem, by stages, and a lower bound on all of its programs."""

from dataclasses import dataclass, replace

from p2smt.errors import ProblemError
from p2smt.spmd.account.candidate import Candidate
from p2smt.spmd.account.instructions import Accounts
from p2smt.spmd.emission.emission import emit
from p2smt.spmd.engines.engine import EngineOptions, ShardingEngine
from p2smt.spmd.engines.problem import Best
from p2smt.spmd.engines.solving import NOTHING_LEFT, JointSolver, check
from p2smt.spmd.hap.astar import astar
from p2smt.spmd.model.build import Sharding
from p2smt.spmd.model.chosen import ReadableAssignment, chosen
from p2smt.spmd.search.bound import first_weights, lost, relaxed
from p2smt.spmd.search.device_weights import Weights, better_weights, weighted_time
from p2smt.spmd.search.memory import excess, fitted

_ROUNDING = 5e-7
"""The fraction of the cost that rounding can change; a relaxation that differs by less is not solved separately."""

_MOST_RAISES = 3
"""The most relaxations with better weights; none are solved on devices of one speed."""

_WORTHWHILE = 0.01
"""The bound is raised only while the gap is more than this fraction of the time, each time by a tenth of the gap."""


@dataclass(frozen=True, slots=True)
class FoundProgram:
    """A program, and the assignment that it was built from."""

    sharding: Sharding
    assignment: tuple[int, ...]
    chosen: ReadableAssignment
    candidate: Candidate

    @property
    def cost(self) -> int:
        """Return the picoseconds summed over operations, which the search minimises."""
        return self.sharding.problem.cost(self.assignment)

    @property
    def time(self) -> int:
        """Return the picoseconds by stages."""
        return self.candidate.account.time


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The fastest program and a lower bound in picoseconds; `tight` is True if a faster program exceeds memory.

    `notes` report deviations from the requested search.
    """

    fastest: FoundProgram
    bound: int
    tight: bool
    notes: tuple[str, ...] = ()


def rank_of(made: FoundProgram) -> tuple[bool, int]:
    """Return a sort key: programs that fit into memory first, then by time."""
    account = made.candidate.account
    return any(excess(made.sharding, account.memory)), account.time


def searched(sharding: Sharding, search: EngineOptions) -> SearchResult:
    """Return the fastest program, by stages, among the optima of the problem and its relaxations, and their bound."""
    solver = JointSolver(search)
    first, least = _solved(sharding, solver)
    relaxations = _Relaxations(sharding, solver, first, least)
    for weights in first_weights(sharding.pricing.cluster.speeds):
        relaxations.solve(weights)
    relaxations.raise_bound()
    programs = list(relaxations.programs.values())
    fastest = min(programs, key=lambda made: made.time)
    tight = any(excess(sharding, fastest.candidate.account.memory))
    if tight:
        fits = [made for made in programs if not any(excess(sharding, made.candidate.account.memory))]
        # The unrestricted search missed memory, so limits are added, which is slower.
        fitting = None if fits else fitted(sharding, solver.search)
        if fitting is not None:
            fits = [made_of(sharding, fitting.assignment)]
        fastest = min(fits, key=lambda made: made.time, default=fastest)
    return SearchResult(fastest, relaxations.bound, tight, tuple(solver.notes))


class _Relaxations:
    """The bounds of the relaxations solved so far, and the programs of all optima, by assignment."""

    def __init__(self, sharding: Sharding, solver: JointSolver, first: Best, least: int) -> None:
        self._sharding = sharding
        self._solver = solver
        self._first = first
        self._least = least
        self._bounds: list[tuple[int, Weights]] = []
        self.programs: dict[tuple[int, ...], FoundProgram] = {}
        self._add(first.assignment)

    @property
    def bound(self) -> int:
        """Return the largest bound."""
        return max(bound for bound, _ in self._bounds)

    def solve(self, weights: Weights) -> None:
        """Solve the relaxation with these weights."""
        problem = relaxed(self._sharding, weights)
        rounded = lost(self._sharding.problem, problem)
        # The relaxation's optimum differs by rounding at most: the bound gives way by that instead.
        if rounded <= self._least * _ROUNDING:
            self._bounds.append((self._least - rounded, weights))
            return
        best, bound = _solved(replace(self._sharding, problem=problem), self._solver)
        self._bounds.append((bound, weights))
        self._add(best.assignment)

    def raise_bound(self) -> None:
        """Solve relaxations with better weights while they may close a good part of the gap."""
        speeds = self._sharding.pricing.cluster.speeds
        if len(set(speeds)) == 1:
            return
        for _ in range(_MOST_RAISES):
            bound, best = max(self._bounds, key=lambda pair: pair[0])
            time = min(made.time for made in self.programs.values())
            if time - bound <= time * _WORTHWHILE:
                return
            lines = [weighted_time(self._sharding, assignment) for assignment in self.programs]
            estimate, weights = better_weights(speeds, best, lines)
            if estimate <= bound + (time - bound) / 10:
                return
            self.solve(weights)

    def _add(self, assignment: tuple[int, ...]) -> None:
        if assignment not in self.programs:
            self.programs[assignment] = made_of(self._sharding, assignment)


def made_of(
    sharding: Sharding,
    assignment: tuple[int, ...],
    accounts: Accounts | None = None,
    known: ReadableAssignment | None = None,
) -> FoundProgram:
    """Return the program of an assignment, with its time and memory.

    `accounts` may have priced others on its mesh; `known` is the assignment as rules and layouts, where it is known.
    """
    made, pricing = known or chosen(sharding, assignment), sharding.pricing
    program = emit(sharding, assignment, made)
    taken = (accounts or Accounts(pricing.cluster, pricing.mesh.networks)).of(program)
    return FoundProgram(sharding, assignment, made, Candidate(pricing.device_shares, program, taken))


def _solved(sharding: Sharding, solver: JointSolver) -> tuple[Best, int]:
    """Return the cheapest assignment and a proved lower bound; a certificate is checked if requested.

    Raises EngineError if the checker rejects it.
    """
    if solver.search.engine is not ShardingEngine.ASTAR:
        return solver.proved(sharding.problem)
    answer = astar(sharding, solver.search.heuristics).answer
    if not isinstance(answer, Best):
        raise ProblemError(NOTHING_LEFT)
    if solver.search.certify:
        check(ShardingEngine.ASTAR, sharding.problem, answer, None)
    return answer, answer.cost
