"""Export a table of a store as CSV, JSON Lines or Parquet, sorted by key; equal stores yield equal bytes."""

import csv
import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import IO, Any, Literal, assert_never  # Any: pyarrow's and DuckDB's values

from p2smt.errors import StudyError
from p2smt.sweep.cells import Value, json_value, spreadsheet_cell
from p2smt.sweep.query import named_columns
from p2smt.sweep.store_file import open_to_read

Columns = Sequence[str] | None
"""Names of columns in output order; None for all columns."""

ROW_GROUP = 10_000
"""Number of rows held in memory at a time."""


class ExportTable(StrEnum):
    """A table that can be exported."""

    PROBLEMS = "problems"
    PLACEMENTS = "placements"
    JOBS = "jobs"
    JOB_PLACEMENTS = "job_placements"
    ENVIRONMENTS = "environments"


class ExportFormat(StrEnum):
    """A format of exports; only Parquet is binary."""

    CSV = "csv"
    JSONL = "jsonl"
    PARQUET = "parquet"


_ORDER = {
    ExportTable.PROBLEMS: "key",
    ExportTable.PLACEMENTS: "key, number",
    ExportTable.JOBS: "key",
    ExportTable.JOB_PLACEMENTS: "key, number",
    ExportTable.ENVIRONMENTS: "id",
}


def format_of(out: Path | None) -> ExportFormat:
    """Return the format implied by a file's extension. Raises StudyError if there is none."""
    ending = "" if out is None else out.suffix.lower().removeprefix(".")
    if ending not in set(ExportFormat):
        said = "stdout has no ending" if out is None else f"{out} ends in no format"
        raise StudyError(
            f"{said}; give --format, or an --out that ends in {', '.join(f'.{one}' for one in ExportFormat)}"
        )
    return ExportFormat(ending)


def export_text(  # only: a type: the text formats, matched below
    store: Path,
    table: ExportTable,
    form: Literal[ExportFormat.CSV, ExportFormat.JSONL],
    out: IO[str],
    columns: Columns = None,
) -> None:
    """Write a table in a text format."""
    match form:
        case ExportFormat.CSV:
            export_csv(store, table, out, columns)
        case ExportFormat.JSONL:
            export_jsonl(store, table, out, columns)
        case _:
            assert_never(form)


def export_csv(store: Path, table: ExportTable, out: IO[str], columns: Columns = None) -> None:
    """Write a table as CSV with a heading and line feeds; `spreadsheet_cell` describes the escaping."""
    with _rows(store, table, columns) as (names, rows):
        write_csv(names, rows, out)


def write_csv(columns: Sequence[str], rows: Iterable[Sequence[Value]], out: IO[str]) -> None:
    """Write a heading and rows as CSV."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(map(spreadsheet_cell, columns))
    writer.writerows(map(spreadsheet_cell, row) for row in rows)


def export_jsonl(store: Path, table: ExportTable, out: IO[str], columns: Columns = None) -> None:
    """Write a table as one ASCII JSON object per line, without loss."""
    with _rows(store, table, columns) as (names, rows):
        for row in rows:
            out.write(json.dumps(dict(zip(names, map(json_value, row), strict=True))) + "\n")


def export_parquet(store: Path, table: ExportTable, out: IO[bytes], columns: Columns = None) -> None:
    """Write a table as Parquet with int64, double and string columns. Raises StudyError without pyarrow."""
    try:
        import pyarrow as arrow
        from pyarrow import parquet
    except ImportError as cause:
        raise StudyError("pyarrow is missing; install it with: pip install pyarrow") from cause

    types = {"INTEGER": arrow.int64(), "REAL": arrow.float64(), "TEXT": arrow.string()}
    kinds = dict(_columns(store, table))
    schema = arrow.schema([(name, types[kinds[name]]) for name in _chosen(store, table, columns)])
    with _rows(store, table, columns) as (_, rows), parquet.ParquetWriter(out, schema) as writer:
        while group := list(islice(rows, ROW_GROUP)):
            try:
                typed = zip(schema.types, zip(*group, strict=True), strict=True)
                arrays = [arrow.array(cells, kind) for kind, cells in typed]
            except (arrow.ArrowException, TypeError, OverflowError) as cause:
                raise StudyError(f"{store} is damaged: {cause}; run the sweep again into another --store") from cause
            writer.write_table(arrow.Table.from_arrays(arrays, schema=schema))


def _columns(store: Path, table: ExportTable) -> list[tuple[str, str]]:
    connection = open_to_read(store)
    try:
        return [(name, kind) for _, name, kind, *_ in connection.execute(f"PRAGMA table_info({table})")]
    finally:
        connection.close()


def _chosen(store: Path, table: ExportTable, columns: Columns) -> Sequence[str]:
    """Return the selected columns, by default all."""
    return [name for name, _ in _columns(store, table)] if columns is None else named_columns(store, table, columns)


@contextmanager
def _rows(
    store: Path, table: ExportTable, columns: Columns
) -> Iterator[tuple[Sequence[str], Iterator[tuple[Value, ...]]]]:
    """Yield the columns and rows of a table, as a consistent snapshot."""
    chosen = ", ".join(_chosen(store, table, columns))
    connection = open_to_read(store)
    try:
        cursor: Any = connection.execute(f"SELECT {chosen} FROM {table} ORDER BY {_ORDER[table]}")
        yield [name for name, *_ in cursor.description], cursor
    except sqlite3.Error as cause:
        raise StudyError(f"cannot read {store}: {cause}; check the file, or name another store") from cause
    finally:
        connection.close()
