"""The plan of the cheapest program, and one list of the programs of all placements."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from p2smt.argument_types import require
from p2smt.cost.network.cost import Cost
from p2smt.cost.ranking import RankedPlacement, RankedProgram, best_placement, competition_ranks, rank, searched_in_time
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.placement.matrix_check import check_matrix
from p2smt.problem.model import Problem
from p2smt.reduction.plan.model import Plan
from p2smt.reduction.synth.session import Synthesizer


@dataclass(frozen=True, slots=True)
class CheapestPlan:
    """The plan of the cheapest program found, or None. It is optimal only if `complete`."""

    plan: Plan | None
    complete: bool

    def _repr_html_(self) -> str:
        """Return the plan's HTML table, or the line of `repr` without a plan."""
        return escape(repr(self)) if self.plan is None else self.plan._repr_html_()


@dataclass(frozen=True, slots=True)
class ListedProgram:
    """A program with its rank among the programs of all placements; ties share a rank: 1, 2, 2, 4."""

    rank: int
    placement: RankedPlacement
    program: RankedProgram


def cheapest_plan(
    problem: Problem,
    cost: Cost,
    only: ParallelismMatrix | None = None,
    deadline: float | None = None,
    on_progress: Callable[[int, int, int], None] | None = None,
) -> CheapestPlan:
    """Return the plan of the cheapest program on any placement, or on `only`; the first of equally cheap ones.

    `deadline` and `on_progress` are passed to `Synthesizer.synthesize`. Raises ProblemError if `only` is not a
    placement of the problem.
    """
    require(problem, Problem, "problem", "build_problem makes one, read_problem reads a file")
    if only is not None:
        check_matrix(only, problem)
    synthesis = Synthesizer().synthesize(problem, deadline, on_progress, only=only)
    ranked = rank(synthesis, cost, top=1, deadline=deadline)
    best = best_placement(ranked)
    complete = synthesis.complete and searched_in_time(ranked)
    return CheapestPlan(None if best is None else best.programs[0].plan, complete)


def programs_in_one_list(placements: Sequence[RankedPlacement], top: int | None = None) -> tuple[ListedProgram, ...]:
    """Return the programs of all placements, or the `top` cheapest, in ascending order of time."""
    pairs = [(placement, program) for placement in placements for program in placement.programs]
    order, ranks = competition_ranks([program.seconds for _, program in pairs])
    listed = list(zip(order, ranks, strict=True))[:top]
    return tuple(ListedProgram(number, *pairs[index]) for index, number in listed)
