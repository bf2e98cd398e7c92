"""Which kind of plan a file is."""

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path

from p2smt.errors import VerifyError
from p2smt.plan.file import parse_plan
from p2smt.problem.typed import read_bounded
from p2smt.program.free_plan import FreePlan
from p2smt.verify.limits import MAX_FILE_BYTES
from p2smt.verify.own_plan import free_plan_of
from p2smt.verify.plan_file import check_goal, parse_free_plan
from p2smt.verify.verdict import Invalid


class Format(StrEnum):
    """The kinds of plan files that are read: hand-written ones, and what `p2smt plan` writes."""

    HAND = "hand"
    P2SMT = "p2smt"


def read_any(
    path: Path, form: Format | None = None, goal: Sequence[tuple[int, ...]] | None = None
) -> FreePlan | Invalid:
    """The plan of a file of at most 16 MB, of the kind that is named or that its content shows.

    What cannot be carried out, because devices wait for each other, comes back as Invalid.

    `goal` replaces the groups that reduce together. Raises VerifyError or PlanError with the place of the mistake.
    """
    data = read_bounded(path, MAX_FILE_BYTES, VerifyError)
    match form or _shown(data):
        case Format.P2SMT:
            plan: FreePlan | Invalid = free_plan_of(parse_plan(data, str(path)))
        case Format.HAND:
            plan = parse_free_plan(data, str(path))
    if goal is None or isinstance(plan, Invalid):
        return plan
    check_goal(goal, plan.devices)
    return replace(plan, goal=tuple(goal))


def _shown(data: bytes) -> Format:
    return Format.P2SMT if b'"p2smt-plan"' in data[:200] else Format.HAND
