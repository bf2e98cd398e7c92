"""Sizes, rates and times as people write them: `1GiB`, `100Gbit/s`, `14us`."""

import re
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from math import isfinite

from p2smt.errors import ProblemError

_PREFIX = {
    "": 1, "k": 10**3, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, "P": 10**15,
    "Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40, "Pi": 2**50,
}  # fmt: skip
_SECONDS = {
    unit: Decimal(scale) for unit, scale in (("ns", "1e-9"), ("us", "1e-6"), ("µs", "1e-6"), ("ms", "1e-3"), ("s", "1"))
}
_NUMBER = r"(\d{1,19}(?:\.\d{1,20})?(?:e[+-]?\d{1,2})?)"
_BYTES = re.compile(_NUMBER + r"\s*([kKMGTP]i?)?B?")
_RATE = re.compile(_NUMBER + r"\s*([kKMGTP]i?)?(B|bit|b)(?:/s|ps)")
_NO_TIME = re.compile(_NUMBER + r"\s*(?:[kKMGTP]i?)?(B|bit|b)")
_SPEED = re.compile(_NUMBER + r"\s*([kKMGTP])?(?:flop/s|flops)", re.IGNORECASE)
_TIME = re.compile(_NUMBER + r"\s*(ns|us|µs|ms|s)")


def parse_bytes(text: str) -> int:
    """Read a number of bytes.

    >>> parse_bytes("1GiB"), parse_bytes("64 kB"), parse_bytes("12")
    (1073741824, 64000, 12)
    """
    match = _BYTES.fullmatch(text.strip())
    size = Fraction(match[1]) * _PREFIX.get(match[2] or "", 0) if match else Fraction(0)
    if not (0 < size <= 2**60) or size != int(size):
        raise ProblemError(f"bytes {text!r} is no size; write a positive whole number of bytes such as 1GiB or 64MB")
    return int(size)


def parse_bandwidth(text: str) -> float:
    """Read a bandwidth in bytes per second; `b` and `bit` are bits, `B` is bytes, `ps` is `/s`.

    >>> parse_bandwidth("8GB/s"), parse_bandwidth("100Gbit/s"), parse_bandwidth("25Gbps")
    (8000000000.0, 12500000000.0, 3125000000.0)
    """
    match = _RATE.fullmatch(text.strip())
    rate = float(match[1]) * _PREFIX.get(match[2] or "", 0) / (1 if match[3] == "B" else 8) if match else 0.0
    if not (rate > 0 and isfinite(rate)):
        unit = _NO_TIME.fullmatch(text.strip())
        meant = f"; did you mean {text.strip()}/s, {'bytes' if unit[2] == 'B' else 'bits'} per second?" if unit else ""
        raise ProblemError(f"bandwidth {text!r} is no positive rate; write one such as 8GB/s or 100Gbit/s{meant}")
    return rate


def parse_speed(text: str) -> float:
    """Read operations on numbers per second, a product and a sum being two.

    >>> parse_speed("2.5Tflop/s"), parse_speed("312 Tflops")
    (2500000000000.0, 312000000000000.0)
    """
    match = _SPEED.fullmatch(text.strip())
    speed = float(match[1]) * _PREFIX[(match[2] or "").upper()] if match else 0.0
    if not (speed > 0 and isfinite(speed)):
        raise ProblemError(f"speed {text!r} is no positive speed; write one such as 100Tflop/s")
    return speed


def parse_seconds(text: str) -> float:
    """Read a time in seconds.

    >>> parse_seconds("14us"), parse_seconds("2 s")
    (1.4e-05, 2.0)
    """
    match = _TIME.fullmatch(text.strip())
    if not match or not isfinite(float(match[1])):
        raise ProblemError(f"time {text!r} is no duration; write one such as 14us, 3ms or 2s")
    # Decimal, so that "5us" is the number nearest to 5e-6; 5 * 1e-6 in floating point is its neighbour.
    return float(Decimal(match[1]) * _SECONDS[match[2]])


def format_bytes(count: float) -> str:
    """Write a number of bytes with a binary prefix, or with a decimal one where that alone is exact, as in `1GB`.

    >>> format_bytes(1073741824), format_bytes(10**9), format_bytes(1501)
    ('1 GiB', '1 GB', '1.466 KiB')
    """
    value, prefix = _scaled(count, 1024, ("", "Ki", "Mi", "Gi", "Ti", "Pi"))
    # Binary, unless the decimal form alone is exact: 1 GB comes back as 1 GB, 1 GiB as 1 GiB.
    if float(f"{value:.4g}") != value and float(f"{count:.3g}") == count:
        return f"{format_decimal(count)}B"
    return f"{value:.4g} {prefix}B"


def format_decimal(number: float) -> str:
    """Write a number to four digits with a decimal prefix; the unit follows without a space.

    >>> format_decimal(45e9), format_decimal(3350e9), format_decimal(11162500)
    ('45 G', '3.35 T', '11.16 M')
    """
    value, prefix = _scaled(number, 1000, ("", "k", "M", "G", "T", "P"))
    return f"{value:.4g} {prefix}"


def _scaled(number: float, step: int, prefixes: Sequence[str]) -> tuple[float, str]:
    """The number in the first unit in which it is smaller than `step`, or in the last one."""
    for prefix in prefixes[:-1]:
        if number < step:
            return number, prefix
        number /= step
    return number, prefixes[-1]


def format_seconds(seconds: float) -> str:
    """Write a time to three digits, with the unit that keeps it readable.

    >>> format_seconds(0.0123), format_seconds(2.5e-6), format_seconds(0), format_seconds(9.999e-7)
    ('12.3 ms', '2.5 us', '0 s', '1 us')
    """
    rounded = float(f"{seconds:.3g}")
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if rounded >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns" if seconds else "0 s"
