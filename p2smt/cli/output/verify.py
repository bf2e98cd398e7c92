"""Output of `p2smt verify`."""

from dataclasses import asdict
from typing import assert_never

from p2smt.cli.output.document import VERSION, Document
from p2smt.cli.output.smallest import smallest_document, smallest_text
from p2smt.frontend.verification import Verification
from p2smt.verify.plan import VerificationPlan
from p2smt.verify.plan_verdict import PlanMistake, Vacuity, plan_word
from p2smt.verify.text import example_text
from p2smt.verify.verdict import Proved, Refuted, Unknown


def verdict_text(verification: Verification) -> str:
    """Return the verdict, the place and reason of a mistake, and example inputs."""
    return "\n".join([*_verdict_lines(verification), *(f"  {note}" for note in verification.notes)])


def _verdict_lines(verification: Verification) -> list[str]:
    match verification.verdict:
        case Proved(proof):
            return [f"valid: all {proof.checked} output chunks hold what the goal asks, by execution and by the solver"]
        case Refuted(counter_example):
            return _refuted_lines(counter_example, verification)
        case Unknown(reason):
            return [f"unknown: {reason}"]
        case _:
            assert_never(verification.verdict)


def _refuted_lines(counter_example: PlanMistake | Vacuity, verification: Verification) -> list[str]:
    plan, small = verification.plan, verification.counter_example
    match counter_example:
        case Vacuity(reason):
            return [f"vacuous: {reason}"]
        case PlanMistake(rule, _, message, example):
            shown = [] if example is None else [f"  {example_text(example)}"]
            if small is not None and isinstance(plan, VerificationPlan):
                shown.append(smallest_text(plan, small))
            return [f"invalid: {rule}", f"  {message}", *shown]


def verdict_document(verification: Verification) -> Document:
    """Return the JSON document of a verdict."""
    match verification.verdict:
        case Proved(proof):
            return {**_head(verification), "step": None, "rule": None, "message": None, "checked": proof.checked}
        case Refuted(counter_example):
            return _refuted_document(counter_example, verification)
        case Unknown(reason):
            return {**_head(verification), "step": None, "rule": None, "message": reason}
        case _:
            assert_never(verification.verdict)


def _refuted_document(counter_example: PlanMistake | Vacuity, verification: Verification) -> Document:
    match counter_example:
        case Vacuity(reason):
            return {**_head(verification), "step": None, "rule": None, "message": reason}
        case PlanMistake(rule, place, message, example):
            small = verification.counter_example
            return {
                **_head(verification),
                "rule": rule.name.lower(),
                "message": message,
                **asdict(place),
                "example": None if example is None else asdict(example),
                "smallest": None if small is None else smallest_document(small),
            }


def _head(verification: Verification) -> Document:
    notes = {"notes": list(verification.notes)} if verification.notes else {}
    return {"version": VERSION, "verdict": plan_word(verification.verdict), **notes}
