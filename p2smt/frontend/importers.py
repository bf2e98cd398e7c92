"""Entry point of the importers: the plan in a file of any supported format."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from p2smt.errors import PlanError, VerifyError
from p2smt.frontend.asked_goal import AS_WRITTEN, AskedGoal
from p2smt.frontend.format import Format
from p2smt.frontend.msccl.plan import parse_msccl
from p2smt.frontend.mscclpp.plan import parse_mscclpp
from p2smt.frontend.own_exchange import own_plan_to_verify
from p2smt.frontend.plan_file import parse_hand_written
from p2smt.frontend.recognition import format_of
from p2smt.frontend.torch_function.plan import TraceOptions, trace_torch
from p2smt.frontend.xla.hlo import parse_hlo
from p2smt.frontend.xla.stablehlo import parse_stablehlo
from p2smt.problem.typed import read_bounded
from p2smt.reduction.plan.exchange import ExchangePlan
from p2smt.reduction.plan.exchange_file import parse_any_plan
from p2smt.reduction.plan.model import Plan
from p2smt.reduction.plan.rank_holdings import check_portions
from p2smt.verify.judge import judge
from p2smt.verify.limits import MAX_FILE_BYTES
from p2smt.verify.plan import VerificationPlan
from p2smt.verify.plan_verdict import NoPlan, PlanMistake, mistake_of


def read_any(
    path: Path,
    form: Format | None = None,
    asked: AskedGoal = AS_WRITTEN,
    tracing: TraceOptions | None = None,
    devices: int | None = None,
    per_machine: int | None = None,
) -> VerificationPlan | NoPlan:
    """Return the plan of a file of at most 16 MB, in the given format or the one that its content shows.

    A deadlock is returned as a mistake; if it depends on something that the file does not say, the result is
    Unknown. Python code runs, once per device, only with `tracing`. `devices` is the number of devices, needed
    for XLA texts that do not state it; a file that states another number is refused. `per_machine` is the number
    of devices per machine, needed if the schedule completes only on some machine sizes. Raises VerifyError or
    PlanError with the place of the mistake.
    """
    plan = _read(path, form, asked, tracing, Devices(devices, per_machine))
    if devices is not None and isinstance(plan, VerificationPlan) and plan.devices != devices:
        raise VerifyError(f"{path} is for {plan.devices} devices, not for {devices} (--devices)")
    return plan


@dataclass(frozen=True, slots=True)
class Devices:
    """Number of devices, and of devices per machine; None if not given."""

    count: int | None
    per_machine: int | None


def _read(
    path: Path, form: Format | None, asked: AskedGoal, tracing: TraceOptions | None, devices: Devices
) -> VerificationPlan | NoPlan:
    data = read_bounded(path, MAX_FILE_BYTES, VerifyError)
    read_as = form or format_of(path, data)
    _check_used(path, read_as, tracing, devices)
    match read_as:
        case Format.TENSOR:
            raise VerifyError(f"{path} is a tensor program; name the program to compare it with: --against FILE")
        case Format.HAND:
            plan = parse_hand_written(data, str(path))
            return plan if isinstance(plan, PlanMistake) else asked.over(plan)
        case Format.P2SMT:
            return _own(parse_any_plan(data, str(path)), asked)
        case Format.HLO:
            return parse_hlo(data, str(path), asked, devices.count)
        case Format.STABLEHLO:
            return parse_stablehlo(data, str(path), asked, devices.count)
        case Format.MSCCL | Format.MSCCLPP as runtime:
            return _of_threadblocks(runtime, data, str(path), asked, devices)
        case Format.TORCH if tracing is None:
            raise VerifyError(f"{path} is Python, and verifying it runs its code; if you trust it, give --run-python")
        case Format.TORCH:
            return trace_torch(path, tracing, asked)


def _check_used(path: Path, form: Format, tracing: TraceOptions | None, devices: Devices) -> None:
    """Raise VerifyError for options that a file of this format does not use."""
    if tracing is not None and form is not Format.TORCH:  # only: Python files have code to run
        raise VerifyError(f"{path} is not a Python file, so nothing in it can be run; leave out --run-python")
    if devices.per_machine is not None and form is not Format.MSCCL:  # only: its runtime bounds messages by machine
        raise VerifyError(f"{path} is not an MSCCL schedule, which --devices-per-machine is for; leave it out")


def _of_threadblocks(  # only: a type: the two with threadblocks, matched below
    form: Literal[Format.MSCCL, Format.MSCCLPP], data: bytes, path: str, asked: AskedGoal, devices: Devices
) -> VerificationPlan | NoPlan:
    """The plan of a threadblock schedule of MSCCL or MSCCL++."""
    match form:
        case Format.MSCCL:
            return parse_msccl(data, path, asked, devices.per_machine)
        case Format.MSCCLPP:
            return parse_mscclpp(data, path, asked)


def _own(plan: Plan | ExchangePlan, asked: AskedGoal) -> VerificationPlan:
    """The verification plan of p2smt's own plan; VerifyError for one that relies on unchecked portions."""
    made = asked.over(own_plan_to_verify(plan))
    if isinstance(plan, Plan):
        try:
            check_portions(plan)
        except PlanError as cause:
            if mistake_of(judge(made)) is None:
                raise VerifyError(str(cause)) from cause
    return made
