"""What a cost model is: the time of one step of a plan. Ranking needs nothing else."""

from typing import Protocol

from p2smt.plan.model import Plan, PlanStep


class CostModel(Protocol):
    """Prices steps; a plan costs the sum of its steps."""

    def step_seconds(self, plan: Plan, step: PlanStep) -> float:
        """Seconds that a step of the plan takes, from the first group's begin to the last group's end."""
        ...


def plan_seconds(model: CostModel, plan: Plan) -> float:
    """Seconds that the plan takes: its steps one after the other."""
    return sum(model.step_seconds(plan, step) for step in plan.steps)
