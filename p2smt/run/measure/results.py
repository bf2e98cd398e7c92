"""Measured programs as a growing CSV file: whole rows only, and what is in it is not measured again."""

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
"""The goal of all programs in tables that have no column for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One row: what ran where, its time, and what is needed to judge that.

    `seconds` is the median over `repeats` of the slowest rank, `spread` its relative error. `reference` is the plain
    all-reduce over all ranks as last measured; `drift` that over the first one. `wrong` counts elements that differed
    from those of the plain collective. Of rows for the same program the last one holds.
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
        """The key that tells measurements apart."""
        where = (self.sizes, self.axes, self.reduce, self.matrix, self.program)
        return *where, str(self.bytes), self.rates, self.goal


Key = tuple[str, str, str, str, str, str, str, str]
COLUMNS = tuple(field.name for field in fields(Result))
WITHOUT_GOAL = COLUMNS[:-1]
"""The columns of tables that were written before programs had goals."""


def names_of(problem: Problem) -> dict[str, str]:
    """The columns that say what is reduced on which system."""
    return {
        "sizes": bare_sizes(problem.system.sizes) if problem.system.tree is None else str(problem.system.tree),
        "axes": ",".join(str(axis.size) for axis in problem.axes),
        "reduce": "+".join(map(str, problem.reduce)),
        "bytes": str(problem.payload.bytes),
        "rates": ";".join(f"{link.name}={link.bandwidth * 8 / 1e6:g}Mb/s" for link in problem.system.network.links),
    }


def key_of(names: Mapping[str, str], pair: Pair) -> Key:
    """The key of a pair; `names` are the problem's."""
    where = (names["sizes"], names["axes"], names["reduce"], str(pair.matrix), pair.text)
    return *where, names["bytes"], names["rates"], pair.goal.value


class Results:
    """A file of results, open for more; a context manager. A row that was cut off at the end is dropped first."""

    def __init__(self, path: Path) -> None:
        """Read what is there; raises MeasureError for a file that is no such table."""
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
        """Open the file, whole rows only, with its heading."""
        try:
            self._file = self._path.open("r+b" if self._path.exists() else "w+b")
        except OSError as cause:
            raise MeasureError(f"cannot write {self._path}: {cause.strerror}") from cause
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
        """One more row, on disk when this returns; raises MeasureError where the table has no place for its goal."""
        if self._columns == WITHOUT_GOAL and result.goal != EARLIER_GOAL:
            raise MeasureError(f"{self._path} has no column goal, which {result.goal} needs; choose another --out")
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
    """The columns of a table; raises MeasureError unless they are those of a table of measurements."""
    columns = table.heading
    if columns not in (COLUMNS, WITHOUT_GOAL):
        raise MeasureError(f"{path} is no table of measurements: its heading is not {','.join(COLUMNS)}{way_out}")
    return columns


def _key(row: Mapping[str, str]) -> Key:
    sizes, axes, reduce, matrix, program, size, rates = (str(row[name]) for name in _KEY)
    return sizes, axes, reduce, matrix, program, size, rates, row.get("goal", EARLIER_GOAL)


def read_results(path: Path) -> list[Result]:
    """The results of a file, the last row of every key; raises MeasureError with the line of a mistake."""
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
            raise MeasureError(f"{path} is larger than {MAX_BYTES} bytes, the most that is read")
        return path.read_bytes().decode()
    except OSError as cause:
        raise MeasureError(f"cannot read {path}: {cause.strerror}") from cause
    except UnicodeDecodeError as cause:
        raise MeasureError(f"{path} is no text: {cause}") from cause
