"""The verdict that direct execution and the solver agree on."""

from dataclasses import replace

from p2smt.verify.judge import judge
from p2smt.verify.plan import VerificationPlan
from p2smt.verify.rules import Difference, NotKnown, Same, difference
from p2smt.verify.verdict import Invalid, Rule, Unknown, Valid, Verdict

MOST_TERMS = 2**20


def verify(plan: VerificationPlan | Invalid, deadline: float | None = None) -> Verdict:
    """Whether a plan is right, decided twice; `deadline` is a time of `time.monotonic`.

    What an importer found to be no plan at all stays Invalid.
    Without the solver's word (it gave none, or the plan has more than 2^20 contributions and summands) a plan that
    direct execution finds right is Unknown; one that it finds wrong has its numbers as witness.
    """
    if isinstance(plan, Invalid):
        return plan
    verdict = judge(plan)
    if not _needs_solver(verdict):
        return verdict
    if _terms(plan) > MOST_TERMS:
        return Unknown(f"more than {MOST_TERMS} terms for the solver") if isinstance(verdict, Valid) else verdict
    match difference(plan, deadline):
        case Same():
            assert isinstance(verdict, Valid), f"the solver finds no difference, but {verdict}"
        case Difference() as found:
            assert isinstance(verdict, Invalid), f"the solver finds {found}, but the plan runs right"
            return verdict if verdict.example else replace(verdict, message=f"{verdict.message}; {_said(found)}")
        case NotKnown(reason):
            return Unknown(f"solver: {reason}") if isinstance(verdict, Valid) else verdict
    return verdict


def _needs_solver(verdict: Verdict) -> bool:
    if isinstance(verdict, Invalid):
        return verdict.example is not None or verdict.rule is Rule.CUT_OFF
    return isinstance(verdict, Valid)


def _said(found: Difference) -> str:
    given = ", ".join(f"device {d} gives {n} to chunk {c}" for (d, c), n in sorted(found.contributions.items()))
    return f"where {given}, device {found.device} ends with {found.got} instead of {found.wanted}"


def _terms(plan: VerificationPlan) -> int:
    summed = sum(len(group) * step.source.length for step in plan.steps for group in step.groups)
    return plan.devices * plan.chunks + summed
