"""Exact search by bucket elimination, with dominated options removed on the way, and cases for hubs.

Problem: choose one option per choice; minimise the sum of the tables (costs of options, links).
Eliminating x replaces the tables that mention x by m(y) = min over x of their sum, y = the neighbours of x.
Stages: choices with small sums are eliminated; options that others replace at no cost are removed (`dominance.py`);
then an order for the rest is found, which says how large every table will be before any is made. Where the largest is
large, options that others replace at next to no cost are removed too, and their loss is taken off the bound; if it is
large still, the stages begin again with larger sums.
Hubs: where the tables would not fit into memory, choices that many others see (rotary cos and sin are) are fixed to
each of their options, one case after the other, and the least of all cases is the optimum.
Memory: `RemainingProblem.plan` bounds it before anything is allocated.
Certificate: messages, cuts and cases; `certificate_check` verifies each against the tables it replaces.
What is added up for one of several parts that are alike, such as the layers of a model, is not added up again.
Reference: Dechter, "Bucket elimination", Artificial Intelligence 113 (1999).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod

import numpy as np

from p2smt.errors import EngineError
from p2smt.problem.quantity import format_bytes
from p2smt.spmd.engines.certificate import Branch, Case, Certificate, Cut, Message, Step
from p2smt.spmd.engines.elimination_order import LARGE, Order, by_fill, by_weight, small_sums
from p2smt.spmd.engines.engine import MEMORY
from p2smt.spmd.engines.problem import Answer, Best, Impossible, JointProblem
from p2smt.spmd.engines.remaining import EliminationPlan, RemainingProblem
from p2smt.spmd.engines.simplification import SimplifiedProblem, simplify

_STAGES = (2**10, 2**14)
"""Limits on the entries of sums made before options are compared, stage by stage."""

_NEARLY = 4e-7
"""The fraction of the sum of least costs that replaced options may add in total, shared by all choices."""

_PARTS = 8

MOST_CASES = 64
"""The most cases fixed at a time: 49 are those of two hubs with seven options each."""

_HUBS_TRIED = 6

_NEARLY_LARGEST = 2**6
"""Sums within this factor of the largest one decide which choices are hubs."""


class TooLargeError(EngineError):
    """Elimination would take more memory than it may: `bytes`, with all hubs fixed that there are cases for."""

    def __init__(self, count: int, memory: int) -> None:
        super().__init__(f"elimination would take {format_bytes(count)} of memory, and has {format_bytes(memory)}")
        self.bytes = count


@dataclass(frozen=True, slots=True)
class EliminationResult:
    """The answer, its certificate (none where links contradict each other), and the most neighbours of a choice.

    No assignment costs less than `bound`, which is the optimum, less the loss of options replaced.
    """

    answer: Answer
    certificate: Certificate | None
    width: int
    bound: int = 0


def eliminate(problem: JointProblem, memory: int = MEMORY, *, proof: bool = True) -> EliminationResult:
    """The cheapest assignment, without regard to limits. TooLargeError where its tables take more bytes.

    Without `proof` there is no certificate, and the tables of a case are dropped once it is solved.
    """
    simple = simplify(replace(problem, limits=()))
    if not all(simple.kept):
        return EliminationResult(Impossible(), None, 0)
    return _Elimination(simple, memory, proof=proof).run(problem)


@dataclass(frozen=True, slots=True)
class Leaf:
    """A case without branch: the options chosen, by the numbers left when it began, and the sum of its steps."""

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
        """The answer in the numbers of the whole problem."""
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
        """The proof for the remaining problem, and its optimum; None if nothing is possible.

        `cases` is how many cases the hubs fixed so far have.
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
        """True if something is still possible after a plan, whose messages are added to the steps."""
        if plan.bytes > self._memory:
            raise TooLargeError(plan.bytes, self._memory)
        messages, is_possible = remaining.carry_out(plan)
        steps += messages
        self._width = max(self._width, *[len(each.neighbours) for each in messages], 0)
        return is_possible

    def _branched(
        self, remaining: RemainingProblem, steps: list[Step], hub: int, cases: int
    ) -> tuple[Case, Leaf | None]:
        """One case for each option of a hub."""
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
    """Options and bound before some steps, from what they are after them."""
    sizes = list(remaining.sizes)
    for step in reversed(steps):
        match step:
            case Cut():
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
    """The choice that reduces the largest sum most when it is fixed; None if no choice reduces it.

    Only choices that occur in the most large sums are tried.
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
    """A case whose tables are numbered anew in the order of their use, as `numbers` then says."""
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
