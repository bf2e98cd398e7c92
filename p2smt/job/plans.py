"""The plans of a job's best placement, one for every reduction that has a plan."""

from p2smt.cost.network.backend import Cost
from p2smt.job.job_pricer import JobPricer
from p2smt.job.optimize import Optimum
from p2smt.reduction.plan.model import Plan


def best_plans(optimum: Optimum, cost: Cost) -> dict[int, Plan]:
    """The plans by the number of their reduction in the job, ascending; all-to-alls and sends have none."""
    workload, best = optimum.workload, optimum.best
    pricer = JobPricer(workload, cost)
    plans = {workload.reductions.index(time.reduction): pricer.plan(best.matrix, time) for time in best.reductions}
    return {number: plan for number, plan in sorted(plans.items()) if plan is not None}
