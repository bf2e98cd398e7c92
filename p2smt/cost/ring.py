"""The first cost: alpha-beta times of ring algorithms, one link per unit of every level, all groups at once.

The link of a unit of level `j` connects it to its siblings. A ring in rank order enters and leaves each unit
that holds some but not all of its members once, so it puts the ring's bytes on that unit's link once per
direction; all groups with members in the unit share the link. Only numbers of members per level are needed,
so the price of a step does not depend on the number of devices.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from p2smt.plan.model import CollectiveStep, GroupRule, PermuteStep, Plan, PlanStep
from p2smt.problem.model import Link
from p2smt.program.collective import Collective

MEMORY_BANDWIDTH = 1e12
"""Bytes/s at which a device reads and writes its own memory; a permutation does both once (about an A100's)."""


@dataclass(frozen=True, slots=True)
class Loads:
    """What the groups of one step put on the links.

    `groups[j]` rings share the link of a unit of level `j`, each with `ring_bytes` bytes per direction;
    `hops[j]` hops of one ring cross level `j` and nothing further out.
    """

    ring_bytes: float
    groups: tuple[int, ...]
    hops: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RingCost:
    """Ring algorithms on `links`, one per level of the system, outermost first."""

    links: tuple[Link, ...]
    memory_bandwidth: float = MEMORY_BANDWIDTH

    def step_seconds(self, plan: Plan, step: PlanStep) -> float:
        """The busiest link's bytes over its bandwidth, and the latency of one chunk's way around the ring.

        Where groups hold different amounts, all are priced as the largest.
        """
        match step:
            case PermuteStep():
                return 2 * plan.payload.bytes / step.portion.parts / self.memory_bandwidth
            case CollectiveStep():
                held = plan.payload.bytes / min(portion.parts for portion in step.portions)
                return self._collective_seconds(plan, step, held)

    def _collective_seconds(self, plan: Plan, step: CollectiveStep, held: float) -> float:
        load = loads(plan, step.collective, step.groups, held)
        transfer = max(
            count * load.ring_bytes / link.bandwidth for count, link in zip(load.groups, self.links, strict=True)
        )
        around = sum(count * link.latency for count, link in zip(load.hops, self.links, strict=True))
        size = plan.group_size(step.groups)
        passes = 2 if step.collective is Collective.ALL_REDUCE else 1
        return transfer + passes * around * (size - 1) / size


def loads(plan: Plan, collective: Collective, rule: GroupRule, held: float) -> Loads:
    """The loads of one step whose roots hold `held` bytes before it."""
    members = _per_level(plan, rule.varying)
    taking = [
        size // zero for (_, size), zero in zip(plan.levels, _per_level(plan, rule.zero), strict=True)
    ]  # devices per level that take part
    groups, hops = [], []
    for j in range(len(members)):
        so_far = prod(members[: j + 1])
        inside = prod(members[j + 1 :])
        groups.append(prod(taking[j + 1 :]) // inside if so_far > 1 else 0)
        hops.append(0 if so_far == 1 else so_far - (prod(members[:j]) if prod(members[:j]) > 1 else 0))
    return Loads(_ring_bytes(collective, plan.group_size(rule), held), tuple(groups), tuple(hops))


def _per_level(plan: Plan, places: Sequence[int]) -> list[int]:
    return [prod(plan.sizes[p] for p in places if plan.digits[p].level == name) for name, _ in plan.levels]


def _ring_bytes(collective: Collective, size: int, held: float) -> float:
    """Bytes that a ring of `size` devices sends over each of its hops, when each holds `held` bytes before."""
    match collective:
        case Collective.ALL_REDUCE:
            return 2 * held * (size - 1) / size
        case Collective.REDUCE_SCATTER:
            return held * (size - 1) / size
        case Collective.ALL_GATHER:
            return held * (size - 1)
        case Collective.REDUCE | Collective.BROADCAST:
            return held
