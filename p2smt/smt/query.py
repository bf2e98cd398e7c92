"""One question to the solver, and all its answers by blocking clauses.

A query has named code bits; everything else in its formula is a function of them. Every answer is read back
as one integer over these bits and excluded by one clause, so the models are tiny and no answer comes twice.
"""

import time
from collections.abc import Callable, Iterable, Sequence

import z3
from z3 import z3core

from p2smt.smt.answer import Answer, Enumeration, Sat, Stop, Unknown, Unsat
from p2smt.smt.terms import Term, conj, neg


class Query:
    """Constraints over code bits, for z3's finite-domain solver."""

    def __init__(self, name: str, bits: Sequence[Term], constraints: Iterable[Term]) -> None:
        self.name = name
        self._bits = list(bits)
        self._opposites = [neg(bit) for bit in self._bits]
        self._declarations = [bit.decl().ast for bit in self._bits]
        self._solver = z3.SolverFor("QF_FD")
        self._context = self._solver.ctx.ref()
        self._solver.add([term for term in (conj((constraint,)) for constraint in constraints) if term is not True])

    def check(self, deadline: float | None = None) -> Answer:
        """Ask once; `deadline` is a time of `time.monotonic`."""
        if deadline is not None:
            self._solver.set("timeout", max(1, int((deadline - time.monotonic()) * 1000)))
        result = self._solver.check()
        if result == z3.sat:
            return Sat(self._read())
        return Unsat() if result == z3.unsat else Unknown(self._solver.reason_unknown())

    def block(self, code: int, first_bits: int) -> None:
        """Exclude every answer that agrees with `code` on the first bits."""
        literals = [
            (self._opposites if code >> place & 1 else self._bits)[place].as_ast() for place in range(first_bits)
        ]
        if not literals:
            self._solver.add(False)
            return
        clause = z3core.Z3_mk_or(self._context, len(literals), (z3core.Ast * len(literals))(*literals))
        z3core.Z3_inc_ref(self._context, clause)
        z3core.Z3_solver_assert(self._context, self._solver.solver, clause)
        z3core.Z3_dec_ref(self._context, clause)

    def _read(self) -> int:
        # Reading through z3's Python objects costs ten times as much as the solver's own work.
        model = z3core.Z3_solver_get_model(self._context, self._solver.solver)
        z3core.Z3_model_inc_ref(self._context, model)
        code = 0
        for place, declaration in enumerate(self._declarations):
            value = z3core.Z3_model_get_const_interp(self._context, model, declaration)
            if value and z3core.Z3_get_bool_value(self._context, value) == z3.Z3_L_TRUE:
                code |= 1 << place
        z3core.Z3_model_dec_ref(self._context, model)
        return code


def all_codes(
    query: Query,
    width: Callable[[int], int],
    deadline: float | None = None,
    progress: Callable[[int], None] | None = None,
) -> Enumeration[int]:
    """The codes of all answers of a query, in the order in which they come.

    `width(code)` is the number of first bits that tell this answer from all others. `deadline` is a time of
    `time.monotonic`; it, Ctrl-C and an unknown of the solver end the search with what was found so far.
    `progress` is told the number of answers after each.
    """
    found: list[int] = []
    try:
        while True:
            if deadline is not None and time.monotonic() >= deadline:
                return Enumeration(tuple(found), Stop.DEADLINE)
            match query.check(deadline):
                case Sat(code):
                    found.append(code)
                    query.block(code, width(code))
                case Unsat():
                    return Enumeration(tuple(found), Stop.EXHAUSTED)
                case Unknown(reason):
                    stop = _why(reason, deadline)
                    return Enumeration(tuple(found), stop, f"{query.name}: {reason}" * (stop is Stop.UNKNOWN))
            if progress is not None:
                progress(len(found))
    except KeyboardInterrupt:
        return Enumeration(tuple(found), Stop.INTERRUPTED)


def _why(reason: str, deadline: float | None) -> Stop:
    if "interrupt" in reason:
        return Stop.INTERRUPTED
    if deadline is not None and time.monotonic() >= deadline - 0.05:
        return Stop.DEADLINE
    return Stop.UNKNOWN
