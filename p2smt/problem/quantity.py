"""Parse and format sizes, rates and times with units: `1GiB`, `100Gbit/s`, `14us`."""

import re
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from math import isfinite

from p2smt.errors import ProblemError

_PREFIX = {
    "": 1,
    "k": 10**3,
    "m": 10**6,
    "g": 10**9,
    "t": 10**12,
    "p": 10**15,
    "ki": 2**10,
    "mi": 2**20,
    "gi": 2**30,
    "ti": 2**40,
    "pi": 2**50,
}
"""Factors of lower-case unit prefixes."""

_HOUR, _DAY, _YEAR = 3600, 86_400, 31_557_600
_SECONDS = {
    unit: Decimal(scale)
    for unit, scale in (
        ("ns", "1e-9"),
        ("us", "1e-6"),
        ("µs", "1e-6"),
        ("μs", "1e-6"),
        ("ms", "1e-3"),
        ("s", "1"),
        ("min", 60),
        ("h", _HOUR),
        ("d", _DAY),
        ("y", _YEAR),
    )
}
"""Units of time in seconds, with both the micro sign and the Greek letter mu."""
_LONG = (("y", _YEAR, 2 * _YEAR), ("d", _DAY, 2 * _DAY), ("h", _HOUR, 2 * _HOUR), ("min", 60, 1000))
"""Units of long times: name, seconds per unit, and the duration in seconds from which the unit is used."""

_NUMBER = r"(\d{1,19}(?:\.\d{1,20})?(?:e[+-]?\d{1,2})?)"
_BYTES = re.compile(_NUMBER + r"\s*([kKmMgGtTpP][iI]?)?(B|b)?")
_RATE = re.compile(_NUMBER + r"\s*([kKmMgGtTpP][iI]?)?(B|[bB][iI][tT]|b)(?:/s|ps|/S|PS)")
_NO_TIME = re.compile(_NUMBER + r"\s*([kKmMgGtTpP][iI]?)?(B|[bB][iI][tT]|b)")
_SPEED = re.compile(_NUMBER + r"\s*([kKMGTP])?(?:flop/s|flops/s|flops)", re.IGNORECASE)
_TIME = re.compile(_NUMBER + r"\s*(ns|us|µs|μs|ms|s|min|h|d|y)")
_TOKENS = re.compile(r"(\d{1,12})\s*([kKmM])?")


def parse_bytes(text: str) -> int:
    """Parse a number of bytes; case is ignored, except that `Gb` is rejected as it usually means gigabits.

    >>> parse_bytes("1GiB"), parse_bytes("64 kB"), parse_bytes("12"), parse_bytes("1gb")
    (1073741824, 64000, 12, 1000000000)
    """
    match = _BYTES.fullmatch(text.strip())
    size = Fraction(match[1]) * _PREFIX[(match[2] or "").lower()] if match else Fraction(0)
    bits = match is not None and match[3] == "b" and (match[2] or "").lower() != match[2]
    if not (0 < size <= 2**60) or size != int(size) or bits:
        meant = f"; did you mean {text.strip()[:-1]}B?" if bits else ""
        raise ProblemError(
            f"bytes {text!r} is not a size; write a positive whole number of bytes such as 1GiB or 64MB{meant}"
        )
    return int(size)


def parse_memory(text: str) -> int:
    """Parse a device's memory in bytes; a small number without a unit is rejected as a likely mistake.

    >>> parse_memory("80GB")
    80000000000
    """
    size = parse_bytes(text)
    if text.strip().isdecimal() and size < 10**4:
        raise ProblemError(f"memory {text!r} is {size} bytes; did you mean {text.strip()}GB?")
    return size


def parse_tokens(text: str) -> int:
    """Parse a number of tokens or sequences; k means 1024, as in context lengths.

    >>> parse_tokens("8k"), parse_tokens("4096"), parse_tokens("1m")
    (8192, 4096, 1048576)
    """
    match = _TOKENS.fullmatch(text.strip())
    count = int(match[1]) * _PREFIX[f"{match[2]}i".lower() if match[2] else ""] if match else 0
    if not 0 < count <= 2**40:
        raise ProblemError(f"{text[:40]!r} is not a count of tokens or sequences; write one such as 4096 or 8k (8192)")
    return count


def parse_bandwidth(text: str) -> float:
    """Parse a bandwidth in bytes per second; `b` and `bit` mean bits, `B` means bytes, and `ps` means `/s`.

    Other letters ignore case, except that `gb/s` is rejected as ambiguous.

    >>> parse_bandwidth("8GB/s"), parse_bandwidth("100Gbit/s"), parse_bandwidth("25Gbps")
    (8000000000.0, 12500000000.0, 3125000000.0)
    """
    match = _RATE.fullmatch(text.strip())
    rate = float(match[1]) * _PREFIX[(match[2] or "").lower()] / (1 if match[3] == "B" else 8) if match else 0.0
    unclear = match is not None and match[3] == "b" and match[2] is not None and match[2][0] in "mgtp"
    if not (rate > 0 and isfinite(rate)) or unclear:
        unit = _NO_TIME.fullmatch(text.strip())
        meant = f"; did you mean {text.strip()}/s, {'bytes' if unit[3] == 'B' else 'bits'} per second?" if unit else ""
        if match is not None and unclear:
            number = f"{match[1]}{(match[2] or '')[0].upper()}"
            meant = f"; did you mean {number}B/s, bytes per second, or {number}bit/s?"
        raise ProblemError(f"bandwidth {text!r} is not a positive rate; write one such as 8GB/s or 100Gbit/s{meant}")
    return rate


def parse_speed(text: str) -> float:
    """Parse a speed in arithmetic operations per second; a multiply-add counts as two.

    >>> parse_speed("2.5Tflop/s"), parse_speed("312 Tflops")
    (2500000000000.0, 312000000000000.0)
    """
    match = _SPEED.fullmatch(text.strip())
    speed = float(match[1]) * _PREFIX[(match[2] or "").lower()] if match else 0.0
    if not (speed > 0 and isfinite(speed)):
        raise ProblemError(f"speed {text!r} is not a positive speed; write one such as 100Tflop/s")
    return speed


def parse_seconds(text: str) -> float:
    """Parse a time in seconds.

    >>> parse_seconds("14us"), parse_seconds("2 s"), parse_seconds("44 min")
    (1.4e-05, 2.0, 2640.0)
    """
    match = _TIME.fullmatch(text.strip())
    if not match or not isfinite(float(match[1])):
        raise ProblemError(f"time {text!r} is not a duration; write one such as 14us, 3ms or 2s")
    # Decimal, so that "5us" is the number nearest to 5e-6; 5 * 1e-6 in floating point is its neighbour.
    return float(Decimal(match[1]) * _SECONDS[match[2]])


def format_bytes(count: float) -> str:
    """Format a number of bytes with a binary prefix, or a decimal one if only that is exact, as in `1GB`.

    >>> format_bytes(1073741824), format_bytes(10**9), format_bytes(1501)
    ('1 GiB', '1 GB', '1.466 KiB')
    """
    value, prefix = _scaled(count, 1024, ("", "Ki", "Mi", "Gi", "Ti", "Pi"))
    # Binary, unless the decimal form alone is exact: 1 GB comes back as 1 GB, 1 GiB as 1 GiB.
    if float(f"{value:.4g}") != value and float(f"{count:.3g}") == count:
        return f"{format_decimal(count)}B"
    return f"{value:.4g} {prefix}B"


def format_decimal(number: float) -> str:
    """Format a number to four digits with a decimal prefix; the unit follows without a space.

    >>> format_decimal(45e9), format_decimal(3350e9), format_decimal(11162500)
    ('45 G', '3.35 T', '11.16 M')
    """
    value, prefix = _scaled(number, 1000, ("", "k", "M", "G", "T", "P"))
    return f"{value:.4g} {prefix}"


def _scaled(number: float, step: int, prefixes: Sequence[str]) -> tuple[float, str]:
    """Return the number, scaled to the first prefix that makes it less than `step`, and that prefix."""
    for prefix in prefixes[:-1]:
        if number < step:
            return number, prefix
        number /= step
    return number, prefixes[-1]


def format_seconds(seconds: float) -> str:
    """Format a time to three digits with a suitable unit; minutes are used from 1000 seconds.

    >>> format_seconds(0.0123), format_seconds(2.5e-6), format_seconds(0), format_seconds(9.999e-7)
    ('12.3 ms', '2.5 us', '0 s', '1 us')
    >>> format_seconds(999), format_seconds(2640), format_seconds(40_000), format_seconds(400_000)
    ('999 s', '44 min', '11.1 h', '4.63 d')
    """
    rounded = float(f"{seconds:.3g}")
    for unit, long, least in _LONG:
        if rounded >= least:
            return f"{seconds / long:.3g} {unit}"
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if rounded >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns" if seconds else "0 s"
