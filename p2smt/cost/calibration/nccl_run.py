"""One table of nccl-tests, as printed in text or JSON, before interpretation."""

from dataclasses import dataclass
from math import isfinite

from p2smt.errors import ProblemError

UNSAID = "?"
"""The operation in rows of a table without a column for it, such as AWS Neuron's nccom-test."""


@dataclass(frozen=True, slots=True)
class DeviceLine:
    """A line of the device list: a rank, its group, and its host ("" if not named)."""

    number: int
    group: int
    host: str


@dataclass(frozen=True, slots=True)
class PrintedNumber:
    """A printed number and half a unit of its last digit; the exact value lies between `low` and `high`."""

    value: float
    half: float

    @property
    def low(self) -> float:
        """The least value with this printed form."""
        return max(0.0, self.value - self.half)

    @property
    def high(self) -> float:
        """The largest value with this printed form."""
        return self.value + self.half


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row: bytes of the whole buffer, elements per call, out-of-place seconds, and rates in GB/s.

    `place` is for messages. `redop` is None or "none", and `root` is None or -1, if there is none. `wrong` is the
    number of wrong elements, 0 if unchecked.
    """

    place: str
    size: int
    count: int
    type: str
    redop: str | None
    root: int | None
    seconds: float
    algbw: PrintedNumber | None = None
    busbw: PrintedNumber | None = None
    wrong: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """The output of one run of a test: the program's name ("" if unknown), its ranks and its rows.

    `algorithm` is the value of NCCL_ALGO, "" if unknown. `mentioned` is the program in a command line or heading above
    the table. `nranks` and `nodes` come from NCCL's own log, 0 if it has none, and `launched` is the number of ranks
    that the command starts. `notes` explain which rows were left out.
    """

    place: str
    program: str
    ranks: tuple[DeviceLine, ...]
    rows: tuple[Row, ...]
    algorithm: str = ""
    mentioned: str = ""
    nranks: int = 0
    nodes: int = 0
    launched: int = 0
    notes: tuple[str, ...] = ()


def parse_seconds_of(cell: object, place: str) -> float:
    """Return the seconds of a cell in microseconds; raises ProblemError if it is not a time.

    >>> parse_seconds_of("250", "a.txt line 1")
    0.00025
    """
    try:
        # JSON files give numbers, tables give text; anything else is no time.
        microseconds = float(cell) if isinstance(cell, (str, int, float)) else -1.0
    except (ValueError, OverflowError):
        microseconds = -1.0
    if not (microseconds >= 0 and isfinite(microseconds)):
        raise ProblemError(f"{place}: time {str(cell)[:40]!r} is not a time; it is a number of microseconds, 0 or more")
    return microseconds / 1e6


def parse_whole(cell: str, what: str, place: str, least: int = 0) -> int:
    """Return the integer in a cell; raises ProblemError if it is not an integer, or below `least`."""
    digits = cell.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 18) or int(cell) < least:
        raise ProblemError(f"{place}: {what} {cell[:40]!r} is not a whole number of at least {least}")
    return int(cell)


def parse_printed(cell: object) -> PrintedNumber | None:
    """Return a number with the precision of its text; None if it is not a number.

    >>> parse_printed("13.67").half, parse_printed("2e-07").half, parse_printed("N/A")
    (0.005, 5e-08, None)
    """
    text = str(cell)
    try:
        value = float(text)
    except ValueError:
        return None
    if not isfinite(value):
        return None
    digits, _, exponent = text.lower().partition("e")
    decimals = len(digits.partition(".")[2])
    return PrintedNumber(value, 0.5 * 10.0 ** (int(exponent or 0) - decimals))
