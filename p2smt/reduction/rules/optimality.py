"""The proof obligation for a winner: no valid program of at most `limit` instructions costs less.

Query: the unrolled programs over the level algebra (`rules/programs.py`) and one pseudo-Boolean sum. Instruction i has
an integer price that depends on its grouping, its collective and the levels that are scattered on the roots of its
groups, so

    is there a valid program with  price[1] + ... + price[limit] < bound ?

Unsat proves the bound. Local permutations have no price here, so the sum is a lower bound on a program's cost. The
caller prices a program found below the bound in full, and excludes it by name if it does not beat the winner after all.

Prices are integers because a sum of rounded seconds proves nothing; prices above the bound are clamped to it, which
keeps the adders narrow. Reference: this is the decision version of weighted bounded model checking; the bound is
checked independently in `encodings/optimality/`.

Example (`catalogue/optimality.py`): two levels of two devices, with prices such that the best program costs 48. The
query with bound 48 is unsat, with bound 49 sat.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from p2smt.reduction.language.language import Language, Step, Steps
from p2smt.reduction.rules.choices import InstructionChoice, ProgramCode
from p2smt.reduction.rules.level_rules import LevelRules, LevelState
from p2smt.reduction.rules.programs import unrolled
from p2smt.reduction.semantics.level_algebra import class_groups
from p2smt.smt.answer import NoAnswer, Sat, Stop, Unsat
from p2smt.smt.bitvectors import BitVec, below, number
from p2smt.smt.deadlines import is_over
from p2smt.smt.interrupts import Interruptible
from p2smt.smt.query import Query
from p2smt.smt.smtlib import Group, Script, Status
from p2smt.smt.terms import Term, conj, disj, either, neg, select, spells

Prices = Mapping[Step, Mapping[int, int]]
"""A price >= 0 for each step of a language and each set of levels in `scatterable(step)`.

A step costs as much as its dearest group; a group costs the price for the levels scattered on its root.
"""

# Bounds that are tried with a deadline, in eighths of the one wanted: low ones are quick and already say something.
_EIGHTHS = (2, 4, 6, 7, 8)


@dataclass(frozen=True, slots=True)
class OptimalityProof:
    """The result that every valid program costs at least the bound.

    The `excluded` programs have prices below it, but their full cost, including permutations, is not.
    """

    excluded: tuple[Steps, ...]


@dataclass(frozen=True, slots=True)
class CostBound:
    """The partial result that every valid program but the `excluded` costs at least `lower_bound`.

    `reason` is Stop.DEADLINE, Stop.INTERRUPTED or the solver's own reason.
    """

    lower_bound: int
    reason: str
    excluded: tuple[Steps, ...] = ()


@dataclass(frozen=True, slots=True)
class CheaperProgram:
    """A valid program that costs less than the bound."""

    steps: Steps


Outcome = OptimalityProof | CostBound | CheaperProgram


@dataclass(frozen=True, slots=True)
class PricedState:
    """A state of the level algebra, and the sum of the prices of the steps before it."""

    holdings: LevelState
    total: BitVec


class PricedRules:
    """The rules of the level algebra with accumulated prices; a sum of `limit` prices fits into `width` bits."""

    def __init__(self, language: Language, prices: Prices, width: int) -> None:
        self._rules = LevelRules(language)
        self._prices = prices
        self._width = width
        self._roots = {g: [group[0] for group in class_groups(g, language.levels)] for g in language.groupings}
        self.totals: list[BitVec] = []

    def start(self) -> PricedState:
        """Return the initial state with cost 0."""
        return PricedState(self._rules.start(), self._number(0))

    def at_goal(self, state: PricedState) -> Term:
        """A term: the state reaches the goal of the level algebra, at any cost."""
        return self._rules.at_goal(state.holdings)

    def apply(self, state: PricedState, choice: InstructionChoice) -> tuple[PricedState, list[Term]]:
        """Return the state after the step with its price added, and the preconditions (independent of prices)."""
        after, needs = self._rules.apply(state.holdings, choice)
        total = state.total + self._price(state.holdings, choice)
        self.totals.append(total)
        return PricedState(after, total), needs

    def _number(self, value: int) -> BitVec:
        return number(value, self._width)

    def _price(self, holdings: LevelState, choice: InstructionChoice) -> BitVec:
        """Return the price of the chosen step; 0 after the end."""
        scattered: dict[tuple[int, int], Term] = {}
        cases: list[tuple[Term, BitVec]] = []
        for (grouping, collective), by_set in self._prices.items():
            chosen = conj((choice.groupings[grouping], choice.collectives[collective]))
            roots = self._roots[grouping]
            for root in roots:
                for levels in by_set:
                    if (root, levels) not in scattered:
                        scattered[root, levels] = spells(holdings[root].scattered, levels)
            cases.append((chosen, self._dearest(by_set, roots, scattered)))
        return select(cases, self._number(0))

    def _dearest(
        self, by_set: Mapping[int, int], roots: Sequence[int], scattered: Mapping[tuple[int, int], Term]
    ) -> BitVec:
        """Return the highest price among the roots, given the levels that are scattered on each."""
        # Ascending, so that the last condition that holds sets the dearest price: a chain of ifs in place of
        # comparisons.
        cheapest, *others = sorted(set(by_set.values()))
        value = self._number(cheapest)
        for price in others:
            sets = [levels for levels, other in by_set.items() if other == price]
            some = disj(scattered[root, levels] for root in roots for levels in sets)
            value = either(some, self._number(price), value)
        return value


class CostObligation:
    """The query for a valid program that costs less than a bound, ready to be solved or exported."""

    def __init__(self, bound: int, code: ProgramCode, groups: tuple[Group, ...], totals: Sequence[BitVec]) -> None:
        """Store the query's parts; `totals[i]` is the sum of the prices of the first `i + 1` instructions."""
        self.bound = bound
        self.code = code
        self._groups = groups
        self._totals = totals
        self._choices = [code.choice(place) for place in range(code.limit)]

    def query(self, bound: int, excluded: Sequence[Steps] = ()) -> Query:
        """Return the solver query for a bound that is at most the obligation's own."""
        terms = [term for _, terms in self._groups for term in terms]
        return Query(f"programs below {bound}", self.code.bits, [*terms, *self._below(bound), *self._none_of(excluded)])

    def script(
        self, name: str, about: str, source: str, status: Status, bound: int, excluded: Sequence[Steps] = ()
    ) -> Script:
        """Return the same query as an SMT-LIB script."""
        below = (f"All prices together are less than {bound}; so is every sum on the way.", self._below(bound))
        others = f"None of {len(excluded)} programs that cost no less, once their local permutations are paid for."
        named = ((others, self._none_of(excluded)),) if excluded else ()
        return Script(
            name=name,
            about=about,
            source=source,
            status=status,
            constants=tuple(self.code.bits),
            groups=(*self._groups, below, *named),
        )

    def _below(self, bound: int) -> tuple[Term, ...]:
        # Prices are not negative, so every partial sum is below the bound if the total is. Stating
        # it prunes early.
        return tuple(below(total, number(bound, total.size())) for total in self._totals)

    def _none_of(self, excluded: Sequence[Steps]) -> tuple[Term, ...]:
        """Return constraints that exclude these programs.

        No valid program is a prefix of another, so none else is excluded.
        """
        return tuple(
            neg(
                # `strict=False`: a program that is shorter than the limit constrains only its own
                # instructions. A valid program never continues after the goal, so nothing else is
                # excluded.
                conj(
                    term
                    for choice, (grouping, collective) in zip(self._choices, steps, strict=False)
                    for term in (choice.groupings[grouping], choice.collectives[collective])
                )
            )
            for steps in excluded
        )


@Interruptible()
def build_obligation(
    language: Language, limit: int, prices: Prices, bound: int, deadline: float | None = None
) -> CostObligation | None:
    """Build the obligation that no valid program of at most `limit` instructions costs less than `bound`.

    Prices above the bound count as the bound, since one such step already violates it. None after the deadline.
    """
    capped = {step: {levels: min(price, bound) for levels, price in by.items()} for step, by in prices.items()}
    # Wide enough for `limit` prices of at most `bound` each: no sum wraps around.
    rules = PricedRules(language, capped, max(1, (limit * bound).bit_length()))
    code = ProgramCode(language, limit)
    groups: list[Group] = []
    for sentence, terms in unrolled(rules, code):
        if is_over(deadline):
            return None
        groups.append((sentence, tuple(terms)))
    return CostObligation(bound, code, tuple(groups), tuple(rules.totals))


@Interruptible()
def decide(obligation: CostObligation, costs_less: Callable[[Steps], bool], deadline: float | None = None) -> Outcome:
    """Discharge an obligation; every program found is first priced in full by `costs_less`.

    With a deadline (a time of `time.monotonic`), the bound is approached from below, so that a lower bound is known
    when time is up. Ctrl-C has the same effect as the deadline.
    """
    proved = 0
    excluded: list[Steps] = []
    try:
        # Without a deadline an intermediate bound is of no use, so the full bound is asked for at
        # once.
        for eighths in (8,) if deadline is None else _EIGHTHS:
            bound = obligation.bound * eighths // 8
            unknown = _exhaust(obligation, bound, excluded, costs_less, deadline)
            if isinstance(unknown, CheaperProgram):
                return unknown
            if unknown is not None:
                return CostBound(proved, unknown, tuple(excluded))
            proved = bound
    except KeyboardInterrupt:
        return CostBound(proved, Stop.INTERRUPTED, tuple(excluded))
    return OptimalityProof(tuple(excluded))


def _exhaust(
    obligation: CostObligation,
    bound: int,
    excluded: list[Steps],
    costs_less: Callable[[Steps], bool],
    deadline: float | None,
) -> CheaperProgram | str | None:
    """Solve for programs below the bound until one costs less; programs that do not cost less are excluded.

    None if no program is left below the bound, a string with the reason if the search stopped early.
    """
    query = obligation.query(bound, excluded)
    while True:
        match query.ask(deadline):
            case Unsat():
                return None
            case NoAnswer(reason, stop):
                return reason if stop is Stop.UNKNOWN else stop
            case Sat(code):
                steps = obligation.code.steps(code)
                if costs_less(steps):
                    return CheaperProgram(steps)
                excluded.append(steps)
                query.block(code, obligation.code.significant(code))
