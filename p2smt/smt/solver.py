"""The common interface to the solver: a named query with a deadline and assumptions; sat, unsat or unknown."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import StrEnum
from types import MappingProxyType

import z3
from z3 import z3core

from p2smt.smt import deadlines
from p2smt.smt.answer import Answer, NoAnswer, Sat, Stop, Unsat
from p2smt.smt.bitvectors import BitVec
from p2smt.smt.interrupts import Interruptible, checked
from p2smt.smt.terms import Bool, Term, identity, literal

# z3 takes a timeout as an unsigned number of 32 bits; the largest one means that there is none.
_NO_LIMIT = 2**32 - 1
NOTHING: Mapping[int, Bool] = MappingProxyType({})


class Logic(StrEnum):
    """The kind of z3 solver to use."""

    FINITE_DOMAIN = "QF_FD"
    BIT_VECTORS = "QF_BV"
    INTEGERS = "QF_LIA"
    FUNCTIONS = "QF_UFLIA"


class Model:
    """An assignment of the constants that satisfies all terms of a query; unconstrained ones are 0 or false."""

    def __init__(self, model: z3.ModelRef) -> None:
        self._model = model

    def number(self, term: BitVec | z3.ArithRef) -> int:
        """Return the value of a bit-vector or integer term."""
        return self._model.eval(term, model_completion=True).as_long()

    def holds(self, term: Bool) -> bool:
        """Return the value of a boolean term."""
        return z3.is_true(self._model.eval(term, model_completion=True))


class Solver:
    """A solver with a set of asserted terms."""

    def __init__(self, name: str, terms: Iterable[Term] = (), logic: Logic = Logic.FINITE_DOMAIN) -> None:
        self.name = name
        self._solver = z3.SolverFor(logic)
        self._solver.set("ctrl_c", False)  # see interrupts.py
        self._context = self._solver.ctx.ref()
        self._milliseconds = _NO_LIMIT
        self.add(terms)

    def add(self, terms: Iterable[Term]) -> None:
        """Assert terms."""
        some = [literal(term) if isinstance(term, bool) else term for term in terms if term is not True]
        self._solver.add(some)

    @Interruptible()
    def ask(self, deadline: float | None = None, assumptions: Mapping[int, Bool] = NOTHING) -> Answer[Model]:
        """Check if terms and assumptions are satisfiable together; `deadline` is a time of `time.monotonic`.

        A core lists assumptions by number. Ctrl-C raises KeyboardInterrupt; the solver can be used again afterwards.
        """
        seconds = deadlines.seconds_left(deadline)
        if seconds <= 0:
            return NoAnswer(f"{self.name}: time is up", Stop.DEADLINE)
        self._limit(seconds)
        terms = [term.ast for term in assumptions.values()]
        given = (z3core.Ast * len(terms))(*terms)

        def check() -> int:
            return z3core.Z3_solver_check_assumptions(self._context, self._solver.solver, len(terms), given)

        result = checked(check, self._solver.interrupt)
        if result == z3.Z3_L_TRUE:
            return Sat(Model(self._solver.model()))
        if result == z3.Z3_L_FALSE:
            return Unsat(self._core(assumptions))
        stop = Stop.DEADLINE if deadlines.has_ended(deadline) else Stop.UNKNOWN
        return NoAnswer(f"{self.name}: {self._solver.reason_unknown()}", stop)

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Open a scope; assertions made inside it are removed at its end."""
        self._solver.push()
        try:
            yield
        finally:
            self._solver.pop()

    def add_clause(self, terms: Sequence[Bool]) -> None:
        """Add a clause: at least one of these terms holds.

        Creates no Python objects, so very many clauses can be added.
        """
        asts = [term.ast for term in terms]
        clause = z3core.Z3_mk_or(self._context, len(asts), (z3core.Ast * len(asts))(*asts))
        # The clause is no Python object, so its references are counted by hand; the solver holds one of its own
        # afterwards.
        z3core.Z3_inc_ref(self._context, clause)
        z3core.Z3_solver_assert(self._context, self._solver.solver, clause)
        z3core.Z3_dec_ref(self._context, clause)

    def _limit(self, seconds: float) -> None:
        milliseconds = max(1, int(min(seconds * 1000, _NO_LIMIT)))
        if milliseconds != self._milliseconds:
            self._solver.set("timeout", milliseconds)
            self._milliseconds = milliseconds

    def _core(self, assumptions: Mapping[int, Bool]) -> frozenset[int]:
        if not assumptions:
            return frozenset()
        # Equal terms are one term for z3, so assumptions with equal terms are all in the core or none of them.
        core = set(map(identity, self._solver.unsat_core()))
        return frozenset(number for number, term in assumptions.items() if identity(term) in core)
