"""Measurements as a growing CSV file with complete rows only; programs in it are not measured again."""

import csv
import io
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from types import TracebackType
from typing import Self

from p2smt.collective import Collective
from p2smt.errors import MeasureError
from p2smt.problem.csv_table import CsvTable
from p2smt.problem.model import Problem
from p2smt.run.measure.pairs import Pair
from p2smt.wording import bare_sizes

MAX_BYTES = 64_000_000
EARLIER_GOAL = Collective.ALL_REDUCE.value
"""The goal of all programs in old tables without a `goal` column."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One row: the program and its placement, the time, and the data needed to judge its reliability.

    `seconds` is the median over `repeats` of the slowest rank's time, and `spread` its relative error.
    `reference` is the last measured time of an all-reduce over all ranks, and `drift` its ratio to the first
    one. `wrong` counts elements that differ from the reference collective. If several rows describe the same
    program, the last one counts.
    """

    sizes: str
    axes: str
    reduce: str
    matrix: str
    program: str
    algorithm: str
    bytes: int
    seconds: float
    repeats: int
    spread: float
    wrong: int
    reference: float
    drift: float
    backend: str
    rates: str
    p2smt: str
    torch: str
    host: str
    measured: str
    goal: str = EARLIER_GOAL

    @property
    def key(self) -> "Key":
        """The key that identifies the measured program, problem and system."""
        where = (self.sizes, self.axes, self.reduce, self.matrix, self.program)
        return *where, str(self.bytes), self.rates, self.goal


Key = tuple[str, str, str, str, str, str, str, str]
COLUMNS = tuple(field.name for field in fields(Result))
WITHOUT_GOAL = COLUMNS[:-1]
"""Columns of old tables, written before programs had goals."""


def names_of(problem: Problem) -> dict[str, str]:
    """Return the columns that identify the problem and the system."""
    return {
        "sizes": bare_sizes(problem.system.sizes) if problem.system.tree is None else str(problem.system.tree),
        "axes": ",".join(str(axis.size) for axis in problem.axes),
        "reduce": "+".join(map(str, problem.reduce)),
        "bytes": str(problem.payload.bytes),
        "rates": ";".join(f"{link.name}={link.bandwidth * 8 / 1e6:g}Mb/s" for link in problem.system.network.links),
    }


def key_of(names: Mapping[str, str], pair: Pair) -> Key:
    """Return the key of a pair; `names` are the columns of its problem."""
    where = (names["sizes"], names["axes"], names["reduce"], str(pair.matrix), pair.text)
    return *where, names["bytes"], names["rates"], pair.goal.value


class Results:
    """A results file opened for appending; a context manager. An incomplete last row is dropped."""

    def __init__(self, path: Path) -> None:
        """Read the existing rows. Raises MeasureError if the file is not a table of measurements."""
        self._path = path
        self.known: set[Key] = set()
        self._columns = COLUMNS
        text = _text(path)
        self._whole = text[: text.rfind("\n") + 1]
        if self._whole:
            table = CsvTable(self._whole, str(path), MeasureError)
            self._columns = _heading(table, path, "; choose another --out")
            self.known = {_key(row) for _, row in table.rows()}

    def __enter__(self) -> Self:
        """Open the file, truncate an incomplete row, and write the heading if the file is empty."""
        try:
            self._file = self._path.open("r+b" if self._path.exists() else "w+b")
        except OSError as cause:
            raise MeasureError(f"cannot write {self._path}: {cause.strerror}; choose another --out") from cause
        self._file.truncate(len(self._whole.encode()))
        self._file.seek(0, os.SEEK_END)
        if not self._whole:
            self._append(COLUMNS)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the file."""
        self._file.close()

    def add(self, result: Result) -> None:
        """Append a row and flush it to disk. Raises MeasureError if an old table lacks the column for its goal."""
        if self._columns == WITHOUT_GOAL and result.goal != EARLIER_GOAL:
            raise MeasureError(f"{self._path} has no column goal, which {result.goal} needs; write to another --out")
        cells = asdict(result)
        self._append(str(cells[name]) for name in self._columns)
        self.known.add(result.key)

    def _append(self, cells: Iterable[str]) -> None:
        line = io.StringIO(newline="")
        csv.writer(line, lineterminator="\n").writerow(cells)
        self._file.write(line.getvalue().encode())
        self._file.flush()
        os.fsync(self._file.fileno())


_KEY = ("sizes", "axes", "reduce", "matrix", "program", "bytes", "rates")


def _heading(table: CsvTable, path: Path, way_out: str = "") -> tuple[str, ...]:
    """Return the columns of a table. Raises MeasureError unless it is a table of measurements."""
    columns = table.heading
    if columns not in (COLUMNS, WITHOUT_GOAL):
        raise MeasureError(f"{path} is not a table of measurements: its heading is not {','.join(COLUMNS)}{way_out}")
    return columns


def _key(row: Mapping[str, str]) -> Key:
    sizes, axes, reduce, matrix, program, size, rates = (str(row[name]) for name in _KEY)
    return sizes, axes, reduce, matrix, program, size, rates, row.get("goal", EARLIER_GOAL)


def read_results(path: Path) -> list[Result]:
    """Return the results in a file, keeping the last row of every key.

    Raises MeasureError with the line number of the first malformed row.
    """
    table = CsvTable(_text(path), str(path), MeasureError)
    columns, kinds = _heading(table, path), {field.name: field.type for field in fields(Result)}
    results: dict[Key, Result] = {}
    for line, row in table.rows():
        try:
            cells = {name: _READ[kinds[name]](row[name]) for name in columns}  # type: ignore[index]
        except (ValueError, TypeError) as cause:
            raise MeasureError(f"{path} line {line}: {cause}") from cause
        result = Result(**cells)
        results.pop(result.key, None)
        results[result.key] = result
    return list(results.values())


_READ = {str: str, int: int, float: float}


def _text(path: Path) -> str:
    try:
        if not path.exists():
            return ""
        if path.stat().st_size > MAX_BYTES:
            raise MeasureError(f"{path} is larger than {MAX_BYTES} bytes, the limit; split it")
        return path.read_bytes().decode()
    except OSError as cause:
        raise MeasureError(f"cannot read {path}: {cause.strerror}") from cause
    except UnicodeDecodeError as cause:
        raise MeasureError(f"{path} is not text: {cause}") from cause
