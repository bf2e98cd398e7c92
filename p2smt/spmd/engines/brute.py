"""Exhaustive search over all assignments of a small joint problem."""

from p2smt.errors import EngineError
from p2smt.spmd.engines.problem import Answer, Best, Compatibility, Impossible, JointProblem

MOST_STEPS = 300_000


def brute(problem: JointProblem, most_steps: int = MOST_STEPS) -> Answer:
    """Return the first of the cheapest assignments. Raises EngineError after `most_steps` partial assignments."""
    return _Trial(problem, most_steps).run()


class _Trial:
    def __init__(self, problem: JointProblem, most_steps: int) -> None:
        self._problem = problem
        self._most_steps = most_steps
        self._back: list[list[Compatibility]] = [[] for _ in problem.choices]
        for link in problem.links:
            self._back[max(link.left, link.right)].append(link)
        self._chosen: list[int] = []
        self._best: Best | None = None
        self._steps = 0

    def run(self) -> Answer:
        self._extend(0)
        return self._best or Impossible()

    def _extend(self, cost: int) -> None:
        self._steps += 1
        if self._steps > self._most_steps:
            raise EngineError(f"engine brute stops after {self._most_steps} steps; use --engine elimination")
        depth = len(self._chosen)
        if depth == len(self._problem.choices):
            if (self._best is None or cost < self._best.cost) and self._problem.allows(self._chosen):
                self._best = Best(tuple(self._chosen), cost)
            return
        for option, own in enumerate(self._problem.choices[depth].costs):
            self._chosen.append(option)
            if all(link.keeps(self._chosen[link.left], self._chosen[link.right]) for link in self._back[depth]):
                self._extend(cost + own)
            self._chosen.pop()
