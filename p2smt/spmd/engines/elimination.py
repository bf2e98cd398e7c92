"""Exact search by bucket elimination; it removes dominated options on the way and branches on hubs.

Problem: choose one option per choice; minimise the sum of the tables (costs of options, links).
Eliminating x replaces the tables that mention x by m(y) = min over x of their sum, y = the neighbours of x.

Stages: choices with small sums are eliminated, and options that others replace at no cost are removed
(`dominance.py`). Then an order for the rest is computed, which gives the size of every table before any is made. If the
largest table is too large, options that others replace at almost no cost are removed as well, and their loss is
subtracted from the bound; if it is still too large, the stages are repeated with a larger limit on sums.
Hubs: if the tables exceed the memory, choices that many others are linked to (such as rotary cos and sin) are fixed to
each of their options in one case each; the optimum is the least of all cases.
Memory: `RemainingProblem.plan` bounds it before anything is allocated.
Certificate: messages, cuts and branches; `certificate_check` verifies each against the tables it replaces.
Sums for equal parts of the problem, such as the layers of a model, are computed once.

Reference: Dechter, "Bucket elimination", Artificial Intelligence 113 (1999).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod

import numpy as np

from p2smt.errors import EngineError
from p2smt.problem.quantity import format_bytes
from p2smt.spmd.engines.certificate import Branch, Case, Certificate, DominatedOptions, Message, Step
from p2smt.spmd.engines.elimination_order import LARGE, Order, by_fill, by_weight, small_sums
from p2smt.spmd.engines.engine import MEMORY
from p2smt.spmd.engines.problem import Answer, Best, Impossible, JointProblem
from p2smt.spmd.engines.remaining import EliminationPlan, RemainingProblem
from p2smt.spmd.engines.simplification import SimplifiedProblem, simplify

_STAGES = (2**10, 2**14)
"""The limits on the entries of the sums made before options are compared, stage by stage."""

_NEARLY = 4e-7
"""The total cost that lossy replacements may add, as a fraction of the sum of each choice's least cost."""

_PARTS = 8

MOST_CASES = 64
"""The most cases of nested branches: two hubs with seven options each make 49."""

_HUBS_TRIED = 6

_NEARLY_LARGEST = 2**6
"""Sums within this factor of the largest one determine the candidates for a hub."""


class TooLargeError(EngineError):
    """Elimination would exceed its memory; `bytes` is its need after fixing as many hubs as `MOST_CASES` permits."""

    def __init__(self, count: int, memory: int) -> None:
        super().__init__(f"elimination would take {format_bytes(count)} of memory, and has {format_bytes(memory)}")
        self.bytes = count


@dataclass(frozen=True, slots=True)
class EliminationResult:
    """The answer, its certificate (None if the links are inconsistent), and `width`, the most neighbours of a choice.

    `bound` is a lower bound on all assignments: the optimum less the loss of replaced options.
    """

    answer: Answer
    certificate: Certificate | None
    width: int
    bound: int = 0


def eliminate(problem: JointProblem, memory: int = MEMORY, *, proof: bool = True) -> EliminationResult:
    """Return the cheapest assignment, ignoring limits. Raises TooLargeError if tables need more than `memory` bytes.

    Without `proof` there is no certificate, and the tables of a case are freed once it is solved.
    """
    simple = simplify(replace(problem, limits=()))
    if not all(simple.kept):
        return EliminationResult(Impossible(), None, 0)
    return _Elimination(simple, memory, proof=proof).run(problem)


@dataclass(frozen=True, slots=True)
class Leaf:
    """The solution of a case without a branch: its options, numbered as at the start, and the sum of its steps."""

    chosen: tuple[int, ...]
    bound: int


class _Elimination:
    def __init__(self, simple: SimplifiedProblem, memory: int, *, proof: bool) -> None:
        self._simple = simple
        self._memory = memory
        self._proof = proof
        least = sum([min(choice.costs) for choice in simple.problem.choices])
        self._loss = int(least * _NEARLY)
        self._width = 0

    def run(self, problem: JointProblem) -> EliminationResult:
        """Return the result for the original problem, with its numbering of options."""
        remaining = RemainingProblem.of(self._simple.problem)
        case, leaf = self._solved(remaining, 1)
        if leaf is None:
            return EliminationResult(Impossible(), None, self._width)
        assignment = tuple([options[number] for options, number in zip(self._simple.kept, leaf.chosen, strict=True)])
        cost = problem.cost(assignment)
        assert leaf.bound <= cost <= leaf.bound + self._loss
        certificate = None
        if self._proof:
            used: dict[int, int] = {}
            case = numbered(case, used)
            tables = tuple([remaining.store.tables[number] for number in used])
            loss = cost - leaf.bound
            certificate = Certificate(self._simple.removals, tables, case.messages, leaf.bound, loss, case.branch)
        return EliminationResult(Best(assignment, cost), certificate, self._width, leaf.bound)

    def _solved(self, remaining: RemainingProblem, cases: int) -> tuple[Case, Leaf | None]:
        """Return the proof for the remaining problem and its solution; None instead of a solution if it is infeasible.

        `cases` is the number of cases of the hubs fixed so far.
        """
        steps: list[Step] = []
        for entries in _STAGES:
            first = remaining.plan(small_sums(remaining.sizes, remaining.near, remaining.left, entries))
            if not self._carried_out(remaining, first, steps):
                return Case(tuple(steps)), None
            steps += remaining.cuts(0, 0)
            chosen = by_weight(remaining.sizes, remaining.near, remaining.left)
            # Lossy replacements only as a last resort, and not inside of cases, where losses would
            # add up.
            if chosen.largest > LARGE and cases == 1 and entries == _STAGES[0]:
                steps += remaining.cuts(self._loss // _PARTS, self._loss)
                chosen = by_weight(remaining.sizes, remaining.near, remaining.left)
            # Min-weight is quick and mostly good; min-fill is tried where it is not.
            if chosen.largest > LARGE:
                filled = by_fill(remaining.sizes, remaining.near, remaining.left)
                chosen = min(chosen, filled, key=lambda each: each.largest)
            if chosen.largest <= LARGE:
                break
        # A plan is made on a copy, because planning changes the tables that remain.
        plan = remaining.copy().plan(chosen.steps)
        if plan.bytes > self._memory:
            hub = _hub(remaining, chosen)
            if hub is None or cases * remaining.sizes[hub] > MOST_CASES:
                raise TooLargeError(plan.bytes, self._memory)
            return self._branched(remaining, steps, hub, cases)
        if not self._carried_out(remaining, plan, steps):
            return Case(tuple(steps)), None
        return Case(tuple(steps)), undone(remaining, steps, [0] * len(remaining.sizes), 0)

    def _carried_out(self, remaining: RemainingProblem, plan: EliminationPlan, steps: list[Step]) -> bool:
        """Carry out a plan and append its messages to `steps`; True if the problem may still be feasible."""
        if plan.bytes > self._memory:
            raise TooLargeError(plan.bytes, self._memory)
        messages, is_possible = remaining.carry_out(plan)
        steps += messages
        self._width = max(self._width, *[len(each.neighbours) for each in messages], 0)
        return is_possible

    def _branched(
        self, remaining: RemainingProblem, steps: list[Step], hub: int, cases: int
    ) -> tuple[Case, Leaf | None]:
        """Solve one case for each option of a hub."""
        size = remaining.sizes[hub]
        made, best = [], None
        for option in range(size):
            fixed = remaining.copy(None if self._proof else remaining.store.copy())
            fixed.restrict(hub, (option,))
            case, leaf = self._solved(fixed, cases * size)
            made.append(case)
            if leaf is not None and (best is None or leaf.bound < best[0].bound):
                best = leaf, option
        proved = Case(tuple(steps), Branch(hub, tuple(made)))
        if best is None:
            return proved, None
        leaf, option = best
        chosen = list(leaf.chosen)
        chosen[hub] = option
        return proved, undone(remaining, steps, chosen, leaf.bound)


def undone(remaining: RemainingProblem, steps: Sequence[Step], chosen: list[int], bound: int) -> Leaf:
    """Return the options and the bound before some steps, given the options and the bound after them."""
    sizes = list(remaining.sizes)
    for step in reversed(steps):
        match step:
            case DominatedOptions():
                sizes[step.choice] = len(step.instead)
                chosen[step.choice] = step.kept[chosen[step.choice]]
                bound -= step.loss
            case Message():
                least = remaining.store.minimum_of[step.table]
                wanted = 0
                for neighbour in step.neighbours:
                    wanted = wanted * sizes[neighbour] + chosen[neighbour]
                chosen[step.choice] = int(least.taken[int(np.searchsorted(least.table.codes, wanted))])
                bound += step.shift
    return Leaf(tuple(chosen), bound)


def _hub(remaining: RemainingProblem, chosen: Order) -> int | None:
    """Return the choice that reduces the largest sum most when fixed; None if no choice reduces it.

    Only the choices that occur in most of the large sums are tried.
    """
    counts: Counter[int] = Counter()
    for choice, neighbours in chosen.steps:
        entries = prod([remaining.sizes[each] for each in (choice, *neighbours)])
        if entries * _NEARLY_LARGEST >= chosen.largest:
            counts.update(neighbours)
    near, left = remaining.near, remaining.left
    best, largest = None, chosen.largest
    for hub, _ in counts.most_common(_HUBS_TRIED):
        without = [each - {hub} for each in near]
        without[hub] = set()
        fixed = by_weight(remaining.sizes, without, [each for each in left if each != hub])
        if fixed.largest < largest:
            best, largest = hub, fixed.largest
    return best


def numbered(case: Case, numbers: dict[int, int]) -> Case:
    """Return the case with its tables renumbered in the order of first use; `numbers` maps old numbers to new ones."""
    messages = tuple(
        [
            Message(each.choice, each.neighbours, numbers.setdefault(each.table, len(numbers)), each.shift)
            if isinstance(each, Message)
            else each
            for each in case.messages
        ]
    )
    if case.branch is None:
        return Case(messages)
    return Case(messages, Branch(case.branch.hub, tuple([numbered(each, numbers) for each in case.branch.cases])))
