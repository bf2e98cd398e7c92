"""Costs moved between the remaining tables of a joint problem and its choices, by sweeps of message passing.

With f a table over several choices, u_i that of choice i alone, and a_fi the amounts moved from f to i, a sweep visits
the choices in an order, and at choice i
    takes:   a_fi(o) = min over x with x_i = o of  (f(x) - sum over j other than i of a_fj(x_j))   for earlier tables f,
    gives:   a_fi = a_fi - (u_i + sum over f of a_fi) / max(earlier, later)                         for later tables f,
where a table is earlier if it has a choice before i, and later if it has one behind. The next sweep goes backwards.
`message_passing.py` explains why any amounts prove a bound, and how it is computed in integers.
Complexity: O(entries x choices of a table) for each table and sweep, at most `_MOST_SWEEPS` sweeps.
Reference: Kolmogorov, "A new look at reweighted message passing", PAMI 37 (2015). The order is that of Cuthill and
McKee, "Reducing the bandwidth of sparse symmetric matrices", 1969, without its reversal.

Example: breadth first from an end of a path.

>>> breadth_first([{1}, {0, 2}, {1}])
[0, 1, 2]
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from p2smt.spmd.engines.certificate import MOST_SHIFTED, Shift
from p2smt.spmd.engines.remaining import RemainingProblem
from p2smt.spmd.engines.table import NEVER, Integers, dense

Floats = npt.NDArray[np.float32]

_MOST_SWEEPS = 100

_LOOKED = 5
"""The number of sweeps between checks of the bound."""

_WORTHWHILE = 2e-3
"""The least gain between checks, as a fraction of the bound, for which sweeps continue."""

_ROUNDED_UP = 1 + 1e-4
"""A factor on the requested bound, so that one reached in single precision is also reached in integers."""


@dataclass(slots=True)
class _SharedTable:
    """A table over several remaining choices, by position in order, and the amounts moved from it to each of them."""

    scope: tuple[int, ...]
    exact: Integers
    entries: Floats
    moved: list[Floats] = field(default_factory=list)
    along: tuple[tuple[int, ...], ...] = field(init=False)
    others: tuple[tuple[int, ...], ...] = field(init=False)

    def __post_init__(self) -> None:
        """Note for each position the shape of amounts moved there, and the other positions."""
        columns = range(len(self.scope))
        self.along = tuple([_along(position, len(columns)) for position in columns])
        self.others = tuple([tuple([each for each in columns if each != position]) for position in columns])

    def left(self, but: int | None = None) -> Floats:
        """Return the entries less all moved amounts, except those moved to the choice at position `but`."""
        left: Floats | None = None
        for position, amounts in enumerate(self.moved):
            if position != but:
                along = amounts.reshape(self.along[position])
                left = np.subtract(self.entries if left is None else left, along, out=left)
        return self.entries if left is None else left

    def take(self, position: int) -> None:
        """Move as much as possible to a choice, so that the least entry left for each of its options is 0."""
        self.moved[position] = self.left(position).min(axis=self.others[position])


class MovedCosts:
    """The remaining choices and tables, and the costs moved between them."""

    def __init__(self, choices: Sequence[int], own: Sequence[Integers], shared: Sequence[_SharedTable]) -> None:
        self.choices = choices
        self._exact = own
        self._own = [_rounded(costs) for costs in own]
        self._shared = shared
        self._held: list[list[tuple[_SharedTable, int]]] = [[] for _ in choices]
        for each in shared:
            each.moved = [np.zeros(len(own[choice]), dtype=np.float32) for choice in each.scope]
            for position, choice in enumerate(each.scope):
                self._held[choice].append((each, position))
        near: list[set[int]] = [set() for _ in choices]
        for each in shared:
            for choice in each.scope:
                near[choice].update(each.scope)
        self._order = breadth_first(near)
        rank = {choice: number for number, choice in enumerate(self._order)}
        self._sides = [self._split(choice, rank) for choice in range(len(choices))]

    @classmethod
    def of(cls, remaining: RemainingProblem) -> "MovedCosts":
        """Return the choices and tables of a remaining problem; tables over the same choices are added up."""
        choices = remaining.left
        position = {choice: number for number, choice in enumerate(choices)}
        own = [np.zeros(remaining.sizes[choice], dtype=np.int64) for choice in choices]
        known: dict[tuple[int, tuple[int, ...]], tuple[Integers, Floats]] = {}
        shared: dict[tuple[int, ...], tuple[Integers, Floats]] = {}
        for scope, number in remaining.tables:
            local = tuple([position[choice] for choice in scope])
            # Tables with choices in ascending order, so that those over the same choices can be
            # added.
            order = tuple(np.argsort(local).tolist())
            if (number, order) not in known:
                sizes = [remaining.sizes[choice] for choice in scope]
                exact = np.transpose(dense(remaining.store.tables[number], sizes), order)
                known[number, order] = exact, _rounded(exact)
            exact, rounded = known[number, order]
            if len(local) == 1:
                own[local[0]] = np.minimum(own[local[0]] + exact, NEVER)
                continue
            ordered = tuple(sorted(local))
            if ordered in shared:
                exact = np.minimum(shared[ordered][0] + exact, NEVER)
                rounded = _rounded(exact)
            shared[ordered] = exact, rounded
        return cls(choices, own, [_SharedTable(scope, *entries) for scope, entries in shared.items()])

    def _split(
        self, choice: int, rank: dict[int, int]
    ) -> tuple[list[tuple[_SharedTable, int]], list[tuple[_SharedTable, int]]]:
        """Return the tables that a choice shares with earlier and with later choices; a table can be in both lists."""
        earlier, later = [], []
        for each, position in self._held[choice]:
            ranks = [rank[other] for other in each.scope]
            if rank[choice] > min(ranks):
                earlier.append((each, position))
            if rank[choice] < max(ranks):
                later.append((each, position))
        return earlier, later

    def sweep(self, enough: int | None = None) -> None:
        """Sweep forth and back, at most `_MOST_SWEEPS` times, until the bound gains too little or exceeds `enough`."""
        last = 0.0
        for number in range(_MOST_SWEEPS if self._shared else 0):
            self._sweep(back=number % 2 == 1)
            if number % _LOOKED == _LOOKED - 1:
                bound = self._bound()
                # Single precision may overstate the bound: a margin is asked for, and whole numbers decide afterwards.
                is_enough = enough is not None and bound > enough * _ROUNDED_UP
                if is_enough or bound - last < _WORTHWHILE * bound:
                    break
                last = bound

    def _sweep(self, *, back: bool) -> None:
        for choice in reversed(self._order) if back else self._order:
            later, earlier = self._sides[choice] if back else reversed(self._sides[choice])
            for each, position in earlier:
                each.take(position)
            if later:
                part = self._total(choice) * np.float32(1 / max(len(earlier), len(later)))
                for each, position in later:
                    each.moved[position] = each.moved[position] - part

    def _total(self, choice: int) -> Floats:
        """Return the costs of a choice's options, including all amounts moved to them."""
        total = self._own[choice]
        for each, position in self._held[choice]:
            total = total + each.moved[position]
        return total

    def _bound(self) -> float:
        of_choices = sum([float(self._total(choice).min()) for choice in range(len(self.choices))])
        return of_choices + sum([float(each.left().min()) for each in self._shared])

    def slack(self) -> list[Floats]:
        """Return each option's excess over its choice's cheapest option, after taking all it can from tables."""
        found = []
        for choice, held in enumerate(self._held):
            total = self._own[choice]
            for each, position in held:
                total = total + each.left(position).min(axis=each.others[position])
            found.append(total - total.min())
        return found

    def shifts(self) -> tuple[Shift, ...]:
        """Return the moved amounts, rounded to integers."""
        return tuple(
            [
                Shift(
                    tuple([self.choices[choice] for choice in each.scope]),
                    tuple([tuple(_whole(amounts).tolist()) for amounts in each.moved]),
                )
                for each in self._shared
            ]
        )

    def bound_of(self, shifts: Sequence[Shift]) -> int:
        """Return the lower bound that integer amounts prove."""
        own = [costs.copy() for costs in self._exact]
        bound = 0
        for each, shift in zip(self._shared, shifts, strict=True):
            left = each.exact
            for position, (choice, amounts) in enumerate(zip(each.scope, shift.amounts, strict=True)):
                moved = np.array(amounts, dtype=np.int64)
                own[choice] += moved
                left = left - moved.reshape(_along(position, len(each.scope)))
            bound += int(left.min())
        return bound + sum([int(costs.min()) for costs in own])


def _rounded(entries: Integers) -> Floats:
    """Return costs in single precision; forbidden entries become finite, so that differences are numbers."""
    return np.ascontiguousarray(np.minimum(entries, MOST_SHIFTED), dtype=np.float32)


def _whole(amounts: Floats) -> Integers:
    most = float(MOST_SHIFTED)
    return np.clip(np.rint(amounts.astype(np.float64)), -most, most).astype(np.int64)


def _along(position: int, columns: int) -> tuple[int, ...]:
    """Return the shape that broadcasts one choice's amounts against a table over `columns` choices."""
    return tuple([-1 if column == position else 1 for column in range(columns)])


def breadth_first(near: Sequence[set[int]]) -> list[int]:
    """Return the nodes of a graph, each component breadth first from a node on its edge, low degree first."""
    waiting, found = set(range(len(near))), list[int]()
    while waiting:
        start = min(waiting, key=lambda node: (len(near[node]), node))
        for _ in range(2):
            start = _from(start, near)[-1]
        found += (component := _from(start, near))
        waiting -= set(component)
    return found


def _from(start: int, near: Sequence[set[int]]) -> list[int]:
    seen, found = {start}, [start]
    for node in found:
        for other in sorted(near[node] - seen, key=lambda each: (len(near[each]), each)):
            seen.add(other)
            found.append(other)
    return found
