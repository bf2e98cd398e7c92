"""Why no program fits a sketch: the fewest of its conditions that cannot go together.

A set of conditions is too much when no valid program of up to `limit + LONGER` steps meets all of them.
"""

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

import z3

from p2smt.collective import Collective
from p2smt.problem.model import Grammar
from p2smt.reduction.language.language import Language
from p2smt.reduction.language.outline import Condition, MastersReduceAll, Outline, conditions_of
from p2smt.reduction.rules.choices import ProgramCode
from p2smt.reduction.rules.completion import Steps, fitting
from p2smt.reduction.rules.level_rules import LevelRules
from p2smt.reduction.rules.programs import unrolled
from p2smt.smt.answer import Answer, Sat, Unknown, Unsat
from p2smt.smt.cores import CoreSearch, GaveUpError, Minimality
from p2smt.smt.terms import Term, conj, constants, disj, implies

LONGER = 2
"""How many more steps than the limit a program may have where conditions are left out."""


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
    search: CoreSearch[Steps] | None = None
    try:
        asked = _Relaxed(outline, language, limit, conditions, deadline)
        search = CoreSearch(asked.ask, len(conditions))
        search.run()
        without = search.without()
    except (KeyboardInterrupt, GaveUpError):
        if search is None or search.core is None:
            return None
        without = [None] * len(search.core)
    core = search.core
    assert core is not None, "the conditions go together"
    steps = tuple(without)
    return Conflict(tuple(conditions[number] for number in core), search.minimality, asked.most_steps, steps)


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
                raise GaveUpError
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
            raise GaveUpError

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


def _one(term: Term) -> Term:
    return conj((term,))
