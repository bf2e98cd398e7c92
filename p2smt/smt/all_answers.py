"""All answers of a question in one check: each answer is excluded as it comes, and the search goes on from there.

Problem: all models of constraints, seen through some code bits (projected AllSAT). A solver that is asked again after
every answer, as `query.all_codes` does, begins anew every time, which costs more than the search once there are
hundreds of answers.

Method: blocking clauses inside one search (McMillan, "Applying SAT methods in unbounded symbolic model checking",
2002), added by a user propagator (Bjorner, Eisenhofer and Kovacs, "Satisfiability modulo custom theories in Z3",
2023). The solver shows every complete assignment of the code bits and is told that its first bits b[0] ... b[w-1]
clash:
    not (b[0] = v[0] and ... and b[w-1] = v[w-1]),
the clause that blocks the answer and all that differ from it in later bits alone. The check ends with unsat when there
is nothing more. Constraints are turned into propositional ones first, so that a complete assignment is a model.

Complexity: one conflict for each answer, beside the search for the first one.

Example: two free bits of which at least one holds, both significant: the search stops at the codes 1, 2 and 3 in some
order, each blocked as it comes, and then ends with unsat.
"""

from collections.abc import Callable, Iterable, Sequence
from ctypes import c_void_p

import z3
from z3 import z3core

from p2smt.smt import deadlines
from p2smt.smt.answer import Enumeration, Stop
from p2smt.smt.interrupts import Interruptible, checked
from p2smt.smt.terms import Bool, Term, literal

OPTIONS: dict[str, int | bool] = {"ctrl_c": False, "relevancy": 0, "phase_selection": 0}
"""Options of z3: its own Ctrl-C handling is off (see `interrupts.py`), every term is assigned, false is tried first."""

# Sums of weighted bits and bit-vectors become clauses over fresh bits, which are functions of the code bits.
# The first tactic refuses questions about bit-vectors, so it is left out for them.
_PROPOSITIONAL = ("simplify", ("pb2bv", "skip"), "bit-blast", "simplify")


@Interruptible()
def all_answers(
    name: str,
    bits: Sequence[Bool],
    constraints: Iterable[Term],
    width: Callable[[int], int],
    deadline: float | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> Enumeration[int]:
    """The codes of all answers, as `query.all_codes` returns them: the values of the bits, least significant first.

    `width(code)` is the number of leading bits that distinguish this answer from all others.
    `deadline` is a time of `time.monotonic`; at the deadline, on Ctrl-C or if the solver gives up,
    the answers so far are returned. `on_progress` receives the number of answers after each one.
    """
    if deadlines.is_over(deadline):
        return Enumeration((), Stop.DEADLINE)
    # A user propagator needs z3's SMT core, which SimpleSolver always is; SolverFor may choose another solver.
    solver = z3.SimpleSolver()
    for option, value in OPTIONS.items():
        solver.set(option, value)
    if deadline is not None:
        # Whole milliseconds, at least one: z3 does not take 0 for "no time left".
        solver.set("timeout", max(1, int(deadlines.seconds_left(deadline) * 1000)))
    solver.add(_propositional(constraints))
    listing = _AnswerList(solver, bits, width, deadline, on_progress)
    # The C function is called directly: z3's own `check` would convert its arguments where Ctrl-C may be lost.
    context, none = solver.ctx.ref(), (z3core.Ast * 0)()
    try:
        result = checked(lambda: z3core.Z3_solver_check_assumptions(context, solver.solver, 0, none), solver.interrupt)
        if listing.error is not None:
            raise listing.error
    except KeyboardInterrupt:
        return Enumeration(listing.codes, Stop.INTERRUPTED)
    if result == z3.Z3_L_FALSE:
        return Enumeration(listing.codes, Stop.EXHAUSTED)
    if deadlines.has_ended(deadline):
        return Enumeration(listing.codes, Stop.DEADLINE)
    return Enumeration(listing.codes, Stop.UNKNOWN, f"{name}: {solver.reason_unknown()}")


def _propositional(constraints: Iterable[Term]) -> list[Bool]:
    """Return purely boolean constraints with the same models of the code bits."""
    terms = [literal(term) if isinstance(term, bool) else term for term in constraints if term is not True]
    goal = z3.Goal()
    goal.add(terms)
    # Terms that are propositional already keep their sharing; the tactics would only copy them.
    if z3.Probe("is-propositional")(goal):
        return terms
    tactics = [z3.OrElse(*one) if isinstance(one, tuple) else one for one in _PROPOSITIONAL]
    return [term for part in z3.Then(*tactics)(goal) for term in part]


class _AnswerList:
    """Callbacks for the code bits during the search; z3 calls the four methods that begin with `_on`.

    `_fixed` holds the weight in the code (or 0) of every assigned bit, in order of assignment; `_marks` holds its
    length at the start of each solver scope. An exception in a callback is kept in `error`.
    """

    def __init__(
        self,
        solver: z3.Solver,
        bits: Sequence[Bool],
        width: Callable[[int], int],
        deadline: float | None,
        on_progress: Callable[[int], None] | None,
    ) -> None:
        self.error: BaseException | None = None
        self._width, self._deadline, self._on_progress = width, deadline, on_progress
        self._codes: dict[tuple[int, int], int] = {}
        self._fixed: list[int] = []
        self._marks: list[int] = []
        self._bits = tuple(bits)
        self._weights = {bit.ast.value: 1 << place for place, bit in enumerate(bits)}
        # One array for each length of a clause, made once: they are handed to z3 at every answer.
        self._prefixes = [(z3core.Ast * size)(*[bit.ast for bit in bits[:size]]) for size in range(len(bits) + 1)]
        self._context = solver.ctx.ref()
        self._true, self._false = literal(True), literal(False)
        self._truth, self._none = self._true.ast.value, (z3core.Ast * 0)()
        # z3 keeps bare function pointers. These objects must live as long as the solver, or it calls freed memory.
        self._callbacks = (
            z3core.Z3_push_eh(self._on_push),
            z3core.Z3_pop_eh(self._on_pop),
            # Called when z3 wants the propagator in a second context (parallel search, for instance), which does not
            # happen here.
            z3core.Z3_fresh_eh(lambda *_: None),
            z3core.Z3_fixed_eh(self._on_fixed),
            z3core.Z3_final_eh(self._on_complete),
        )
        push, pop, fresh, fixed, final = self._callbacks
        z3core.Z3_solver_propagate_init(self._context, solver.solver, None, push, pop, fresh)
        z3core.Z3_solver_propagate_fixed(self._context, solver.solver, fixed)
        z3core.Z3_solver_propagate_final(self._context, solver.solver, final)
        for bit in bits:
            z3core.Z3_solver_propagate_register(self._context, solver.solver, bit.ast)

    @property
    def codes(self) -> tuple[int, ...]:
        """Return the codes found so far, in order."""
        return tuple(self._codes.values())

    def _on_push(self, _: int | None, callback: int) -> None:
        self._marks.append(len(self._fixed))

    def _on_pop(self, _: int | None, callback: int, scopes: int) -> None:
        # Backtracking: all that was fixed since the outermost of these scopes began is open again.
        del self._fixed[self._marks[-scopes] :]
        del self._marks[-scopes:]

    def _on_fixed(self, _: int | None, callback: int, term: int, value: int) -> None:
        # A bit is fixed once in each branch, so the code of a complete assignment is a plain sum.
        self._fixed.append(self._weights[term] if value == self._truth else 0)

    def _on_complete(self, _: int | None, callback: int) -> None:
        """Record the code and exclude it; to end the search, accept the assignment instead."""
        try:
            first_bits = self._noted(sum(self._fixed))
            if deadlines.is_over(self._deadline):
                return
            z3core.Z3_solver_propagate_consequence(
                self._context,
                c_void_p(callback),
                first_bits,
                self._prefixes[first_bits],
                0,
                self._none,
                self._none,
                self._false.ast,
            )
        except BaseException as error:  # nothing can be raised through z3
            self.error = error

    # A clause may be dropped by z3 on backtracking; the key makes a repeated answer count once.
    def _noted(self, code: int) -> int:
        """Record a code, and return the number of leading bits to exclude; a repeated code counts once."""
        assert len(self._fixed) == len(self._bits), "an assignment is complete"
        first_bits = self._width(code)
        known = len(self._codes)
        self._codes.setdefault((first_bits, code & ((1 << first_bits) - 1)), code)
        if self._on_progress is not None and len(self._codes) > known:
            self._on_progress(len(self._codes))
        return first_bits
