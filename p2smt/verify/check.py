"""The verdict that direct execution and the solver's rules agree on."""

from fractions import Fraction

from p2smt.smt import answer
from p2smt.verify.difference import difference, evaluated
from p2smt.verify.judge import judge
from p2smt.verify.plan import VerificationPlan
from p2smt.verify.verdict import Invalid, NoPlan, Unknown, Vacuous, Valid, Verdict

MOST_TERMS = 2**21


def verify(plan: VerificationPlan | NoPlan, deadline: float | None = None) -> Verdict:
    """Whether a plan is right, decided twice; `deadline` is a time of `time.monotonic`.

    What an importer found to be no plan stays what it is. A plan that direct execution finds right is Valid if the
    solver proves that no numbers make a difference, and Unknown without its word (it gave none, or the plan has more
    than 2^21 contributions and summands). The numbers that show what is wrong with any other are computed once more by
    the solver's rules.
    """
    if isinstance(plan, Invalid | Unknown):
        return plan
    verdict = judge(plan)
    match verdict:
        case Valid():
            return _proved(plan, verdict, deadline)
        case Invalid():
            return _replayed(plan, verdict)
        case Vacuous() | Unknown():
            return verdict


def _proved(plan: VerificationPlan, verdict: Valid, deadline: float | None) -> Verdict:
    if _terms(plan) > MOST_TERMS:
        return Unknown(f"more than {MOST_TERMS} terms for the solver")
    match difference(plan, deadline):
        case answer.Unsat():
            return verdict
        case answer.Sat(found):
            return _disagreement(f"direct execution finds the plan right, the solver finds {found}")
        case answer.Unknown(_, answer.Stop.DEADLINE):
            return Unknown("the solver had no answer when the time was up; give it more (--timeout SECONDS)")
        case answer.Unknown(reason):
            return Unknown(f"solver: {reason}")


def _replayed(plan: VerificationPlan, verdict: Invalid) -> Verdict:
    example = verdict.example
    if example is None or _terms(plan) > MOST_TERMS:
        return verdict
    numbers = evaluated(plan, example.contributions, example.device, example.at)
    if numbers != (Fraction(example.got), Fraction(example.wanted)):
        return _disagreement(f"direct execution finds {example}, the solver's rules {numbers}")
    return verdict


def _disagreement(what: str) -> Unknown:
    return Unknown(f"{what}; one of the two is a mistake in p2smt: please report it, with the plan")


def _terms(plan: VerificationPlan) -> int:
    summed = sum(len(group) * step.source.length for step in plan.steps for group in step.groups)
    return plan.devices * plan.goal.source.length + summed
