"""A plan explained on a system, beside all other programs of its placement."""

from p2smt.argument_types import require
from p2smt.cost.explanation import Explanation, explain, problem_of
from p2smt.cost.network.backend import Cost
from p2smt.cost.network.hop_cost import HopCost
from p2smt.problem.model import Search
from p2smt.reduction.plan.model import Plan
from p2smt.reduction.synth.session import synthesize

_DEFAULT_SEARCH = Search()


def explain_plan(
    plan: Plan,
    cost: Cost,
    search: Search = _DEFAULT_SEARCH,
    by_hop: HopCost | None = None,
    deadline: float | None = None,
) -> Explanation:
    """An explanation of a plan's time on the system of `cost`, with the programs found by `search` that would beat it.

    With `by_hop` the bytes of every hop are counted. After the deadline (a time of `time.monotonic`) the explanation
    is of what was found, and says so. Raises ProblemError for a system without the plan's levels.
    """
    require(plan, Plan, "plan", "read_plan reads a file, cheapest_plan finds one")
    problem = problem_of(plan, cost.system, search)
    return explain(plan, synthesize(problem, deadline, only=plan.matrix), cost, by_hop, deadline)
