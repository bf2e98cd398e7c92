"""Why no program fits a sketch: the fewest of its conditions that cannot go together.

A set of conditions is too much when no valid program of up to `limit + LONGER` steps meets all of them. Every set
that is too much meets every *correction set* (conditions without which the others go together). So a smallest set
that meets all correction sets known so far is either too much, and then nothing smaller is, or it goes together,
and then the conditions that have to stay away give a new correction set (Ignatiev et al., "Smallest MUS extraction
with minimal hitting set dualization", CP 2015).
"""

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import assert_never

import z3

from p2smt.problem.model import Grammar
from p2smt.program.collective import Collective
from p2smt.program.language import Language
from p2smt.program.outline import Condition, MastersReduceAll, Outline, conditions_of
from p2smt.smt.answer import Answer, Sat, Unknown, Unsat
from p2smt.smt.choices import ProgramCode
from p2smt.smt.completion import Steps, fitting
from p2smt.smt.level_rules import LevelRules
from p2smt.smt.programs import unrolled
from p2smt.smt.terms import Term, conj, constants, disj, implies

LONGER = 2
"""How many more steps than the limit a program may have where conditions are left out."""
_MAX_ROUNDS = 2000


class Minimality(StrEnum):
    """What is known of a core: nothing has fewer conditions; none of its conditions can go; neither."""

    SMALLEST = "smallest"
    IRREDUCIBLE = "irreducible"
    UNREDUCED = "unreduced"


@dataclass(frozen=True, slots=True)
class Conflict:
    """Conditions that no valid program of at most `most_steps` steps meets, in the sketch's order.

    `without[i]` is a valid program that meets all of them but number `i`; None where none was found in time.
    """

    conditions: tuple[Condition, ...]
    minimality: Minimality
    most_steps: int
    without: tuple[Steps | None, ...]


def explain_conflict(
    outline: Outline, language: Language, limit: int, deadline: float | None = None
) -> Conflict | None:
    """The first of the smallest cores of an outline that no program of at most `limit` steps fits.

    After the deadline, Ctrl-C or an unknown of the solver comes back the best core so far, or None.
    """
    conditions = conditions_of(outline, language.grammar)
    search: _Search | None = None
    try:
        asked = _Relaxed(outline, language, limit, conditions, deadline)
        search = _Search(asked, len(conditions))
        search.run()
        without = search.without()
    except (KeyboardInterrupt, _GaveUpError):
        if search is None or search.core is None:
            return None
        without = [None] * len(search.core)
    core = search.core
    assert core is not None, "the conditions go together"
    steps = tuple(without)
    return Conflict(tuple(conditions[number] for number in core), search.minimality, asked.most_steps, steps)


class _GaveUpError(Exception):
    pass


class _Relaxed:
    """The question which conditions, by their numbers, some valid program meets all of."""

    def __init__(
        self, outline: Outline, language: Language, limit: int, conditions: Sequence[Condition], deadline: float | None
    ) -> None:
        self.most_steps = limit + LONGER
        self._deadline = deadline
        self._literals = constants("condition", len(conditions))
        self._holds = dict(zip(conditions, self._literals, strict=True))
        self._code = ProgramCode(replace(language, grammar=Grammar.FULL), self.most_steps)
        self._solver = z3.SolverFor("QF_FD")
        self._solver.add([term for term in map(_one, self._terms(outline, limit)) if term is not True])

    def ask(self, numbers: Collection[int]) -> Steps | frozenset[int]:
        """A program that meets the conditions, or those of the conditions that are too much."""
        match self._check([self._literals[number] for number in numbers]):
            case Sat(code):
                return self._code.steps(code)
            case Unsat():
                core = {literal.get_id() for literal in self._solver.unsat_core()}
                return frozenset(number for number in numbers if self._literals[number].get_id() in core)
            case Unknown():
                raise _GaveUpError
            case answer:
                assert_never(answer)

    def _check(self, literals: Sequence[Term]) -> Answer:
        self._keep_time()
        if self._deadline is not None:
            self._solver.set("timeout", max(1, int((self._deadline - time.monotonic()) * 1000)))
        result = self._solver.check(*literals)
        if result != z3.sat:
            return Unsat() if result == z3.unsat else Unknown(self._solver.reason_unknown())
        model = self._solver.model()
        values = (z3.is_true(model.eval(bit, model_completion=True)) for bit in self._code.bits)
        return Sat(sum(1 << place for place, value in enumerate(values) if value))

    def _keep_time(self) -> None:
        if self._deadline is not None and time.monotonic() >= self._deadline:
            raise _GaveUpError

    def _terms(self, outline: Outline, limit: int) -> list[Term]:
        """The code is that of a valid program in grammar full, and what is asked for holds."""
        code, needs = self._code, []
        for _, terms in unrolled(LevelRules(code.language), code):
            self._keep_time()
            needs += terms
        choices = [code.choice(place) for place in range(code.limit)]
        if MastersReduceAll() in self._holds:
            masters = [disj(c.groupings[g] for g in code.language.groupings if g.masters) for c in choices]
            reduces = [implies(m, c.collectives[Collective.ALL_REDUCE]) for m, c in zip(masters, choices, strict=True)]
            needs.append(implies(self._holds[MastersReduceAll()], conj(reduces)))
        return [*needs, fitting(outline, choices, limit, self._holds.__getitem__)]


class _Search:
    """The best core so far, and what is known of it."""

    def __init__(self, asked: _Relaxed, count: int) -> None:
        self._asked = asked
        self._everything = frozenset(range(count))
        self._corrections = _Corrections(count)
        self._core: frozenset[int] | None = None
        self.minimality = Minimality.UNREDUCED

    @property
    def core(self) -> tuple[int, ...] | None:
        """The core's conditions by their numbers; None before anything is known."""
        return None if self._core is None else tuple(sorted(self._core))

    def run(self) -> None:
        """First a core none of whose conditions can go, then the first of the smallest ones."""
        answer = self._asked.ask(sorted(self._everything))
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

    def without(self) -> list[Steps | None]:
        """For every condition of the core, a program that meets the others."""
        assert self._core is not None
        if self.minimality is Minimality.UNREDUCED:
            return [None] * len(self._core)
        found: list[Steps | None] = []
        for number in sorted(self._core):
            answer = self._asked.ask(sorted(self._core - {number}))
            assert not isinstance(answer, frozenset), "the core is not irreducible"
            found.append(answer)
        return found

    def _reduce(self) -> None:
        """Leave out one condition after the other, as long as what stays is too much."""
        assert self._core is not None
        for number in sorted(self._core):
            if number in self._core:
                answer = self._asked.ask(sorted(self._core - {number}))
                if isinstance(answer, frozenset):
                    self._core = answer
                else:
                    self._correct(self._core - {number})
        self.minimality = Minimality.IRREDUCIBLE

    def _is_too_much(self, candidate: frozenset[int]) -> bool:
        if isinstance(self._asked.ask(sorted(candidate)), frozenset):
            return True
        self._correct(candidate)
        return False

    def _correct(self, together: frozenset[int]) -> None:
        """Add every condition that still goes together with these; the rest is a correction set."""
        kept = together
        for number in sorted(self._everything - together):
            if not isinstance(self._asked.ask(sorted(kept | {number})), frozenset):
                kept |= {number}
        self._corrections.add(self._everything - kept)


class _Corrections:
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
            raise _GaveUpError
        return bool(result == z3.sat)


def _one(term: Term) -> Term:
    return conj((term,))
