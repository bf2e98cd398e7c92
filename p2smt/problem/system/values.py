"""Read and write rates, times and sizes of system files as text with a unit, without loss."""

from collections.abc import Callable

from p2smt.errors import ProblemError
from p2smt.problem.quantity import parse_bandwidth, parse_bytes, parse_seconds, parse_speed


def read_rate(value: str | int | float, place: str) -> float:
    """Return a rate in bytes/s."""
    return _with_unit(value, place, parse_bandwidth, f'"{value}GB/s" (bytes), "{value}Gb/s" (bits)')


def read_time(value: str | int | float, place: str) -> float:
    """Return a time in seconds."""
    return _with_unit(value, place, parse_seconds, f'"{value}us"')


def read_speed(value: str | int | float, place: str) -> float:
    """Return a speed in arithmetic operations per second."""
    return _with_unit(value, place, parse_speed, f'"{value}Tflop/s"')


def _with_unit(value: str | int | float, place: str, parse: Callable[[str], float], proposed: str) -> float:
    if not isinstance(value, str):
        raise ProblemError(f"{place} {value} has no unit; write it with one, such as {proposed}")
    try:
        return parse(value)
    except ProblemError as cause:
        raise ProblemError(f"{place}: {cause}") from cause


def rate_text(rate: float) -> str:
    """Return a rate in GB/s if that reads back exactly, otherwise in B/s."""
    text = f"{rate / 1e9:.15g}GB/s"
    return text if parse_bandwidth(text) == rate else f"{rate!r}B/s"


def read_bytes(text: str | None, place: str) -> int | None:
    """Return a number of bytes; None for None."""
    try:
        return None if text is None else parse_bytes(text)
    except ProblemError as cause:
        raise ProblemError(f"{place}: {cause}") from cause


def bytes_text(count: int | None) -> str | None:
    """Return a number of bytes in whole GB if possible, otherwise in bytes; None for None."""
    if count is None:
        return None
    # Only multiples of 10^9 read back exactly as GB.
    return f"{count}B" if count % 10**9 else f"{count // 10**9}GB"


def time_text(seconds: float) -> str:
    """Return a time in microseconds if that reads back exactly, otherwise in seconds."""
    text = f"{seconds * 1e6:.15g}us"
    return text if parse_seconds(text) == seconds else f"{seconds!r}s"


def speed_text(speed: float) -> str:
    """Return a speed in Tflop/s if that reads back exactly, otherwise in flop/s."""
    text = f"{speed / 1e12:.15g}Tflop/s"
    return text if parse_speed(text) == speed else f"{speed!r}flop/s"
