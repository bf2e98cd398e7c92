"""The plans of a job's best placement, one for every reduction that has a plan."""

from p2smt.cost.network.backend import Cost
from p2smt.job.job_pricer import JobPricer, PlacementTime
from p2smt.job.optimize import Optimum
from p2smt.problem.workload import Workload
from p2smt.reduction.plan.model import Plan


def best_plans(optimum: Optimum, cost: Cost) -> dict[int, Plan]:
    """The plans by the number of their reduction in the job, ascending; all-to-alls and sends have none."""
    return plans_on(optimum.workload, optimum.best, cost)


def plans_on(workload: Workload, placement: PlacementTime, cost: Cost) -> dict[int, Plan]:
    """The same of any placement."""
    pricer = JobPricer(workload, cost)
    times = placement.reductions
    plans = {workload.reductions.index(time.reduction): pricer.plan(placement.matrix, time) for time in times}
    return {number: plan for number, plan in sorted(plans.items()) if plan is not None}
