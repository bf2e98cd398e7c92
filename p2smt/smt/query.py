"""One question to the solver, and all its answers by blocking clauses.

A query has named code bits; everything else in its formula is a function of them. Every answer is read back
as one integer over these bits and excluded by one clause, so the models are tiny and no answer comes twice.

`Query.first` is the lexicographically least model, whatever was asked before: with bits b[0], b[1], ...
    v[i] = 0 if the constraints hold with b[0] = v[0], ..., b[i-1] = v[i-1], b[i] = 0 for some other bits, else 1,
by one question for each bit that the last model has set; the others are 0 in it already (Nadel and Ryvchin, "Bit-vector
optimization", TACAS 2016).

Example: b[0] or b[1]. The model 11 is found; is there one with b[0] = 0? Yes, 01; b[1] = 0 as well? No. So 01 is first.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from p2smt.smt.answer import Answer, Enumeration, NoAnswer, Sat, Stop, Unsat
from p2smt.smt.bitvectors import number, word
from p2smt.smt.interrupts import Interruptible
from p2smt.smt.solver import NOTHING, Solver
from p2smt.smt.terms import Bool, Term, either, literal, neg


class Query:
    """Constraints over code bits, for z3's finite-domain solver."""

    def __init__(self, name: str, bits: Sequence[Bool], constraints: Iterable[Term]) -> None:
        self.name = name
        self._bits = tuple(bits)
        self._opposites = tuple(neg(bit) for bit in bits)
        # One bit-vector over all code bits, so that a model is read by a single evaluation instead of one for each
        # bit.
        self._word = word([either(bit, number(1, 1), number(0, 1)) for bit in bits]) if self._bits else number(0, 1)
        self._solver = Solver(name, constraints)

    def ask(self, deadline: float | None = None, assumptions: Mapping[int, Bool] = NOTHING) -> Answer[int]:
        """Solve once, like `Solver.ask`; the model is an integer of the code bits, the first bit least significant."""
        answer = self._solver.ask(deadline, assumptions)
        return Sat(answer.model.number(self._word)) if isinstance(answer, Sat) else answer

    def first(self, deadline: float | None = None, assumptions: Mapping[int, Bool] = NOTHING) -> Answer[int]:
        """Return the lexicographically least model (false before true, first bit first), in the form of `ask`.

        It does not depend on earlier queries. It takes one more query for each bit that is 1 in the current model.
        """
        answer = self.ask(deadline, assumptions)
        fixed: dict[int, Bool] = {}
        for place, bit in enumerate(self._bits):
            # Assumptions go by numbers: the caller's are 0, 1, 2 ..., so ~place (-1, -2, ...) never meets one of
            # them.
            number = ~place
            if not isinstance(answer, Sat):
                break
            fixed[number] = self._opposites[place]
            if not (answer.model >> place) & 1:
                continue
            match self.ask(deadline, {**assumptions, **fixed}):
                case Sat() as lower:
                    answer = lower
                case Unsat():
                    # No model has this bit 0: it is 1 in the one at hand, which stays.
                    fixed[number] = bit
                case NoAnswer() as unknown:
                    answer = unknown
        return answer

    def block(self, code: int, first_bits: int) -> None:
        """Exclude all answers that agree with `code` on the first `first_bits` bits."""
        # Only the bits that tell this answer from others: a shorter clause excludes all that differ in later bits
        # alone.
        others = [(self._opposites if (code >> place) & 1 else self._bits)[place] for place in range(first_bits)]
        self._solver.add_clause(others or [literal(False)])


@Interruptible()
def all_codes(
    query: Query,
    width: Callable[[int], int],
    deadline: float | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> Enumeration[int]:
    """Return the codes of all answers of a query, in the order in which they are found.

    `width(code)` is the number of leading bits that distinguish this answer from all others. `deadline` is a time of
    `time.monotonic`; at the deadline, on Ctrl-C or if the solver gives up, the answers so far are returned.
    `on_progress` receives the number of answers after each one.
    """
    codes: list[int] = []
    try:
        while True:
            match query.ask(deadline):
                case Sat(code):
                    codes.append(code)
                    query.block(code, width(code))
                case Unsat():
                    return Enumeration(tuple(codes), Stop.EXHAUSTED)
                case NoAnswer(reason, stop):
                    return Enumeration(tuple(codes), stop, reason if stop is Stop.UNKNOWN else "")
            if on_progress is not None:
                on_progress(len(codes))
    except KeyboardInterrupt:
        return Enumeration(tuple(codes), Stop.INTERRUPTED)
