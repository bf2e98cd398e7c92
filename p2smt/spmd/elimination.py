"""Variable elimination: choices are taken away one by one, each leaves the least that it costs its neighbours.

The sum of what is left at the end is the optimum, and the messages are a certificate of it (`certificate_check.py`).
Choices go in order of the number of options that their neighbours have together (min-weight). Identical parts of the
problem, such as the layers of a model, give identical tables, which are joined once.
"""

import heapq
from dataclasses import dataclass, field, replace
from math import prod

import numpy as np

from p2smt.spmd.problem import Answer, Best, Impossible, JointProblem
from p2smt.spmd.simplification import Removal, Simplified, simplify
from p2smt.spmd.table import Minimum, Table, minimum, table


@dataclass(frozen=True, slots=True)
class Message:
    """What a choice leaves its neighbours, which are taken away later: at least this, for each row of options.

    `shift` comes on top whatever they choose. Neighbours that have options of no row have none that go together with
    the choice.
    """

    choice: int
    neighbours: tuple[int, ...]
    table: Table
    shift: int


@dataclass(frozen=True, slots=True)
class Certificate:
    """Options taken away, then messages on what is left in the order of the choices, and the bound that they add up to.

    Messages number the options that are left.
    """

    removals: tuple[Removal, ...]
    messages: tuple[Message, ...]
    bound: int


@dataclass(frozen=True, slots=True)
class Eliminated:
    """The answer, its certificate (none where links contradict each other), and the most neighbours of a choice."""

    answer: Answer
    certificate: Certificate | None
    width: int


def eliminate(problem: JointProblem) -> Eliminated:
    """The cheapest assignment, without regard to limits. EngineError where tables become too large."""
    simple = simplify(replace(problem, limits=()))
    if not all(simple.kept):
        return Eliminated(Impossible(), None, 0)
    return _Elimination(simple).run(problem)


@dataclass(slots=True)
class _Known:
    """Minima of identical tables, by their contents."""

    numbers: dict[bytes, int] = field(default_factory=dict)
    minima: dict[tuple[object, ...], tuple[Minimum, int]] = field(default_factory=dict)

    def number(self, content: bytes) -> int:
        return self.numbers.setdefault(content, len(self.numbers))


class _Elimination:
    def __init__(self, simple: Simplified) -> None:
        problem = simple.problem
        self._simple = simple
        self._sizes = [len(choice.costs) for choice in problem.choices]
        self._known = _Known()
        self._tables: dict[int, tuple[tuple[int, ...], Table, int]] = {}
        self._holding: list[dict[int, None]] = [{} for _ in problem.choices]
        self._near: list[set[int]] = [set() for _ in problem.choices]
        self._next = 0
        for number, choice in enumerate(problem.choices):
            rows = [(option,) for option in range(len(choice.costs))]
            made = table(rows, choice.costs, 1)
            self._add((number,), made, self._known.number(made.content))
        links: dict[tuple[tuple[int, ...], int, bool], tuple[Table, int]] = {}
        for link in problem.links:
            everything = (1 << self._sizes[link.right]) - 1
            if all(mask == everything for mask in link.allowed):
                continue
            scope = tuple(sorted((link.left, link.right)))
            key = (link.allowed, self._sizes[link.right], link.left > link.right)
            if key not in links:
                made = _link_table(link.allowed, self._sizes[link.right], turned=key[2])
                links[key] = made, self._known.number(made.content)
            self._add(scope, *links[key])
        self._messages: list[Message] = []
        self._policies: list[tuple[int, tuple[int, ...], Minimum]] = []
        self._bound = 0
        self._width = 0

    def _add(self, scope: tuple[int, ...], made: Table, content: int) -> None:
        self._tables[self._next] = (scope, made, content)
        for choice in scope:
            self._holding[choice][self._next] = None
            self._near[choice] |= set(scope) - {choice}
        self._next += 1

    def run(self, problem: JointProblem) -> Eliminated:
        """The answer in the numbers of the whole problem."""
        weights = [self._weight(choice) for choice in range(len(self._sizes))]
        heap = [(weight, choice) for choice, weight in enumerate(weights)]
        heapq.heapify(heap)
        gone = [False] * len(weights)
        while heap:
            weight, choice = heapq.heappop(heap)
            if gone[choice] or weight != weights[choice]:
                continue
            gone[choice] = True
            neighbours = tuple(sorted(self._near[choice]))
            if not self._take(choice, neighbours):
                return Eliminated(Impossible(), None, self._width)
            for neighbour in neighbours:
                self._near[neighbour].discard(choice)
                weights[neighbour] = self._weight(neighbour)
                heapq.heappush(heap, (weights[neighbour], neighbour))
        return self._answered(problem)

    def _weight(self, choice: int) -> int:
        return prod(self._sizes[neighbour] for neighbour in self._near[choice])

    def _take(self, choice: int, neighbours: tuple[int, ...]) -> bool:
        """Take a choice away; False if no option of it goes with any of its neighbours'."""
        self._width = max(self._width, len(neighbours))
        scope = (*neighbours, choice)
        position = {number: index for index, number in enumerate(scope)}
        sizes = [self._sizes[number] for number in scope]
        held = [self._tables.pop(number) for number in self._holding[choice]]
        for (columns, _, _), number in zip(held, list(self._holding[choice]), strict=True):
            for other in columns:
                self._holding[other].pop(number, None)
        local = [(tuple(position[number] for number in columns), each, known) for columns, each, known in held]
        key = (tuple(sizes), tuple((columns, known) for columns, _, known in local))
        if key not in self._known.minima:
            made = minimum([(columns, each) for columns, each, _ in local], sizes)
            self._known.minima[key] = made, self._known.number(made.table.content)
        least, content = self._known.minima[key]
        if not least.table.rows:
            return False
        self._messages.append(Message(choice, neighbours, least.table, least.shift))
        self._bound += least.shift
        self._policies.append((choice, neighbours, least))
        if neighbours:
            self._add(neighbours, least.table, content)
        return True

    def _answered(self, problem: JointProblem) -> Eliminated:
        chosen = [0] * len(self._sizes)
        for choice, neighbours, least in reversed(self._policies):
            wanted = 0
            for neighbour in neighbours:
                wanted = wanted * self._sizes[neighbour] + chosen[neighbour]
            row = int(np.searchsorted(least.codes, wanted))
            chosen[choice] = int(least.taken[row])
        assignment = tuple(options[number] for options, number in zip(self._simple.kept, chosen, strict=True))
        assert problem.cost(assignment) == self._bound
        certificate = Certificate(self._simple.removals, tuple(self._messages), self._bound)
        return Eliminated(Best(assignment, self._bound), certificate, self._width)


def _link_table(allowed: tuple[int, ...], count: int, *, turned: bool) -> Table:
    pairs = [(left, right) for left, mask in enumerate(allowed) for right in range(count) if (mask >> right) & 1]
    rows = sorted((right, left) for left, right in pairs) if turned else pairs
    return table(rows, [0] * len(rows), 2)
