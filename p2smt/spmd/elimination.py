"""Variable elimination: choices are taken away one by one, each leaves the least that it costs its neighbours.

The sum of what is left at the end is the optimum, and the messages are a certificate of it (`certificate_check.py`).
What is added up for one of several parts that are alike, such as the layers of a model, is not added up again.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from p2smt.spmd.elimination_order import order
from p2smt.spmd.problem import Answer, Best, Impossible, JointProblem
from p2smt.spmd.simplification import Removal, Simplified, simplify
from p2smt.spmd.table import Minimum, Table, binary, minimum, unary


class Message(NamedTuple):
    """What a choice leaves its neighbours, which are taken away later: at least this, for each row of options.

    `table` is the number of a table. `shift` comes on top whatever they choose. Neighbours that have options of no row
    have none that go together with the choice.
    """

    choice: int
    neighbours: tuple[int, ...]
    table: int
    shift: int


@dataclass(frozen=True, slots=True)
class Certificate:
    """Options taken away, then messages on what is left in the order of the choices, and the bound that they add up to.

    Messages number the options that are left; alike ones have one of the `tables`.
    """

    removals: tuple[Removal, ...]
    tables: tuple[Table, ...]
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


_Scope = tuple[int, ...]


class _Elimination:
    """Tables are held by number: of those that are alike there is one."""

    def __init__(self, simple: Simplified) -> None:
        problem = simple.problem
        self._simple = simple
        self._sizes = [len(choice.costs) for choice in problem.choices]
        self._tables: list[Table] = []
        self._minima: dict[tuple[object, ...], tuple[Minimum, int]] = {}
        self._held: list[dict[int, tuple[_Scope, int]]] = [{} for _ in problem.choices]
        self._near: list[set[int]] = [set() for _ in problem.choices]
        self._next = 0
        known: dict[tuple[int, ...], int] = {}
        for number, choice in enumerate(problem.choices):
            if choice.costs not in known:
                known[choice.costs] = self._keep(unary(choice.costs))
            self._add((number,), known[choice.costs])
        self._add_links(problem)
        self._messages: list[Message] = []
        self._minimum_of: list[Minimum] = []
        self._width = 0

    def _add_links(self, problem: JointProblem) -> None:
        """Links that allow everything say nothing."""
        known: dict[tuple[tuple[int, ...], int], int | None] = {}
        for link in problem.links:
            size = self._sizes[link.right]
            key = (link.allowed, size)
            if key not in known:
                free = all(mask == (1 << size) - 1 for mask in link.allowed)
                known[key] = None if free else self._keep(binary(link.allowed, size))
            number = known[key]
            if number is not None:
                self._add((link.left, link.right), number)
                self._near[link.left].add(link.right)
                self._near[link.right].add(link.left)

    def _keep(self, made: Table) -> int:
        self._tables.append(made)
        return len(self._tables) - 1

    def _add(self, scope: _Scope, number: int) -> None:
        for choice in scope:
            self._held[choice][self._next] = (scope, number)
        self._next += 1

    def run(self, problem: JointProblem) -> Eliminated:
        """The answer in the numbers of the whole problem."""
        for choice, neighbours in order(self._sizes, self._near).steps:
            self._width = max(self._width, len(neighbours))
            if not self._take(choice, neighbours):
                return Eliminated(Impossible(), None, self._width)
        return self._answered(problem)

    def _take(self, choice: int, neighbours: _Scope) -> bool:
        """Take a choice away; False if no option of it goes with any of its neighbours'."""
        scope = (*neighbours, choice)
        position = {number: index for index, number in enumerate(scope)}
        sizes = tuple([self._sizes[number] for number in scope])
        held = self._held[choice]
        local = []
        for key, (columns, number) in held.items():
            for other in columns:
                if other != choice:
                    del self._held[other][key]
            local.append((tuple([position[column] for column in columns]), number))
        alike = (sizes, tuple(sorted(local)))
        if alike not in self._minima:
            made = minimum([(columns, self._tables[number]) for columns, number in local], sizes)
            self._minima[alike] = made, self._keep(made.table)
        least, number = self._minima[alike]
        held.clear()
        if not least.table.rows:
            return False
        self._messages.append(Message(choice, neighbours, number, least.shift))
        self._minimum_of.append(least)
        if neighbours:
            self._add(neighbours, number)
        return True

    def _answered(self, problem: JointProblem) -> Eliminated:
        chosen = [0] * len(self._sizes)
        for message, least in zip(reversed(self._messages), reversed(self._minimum_of), strict=True):
            wanted = 0
            for neighbour in message.neighbours:
                wanted = wanted * self._sizes[neighbour] + chosen[neighbour]
            row = int(np.searchsorted(least.table.codes, wanted))
            chosen[message.choice] = int(least.taken[row])
        assignment = tuple([options[number] for options, number in zip(self._simple.kept, chosen, strict=True)])
        bound = sum(message.shift for message in self._messages)
        assert problem.cost(assignment) == bound
        tables = {message.table: self._tables[message.table] for message in self._messages}
        numbers = {old: new for new, old in enumerate(tables)}
        messages = tuple([each._replace(table=numbers[each.table]) for each in self._messages])
        certificate = Certificate(self._simple.removals, tuple(tables.values()), messages, bound)
        return Eliminated(Best(assignment, bound), certificate, self._width)
