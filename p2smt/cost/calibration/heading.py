"""Tables with a heading: the kinds and units of their columns, and the numbers of their rows.

Benchmarks other than nccl-tests, and people who remove columns from its tables, name their columns: `size`, `payload`
or `bytes`; `time`, `duration` or `latency`; `algbw`; `busbw`. Units are in the heading's cell, in the line below it, or
after the numbers. Cells are separated by two or more blanks, or by one if there are no such gaps.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from p2smt.cost.calibration.nccl_run import PrintedNumber, parse_printed


class ColumnKind(StrEnum):
    """The kind of a column; OTHER is ignored."""

    SIZE = "size"
    TIME = "time"
    ALGBW = "algbw"
    BUSBW = "busbw"
    OTHER = "other"


_MIDDLE = "(?:avg|average|mean|median|p50)"
_NAMES = {  # lacks OTHER: a column that no name is of
    ColumnKind.SIZE: r"(?:(?:message|msg|data|buffer|payload|transfer|tensor|total)[ -]?)?size|payload|bytes|message",
    ColumnKind.TIME: rf"(?:{_MIDDLE}\.?[ :]*)?(?:time|latency|duration)(?:[ :]*{_MIDDLE})?",
    ColumnKind.ALGBW: r"alg(?:o|orithm|orithmic)?\.?[ -]?(?:bw|bandwidth)",
    ColumnKind.BUSBW: r"(?:nccl )?bus[ -]?(?:bw|bandwidth)",
}
_SAYS_SIZE = re.compile(r"size|payload|bytes|message", re.IGNORECASE)
LONGEST = 400
"""The longest line, in characters, that can be a heading."""

_UNIT = re.compile(r"[(\[]([^)\]]*)[)\]]")
_OUT_OF_PLACE = re.compile(r"^(?:out[ -]of[ -]place|oop)[ :]*")
_SUFFIX = re.compile(r"[ _-](bytes|b|us|usec|ms|sec|s|gbps|gb[ _]s|mbps)$")
"""A unit at the end of a column's name, as in CSV (`latency_us`); there `gbps` means GB/s."""

_UNITS_ALONE = re.compile(r"(?:\(\S+\)\s*){2,}")
_RULE = re.compile(r"[-=:+ ]*")
_NUMBER = re.compile(r"([\d_]+\.?\d*|\.\d+)(e[+-]?\d+)?\s?([A-Za-zµμ/]*)")
_MULTIPLE = re.compile(r"(\d{1,18})x(\d{1,2})")
_WORDS = re.compile(r"[\d.,_]+\s(?:[KMGT]i?B|B|bytes|[uµμm]s|usec|s|[KMG]i?[Bb](?:/s|ps))(?!\S)|\S+(?:\s*\([^)]*\))?")

_SIZES = {"b": 1, "bytes": 1, "byte": 1, "": 1}
_SIZES |= {prefix + end: 2 ** (10 * power) for power, prefix in enumerate("kmgt", 1) for end in ("", "b", "ib")}
_TIMES = {"us": 1e-6, "usec": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "msec": 1e-3, "s": 1.0, "sec": 1.0, "ns": 1e-9}
_RATES = {"gb/s": 1.0, "gbyte/s": 1.0, "gbps": 1.0, "mb/s": 1e-3, "mbps": 1e-3, "gib/s": 2**30 / 1e9, "tb/s": 1e3}
_BITS = dict.fromkeys(("Gbps", "Gb/s", "Gbit/s", "gbps"), 0.125) | dict.fromkeys(("Mbps", "Mb/s"), 0.125e-3)
"""Units in bits per second, distinguished by the lower-case b, with their factors to GB/s."""


@dataclass(frozen=True, slots=True)
class Heading:
    """The columns of a table and their units; "" if a column states no unit."""

    columns: tuple[ColumnKind, ...]
    units: tuple[str, ...]

    def with_units(self, line: str) -> "Heading":
        """Return the heading with units from the line below, if that line has one unit per column."""
        units = tuple(_UNIT.findall(line)) if _UNITS_ALONE.fullmatch(line.strip("# ")) else ()
        return replace(self, units=units) if len(units) == len(self.columns) else self


@dataclass(frozen=True, slots=True)
class Cells:
    """The numbers of a row, in bytes, seconds and GB/s. `unit` is False if the unit of time is unknown."""

    size: int
    time: float | None
    algbw: PrintedNumber | None
    busbw: PrintedNumber | None
    unit: bool


def parse_heading(line: str) -> Heading | None:
    """Parse a line as a heading, which names a size and a time or an algorithm bandwidth; None if it is not one.

    >>> parse_heading("# size  time(us)  algbw  busbw").units
    ('', 'us', '', '')
    """
    if _SAYS_SIZE.search(line) is None or len(line) > LONGEST:
        return None
    plain = line.strip("#*- ")
    for cells in (re.split(r"\s{2,}", plain), _WORDS.findall(plain)):
        if "type" in cells:  # of nccl-tests, whose rows are known by their types
            return None
        columns = tuple(_column(cell) for cell in cells)
        known = len(columns) - columns.count(ColumnKind.OTHER)
        if (
            ColumnKind.SIZE in columns
            and (ColumnKind.TIME in columns or ColumnKind.ALGBW in columns)
            and 3 * known >= len(columns)
        ):
            first = {column: columns.index(column) for column in columns}
            kept = tuple(column if first[column] == place else ColumnKind.OTHER for place, column in enumerate(columns))
            return Heading(kept, tuple(map(_unit, cells)))
    return None


def _column(cell: str) -> ColumnKind:
    whole = _UNIT.sub(" ", cell.lower())
    for text in (whole, _SUFFIX.sub("", whole.strip())):
        name = _OUT_OF_PLACE.sub("", re.sub(r"[_#*\s]+", " ", text).strip(" :"))
        for column, names in _NAMES.items():
            if re.fullmatch(names, name):
                return column
    return ColumnKind.OTHER


def _unit(cell: str) -> str:
    """Return the unit in a heading's cell, in brackets or at the end of its name; "" if there is none."""
    bracketed, ending = _UNIT.search(cell), _SUFFIX.search(cell.lower())
    if bracketed or ending is None:
        return bracketed[1].strip() if bracketed else ""
    return "GB/s" if ending[1].startswith("g") else ending[1]


def is_rule(line: str) -> bool:
    """True for a line without words between a heading and its rows."""
    return _RULE.fullmatch(line) is not None


def parse_cells(line: str, heading: Heading) -> Cells | None:
    """Return the numbers of a row under a heading; None if the line is not such a row.

    >>> parse_cells("32KiB  0.92GBps  0.48GBps", parse_heading("payload  busbw  algbw")).size
    32768
    """
    for parts in (re.split(r"\s{2,}", line.strip("* ")), _WORDS.findall(line.strip("* "))):
        is_numbered = len(parts) == len(heading.columns) + 1 and parts[0].isdigit()  # as pandas prints rows
        cells = parts[is_numbered:]
        if len(cells) == len(heading.columns):
            found = dict(_read(cells, heading))
            size, time = found.get(ColumnKind.SIZE), found.get(ColumnKind.TIME)
            if size is not None and size.value >= 1 and (time is not None or ColumnKind.ALGBW in found):
                said = time is not None and _time_unit(cells, heading) in _TIMES
                exact = [int(one[1]) * int(one[2]) for one in map(_MULTIPLE.fullmatch, cells) if one]
                return Cells(
                    size=exact[0] if exact else round(size.value),
                    time=None if time is None else time.value,
                    algbw=found.get(ColumnKind.ALGBW),
                    busbw=found.get(ColumnKind.BUSBW),
                    unit=said,
                )
    return None


def _time_unit(cells: list[str], heading: Heading) -> str:
    place = heading.columns.index(ColumnKind.TIME)
    number = _NUMBER.fullmatch(cells[place])
    return ((number[3] if number else "") or heading.units[place]).lower()


def _read(cells: list[str], heading: Heading) -> Iterator[tuple[ColumnKind, PrintedNumber]]:
    """Yield the numbers in the columns that are used; those without a known unit are left out."""
    for cell, column, unit in zip(cells, heading.columns, heading.units, strict=True):
        number = _NUMBER.fullmatch(cell)
        if column is ColumnKind.OTHER or number is None:
            continue
        factor = _factor(column, number[3] or unit)
        value = parse_printed(number[1].replace("_", "") + (number[2] or ""))
        if factor is not None and value is not None:
            yield column, PrintedNumber(value.value * factor, value.half * factor)


def _factor(column: ColumnKind, unit: str) -> float | None:
    """Return the factor of a column's numbers; None if the unit is unknown."""
    match column:
        case ColumnKind.SIZE:
            return _SIZES.get(unit.lower())
        case ColumnKind.TIME:
            return _TIMES.get(unit.lower(), None if unit else 1e-6)
        case ColumnKind.ALGBW | ColumnKind.BUSBW:
            return _BITS.get(unit, _RATES.get(unit.lower(), None if unit else 1.0))
        case ColumnKind.OTHER:
            return None
