"""Exhaustive search over all assignments of a small joint problem.

The partial assignments are counted first (`partial_assignments.py`), and a search of too many is refused at once.

Method: backtracking in the order of the choices; an option is refused as soon as a link to an earlier choice forbids
it. There is no bound on costs, so the number of partial assignments depends on the links alone and can be counted.
Memory: O(choices). Tests compare all other engines with this one.

    extend(x1, ..., xi) = { (x1, ..., xi, o) : o allowed with x1, ..., xi by all links },   from () on.

Reference: Knuth, "Estimating the efficiency of backtrack programs", 1975.

Example: choices a and b of two options, of which the first ones exclude each other: partial assignments (0), (0, 1),
(1), (1, 0), (1, 1).
"""

from p2smt.errors import EngineError
from p2smt.spmd.engines.partial_assignments import partial_assignments
from p2smt.spmd.engines.problem import Answer, Best, Compatibility, Impossible, JointProblem

MOST_STEPS = 300_000


def brute(problem: JointProblem, most_steps: int = MOST_STEPS) -> Answer:
    """Return the first of the cheapest assignments.

    Raises EngineError before it begins if there are more than `most_steps` partial assignments.
    """
    steps = partial_assignments(problem)
    if steps.count > most_steps or not steps.is_complete:
        raise EngineError(
            f"engine brute would try {steps} partial assignments of {len(problem.choices)} choices, and tries at most "
            f"{most_steps}; use --engine elimination, which finds the same optimum"
        )
    return _Trial(problem).run()


class _Trial:
    def __init__(self, problem: JointProblem) -> None:
        self._problem = problem
        self._back: list[list[Compatibility]] = [[] for _ in problem.choices]
        for link in problem.links:
            self._back[max(link.left, link.right)].append(link)
        self._chosen: list[int] = []
        self._best: Best | None = None

    def run(self) -> Answer:
        self._extend(0)
        return self._best or Impossible()

    def _extend(self, cost: int) -> None:
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
