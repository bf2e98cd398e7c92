"""Limits on the size of plans, which are checked device by device and chunk by chunk."""

from collections.abc import Mapping, Sequence

from p2smt.errors import VerifyError
from p2smt.verify.plan import VerificationStep

MAX_FILE_BYTES = 16_000_000
MAX_DEVICES = 4096
MAX_CELLS = 2**22
MAX_STEPS = 65_536
MAX_DIVISIONS = 64
MAX_DIVISOR = 2**16


def check_size(devices: int, buffers: Mapping[str, int], steps: int) -> None:
    """Raise VerifyError for too many devices, chunks or steps; lengths of `buffers` are in chunks."""
    if not 1 <= devices <= MAX_DEVICES:
        raise VerifyError(f"{devices} devices are out of range; a plan has 1 to {MAX_DEVICES}")
    if steps > MAX_STEPS:
        raise VerifyError(f"the plan has {steps} steps; the limit is {MAX_STEPS}")
    if devices * sum(buffers.values()) > MAX_CELLS:
        raise VerifyError(f"{devices} devices with {sum(buffers.values())} chunks each; at most {MAX_CELLS} in all")


def check_divisions(steps: Sequence[VerificationStep]) -> None:
    """Raise VerifyError for invalid divisors, or too many divisions."""
    divisors = [step.divisor for step in steps if step.divisor != 1]
    if wrong := [divisor for divisor in divisors if not 1 <= divisor <= MAX_DIVISOR]:
        raise VerifyError(f"divisor {wrong[0]} is out of range; it must be from 1 to {MAX_DIVISOR}")
    if len(divisors) > MAX_DIVISIONS:
        raise VerifyError(f"{len(divisors)} steps divide; at most {MAX_DIVISIONS} are computed exactly")
