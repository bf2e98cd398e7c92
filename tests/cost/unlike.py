"""Prices that no network has, for searches that have to look far."""

import random
from dataclasses import replace

from p2smt.cost.network.cost import LocalWork, step_work
from p2smt.cost.network.pattern import pattern_of


class Unlike:
    """Every collective on every pattern of groups has prices of its own, and permutations are dear or cheap."""

    def __init__(self, cost, seed, permuting):
        self._cost, self._seed, self._permuting = cost, seed, permuting
        self.system = cost.system

    def work_cost(self, work):
        cost = self._cost.work_cost(work)
        if isinstance(work, LocalWork):
            return replace(cost, memory_s=cost.memory_s * self._permuting)
        factor = random.Random(f"{self._seed} {work.collective} {work.pattern}").choice((0.1, 1.0, 10.0))
        dearer = {name: getattr(cost, name) * factor for name in ("hop_bytes", "rounds", "memory_s")}
        return replace(cost, **dearer)

    def step_cost(self, plan, step):
        return self.work_cost(step_work(plan.payload, step, lambda rule: pattern_of(plan, rule)))

    def plan_seconds(self, plan):
        return sum(self.step_cost(plan, step).seconds for step in plan.steps)
