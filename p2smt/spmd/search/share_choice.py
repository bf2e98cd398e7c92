"""Parse the sharding ratios to try: the option `--shares`."""

from collections.abc import Sequence
from fractions import Fraction

from p2smt.errors import ProblemError
from p2smt.spmd.devices.shares import Shares, even, given, proportional, vertices

ALTERNATE = "alternate"
"""The name of HAP's alternating ratios, which depend on a program (`alternation.py`)."""

FORMS = f"vertices, even, proportional, {ALTERNATE}, or a part for each device such as 0.5/0.25/0.25, which sum to 1"


def parse_shares(text: str, speeds: Sequence[int]) -> tuple[Shares, ...]:
    """Return the ratios of a text.

    Raises ProblemError if they do not parse, do not sum to 1, or are not one per device.
    """
    match text.strip():
        case "vertices":
            return vertices(speeds)
        case "even":
            return (even(len(speeds)),)
        case "proportional":
            return (proportional(speeds),)
        case parts:
            return (_given(parts, len(speeds)),)


def _given(text: str, devices: int) -> Shares:
    parts = text.split("/")
    if len(parts) == 1 and devices > 1:
        raise ProblemError(f"shares {text[:80]!r} do not parse; write {FORMS}")
    try:
        numbers = [Fraction(part) for part in _checked(parts)]
    except (ValueError, ZeroDivisionError) as cause:
        raise ProblemError(f"shares {text[:80]!r} do not parse; write {FORMS}") from cause
    if len(numbers) != devices:
        raise ProblemError(f"{len(numbers)} shares for {devices} devices; write one per device")
    if sum(numbers) != 1:
        raise ProblemError(f"the shares sum to {float(sum(numbers)):.9g}, not 1; scale them so that they do")
    return given(numbers)


def _checked(parts: Sequence[str]) -> Sequence[str]:
    """Return the parts if all are short decimal numbers; others could take too long to evaluate."""
    for part in parts:
        if len(part) > 20 or not part.strip().replace(".", "", 1).isdecimal():
            raise ValueError(part)
    return parts
