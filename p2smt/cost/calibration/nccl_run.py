"""One table of nccl-tests, as it stands in the text or in the JSON file, before it is understood."""

from dataclasses import dataclass
from math import isfinite

from p2smt.errors import ProblemError


@dataclass(frozen=True, slots=True)
class Rank:
    """A line of the device list: a rank, the group that it is in, and its host ("" where none is named)."""

    number: int
    group: int
    host: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row: bytes of the whole buffer, elements as the call counts them, out-of-place seconds.

    `place` is for messages. `redop` is None or "none" and `root` is None or -1 where there is none.
    """

    place: str
    size: int
    count: int
    type: str
    redop: str | None
    root: int | None
    seconds: float


@dataclass(frozen=True, slots=True)
class Run:
    """What one start of a test wrote: the program's name ("" where it is not said), its ranks and its rows.

    `algorithm` is the value of NCCL_ALGO, "" where it is not known.
    """

    place: str
    program: str
    ranks: tuple[Rank, ...]
    rows: tuple[Row, ...]
    algorithm: str = ""


def parse_seconds_of(cell: object, place: str) -> float:
    """The seconds of a cell in microseconds; raises ProblemError when it is no time.

    >>> parse_seconds_of("250", "a.txt line 1")
    0.00025
    """
    try:
        microseconds = float(cell) if isinstance(cell, (str, int, float)) else -1.0
    except (ValueError, OverflowError):
        microseconds = -1.0
    if not (microseconds >= 0 and isfinite(microseconds)):
        raise ProblemError(f"{place}: time {str(cell)[:40]!r} is no time; it is a number of microseconds, 0 or more")
    return microseconds / 1e6


def parse_whole(cell: str, what: str, place: str, least: int = 0) -> int:
    """The whole number of a cell; raises ProblemError when it is none, or is below `least`."""
    digits = cell.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 18) or int(cell) < least:
        raise ProblemError(f"{place}: {what} {cell[:40]!r} is no whole number of at least {least}")
    return int(cell)
