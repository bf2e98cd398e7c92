"""The options that choose a plan of a problem: a placement and a program, or the cheapest."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from p2smt.cost.cheapest import CheapestPlan
    from p2smt.cost.network.backend import Cost
    from p2smt.problem.model import Problem


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """`--matrix` and `--program`; None: not given, which stands for the cheapest."""

    matrix: str | None
    program: str | None

    def plan(self, problem: "Problem", cost: "Cost", deadline: float | None) -> "CheapestPlan":
        """The plan of the given program, or of the cheapest one on the given or any placement, with progress shown."""
        from p2smt.cli.output.progress import progress
        from p2smt.cost.cheapest import CheapestPlan, cheapest_plan
        from p2smt.placement.matrix import parse_matrix
        from p2smt.reduction.plan.program_plan import program_plan

        matrix = None if self.matrix is None else parse_matrix(self.matrix)
        if self.program is not None:
            return CheapestPlan(program_plan(problem, self.program, matrix), complete=True)
        with progress("placements", note="{} programs", remaining=False) as on_progress:
            return cheapest_plan(problem, cost, matrix, deadline, on_progress)
