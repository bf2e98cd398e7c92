"""The fewest of some conditions that cannot go together.

Every set of conditions that is too much meets every *correction set* (conditions without which the others go
together). So a smallest set that meets all correction sets known so far is either too much, and then nothing smaller
is, or it goes together, and then the conditions that have to stay away give a new correction set (Ignatiev et al.,
"Smallest MUS extraction with minimal hitting set dualization", CP 2015).
"""

from collections.abc import Callable, Collection, Sequence
from enum import StrEnum
from typing import Generic, TypeVar

import z3

from p2smt.smt.terms import constants

_MAX_ROUNDS = 2000

Witness = TypeVar("Witness")


class Minimality(StrEnum):
    """What is known of a core: nothing has fewer conditions; none of its conditions can go; neither."""

    SMALLEST = "smallest"
    IRREDUCIBLE = "irreducible"
    UNREDUCED = "unreduced"


class GaveUpError(Exception):
    """The solver, or whoever is asked, gave up or ran out of time."""


class CoreSearch(Generic[Witness]):
    """The best core so far of conditions 0 to `count` - 1, and what is known of it.

    `ask` is given conditions by their numbers, ascending, and says what meets all of them, which is never a
    frozenset; or as a frozenset those of them that are too much. It may raise GaveUpError.
    """

    def __init__(self, ask: Callable[[Collection[int]], Witness | frozenset[int]], count: int) -> None:
        self._ask = ask
        self._everything = frozenset(range(count))
        self._corrections = Corrections(count)
        self._core: frozenset[int] | None = None
        self.minimality = Minimality.UNREDUCED

    @property
    def core(self) -> tuple[int, ...] | None:
        """The core's conditions by their numbers; None before anything is known."""
        return None if self._core is None else tuple(sorted(self._core))

    def run(self) -> None:
        """First a core none of whose conditions can go, then the first of the smallest ones."""
        answer = self._ask(sorted(self._everything))
        assert isinstance(answer, frozenset), f"the conditions go together: {answer}"
        self._core = answer
        self._reduce()
        for _ in range(_MAX_ROUNDS):
            candidate = self._corrections.smallest()
            if len(candidate) == len(self._core):
                self.minimality = Minimality.SMALLEST
            if self._is_too_much(candidate):
                self._core, self.minimality = candidate, Minimality.SMALLEST
                return

    def without(self) -> list[Witness | None]:
        """For every condition of the core, something that meets the others."""
        assert self._core is not None
        if self.minimality is Minimality.UNREDUCED:
            return [None] * len(self._core)
        found: list[Witness | None] = []
        for number in sorted(self._core):
            answer = self._ask(sorted(self._core - {number}))
            assert not isinstance(answer, frozenset), "the core is not irreducible"
            found.append(answer)
        return found

    def _reduce(self) -> None:
        """Leave out one condition after the other, as long as what stays is too much."""
        assert self._core is not None
        for number in sorted(self._core):
            if number in self._core:
                answer = self._ask(sorted(self._core - {number}))
                if isinstance(answer, frozenset):
                    self._core = answer
                else:
                    self._correct(self._core - {number})
        self.minimality = Minimality.IRREDUCIBLE

    def _is_too_much(self, candidate: frozenset[int]) -> bool:
        if isinstance(self._ask(sorted(candidate)), frozenset):
            return True
        self._correct(candidate)
        return False

    def _correct(self, together: frozenset[int]) -> None:
        """Add every condition that still goes together with these; the rest is a correction set."""
        kept = together
        for number in sorted(self._everything - together):
            if not isinstance(self._ask(sorted(kept | {number})), frozenset):
                kept |= {number}
        self._corrections.add(self._everything - kept)


class Corrections:
    """The correction sets known so far, and the smallest sets that meet all of them."""

    def __init__(self, count: int) -> None:
        self._members = constants("member", count)
        self._size = 0
        self._solver = z3.SolverFor("QF_FD")

    def add(self, correction: frozenset[int]) -> None:
        """One more set to meet."""
        self._solver.add(z3.Or([self._members[number] for number in correction]))

    def smallest(self) -> frozenset[int]:
        """The first, in the order of the sorted members, of the smallest sets that meet all."""
        while (found := self._first()) is None:
            self._size += 1  # more sets to meet never need fewer members
        return found

    def _first(self) -> frozenset[int] | None:
        self._solver.push()
        self._solver.add(z3.AtMost(*self._members, self._size))
        found: list[int] = []
        possible = self._is_sat([])
        for number in range(len(self._members)) if possible else ():
            if self._is_sat([*found, number]):
                found.append(number)
        self._solver.pop()
        return frozenset(found) if possible else None

    def _is_sat(self, numbers: Sequence[int]) -> bool:
        result = self._solver.check(*(self._members[number] for number in numbers))
        if result == z3.unknown:
            raise GaveUpError
        return bool(result == z3.sat)
