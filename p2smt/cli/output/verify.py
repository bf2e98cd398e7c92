"""What `p2smt verify` prints."""

from dataclasses import asdict
from typing import assert_never

from p2smt.cli.output.document import VERSION, Document
from p2smt.cli.output.smallest import smallest_document, smallest_text
from p2smt.frontend.verification import Verification
from p2smt.verify.plan import VerificationPlan
from p2smt.verify.text import example_text
from p2smt.verify.verdict import Invalid, Unknown, Vacuous, Valid


def verdict_text(verification: Verification) -> str:
    """The verdict, where and why, and numbers to try."""
    return "\n".join([_verdict_text(verification), *(f"  {note}" for note in verification.notes)])


def _verdict_text(verification: Verification) -> str:
    plan, small = verification.plan, verification.counter_example
    match verification.verdict:
        case Valid(checked):
            return f"valid: all {checked} results hold what they should, by execution and by the solver"
        case Vacuous(reason):
            return f"vacuous: {reason}"
        case Unknown(reason):
            return f"unknown: {reason}"
        case Invalid(rule, _, message, example):
            shown = [] if example is None else [f"  {example_text(example)}"]
            if small is not None and isinstance(plan, VerificationPlan):
                shown.append(smallest_text(plan, small))
            return "\n".join([f"invalid: {rule}", f"  {message}", *shown])
        case _:
            assert_never(verification.verdict)


def verdict_document(verification: Verification) -> Document:
    """The JSON document."""
    verdict, small = verification.verdict, verification.counter_example
    head: dict[str, object] = {"version": VERSION, "verdict": type(verdict).__name__.lower()}
    if verification.notes:
        head["notes"] = list(verification.notes)
    match verdict:
        case Invalid(rule, place, message, example):
            return {
                **head,
                "rule": rule.name.lower(),
                "message": message,
                **asdict(place),
                "example": None if example is None else asdict(example),
                "smallest": None if small is None else smallest_document(small),
            }
        case Valid(checked):
            return {**head, "step": None, "rule": None, "message": None, "checked": checked}
        case Vacuous(reason) | Unknown(reason):
            return {**head, "step": None, "rule": None, "message": reason}
        case _:
            assert_never(verdict)
