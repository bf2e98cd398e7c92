"""Rows of nccl-tests, recognized by content instead of position, and checked against their own arithmetic.

A row is `size count type [redop] [root]`, then `time algbw busbw [#wrong]` out of place, then the same in place. The
root column, and the unit of time (us or ms), differ between versions. Since
    algbw = size / time
with algbw in GB/s, the correct reading of a table is the one under which most rows satisfy this equation to the printed
digits. Rows that violate it are left out.
Complexity: O(rows x readings), with a reading for each unit of time and place of the columns.
Reference: nccl-tests, doc/PERFORMANCE.md (algbw and busbw).
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from p2smt.cost.calibration.nccl_run import PrintedNumber, Row, parse_printed
from p2smt.wording import counted

ELEMENT_BYTES = {
    "int8": 1,
    "char": 1,
    "uint8": 1,
    "int32": 4,
    "int": 4,
    "uint32": 4,
    "int64": 8,
    "uint64": 8,
    "half": 2,
    "float": 4,
    "double": 8,
    "bfloat16": 2,
    "f8e4m3": 1,
    "f8e5m2": 1,
    "fp8_e4m3": 1,
    "fp8_e5m2": 1,
}
_TYPE = r"(?:u?int\d*|u?char|half|float\d*\w*|double|bfloat16|bf16|fp\d\w*|f8\w+)"
_SIZE = r"\d{1,18}|\d{1,9}(?:\.\d+)?\s?[KMG](?:i?B)?"
_ROW = re.compile(rf"(?<![\w.,-])({_SIZE})\s+(\d{{1,18}})\s+({_TYPE})(?=\s|$)(.*)")
_POWERS = {"K": 2**10, "M": 2**20, "G": 2**30}
"""Units of sizes, as on nccl-tests' command line and in hand-made tables."""

_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_MISSING = frozenset({"N/A", "n/a", "nan", "inf", "-nan", "-"})
_OPERATIONS = frozenset({"sum", "prod", "max", "min", "avg", "all", "none", "mulsum", "premulsum"})

UNITS = {1e-6: "microseconds", 1e-3: "milliseconds", 1.0: "seconds"}
_SLACK = 0.005
"""Relative slack beyond the printed digits, because nccl-tests prints size over the mean time."""

_IN_PLACE = 4
"""The number of cells from the out-of-place time to the in-place time."""

_SHOWN = 0.04
"""The smallest algbw (GB/s) whose printed digits distinguish one reading from another."""


@dataclass(slots=True)
class RawRow:
    """A row as cells: the numbers, or words for missing ones, after the type and the operation, in order."""

    place: str
    size: int
    count: int
    type: str
    redop: str | None
    cells: list[str]
    algorithm: str = ""

    @property
    def is_whole(self) -> bool:
        """True if the row has enough cells for a time and two rates, and possibly a root."""
        return len(self.cells) >= 4 or (len(self.cells) == 3 and not _is_whole_number(self.cells[0]))


def raw_row(line: str, place: str) -> RawRow | None:
    """Return the row in a line, ignoring text before and after it; None if there is none."""
    found = _ROW.search(line)
    if found is None:
        return None
    row = RawRow(place, _size(found[1]), int(found[2]), found[3], None, [])
    extend(row, found[4].split())
    return row


def _size(cell: str) -> int:
    """Return the bytes in a cell, which may have a unit.

    >>> _size("1024"), _size("1.5M")
    (1024, 1572864)
    """
    found = re.fullmatch(r"([\d.]+)\s?([KMG])\w*", cell)
    return round(float(found[1]) * _POWERS[found[2]]) if found else int(cell)


def extend(row: RawRow, words: Sequence[str]) -> None:
    """Append the words of a row, or of the rest of a broken row, up to the first one that is not a cell."""
    for word in words:
        if _NUMBER.fullmatch(word) or word in _MISSING:
            row.cells.append(word)
        elif word in _OPERATIONS and row.redop is None and not row.cells:
            row.redop = word
        elif word.isalnum() and word.isupper():
            row.algorithm = row.algorithm or word.lower()
        else:
            glued = re.match(r"(-?\d+)(?=[A-Za-z])", word)  # a root that another line was printed behind
            row.cells += [glued[1]] if glued and not row.cells else []
            return


def is_rest(line: str) -> bool:
    """True if a line has only cells: the rest of a row that was broken in two."""
    words = line.split()
    return len(words) >= 2 and all(_NUMBER.fullmatch(word) or word in _MISSING or word in _OPERATIONS for word in words)


def understood(raw: Sequence[RawRow], columns: Sequence[str]) -> tuple[list[Row], list[str]]:
    """Return the rows of one table, and notes on rows that were left out."""
    notes: list[str] = []
    whole = [row for row in raw if row.is_whole]
    if len(whole) < len(raw):
        cut = next(row for row in raw if not row.is_whole)
        notes.append(f"{cut.place}: {counted(len(raw) - len(whole), 'row')} without a time and two rates left out")
    if not whole:
        return [], notes
    offset, unit = _reading(whole, columns)
    if unit != 1e-6:
        notes.append(f"{whole[0].place}: times are read as {UNITS[unit]}, as size / time = algbw has it")
    in_place = all(one.cells[offset : offset + 1] in (["N/A"], ["n/a"], ["-"]) for one in whole)
    offset += _IN_PLACE if in_place else 0
    rows, untimed, broken = [], [], []
    for one in whole:
        row = _row(one, offset, unit)
        if row is None:
            untimed.append(one)
        elif row.algbw is not None and _shown(row.algbw) and not _agrees(row.size, row.seconds, row.algbw, 0.01):
            broken.append(one)
        else:
            rows.append(row)
    if in_place and rows:
        notes.append(f"{rows[0].place}: times are those in place; the table has no others")
    if untimed:
        notes.append(f"{untimed[0].place}: {counted(len(untimed), 'row')} without an out-of-place time left out")
    if broken:
        notes.append(
            f"{broken[0].place}: {counted(len(broken), 'row')} left out, because size / time is not algbw there"
        )
    return rows, notes


def _reading(raw: Sequence[RawRow], columns: Sequence[str]) -> tuple[int, float]:
    """Return the number of cells before the time, and its unit; if digits do not tell, by the heading."""
    # With or without the column of the root, and in one of several units of time: the reading wins
    # under which most rows satisfy their own arithmetic.
    expected = 1 if ("root" in columns if columns else _is_whole_number(raw[0].cells[0])) else 0
    found: Counter[tuple[int, float]] = Counter()
    for row in raw:
        for offset in (0, 1):
            for unit in UNITS:
                read = _row(row, offset, unit)
                if read is not None and read.algbw is not None and _shown(read.algbw):
                    found[offset, unit] += _agrees(read.size, read.seconds, read.algbw, 0.0)
    usual = (expected, 1e-6)
    best = max([usual, *found], key=lambda reading: found[reading])
    return best if found[best] else usual


def _row(raw: RawRow, offset: int, unit: float) -> Row | None:
    has_root = offset % _IN_PLACE == 1
    time, *rest = [*map(parse_printed, raw.cells[offset:]), None]
    if time is None or time.value <= 0 or len(rest) < 3 or (has_root and not _is_whole_number(raw.cells[0])):
        return None
    wrong = rest[2].value if len(rest) > 3 and rest[2] is not None else 0.0
    return Row(
        place=raw.place,
        size=raw.size,
        count=raw.count,
        type=raw.type,
        redop=raw.redop,
        root=int(raw.cells[0]) if has_root else None,
        seconds=time.value * unit,
        algbw=rest[0],
        busbw=rest[1],
        wrong=wrong if wrong >= 1 else 0.0,  # below that it is the error column of old tables
    )


def _shown(rate: PrintedNumber) -> bool:
    return rate.value >= _SHOWN and rate.half <= 0.15 * rate.value


def _agrees(size: int, seconds: float, algbw: PrintedNumber, slack: float) -> bool:
    rate = size / seconds / 1e9
    off = _SLACK + slack
    return algbw.low * (1 - off) <= rate <= algbw.high * (1 + off)


def _is_whole_number(cell: str) -> bool:
    return cell.lstrip("-").isdigit()
