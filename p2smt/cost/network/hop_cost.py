"""The time of a step counted hop by hop: for up to 4096 devices, and exact where groups hold different amounts."""

from dataclasses import dataclass, field
from math import prod

from p2smt.cost.network.cluster_graph import ClusterGraph
from p2smt.cost.network.cost import NetworkCost, PerByte, StepCost, cheapest
from p2smt.cost.network.explicit import explicit_loads
from p2smt.cost.network.load import around_seconds, links_seconds
from p2smt.cost.network.pattern import pattern_of
from p2smt.cost.network.traffic import carriers, traffic
from p2smt.problem.system.algorithm import Algorithm, Auto, Choice
from p2smt.problem.system.network import System
from p2smt.reduction.plan.model import CollectiveStep, Plan, PlanStep, applies


@dataclass(frozen=True)
class HopCost:
    """Prices steps as `NetworkCost` does, with the bytes of every hop of every group on the graph of the cluster.

    Raises ProblemError for systems of more than 4096 devices.
    """

    system: System
    algorithm: Choice = Auto.AUTO
    _cluster: ClusterGraph = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_cluster", ClusterGraph(self.system))

    def step_cost(self, plan: Plan, step: PlanStep) -> StepCost:
        """What a step of a plan puts on the links, and its time by cause."""
        size = plan.groups(step.groups).size if isinstance(step, CollectiveStep) else 1
        if not isinstance(step, CollectiveStep) or size == 1:
            return NetworkCost(self.system, self.algorithm).step_cost(plan, step)
        machines = prod(pattern_of(plan, step.groups).members[: self.system.machine + 1])
        options = carriers(step.collective, self.algorithm, machines)
        return cheapest(self._carried(plan, step, algorithm) for algorithm in options)

    def _carried(self, plan: Plan, step: CollectiveStep, algorithm: Algorithm) -> StepCost:
        moved = traffic(step.collective, algorithm, plan.groups(step.groups).size)
        groups = [(group, _held(plan, step, group[0])) for group in plan.groups(step.groups)]
        counted = [(group, moved.per_hop * held) for group, held in groups]
        loads = explicit_loads(self._cluster, self.system, counted, moved.shape)
        network = self.system.network
        per_byte = PerByte(loads, links_seconds(loads, network), around_seconds(loads))
        most = max(held for _, held in groups)
        memory = moved.memory * most / network.memory_bandwidth
        return StepCost(per_byte, 1.0, moved.rounds, memory, network.launch, algorithm)


def _held(plan: Plan, step: CollectiveStep, root: int) -> float:
    """Bytes that the root of a group holds before the step."""
    own = plan.device_class(root)
    return plan.payload.bytes / next(portion.parts for portion in step.portions if applies(portion, own))
