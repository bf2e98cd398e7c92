"""Explains why no program fits a sketch, by a smallest unsatisfiable core of its conditions.

A set of conditions is unsatisfiable if no valid program of up to `limit + LONGER` steps meets all of them.

Every condition i has a literal s[i], and one query with
    valid(program of at most limit + LONGER steps)   and   s[i] implies condition i,   for all i,
answers for every subset by assuming its literals. `smt/cores.py` searches for the smallest subset that is
unsatisfiable. To show that each condition of it is needed, the shortest program without it is found by assuming the end
of the program after 0, 1, 2, ... steps.
Complexity: that of the core search, and one query for each length.
Reference: Liffiton and Sakallah, "Algorithms for computing minimal unsatisfiable subsets of constraints", 2008; Een and
Sorensson, "An extensible SAT-solver", 2003 (assumptions).

Example: an all-reduce with at most one step that begins with a ReduceScatter. The two conditions conflict; without the
limit, ReduceScatter and AllGather is a program, and without the first step, AllReduce is one.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from p2smt.collective import Collective
from p2smt.problem.model import Grammar
from p2smt.problem.system.tree import Tree
from p2smt.reduction.language.language import Language, Steps
from p2smt.reduction.language.outline import Condition, MastersReduceAll, Outline, conditions_of
from p2smt.reduction.rules.choices import InstructionChoice, ProgramCode
from p2smt.reduction.rules.completion import fitting
from p2smt.reduction.rules.shapes import unrolled_on
from p2smt.smt.answer import Answer, NoAnswer, Sat, Stop, Unsat
from p2smt.smt.cores import CoreSearch, Minimality
from p2smt.smt.deadlines import is_over
from p2smt.smt.interrupts import Interruptible
from p2smt.smt.query import Query
from p2smt.smt.terms import Bool, Term, conj, constants, disj, implies

_LATE = NoAnswer("time is up", Stop.DEADLINE)
# The usual mistake is a limit one or two steps too low; longer programs make the query larger.
LONGER = 2
"""The number of steps by which a program may exceed the limit when conditions are relaxed."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """Conditions that no valid program of at most `most_steps` steps meets together, in the sketch's order.

    `without[i]` is the first of the shortest valid programs that meet all conditions but number `i`; None if it was not
    found in time.
    """

    conditions: tuple[Condition, ...]
    minimality: Minimality
    most_steps: int
    without: tuple[Steps | None, ...]


@Interruptible()
def explain_conflict(
    outline: Outline, language: Language, limit: int, deadline: float | None = None, tree: Tree | None = None
) -> Conflict | None:
    """Return the first of the smallest cores of an outline that no program of at most `limit` steps fits.

    `tree` is as for `completions`. At the deadline, on Ctrl-C or if the solver gives up, returns the best core so far,
    or None.
    """
    conditions = conditions_of(outline, language.grammar)
    question = _RelaxedQuery(outline, language, limit, conditions, deadline, tree)
    search = CoreSearch(question.ask, len(conditions))
    without: Sequence[Steps | None] = ()
    with suppress(KeyboardInterrupt):
        search.run()
        without = search.without(question.first)
    if search.core is None:
        return None
    return Conflict(
        tuple(conditions[number] for number in search.core),
        search.minimality,
        question.most_steps,
        tuple(without) or (None,) * len(search.core),
    )


class _RelaxedQuery:
    """A query for a valid program that meets a chosen subset of the conditions, which are given by number."""

    def __init__(
        self,
        outline: Outline,
        language: Language,
        limit: int,
        conditions: Sequence[Condition],
        deadline: float | None,
        tree: Tree | None,
    ) -> None:
        self.most_steps = limit + LONGER
        self._deadline = deadline
        self._literals = constants("condition", len(conditions))
        self._holds = dict(zip(conditions, self._literals, strict=True))
        # The grammar is one of the conditions here, so the query itself allows everything.
        self._code = ProgramCode(replace(language, grammar=Grammar.FULL), self.most_steps)
        self._query: Query | None = None
        self._outline = outline
        self._tree = tree
        self._limit = limit

    def ask(self, numbers: Sequence[int]) -> Answer[Steps]:
        """Return a program that meets these conditions, or the numbers of an unsatisfiable subset."""
        # Built on first use and kept; None means that the deadline passed meanwhile, and a later
        # call tries again.
        query = self._query = self._query or self._built()
        if query is None:
            return _LATE
        answer = query.ask(self._deadline, self._demanded(numbers))
        return Sat(self._code.steps(answer.model)) if isinstance(answer, Sat) else answer

    def first(self, numbers: Sequence[int]) -> Answer[Steps]:
        """Return the first of the shortest programs that meet these conditions; other answers are as for `ask`."""
        answer = self.ask(numbers)
        if self._query is None or not isinstance(answer, Sat):
            return answer
        some = len(answer.model)
        # The model at hand is an upper bound; lengths are tried from 0, so the first that has a program is the
        # shortest.
        for length in range(some + 1):
            # The code of the end, bit by bit, is assumed after the `length`-th instruction;
            # assumptions are numbered behind the conditions, so that a core of conditions still
            # reads by number.
            ended = enumerate(self._code.ended(length), start=len(self._literals)) if length < self.most_steps else ()
            match self._query.first(self._deadline, {**self._demanded(numbers), **dict(ended)}):
                case Sat(code):
                    return Sat(self._code.steps(code))
                case NoAnswer() as unknown:
                    return unknown
                case Unsat():
                    pass
        raise AssertionError(f"there is a program of {some} steps, and none that has as many")

    def _demanded(self, numbers: Sequence[int]) -> dict[int, Bool]:
        return {number: self._literals[number] for number in numbers}

    def _built(self) -> Query | None:
        """Build the query for valid programs in grammar full, with each condition implied by its literal.

        None if the deadline passes meanwhile.
        """
        code = self._code
        needs: list[Term] = []
        for _, terms in unrolled_on(self._tree, code):
            if is_over(self._deadline):
                return None
            needs += terms
        choices = [code.choice(place) for place in range(code.limit)]
        needs += self._masters_reduce_all(choices)
        needs.append(fitting(self._outline, choices, self._limit, self._holds.__getitem__))
        return Query("programs that meet some conditions of the sketch", code.bits, needs)

    def _masters_reduce_all(self, choices: Sequence[InstructionChoice]) -> Iterator[Term]:
        """Yield constraints that restrict masters to AllReduce, if the grammar does."""
        condition = self._holds.get(MastersReduceAll())
        if condition is not None:
            masters = [grouping for grouping in self._code.language.groupings if grouping.masters]
            yield implies(
                condition,
                conj(
                    implies(
                        disj(choice.groupings[grouping] for grouping in masters),
                        choice.collectives[Collective.ALL_REDUCE],
                    )
                    for choice in choices
                ),
            )
