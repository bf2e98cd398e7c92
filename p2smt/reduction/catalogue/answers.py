"""Answer a script with z3: confirm its claimed status and count its models."""

from collections.abc import Iterator
from dataclasses import replace

from p2smt.smt.answer import NoAnswer, Sat, Unsat
from p2smt.smt.smtlib import Expression, Script, Status
from p2smt.smt.solver import Model, Solver
from p2smt.smt.terms import Bool, Term, disj, neg


def answered(script: Script) -> Script:
    """Solve the script, check its claimed status, and fill in `models` if it has `counted` constants.

    The status follows from a rule or a theorem, so a different answer of z3 is an internal error.
    """
    solver = Solver(script.name, (term for _, terms in script.groups for term in terms))
    models = sum(1 for _ in _models(solver, script.counted)) if script.counted else None
    status = _status(solver) if models is None else Status.SAT if models else Status.UNSAT
    assert status is script.status, f"{script.name} is said to be {script.status}, z3 says {status}"
    return replace(script, models=models)


def _status(solver: Solver) -> Status:
    match solver.ask():
        case Sat():
            return Status.SAT
        case Unsat():
            return Status.UNSAT
        case NoAnswer(reason):
            raise AssertionError(f"z3 gave up: {reason}")


def _models(solver: Solver, counted: tuple[Expression, ...]) -> Iterator[Model]:
    """Yield one model per assignment of the counted constants; each is excluded by one blocking clause."""
    while True:
        match solver.ask():
            case Sat(model):
                yield model
                solver.add([disj(_differs(constant, model) for constant in counted)])
            case Unsat():
                return
            case NoAnswer(reason):
                raise AssertionError(f"z3 gave up counting: {reason}")


def _differs(constant: Expression, model: Model) -> Term:
    if isinstance(constant, Bool):
        return neg(constant) if model.holds(constant) else constant
    return constant != model.number(constant)
