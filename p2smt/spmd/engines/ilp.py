"""The joint problem as an integer linear program for HiGHS: a second opinion, and the engine for problems with limits.

Formulation: x[c, o] is 1 if choice c takes option o. With A(o) the options of a link's right choice compatible with o,

    minimise  sum of cost[c, o] * x[c, o]   subject to   sum over o of x[c, o] = 1 for each choice c,
    sum over {o : A(o) = A} of x[left, o] <= sum over a in A of x[right, a]   for each link and each set A, both ways,
    sum of weight[c, o] * x[c, o] <= most          for each limit.

Options with the same compatible set share a row, which is a stronger and smaller relaxation than a row for each.
Method: branch and cut (HiGHS; Huangfu and Hall, "Parallelizing the dual revised simplex method", 2018). Costs are whole
picoseconds; HiGHS's solution is rounded and checked in integers.
Size: one variable for each option, one row for each choice and for each different set A of each link.

Example: choices a and b of two options; b's second option is compatible with a's second only. A(a1) = {b1} gives the
row x[a, 1] <= x[b, 1]; A(a2) = {b1, b2} always holds and is left out. From b's side, x[b, 2] <= x[a, 2].
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from p2smt.errors import EngineError
from p2smt.spmd.engines.problem import Best, Compatibility, Impossible, JointProblem
from p2smt.spmd.engines.simplification import simplify

SECONDS = 600.0
_EXACT = 2**52
_INFEASIBLE = 2


@dataclass(frozen=True, slots=True)
class IlpResult:
    """The answer, and the lower bound that HiGHS has proved in floating point."""

    answer: Best | Impossible
    bound: int


def solve(problem: JointProblem, seconds: float = SECONDS) -> IlpResult:
    """Return the cheapest assignment within all limits, by HiGHS.

    Raises EngineError without scipy, if HiGHS does not finish in time, or if costs are too large for floating point.
    """
    simple = simplify(problem)
    if not all(simple.kept):
        return IlpResult(Impossible(), 0)
    limits = tuple(
        replace(
            limit,
            weights=tuple(
                (choice, tuple(weights[o] for o in simple.kept[choice])) for choice, weights in limit.weights
            ),
        )
        for limit in problem.limits
    )
    solved = _solve(replace(simple.problem, limits=limits), seconds)
    if isinstance(solved.answer, Impossible):
        return solved
    taken = zip(simple.kept, solved.answer.assignment, strict=True)
    assignment = tuple(options[number] for options, number in taken)
    assert problem.allows(assignment)
    return IlpResult(Best(assignment, problem.cost(assignment)), solved.bound)


def _solve(problem: JointProblem, seconds: float) -> IlpResult:
    try:
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import csr_array
    except ImportError as cause:
        raise EngineError("engine ilp needs scipy; install it with: pip install 'p2smt[calibrate]'") from cause
    costs = [cost for choice in problem.choices for cost in choice.costs]
    if sum(max(choice.costs, default=0) for choice in problem.choices) >= _EXACT:
        raise EngineError("costs are too large for HiGHS; use --engine elimination")
    # Scaled to at most 10^6, a range in which the solver's tolerances work well.
    unit = max(1, max(costs) // 10**6)
    rows = _Rows(problem)
    matrix = csr_array((rows.values, (rows.numbers, rows.columns)), shape=(len(rows.least), len(costs)))
    answer = milp(
        np.array(costs, dtype=np.float64) / unit,
        integrality=np.ones(len(costs), dtype=np.int64),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(matrix, np.array(rows.least), np.array(rows.most)),
        options={"time_limit": seconds, "mip_rel_gap": 0.0},
    )
    if answer.status == _INFEASIBLE:
        return IlpResult(Impossible(), 0)
    if not answer.success or answer.x is None:
        raise EngineError(f"HiGHS ended without an answer: {answer.message}; use --engine elimination")
    # The solver's values are 0 and 1 up to rounding.
    assignment = _taken(problem, answer.x)
    if not problem.allows(assignment):
        raise EngineError("the answer of HiGHS exceeds a memory limit by rounding; lower the limit slightly")
    # The bound is in scaled units; rounding down keeps it a lower bound.
    return IlpResult(Best(assignment, problem.cost(assignment)), int(float(answer.mip_dual_bound) * unit))


def _taken(problem: JointProblem, values: "np.typing.NDArray[np.float64]") -> tuple[int, ...]:
    """Return the option with the largest value for each choice."""
    found, start = [], 0
    for choice in problem.choices:
        count = len(choice.costs)
        found.append(int(np.argmax(values[start : start + count])))
        start += count
    return tuple(found)


class _Rows:
    """The rows of the linear program in coordinate format, with their lower and upper bounds."""

    def __init__(self, problem: JointProblem) -> None:
        self.numbers: list[int] = []
        self.columns: list[int] = []
        self.values: list[float] = []
        self.least: list[float] = []
        self.most: list[float] = []
        starts = [0]
        for choice in problem.choices:
            starts.append(starts[-1] + len(choice.costs))
            self._add([(column, 1.0) for column in range(starts[-2], starts[-1])], 1.0, 1.0)
        for link in problem.links:
            self._link(link, starts, len(problem.choices[link.right].costs))
        for limit in problem.limits:
            # Rows scaled to 1, again for the solver's tolerances.
            scale = max(1, limit.most)
            entries = [
                (starts[choice] + option, weight / scale)
                for choice, weights in limit.weights
                for option, weight in enumerate(weights)
                if weight
            ]
            self._add(entries, -np.inf, limit.most / scale)

    def _add(self, entries: Sequence[tuple[int, float]], least: float, most: float) -> None:
        for column, value in entries:
            self.numbers.append(len(self.least))
            self.columns.append(column)
            self.values.append(value)
        self.least.append(least)
        self.most.append(most)

    def _link(self, link: Compatibility, starts: Sequence[int], right: int) -> None:
        """Add a link's constraints from both sides: options with the same compatible set require one option of it."""
        turned = tuple(
            sum(1 << left for left, mask in enumerate(link.allowed) if (mask >> other) & 1) for other in range(right)
        )
        for here, there, masks, count in (
            (starts[link.left], starts[link.right], link.allowed, right),
            (starts[link.right], starts[link.left], turned, len(link.allowed)),
        ):
            alike: dict[int, list[int]] = {}
            for option, mask in enumerate(masks):
                alike.setdefault(mask, []).append(here + option)
            # Options that go with the same ones share one row: their sum is at most the sum of
            # those that they need.
            for mask, options in alike.items():
                if mask != (1 << count) - 1:
                    needed = [(there + other, -1.0) for other in range(count) if (mask >> other) & 1]
                    self._add([*((option, 1.0) for option in options), *needed], -np.inf, 0.0)
