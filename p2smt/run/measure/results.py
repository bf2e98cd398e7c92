"""Measured programs as a growing CSV file: whole rows only, and what is in it is not measured again."""

import csv
import io
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from types import TracebackType
from typing import Self

from p2smt.errors import MeasureError
from p2smt.problem.model import Problem
from p2smt.run.measure.pairs import Pair
from p2smt.wording import bare_sizes

MAX_BYTES = 64_000_000


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

    @property
    def key(self) -> "Key":
        """What tells measurements apart."""
        return self.sizes, self.axes, self.reduce, self.matrix, self.program, str(self.bytes), self.rates


Key = tuple[str, str, str, str, str, str, str]
COLUMNS = tuple(field.name for field in fields(Result))


def names_of(problem: Problem) -> dict[str, str]:
    """The columns that say what is reduced on which system."""
    return {
        "sizes": bare_sizes(level.size for level in problem.levels),
        "axes": ",".join(str(axis.size) for axis in problem.axes),
        "reduce": "+".join(map(str, problem.reduce)),
        "bytes": str(problem.payload.bytes),
        "rates": ";".join(f"{link.name}={link.bandwidth * 8 / 1e6:g}Mb/s" for link in problem.system.network.links),
    }


def key_of(names: Mapping[str, str], pair: Pair) -> Key:
    """The key of a pair; `names` are the problem's."""
    where = (names["sizes"], names["axes"], names["reduce"], str(pair.matrix), pair.text)
    return *where, names["bytes"], names["rates"]


class Results:
    """A file of results, open for more; a context manager. A row that was cut off at the end is dropped first."""

    def __init__(self, path: Path) -> None:
        """Read what is there; raises MeasureError for a file that is no such table."""
        self._path = path
        self.known: set[Key] = set()
        text = _text(path)
        self._whole = text[: text.rfind("\n") + 1]
        if self._whole:
            rows = csv.DictReader(io.StringIO(self._whole, newline=""))
            if tuple(rows.fieldnames or ()) != COLUMNS:
                raise MeasureError(
                    f"{path} is no table of measurements: its heading is not {','.join(COLUMNS)}; choose another --out"
                )
            self.known = {tuple(str(row[name]) for name in _KEY) for row in rows}  # type: ignore[misc]

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
        """One more row, on disk when this returns."""
        self._append(map(str, asdict(result).values()))
        self.known.add(result.key)

    def _append(self, cells: Iterable[str]) -> None:
        line = io.StringIO(newline="")
        csv.writer(line, lineterminator="\n").writerow(cells)
        self._file.write(line.getvalue().encode())
        self._file.flush()
        os.fsync(self._file.fileno())


_KEY = ("sizes", "axes", "reduce", "matrix", "program", "bytes", "rates")


def read_results(path: Path) -> list[Result]:
    """The results of a file, the last row of every key; raises MeasureError with the line of a mistake."""
    rows = csv.DictReader(io.StringIO(_text(path), newline=""))
    if tuple(rows.fieldnames or ()) != COLUMNS:
        raise MeasureError(f"{path} is no table of measurements: its heading is not {','.join(COLUMNS)}")
    found: dict[Key, Result] = {}
    for row in rows:
        try:
            cells = {field.name: _READ[field.type](row[field.name]) for field in fields(Result)}  # type: ignore[index]
        except (ValueError, TypeError) as cause:
            raise MeasureError(f"{path} line {rows.line_num}: {cause}") from cause
        result = Result(**cells)
        found.pop(result.key, None)
        found[result.key] = result
    return list(found.values())


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
