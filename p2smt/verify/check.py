"""Verify a plan by direct execution and by the solver, which must agree."""

from fractions import Fraction

from p2smt.smt import answer
from p2smt.verify.difference import difference, evaluated
from p2smt.verify.judge import judge
from p2smt.verify.plan import VerificationPlan
from p2smt.verify.plan_verdict import NoPlan, PlanMistake, PlanProof, PlanVerdict, Vacuity
from p2smt.verify.verdict import Proved, Refuted, Unknown

MOST_TERMS = 2**21


def verify(plan: VerificationPlan | NoPlan, deadline: float | None = None) -> PlanVerdict:
    """Return the verdict on a plan, determined in two ways; `deadline` is a time of `time.monotonic`.

    A mistake found by an importer refutes the file. A plan that direct execution finds right is proved if the
    solver proves that no inputs yield a wrong result. It is unknown if the solver gives no answer, or if the
    plan has more than 2^21 contributions and summands. Otherwise the numbers that show the mistake are
    recomputed by the solver's rules.
    """
    match plan:
        case PlanMistake():
            return Refuted(plan)
        case Unknown():
            return plan
        case VerificationPlan():
            return _agreed(plan, judge(plan), deadline)


def _agreed(plan: VerificationPlan, verdict: PlanVerdict, deadline: float | None) -> PlanVerdict:
    """Return the verdict of direct execution, if the solver's rules agree."""
    match verdict:
        case Proved():
            return _proved(plan, verdict, deadline)
        case Refuted(counter_example):
            return _replayed(plan, counter_example)
        case Unknown():
            return verdict


def _proved(plan: VerificationPlan, verdict: Proved[PlanProof], deadline: float | None) -> PlanVerdict:
    if _terms(plan) > MOST_TERMS:
        return Unknown(f"more than {MOST_TERMS} terms for the solver")
    match difference(plan, deadline):
        case answer.Unsat():
            return verdict
        case answer.Sat(found):
            return _disagreement(f"direct execution finds the plan right, the solver finds {found}")
        case answer.NoAnswer(_, answer.Stop.DEADLINE):
            return Unknown("the solver had no answer when the time was up; give it more (--timeout SECONDS)")
        case answer.NoAnswer(reason):
            return Unknown(f"solver: {reason}")


def _replayed(plan: VerificationPlan, found: PlanMistake | Vacuity) -> PlanVerdict:
    example = None if isinstance(found, Vacuity) else found.example
    if example is None or _terms(plan) > MOST_TERMS:
        return Refuted(found)
    numbers = evaluated(plan, example.contributions, example.device, example.at)
    if numbers != (Fraction(example.got), Fraction(example.wanted)):
        return _disagreement(f"direct execution finds {example}, the solver's rules {numbers}")
    return Refuted(found)


def _disagreement(what: str) -> Unknown:
    return Unknown(f"{what}; one of the two is a mistake in p2smt: please report it, with the plan")


def _terms(plan: VerificationPlan) -> int:
    summed = sum(len(group) * step.source.length for step in plan.steps for group in step.groups)
    return plan.devices * plan.goal.source.length + summed
