"""Exported tables, whole: every row once, in the order of the keys, whatever else is in them."""

import csv
import io
import json
from contextlib import closing
from pathlib import Path

import pytest
from sweep.made_rows import ENVIRONMENTS, job_row, problem_row, stored

from p2smt.errors import StudyError
from p2smt.sweep import export
from p2smt.sweep.export import ExportFormat, ExportTable, export_csv, export_jsonl, export_parquet, format_of
from p2smt.sweep.store_file import open_to_read


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """Three problems and three jobs, the first keys with what would come last in any other order."""
    named = zip("abc", (3, 2, 1), strict=True)
    outcomes = [
        made(key, system=f"s{place}", devices=place)
        for key, place in named
        for made in (problem_row, lambda key, **more: job_row(key, memory=more["devices"], **more))
    ]
    return stored(tmp_path_factory.mktemp("export") / "s.sqlite", *outcomes[::-1])


IDS = {
    ExportTable.PROBLEMS: [("a",), ("b",), ("c",)],
    ExportTable.PLACEMENTS: [(key, number) for key in "abc" for number in range(3)],
    ExportTable.JOBS: [("a",), ("b",), ("c",)],
    ExportTable.JOB_PLACEMENTS: [(key, number) for key in "abc" for number in range(2)],
    ExportTable.ENVIRONMENTS: sorted((one.id,) for one in ENVIRONMENTS),
}


@pytest.mark.parametrize("table", ExportTable)
def test_every_row_is_there_in_the_order_of_the_keys(store, table, monkeypatch):
    with closing(open_to_read(store)) as connection:
        cursor = connection.execute(f"SELECT * FROM {table}")
        names = [name for name, *_ in cursor.description]
        kept = sorted(cursor.fetchall())
    assert [row[: len(IDS[table][0])] for row in kept] == IDS[table]
    lines = io.StringIO()
    export_jsonl(store, table, lines)
    assert [list(json.loads(line).items()) for line in lines.getvalue().splitlines()] == [
        list(zip(names, row, strict=True)) for row in kept
    ]
    text = io.StringIO(newline="")
    export_csv(store, table, text)
    assert list(csv.reader(io.StringIO(text.getvalue(), newline=""))) == [
        names,
        *(["" if cell is None else str(cell) for cell in row] for row in kept),
    ]
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(export, "ROW_GROUP", 2)
    table_bytes = io.BytesIO()
    export_parquet(store, table, table_bytes)
    read = parquet.read_table(io.BytesIO(table_bytes.getvalue()))
    assert [tuple(row.items()) for row in read.to_pylist()] == [tuple(zip(names, row, strict=True)) for row in kept]


def test_columns_are_in_the_order_in_which_they_are_named(store):
    text = io.StringIO(newline="")
    export_csv(store, ExportTable.PROBLEMS, text, ("system", "key", "devices"))
    assert text.getvalue() == "system,key,devices\ns3,a,3\ns2,b,2\ns1,c,1\n"


def test_a_heading_runs_no_more_than_a_cell(store):
    text = io.StringIO(newline="")
    export.write_csv(("=1+1", "a"), [("b", "=2")], text)
    assert text.getvalue() == "'=1+1,a\nb,'=2\n"


@pytest.mark.parametrize("ending", ["csv", "CSV", "jsonl", "Parquet"])
def test_the_ending_of_a_name_is_its_format_however_it_is_written(ending):
    assert format_of(Path(f"a.b.{ending}")) is ExportFormat(ending.lower())


@pytest.mark.parametrize("export_it", [export_csv, export_jsonl, export_parquet])
def test_a_damaged_store_is_an_error_in_every_format(store, tmp_path, export_it):
    """The pages that name the tables are whole, the first one of a table is not."""
    pytest.importorskip("pyarrow")
    with closing(open_to_read(store)) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'problems'").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    data = bytearray(store.read_bytes())
    data[(page - 1) * size : page * size] = b"\xff" * size
    spoiled = tmp_path / "spoiled.sqlite"
    spoiled.write_bytes(data)
    with pytest.raises(StudyError, match=r"cannot read .*malformed"):
        export_it(spoiled, ExportTable.PROBLEMS, io.BytesIO() if export_it is export_parquet else io.StringIO())
