"""The answer of a script by z3: its claimed status confirmed, its models counted."""

from collections.abc import Iterator
from dataclasses import replace

import z3

from p2smt.smt.smtlib import Script, Status
from p2smt.smt.terms import Term


def answered(script: Script) -> Script:
    """The script with `models` filled in where it has `counted` constants.

    A family claims `status` because of a rule or a theorem; that z3 says something else is an error of ours.
    """
    solver = z3.SolverFor("QF_FD")
    solver.add([term for _, terms in script.groups for term in terms])
    found = str(solver.check())
    assert found == script.status, f"{script.name} is said to be {script.status}, z3 says {found}"
    if not script.counted:
        return script
    assert script.status is Status.SAT, f"{script.name}: models of an unsatisfiable script are counted"
    return replace(script, models=sum(1 for _ in _models(solver, script.counted)))


def _models(solver: z3.Solver, counted: tuple[Term, ...]) -> Iterator[z3.ModelRef]:
    """One model per assignment of the counted constants, each excluded by one clause."""
    while (result := solver.check()) == z3.sat:
        model = solver.model()
        yield model
        solver.add(z3.Or([constant != model.eval(constant, model_completion=True) for constant in counted]))
    assert result == z3.unsat, f"z3 gave up counting: {solver.reason_unknown()}"
