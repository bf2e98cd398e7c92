"""Whoever prices steps: NCCL's rings and trees, or gloo."""

from typing import Protocol

from p2smt.cost.network.algorithm import Algorithm
from p2smt.cost.network.cost import LocalWork, NetworkCost, StepCost, Work
from p2smt.cost.network.gloo import GlooCost
from p2smt.problem.system.network import System
from p2smt.reduction.plan.model import Plan, PlanStep


class Cost(Protocol):
    """What steps and plans take on one system, in seconds."""

    @property
    def system(self) -> System:
        """The system."""
        ...

    def plan_seconds(self, plan: Plan) -> float:
        """Seconds that a plan takes."""
        ...

    def step_cost(self, plan: Plan, step: PlanStep) -> StepCost:
        """The cost of a step of a plan, by cause."""
        ...

    def work_cost(self, work: Work | LocalWork) -> StepCost:
        """The cost of work that need be no step of a plan."""
        ...


def cost_of(system: System, algorithm: Algorithm) -> Cost:
    """What prices steps when AllReduces are carried in this way."""
    return GlooCost(system) if algorithm is Algorithm.GLOO else NetworkCost(system, algorithm)
