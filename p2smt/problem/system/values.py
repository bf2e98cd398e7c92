"""Rates, times and sizes as system files have them: text with a unit, and back to the same number."""

from collections.abc import Callable

from p2smt.errors import ProblemError
from p2smt.problem.quantity import parse_bandwidth, parse_bytes, parse_seconds, parse_speed


def read_rate(value: str | int | float, place: str) -> float:
    """A rate, in bytes/s."""
    return _with_unit(value, place, parse_bandwidth, f'"{value}GB/s" (bytes), "{value}Gb/s" (bits)')


def read_time(value: str | int | float, place: str) -> float:
    """A time, in seconds."""
    return _with_unit(value, place, parse_seconds, f'"{value}us"')


def read_speed(value: str | int | float, place: str) -> float:
    """Operations on numbers per second."""
    return _with_unit(value, place, parse_speed, f'"{value}Tflop/s"')


def _with_unit(value: str | int | float, place: str, parse: Callable[[str], float], proposed: str) -> float:
    if not isinstance(value, str):
        raise ProblemError(f"{place} {value} has no unit; write {proposed} or such")
    try:
        return parse(value)
    except ProblemError as cause:
        raise ProblemError(f"{place}: {cause}") from cause


def rate_text(rate: float) -> str:
    """A rate in GB/s where that reads back as the same number, otherwise in B/s."""
    text = f"{rate / 1e9:.15g}GB/s"
    return text if parse_bandwidth(text) == rate else f"{rate!r}B/s"


def read_bytes(text: str | None, place: str) -> int | None:
    """A number of bytes, None where there is none."""
    try:
        return None if text is None else parse_bytes(text)
    except ProblemError as cause:
        raise ProblemError(f"{place}: {cause}") from cause


def bytes_text(count: int | None) -> str | None:
    """A number of bytes in GB where these are whole, otherwise in bytes."""
    if count is None:
        return None
    # Only multiples of 10^9 read back exactly as GB.
    return f"{count}B" if count % 10**9 else f"{count // 10**9}GB"


def time_text(seconds: float) -> str:
    """A time in microseconds where that reads back as the same number, otherwise in seconds."""
    text = f"{seconds * 1e6:.15g}us"
    return text if parse_seconds(text) == seconds else f"{seconds!r}s"


def speed_text(speed: float) -> str:
    """A speed in Tflop/s where that reads back as the same number, otherwise in flop/s."""
    text = f"{speed / 1e12:.15g}Tflop/s"
    return text if parse_speed(text) == speed else f"{speed!r}flop/s"
