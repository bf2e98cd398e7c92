"""Explanation of a plan on a system, compared with all other programs of its placement."""

from p2smt.argument_types import require
from p2smt.cost.explanation import Explanation, explain, problem_of
from p2smt.cost.network.cost import Cost
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
    """Return an explanation of a plan's time on the system of `cost`, with the programs found by `search` that beat it.

    With `by_hop`, the bytes of every hop are counted. After the deadline (a time of `time.monotonic`) the explanation
    covers only what was found by then, and tells so. Raises ProblemError if the system's levels differ from the plan's.
    """
    require(plan, Plan, "plan", "read_plan reads a file, cheapest_plan finds one")
    problem = problem_of(plan, cost.system, search)
    return explain(plan, synthesize(problem, deadline, only=plan.matrix), cost, by_hop, deadline)
