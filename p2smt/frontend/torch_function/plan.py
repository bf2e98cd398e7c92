"""A Python function that uses torch.distributed, traced for all ranks, as a plan."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import msgspec

from p2smt.errors import VerifyError
from p2smt.frontend.asked_goal import AS_WRITTEN, AskedGoal
from p2smt.frontend.torch_function.events import Request, Trace
from p2smt.frontend.torch_function.weaving import plan_of
from p2smt.verify.limits import MAX_DEVICES
from p2smt.verify.plan import VerificationPlan
from p2smt.verify.verdict import NoPlan

TIMEOUT_S = 120.0
MAX_ELEMENTS = 2**20


@dataclass(frozen=True, slots=True)
class Tracing:
    """How to run a user's function: on how many devices, with how many elements each."""

    devices: int
    elements: int | None = None
    function: str | None = None
    dtype: str = "float32"
    timeout_s: float = TIMEOUT_S


def trace_torch(path: Path, how: Tracing, asked: AskedGoal = AS_WRITTEN) -> VerificationPlan | NoPlan:
    """Run the function of a file, in a process of its own, once per device; this runs the user's code.

    The function takes the payload, a one-dimensional tensor, and gives the result or leaves it there. Raises
    VerifyError when it cannot be traced: it fails, looks at values, or does more than sums, copies and divisions.
    """
    elements = how.devices if how.elements is None else how.elements
    if not 1 <= how.devices <= MAX_DEVICES or not 1 <= elements <= MAX_ELEMENTS:
        raise VerifyError(
            f"{how.devices} devices with {elements} elements; give 1 to {MAX_DEVICES} devices (--devices) "
            f"and 1 to {MAX_ELEMENTS} elements (--elements)"
        )
    request = Request(str(path), how.function, how.devices, elements, how.dtype)
    found = _traced(request, how.timeout_s)
    if found.mistake:
        raise VerifyError(f"{path}: {found.mistake}")
    return plan_of(found, asked)


def _traced(request: Request, timeout_s: float) -> Trace:
    command = [sys.executable, "-m", "p2smt.frontend.torch_function.trace"]
    try:
        done = subprocess.run(
            command, input=msgspec.json.encode(request), capture_output=True, timeout=timeout_s, check=False
        )
    except subprocess.TimeoutExpired as cause:
        raise VerifyError(
            f"{request.path}: not traced within {timeout_s:g} s; give --timeout or fewer devices"
        ) from cause
    if done.returncode or not done.stdout:
        last = done.stderr.decode(errors="replace").strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
        need = "; install torch to trace torch code" if "No module named 'torch'" in last[0] else ""
        raise VerifyError(f"{request.path}: could not be traced: {last[0][:300]}{need}")
    return msgspec.json.decode(done.stdout, type=Trace)
