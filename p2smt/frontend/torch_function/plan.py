"""Plans from Python functions that use torch.distributed, by tracing the function for all ranks."""

import sys
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from pathlib import Path

import msgspec

from p2smt.errors import UserCodeError, VerifyError
from p2smt.frontend.asked_goal import AS_WRITTEN, AskedGoal
from p2smt.frontend.torch_function.events import FunctionRequest, Trace
from p2smt.frontend.torch_function.weaving import plan_of
from p2smt.frontend.tracing import TracingProcess
from p2smt.verify.limits import MAX_DEVICES
from p2smt.verify.operation import blocks_of
from p2smt.verify.plan import VerificationPlan
from p2smt.verify.plan_verdict import NoPlan
from p2smt.verify.verdict import Unknown
from p2smt.wording import listed

TIMEOUT_S = 120.0
MAX_ELEMENTS = 2**20
_PROCESS = TracingProcess(
    module="torch_function.trace", error=VerifyError, purpose="trace torch code", smaller="fewer devices"
)


@dataclass(frozen=True, slots=True)
class TraceOptions:
    """The way to run a user's function: the number of devices, and the number of elements on each.

    With `module`, this module is imported with this process's `sys.path` instead of running the file; `code` is
    the serialized function (`sent_function.py`).
    """

    devices: int
    _: KW_ONLY
    elements: int | None = None
    function: str | None = None
    dtype: str = "float32"
    timeout_s: float = TIMEOUT_S
    module: str = ""
    code: bytes = b""


def trace_torch(path: Path, how: TraceOptions, asked: AskedGoal = AS_WRITTEN) -> VerificationPlan | NoPlan:
    """Run a file's function in a separate process, once per device, and return its plan; this runs the user's code.

    The function takes the payload, a one-dimensional tensor, and returns the result or writes it there in place.
    The result is Unknown if the function reads values, or does more than sums, copies and divisions. Raises
    VerifyError if there is no such function, or it fails.
    """
    (only,) = trace_lengths(path, how, asked, (how.devices if how.elements is None else how.elements,))
    if isinstance(only.plan, VerifyError):
        raise only.plan
    return only.plan


def lengths_to_try(how: TraceOptions, asked: AskedGoal) -> tuple[int, ...]:
    """Return the requested length; else one equal to the number of devices, one larger by 1, and one smaller.

    If the goal gives each member a block of the payload, the lengths are multiples of the number of devices.

    >>> lengths_to_try(TraceOptions(8), AS_WRITTEN), lengths_to_try(TraceOptions(8, elements=5), AS_WRITTEN)
    ((8, 9, 3), (5,))
    """
    if how.elements is not None:
        return (how.elements,)
    if asked.collective is not None and blocks_of(asked.collective)[0]:
        return how.devices, 3 * how.devices
    return tuple(dict.fromkeys((how.devices, how.devices + 1, max(1, how.devices // 2 - 1))))


@dataclass(frozen=True, slots=True)
class AtLength:
    """A plan of a function for tensors of one length; a VerifyError if the function or goal refuses the length."""

    elements: int
    plan: VerificationPlan | NoPlan | VerifyError


def trace_lengths(path: Path, how: TraceOptions, asked: AskedGoal, lengths: Sequence[int]) -> tuple[AtLength, ...]:
    """Run a file's function as `trace_torch` does, for tensors of each of these lengths.

    Raises VerifyError if nothing can be run.
    """
    if not 1 <= how.devices <= MAX_DEVICES or not all(1 <= elements <= MAX_ELEMENTS for elements in lengths):
        raise VerifyError(
            f"{how.devices} devices with {listed(lengths)[1:-1]} elements; give 1 to {MAX_DEVICES} devices (--devices) "
            f"and 1 to {MAX_ELEMENTS} elements (--elements)"
        )
    paths = tuple(sys.path) if how.module or how.code else ()
    requests = [
        FunctionRequest(str(path), how.function, how.devices, elements, how.dtype, how.module, paths, how.code)
        for elements in lengths
    ]
    traces = _traced(requests, how.timeout_s)
    return tuple(AtLength(elements, _plan(trace, path, asked)) for elements, trace in zip(lengths, traces, strict=True))


def _plan(trace: Trace, path: Path, asked: AskedGoal) -> VerificationPlan | NoPlan | VerifyError:
    if trace.mistake:
        return (UserCodeError if trace.raised else VerifyError)(f"{path}: {trace.mistake}")
    if trace.unfollowed:
        return Unknown(trace.unfollowed)
    try:
        return plan_of(trace, asked)
    except VerifyError as refused:
        return refused


def _traced(requests: Sequence[FunctionRequest], timeout_s: float) -> list[Trace]:
    answer = _PROCESS.answer(msgspec.json.encode(requests), requests[0].path, timeout_s)
    return msgspec.json.decode(answer, type=list[Trace])
