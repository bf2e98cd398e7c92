"""The fewest of some conditions that are unsatisfiable together: smallest unsatisfiable cores by hitting sets.

Duality (Reiter, "A theory of diagnosis from first principles", 1987): every unsatisfiable set of conditions meets every
*correction set* (conditions without which the others are consistent). With K the correction sets known so far,
    h = a smallest set that meets every set in K,
is either unsatisfiable, and then nothing smaller is; or consistent, and then it is extended, condition by condition, as
long as it stays consistent, and the rest is a correction set that h misses: K grows (Ignatiev et al., "Smallest MUS
extraction with minimal hitting set dualization", CP 2015). Before that a core is found by deletion, which collects the
first correction sets. It is the answer if time is up: no condition of it can go.

Complexity: `count` questions for the deletion and for each correction set; in the worst case exponentially many
correction sets, so that `_MAX_ROUNDS` ends the search.

Example: n is in 1 ... 29; divisible by 2 (0), by 3 (1), by 5 (2), equal to 7 (3). Deletion ends with {2, 3}; the first
of the smallest cores is {0, 3}.
    >>> conditions = [lambda n: n % 2 == 0, lambda n: n % 3 == 0, lambda n: n % 5 == 0, lambda n: n == 7]
    >>> def ask(numbers):
    ...     met = [n for n in range(1, 30) if all(conditions[number](n) for number in numbers)]
    ...     return Sat(met[0]) if met else Unsat(frozenset(numbers))
    >>> search = CoreSearch(ask, 4)
    >>> search.run(), search.core, search.minimality.value
    (None, (0, 3), 'smallest')
"""

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Generic, TypeVar, assert_never

from p2smt.smt.answer import Answer, NoAnswer, Sat, Unsat
from p2smt.smt.solver import Solver
from p2smt.smt.terms import Bool, at_most, constants, disj

# A bound against exponential runs; an irreducible core is shown then.
_MAX_ROUNDS = 2000

Witness = TypeVar("Witness")


class Minimality(StrEnum):
    """The proved minimality of a core: smallest of all, irreducible (no condition can be removed), or unknown."""

    SMALLEST = "smallest"
    IRREDUCIBLE = "irreducible"
    UNREDUCED = "unreduced"


def minimality_text(minimality: Minimality) -> str:
    """Return a phrase for the minimality of a core, for messages."""
    match minimality:
        case Minimality.SMALLEST:
            return "the fewest that clash"
        case Minimality.IRREDUCIBLE:
            return "none of these can go"
        case Minimality.UNREDUCED:
            return "these clash"
        case _:
            assert_never(minimality)


class CoreSearch(Generic[Witness]):
    """A search for the smallest core of conditions 0 to `count` - 1; holds the best core so far and its minimality.

    `ask` receives ascending condition numbers and returns a witness that meets them all, an unsatisfiable subset, or
    NoAnswer, which ends the search with the best core so far.
    """

    def __init__(self, ask: Callable[[Sequence[int]], Answer[Witness]], count: int) -> None:
        self._ask = ask
        self._everything = frozenset(range(count))
        self._corrections = CorrectionSets(count)
        self._core: frozenset[int] | None = None
        self.minimality = Minimality.UNREDUCED

    @property
    def core(self) -> tuple[int, ...] | None:
        """Return the numbers of the core's conditions; None if no core is known yet."""
        return None if self._core is None else tuple(sorted(self._core))

    def run(self) -> NoAnswer | None:
        """Find an irreducible core, then the first of the smallest ones.

        Returns the reason if the search ends early.
        """
        match self._ask(sorted(self._everything)):
            case NoAnswer() as unknown:
                return unknown
            # The solver's own core often leaves out most conditions at once.
            case Unsat(core):
                self._core = core
            case Sat(witness):
                raise AssertionError(f"the conditions are satisfiable: {witness}")
        return self._reduce(core) or self._shrink()

    def without(self, ask: Callable[[Sequence[int]], Answer[Witness]]) -> list[Witness | None]:
        """Return, for every condition of the core, a witness that meets all others; None if it was not found."""
        core = self._core or frozenset()
        witnesses: list[Witness | None] = [None] * len(core)
        if self.minimality is Minimality.UNREDUCED:
            return witnesses
        for position, number in enumerate(sorted(core)):
            match ask(sorted(core - {number})):
                case Sat(witness):
                    witnesses[position] = witness
                case Unsat():
                    raise AssertionError("the core is not minimal")
                case NoAnswer():
                    break
        return witnesses

    def _reduce(self, core: frozenset[int]) -> NoAnswer | None:
        """Remove conditions one at a time while the rest stays unsatisfiable (deletion-based minimisation)."""
        for number in sorted(core):
            if number not in core:
                continue
            match self._ask(sorted(core - {number})):
                case Unsat(smaller):
                    # `smaller` can lack other conditions as well, so progress can be faster than
                    # one condition per question.
                    self._core = core = smaller
                case Sat():
                    if unknown := self._correct(core - {number}):
                        return unknown
                case NoAnswer() as unknown:
                    return unknown
        self.minimality = Minimality.IRREDUCIBLE
        return None

    def _shrink(self) -> NoAnswer | None:
        """Replace an irreducible core by the first of the smallest cores."""
        assert self._core is not None
        for _ in range(_MAX_ROUNDS):
            # A smaller set misses some correction set, so it lies in the consistent rest: no core is smaller than
            # this.
            candidate = self._corrections.smallest()
            if isinstance(candidate, NoAnswer):
                return candidate
            # No core has fewer members than the candidate; what is still open is which of that size comes first.
            if len(candidate) == len(self._core):
                self.minimality = Minimality.SMALLEST
            match self._ask(sorted(candidate)):
                case Unsat():
                    self._core, self.minimality = candidate, Minimality.SMALLEST
                    return None
                case Sat():
                    if unknown := self._correct(candidate):
                        return unknown
                case NoAnswer() as unknown:
                    return unknown
        return NoAnswer(f"no smallest core after {_MAX_ROUNDS} rounds")

    def _correct(self, consistent: frozenset[int]) -> NoAnswer | None:
        """Add conditions while the set stays consistent, and record the rest, which is a minimal correction set."""
        for number in sorted(self._everything - consistent):
            match self._ask(sorted(consistent | {number})):
                case Sat():
                    consistent |= {number}
                case NoAnswer() as unknown:
                    return unknown
                case Unsat():
                    pass
        self._corrections.add(self._everything - consistent)
        return None


class CorrectionSets:
    """The correction sets known so far, and a solver for the smallest sets that meet all of them."""

    def __init__(self, count: int) -> None:
        self._members = constants("member", count)
        self._size = 0
        # Kept between rounds: correction sets are only ever added, so what the solver has learnt stays true.
        self._solver = Solver("sets that meet all correction sets")

    def add(self, correction: frozenset[int]) -> None:
        """Add a correction set."""
        self._solver.add([disj(self._members[number] for number in correction)])

    def smallest(self) -> frozenset[int] | NoAnswer:
        """Return the smallest set that meets all correction sets; of several, the lexicographically first."""
        while True:
            with self._solver.scope():
                self._solver.add([at_most(self._members, self._size)])
                answer = self._first()
            if not isinstance(answer, Unsat):
                return answer
            self._size += 1  # more sets to meet never need fewer members

    def _first(self) -> frozenset[int] | Unsat | NoAnswer:
        """Return the first set of at most `size` members, taking each member in order if some such set contains it."""
        answer = self._solver.ask()
        if not isinstance(answer, Sat):
            return answer
        taken: dict[int, Bool] = {}
        for number, member in enumerate(self._members):
            match self._solver.ask(assumptions={**taken, number: member}):
                case Sat():
                    taken[number] = member
                case NoAnswer() as unknown:
                    return unknown
                case Unsat():
                    pass
        return frozenset(taken)
