"""The plans of all reductions of a job on a placement."""

from p2smt.cost.network.cost import Cost
from p2smt.job.job_pricer import JobPricer, PlacementTime
from p2smt.job.optimize import Optimum
from p2smt.problem.workload import Workload
from p2smt.reduction.plan.exchange import ExchangePlan
from p2smt.reduction.plan.model import Plan


def best_plans(optimum: Optimum, cost: Cost) -> tuple[Plan | ExchangePlan, ...]:
    """Return the plan of every reduction on the best placement, in the job's order."""
    return plans_on(optimum.workload, optimum.best, cost)


def plans_on(workload: Workload, placement: PlacementTime, cost: Cost) -> tuple[Plan | ExchangePlan, ...]:
    """Return the plan of every reduction on a placement, in the job's order."""
    pricer = JobPricer(workload, cost)
    times = placement.reductions
    plans = {time.reduction: pricer.plan(placement.matrix, time) for time in times}
    return tuple(plans[reduction] for reduction in workload.reductions)
