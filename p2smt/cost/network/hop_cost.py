"""Times of steps counted hop by hop: for up to 4096 devices, and exact if groups hold different amounts."""

from dataclasses import dataclass, field

from p2smt.cost.network.cluster_graph import ClusterGraph
from p2smt.cost.network.cost import StepCost, cheapest, local_cost, step_work
from p2smt.cost.network.pattern import pattern_of
from p2smt.cost.network.protocol import fastest_protocol
from p2smt.cost.network.traffic import carriers
from p2smt.cost.network.unlike import able_groups, machines_of, unlike_cost
from p2smt.problem.system.algorithm import Auto, Choice
from p2smt.problem.system.network import System
from p2smt.reduction.plan.model import CollectiveStep, Plan, PlanStep, applies


@dataclass(frozen=True)
class HopCost:
    """Prices steps as `NetworkCost` does, but counts the bytes of every hop of every group on the graph of the cluster.

    Raises ProblemError for systems of more than 4096 devices.
    """

    system: System
    algorithm: Choice = Auto.AUTO
    _cluster: ClusterGraph = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_cluster", ClusterGraph(self.system))

    def step_cost(self, plan: Plan, step: PlanStep) -> StepCost:
        """Return the cost of a step of a plan, by cause."""
        size = plan.groups(step.groups).size if isinstance(step, CollectiveStep) else 1
        if not isinstance(step, CollectiveStep) or size == 1:
            return local_cost(step_work(plan.payload, step, lambda rule: pattern_of(plan, rule)), self.system.network)
        groups = pattern_of(plan, step.groups).device_groups
        machines = machines_of(self._cluster, self.system, groups)
        able = able_groups(self._cluster, self.system, groups)
        options = carriers(step.collective, self.algorithm, machines, able)
        held = [_held(plan, step, root) for root in plan.groups(step.groups).roots()]
        each = list(zip(groups, held, strict=True))
        costs = (unlike_cost(self._cluster, self.system, step.collective, algorithm, each) for algorithm in options)
        return cheapest(fastest_protocol(cost, self.system) for cost in costs)


def _held(plan: Plan, step: CollectiveStep, root: int) -> float:
    """Return the bytes that the root of a group holds before the step."""
    own = plan.device_class(root)
    return plan.payload.bytes / next(portion.parts for portion in step.portions if applies(portion, own))
