"""Which kind of plan a file is, and the plan in it."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from p2smt.errors import VerifyError
from p2smt.frontend.format import Format
from p2smt.frontend.msccl.plan import parse_msccl
from p2smt.frontend.own_plan import verification_plan
from p2smt.frontend.plan_file import check_goal, parse_hand_written
from p2smt.frontend.torch_function.plan import Tracing, trace_torch
from p2smt.frontend.xla.hlo import parse_hlo
from p2smt.frontend.xla.stablehlo import parse_stablehlo
from p2smt.problem.typed import read_bounded
from p2smt.reduction.plan.file import parse_plan
from p2smt.verify.limits import MAX_FILE_BYTES
from p2smt.verify.plan import VerificationPlan
from p2smt.verify.verdict import Invalid


def read_any(
    path: Path,
    form: Format | None = None,
    goal: Sequence[tuple[int, ...]] | None = None,
    tracing: Tracing | None = None,
) -> VerificationPlan | Invalid:
    """The plan of a file of at most 16 MB, of the kind that is named or that its content shows.

    What cannot be carried out, because devices wait for each other, comes back as Invalid. `goal` replaces the groups
    that reduce together. Python code is run, once per device, only with `tracing`. Raises VerifyError or PlanError
    with the place of the mistake.
    """
    data = read_bounded(path, MAX_FILE_BYTES, VerifyError)
    plan = _read(form or _shown(path, data), path, data, tracing)
    if goal is None or isinstance(plan, Invalid):
        return plan
    check_goal(goal, plan.devices)
    return replace(plan, goal=tuple(goal))


def _read(form: Format, path: Path, data: bytes, tracing: Tracing | None) -> VerificationPlan | Invalid:
    name = str(path)
    match form:
        case Format.HAND:
            return parse_hand_written(data, name)
        case Format.P2SMT:
            return verification_plan(parse_plan(data, name))
        case Format.HLO:
            return parse_hlo(data, name)
        case Format.STABLEHLO:
            return parse_stablehlo(data, name)
        case Format.MSCCL:
            return parse_msccl(data, name)
        case Format.TORCH:
            if tracing is None:
                why = "to verify it is to run its code; if you trust it: --run-python"
                raise VerifyError(f"{name} is Python, and {why}")
            return trace_torch(path, tracing)


def _shown(path: Path, data: bytes) -> Format:
    """The kind that the content shows; Python shows by its name."""
    if path.suffix == ".py":
        return Format.TORCH
    if b'"p2smt-plan"' in data[:200]:
        return Format.P2SMT
    if data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return Format.MSCCL
    if b"stablehlo." in data or b"func.func" in data:
        return Format.STABLEHLO
    if b"HloModule" in data or b"ENTRY " in data:
        return Format.HLO
    return Format.HAND
