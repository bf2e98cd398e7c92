"""What `p2smt verify` prints."""

from dataclasses import asdict
from typing import Any

from p2smt.cli.output.progress import VERSION
from p2smt.cli.output.smallest import smallest_document, smallest_text
from p2smt.verify.plan import VerificationPlan
from p2smt.verify.shrink import CounterExample
from p2smt.verify.verdict import Example, Invalid, Unknown, Vacuous, Valid, Verdict


def verdict_text(verdict: Verdict, plan: VerificationPlan | Invalid, small: CounterExample | None) -> str:
    """The verdict, where and why, and numbers to try."""
    match verdict:
        case Valid(checked):
            return f"valid: all {checked} results hold what they should, by execution and by the solver"
        case Vacuous(reason):
            return f"vacuous: {reason}"
        case Unknown(reason):
            return f"unknown: {reason}"
        case Invalid(rule, _, message, example):
            shown = [] if example is None else [_shown(example)]
            if small is not None and isinstance(plan, VerificationPlan):
                shown.append(smallest_text(plan, small))
            return "\n".join([f"invalid: {rule}", f"  {message}", *shown])


def _shown(example: Example) -> str:
    given = (f"device {d} contribute {number} to chunk {c}" for (d, c), number in example.contributions.items())
    return (
        f"  try it: let {', '.join(given)} and all else be 0; "
        f"device {example.device} ends with {example.got} in chunk {example.at} instead of {example.wanted}"
    )


def verdict_document(verdict: Verdict, small: CounterExample | None) -> dict[str, Any]:
    """The JSON document."""
    document: dict[str, Any] = {"version": VERSION, "verdict": type(verdict).__name__.lower()}
    if isinstance(verdict, Invalid):
        place = asdict(verdict.place)
        example = None if verdict.example is None else asdict(verdict.example)
        document |= {"rule": verdict.rule.name.lower(), "message": verdict.message, **place, "example": example}
        return document | {"smallest": None if small is None else smallest_document(small)}
    if isinstance(verdict, Valid):
        return document | {"step": None, "rule": None, "message": None, "checked": verdict.checked}
    return document | {"step": None, "rule": None, "message": verdict.reason}
