"""Prices of plans and their steps from the price of work, the same for every backend and system."""

from abc import ABC, abstractmethod

from p2smt.cost.network.cost import LocalWork, StepCost, Work, step_work
from p2smt.cost.network.pattern import pattern_of
from p2smt.cost.network.pipelining import Pipelines
from p2smt.problem.system.network import System
from p2smt.reduction.plan.model import Plan, PlanStep


class PlanPrices(ABC):
    """Base class of cost models, which prices plans and steps by their work, for any backend and system."""

    system: System

    @abstractmethod
    def work_cost(self, work: Work | LocalWork) -> StepCost:
        """Return the cost of work that need not be a step of a plan."""

    def in_turn(self, cost: StepCost) -> float:
        """Return the seconds for which a step blocks all others: one thread launches all calls."""
        return cost.launch_s

    def plan_seconds(self, plan: Plan) -> float:
        """Return the seconds of a plan: the sum of its steps, or the time of its pipeline if it has chunks."""
        if plan.chunks > 1:
            return Pipelines(self).pipeline(plan).seconds
        return sum(self.step_cost(plan, step).seconds for step in plan.steps)

    def step_cost(self, plan: Plan, step: PlanStep) -> StepCost:
        """Return the cost of a step of a plan, by cause; all groups count as the one that holds most."""
        return self.work_cost(step_work(plan.payload, step, lambda rule: pattern_of(plan, rule)))
