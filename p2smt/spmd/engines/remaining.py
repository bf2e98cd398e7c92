"""The part of a joint problem that remains during elimination: tables by number; equal tables share a number.

Steps are planned before any table is made: a plan has the number of every message's table, and an upper bound on the
bytes needed to make all of them. A plan that exceeds the memory is not carried out.

    bytes of a message over y <= 16 * (product of the options of y and x),   x the choice that is eliminated
is known from the sizes alone. A message is named by the tables that it adds up, not by the choices, so equal layers of
a model share all their messages (hash-consing), and a plan lists each of them once.
Complexity: O(tables) for each planned step.
Reference: Dechter, "Bucket elimination", Artificial Intelligence 113 (1999); Filliatre and Conchon, "Type-safe modular
hash-consing", 2006.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod

from p2smt.spmd.engines.certificate import DominatedOptions, Message
from p2smt.spmd.engines.dominance import OptionComparison, differences, replacements
from p2smt.spmd.engines.elimination_order import Step
from p2smt.spmd.engines.problem import JointProblem
from p2smt.spmd.engines.table import (
    Minimum,
    Table,
    binary,
    bytes_of_minimum,
    cut,
    minimum,
    unary,
)

Scope = tuple[int, ...]

_Sum = tuple[tuple[int, ...], tuple[tuple[Scope, int], ...]]
"""A planned minimum: the sizes of its choices, and the tables that it adds up."""

_COMPARED = 2**16
"""The most entries of a choice's largest table for which its options are compared."""


@dataclass(slots=True)
class Store:
    """Tables by number, with cached results; `bytes` is an upper bound on their total size."""

    tables: list[Table] = field(default_factory=list)
    minima: dict[_Sum, int] = field(default_factory=dict)
    minimum_of: dict[int, Minimum] = field(default_factory=dict)
    bytes: int = 0
    _of_costs: dict[tuple[int, ...], int] = field(default_factory=dict)
    _of_links: dict[tuple[tuple[int, ...], int], int | None] = field(default_factory=dict)
    _parts: dict[tuple[int, tuple[int, ...], int, Scope], int | None] = field(default_factory=dict)
    _comparisons: dict[tuple[int, tuple[int, ...], int], OptionComparison] = field(default_factory=dict)
    _replacements: dict[tuple[object, ...], tuple[Scope, int]] = field(default_factory=dict)

    def copy(self) -> "Store":
        """Return a copy; tables added to either one do not appear in the other."""
        return Store(
            list(self.tables),
            dict(self.minima),
            dict(self.minimum_of),
            self.bytes,
            {},
            {},
            dict(self._parts),
            dict(self._comparisons),
            dict(self._replacements),
        )

    def keep(self, made: Table) -> int:
        """Store a table and return its number."""
        self.tables.append(made)
        return len(self.tables) - 1

    def of_costs(self, costs: tuple[int, ...]) -> int:
        """Return the number of the table for a choice with these costs."""
        if costs not in self._of_costs:
            self._of_costs[costs] = self.keep(unary(costs))
        return self._of_costs[costs]

    def of_link(self, allowed: tuple[int, ...], size: int) -> int | None:
        """Return the number of a link's table, its right choice having `size` options; None if it allows everything."""
        key = allowed, size
        if key not in self._of_links:
            free = all(mask == (1 << size) - 1 for mask in allowed)
            self._of_links[key] = None if free else self.keep(binary(allowed, size))
        return self._of_links[key]

    def part(self, number: int, sizes: tuple[int, ...], column: int, kept: Scope) -> int | None:
        """Return the number of a table restricted to some options of a column; None if it constrains nothing."""
        key = number, sizes, column, kept
        if key not in self._parts:
            made = cut(self.tables[number], sizes, column, kept)
            rows = prod(sizes) // sizes[column] * len(kept)
            says = len(sizes) == 1 or made.rows < rows or bool(made.costs.any())
            self.bytes += 16 * made.rows if says else 0
            self._parts[key] = self.keep(made) if says else None
        return self._parts[key]

    def replacements(self, held: Sequence[tuple[int, tuple[int, ...], int]], most: int) -> tuple[Scope, int]:
        """Return the replacement of each option of a choice, and the loss; see `dominance.replacements`.

        `held` has the number, sizes and column of each table of the choice.
        """
        alike = (most, *sorted(held))
        if alike not in self._replacements:
            for key in held:
                if key not in self._comparisons:
                    number, sizes, column = key
                    self._comparisons[key] = OptionComparison.of(*differences(self.tables[number], sizes, column))
            self._replacements[alike] = replacements([self._comparisons[key] for key in held], most)
        return self._replacements[alike]


@dataclass(frozen=True, slots=True)
class EliminationPlan:
    """Eliminated choices with their neighbours and table numbers, the new minima in order, and the bytes needed."""

    messages: tuple[tuple[int, Scope, int], ...]
    new: tuple[_Sum, ...]
    bytes: int


class RemainingProblem:
    """The remaining choices, their numbers of options, and the tables over them."""

    def __init__(self, store: Store, sizes: list[int], held: list[dict[int, tuple[Scope, int]]], added: int) -> None:
        self.store = store
        self.sizes = sizes
        self._held = held
        self._added = added

    @classmethod
    def of(cls, problem: JointProblem, store: Store | None = None) -> "RemainingProblem":
        """Return the whole problem as remaining, without links that allow everything; `store` may hold other tables."""
        store = store or Store()
        made = cls(store, [len(choice.costs) for choice in problem.choices], [{} for _ in problem.choices], 0)
        for number, choice in enumerate(problem.choices):
            made._add((number,), store.of_costs(choice.costs))
        for link in problem.links:
            table = store.of_link(link.allowed, made.sizes[link.right])
            if table is not None:
                made._add((link.left, link.right), table)
        return made

    def copy(self, store: Store | None = None) -> "RemainingProblem":
        """Return an independent copy; new tables go into `store`, by default the same store."""
        return RemainingProblem(store or self.store, list(self.sizes), [dict(each) for each in self._held], self._added)

    @property
    def left(self) -> tuple[int, ...]:
        """Return the choices that are not eliminated."""
        return tuple([choice for choice, held in enumerate(self._held) if held])

    @property
    def near(self) -> list[set[int]]:
        """Return for each choice the choices that share a table with it."""
        near: list[set[int]] = [set() for _ in self._held]
        for choice, held in enumerate(self._held):
            for scope, _ in held.values():
                near[choice].update(scope)
            near[choice].discard(choice)
        return near

    @property
    def tables(self) -> list[tuple[Scope, int]]:
        """Return each remaining table once: its scope and its number."""
        every: dict[int, tuple[Scope, int]] = {}
        for held in self._held:
            every |= held
        return [every[key] for key in sorted(every)]

    def _add(self, scope: Scope, number: int) -> None:
        for choice in scope:
            self._held[choice][self._added] = (scope, number)
        self._added += 1

    def plan(self, steps: Sequence[Step]) -> EliminationPlan:
        """Plan the elimination of choices; no table is made, and `carry_out` must be the next call."""
        first = len(self.store.tables)
        new: dict[_Sum, int] = {}
        messages = []
        kept = making = 0
        for choice, neighbours in steps:
            alike = self._take(choice, neighbours)
            number = self.store.minima.get(alike, new.get(alike))
            if number is None:
                number = new[alike] = first + len(new)
                keeps, makes = bytes_of_minimum([scope for scope, _ in alike[1]], alike[0])
                kept, making = kept + keeps, max(making, makes)
            messages.append((choice, neighbours, number))
            if neighbours:
                self._add(neighbours, number)
        return EliminationPlan(tuple(messages), tuple(new), self.store.bytes + kept + making)

    def _take(self, choice: int, neighbours: Scope) -> _Sum:
        """Remove a choice with its tables, and return their planned sum."""
        scope = (*neighbours, choice)
        position = {number: index for index, number in enumerate(scope)}
        local = []
        for key, (columns, number) in self._held[choice].items():
            for other in columns:
                if other != choice:
                    del self._held[other][key]
            local.append((tuple([position[column] for column in columns]), number))
        self._held[choice] = {}
        return tuple([self.sizes[number] for number in scope]), tuple(sorted(local))

    def carry_out(self, plan: EliminationPlan) -> tuple[tuple[Message, ...], bool]:
        """Return the messages of a plan, and whether the rest may be feasible; a message without rows is the last."""
        store = self.store
        for each in plan.new:
            sizes, local = each
            least = minimum([(columns, store.tables[number]) for columns, number in local], sizes)
            number = store.keep(least.table)
            store.minima[each], store.minimum_of[number] = number, least
            store.bytes += bytes_of_minimum([], sizes)[0]
            if not least.table.rows:
                break
        messages = []
        for choice, neighbours, number in plan.messages:
            least = store.minimum_of[number]
            messages.append(Message(choice, neighbours, number, least.shift))
            if not least.table.rows:
                return tuple(messages), False
        return tuple(messages), True

    def cuts(self, most: int, altogether: int) -> list[DominatedOptions]:
        """Replace options until none is replaceable, at a loss of at most `most` each and `altogether` in total.

        Choices with large tables are skipped; those with many tables come first.
        """
        found = []
        waiting = sorted(self.left, key=lambda choice: (-len(self._held[choice]), choice))
        while waiting:
            touched: set[int] = set()
            for choice in waiting:
                made = self._replaced(choice, most if most <= altogether else 0)
                if made is not None:
                    found.append(made)
                    altogether -= made.loss
                    touched.update(*[scope for scope, _ in self._held[choice].values()])
                    self.restrict(choice, made.kept)
                    touched.discard(choice)
            waiting = sorted(touched)
        return found

    def _replaced(self, choice: int, most: int) -> DominatedOptions | None:
        held, size = [], self.sizes[choice]
        for scope, number in self._held[choice].values():
            sizes = tuple([self.sizes[other] for other in scope])
            if size == 1 or prod(sizes) > _COMPARED:
                return None
            held.append((number, sizes, scope.index(choice)))
        instead, loss = self.store.replacements(held, most)
        return None if instead == tuple(range(size)) else DominatedOptions(choice, instead, loss)

    def restrict(self, choice: int, kept: Scope) -> None:
        """Keep only some options of a choice."""
        for key, (scope, number) in list(self._held[choice].items()):
            sizes = tuple([self.sizes[other] for other in scope])
            made = self.store.part(number, sizes, scope.index(choice), kept)
            for other in scope:
                if made is None:
                    del self._held[other][key]
                else:
                    self._held[other][key] = scope, made
        self.sizes[choice] = len(kept)
