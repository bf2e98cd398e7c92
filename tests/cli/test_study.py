"""The command: what it prints, files it writes, names that are not to be trusted, one line for every mistake."""

import csv
import io
import json
import shutil
from dataclasses import fields
from itertools import product

import pytest
import tomli_w
from command_line import golden, output, refused
from study_support import FEW

from p2smt.cli.main import run
from p2smt.problem.text import printable
from p2smt.sweep.cells import spreadsheet_cell
from p2smt.sweep.query import Filter
from p2smt.sweep.schema import described

pytestmark = pytest.mark.usefixtures("solved_here")

NAMES = {
    "html": '<script>alert("1")</script> & co',
    "quotes": "a \"b\" 'c', d; \\e",
    "lines": "one\r\ntwo\nthree\ttab",
    "formula": '=HYPERLINK("http://example.org")',
    "plus": "+1+1",
    "at": " @SUM(1)",
    "wide": "＝1＋1",
    "terminal": "\x1b[2J\x1b]0;title\x07\u202eright to left",
    "letters": "Zürich 東京 🙂",
    "markup": "[red]not red[/red]",
    "sql": "'; DROP TABLE problems; --",
    "nul": "a\x00b",
}


def study(folder, text, capsys, *options):
    (folder / "sweep.toml").write_text(text, encoding="utf-8")
    return output(["study", str(folder / "sweep.toml"), "--executor", "local:1", *options], capsys)


@pytest.fixture(scope="module")
def stores(tmp_path_factory, solved_here):
    """A store of a small sweep, and one of systems with every name of `NAMES`."""
    folder = tmp_path_factory.mktemp("stores")
    (folder / "sweep.toml").write_text(FEW, encoding="utf-8")
    systems = [folder / f"{name}.toml" for name in NAMES]
    for path, name in zip(systems, NAMES.values(), strict=True):
        levels = [{"name": "node", "size": 2}, {"name": "gpu", "size": 2}]
        path.write_text(tomli_w.dumps({"name": name, "level": levels}), encoding="utf-8")
    grid = f"systems = {json.dumps([path.name for path in systems])}\naxes = ['4']\nreduce = [0]\nlimits = [1]\n"
    (folder / "names.toml").write_text(f"[[grid]]\n{grid}", encoding="utf-8")
    for name in ("sweep", "names"):
        assert run(["study", str(folder / f"{name}.toml"), "--executor", "local:1"]) == 0
    return folder


def test_a_sweep_and_then_nothing_to_do(tmp_path, capsys):
    said = study(tmp_path, FEW, capsys)
    store = tmp_path / "sweep.sqlite"
    assert " ".join(said.split()) == (
        f"3 problems: 3 solved now, 0 in {store} before or from another run, 0 left "
        "0 combinations do not agree and are left out, 0 are the same problem as another"
    )
    before = store.read_bytes()
    document = json.loads(study(tmp_path, FEW, capsys, "--json"))
    assert document == {
        "version": 1,
        "store": str(store),
        "problems": 3,
        "jobs": 0,
        "left_out": 0,
        "too_large": 0,
        "repeated": 0,
        "solved": 0,
        "known": 3,
        "left": 0,
        "stopped": 0,
        "errors": 0,
        "complete": True,
    }
    assert len(store.read_bytes()) == len(before)


def test_problems_without_a_full_result_are_no_success(tmp_path, capsys):
    text = FEW.replace('"2x4"', '"8x8"').replace(
        'axes = ["8", "data:2,model:4"]', 'axes = ["64"]\nengines = ["bitvec"]'
    )
    (tmp_path / "sweep.toml").write_text(text, encoding="utf-8")
    store = tmp_path / "sweep.sqlite"
    assert run(["study", str(tmp_path / "sweep.toml"), "--executor", "local:1"]) == 3
    out, err = capsys.readouterr()
    assert " ".join(out.split()).endswith(f"1 with status error: p2smt study query {store} --status error")
    assert err == f"p2smt: {store}: the results; next: p2smt study query {store}\n"
    said = " ".join(output(["study", "query", str(store), "--status", "error"], capsys).split())
    assert "error: engine bitvec keeps" in said


def test_query_table(stores, capsys):
    golden(
        "study_query.txt", output(["study", "query", str(stores / "sweep.sqlite"), "--sort", "best_seconds"], capsys)
    )


JOBS = """[[job]]
models = ["gpt2"]
systems = ["2x4"]
splits = ["tp:2,pp:2", "tp:4", "auto pp:4"]
limits = [2]
"""


@pytest.fixture(scope="module")
def jobs(tmp_path_factory, solved_here):
    """A store of a few jobs."""
    folder = tmp_path_factory.mktemp("jobs")
    (folder / "jobs.toml").write_text(JOBS, encoding="utf-8")
    assert run(["study", str(folder / "jobs.toml"), "--executor", "local:1"]) == 0
    return folder / "jobs.sqlite"


def test_query_of_jobs(jobs, capsys):
    golden("study_query_jobs.txt", output(["study", "query", str(jobs)], capsys))


def test_an_answer_as_csv_has_the_columns_that_are_named(jobs, stores, tmp_path, capsys):
    asked = ["study", "query", str(jobs), "--sort", "memory", "--columns", "split, memory,fits", "--csv"]
    rows = list(csv.reader(io.StringIO(output(asked, capsys), newline="")))
    assert rows[0] == ["split", "memory", "fits"]
    assert [int(row[1]) for row in rows[1:]] == sorted(int(row[1]) for row in rows[1:])
    assert {row[2] for row in rows[1:]} == {""}
    sql = "SELECT split AS s, '=1+1' FROM jobs WHERE tp = 4"
    assert (
        output(["study", "query", str(jobs), "--sql", sql, "--csv"], capsys) == "s,'=1+1'\n\"tp:4,pp:1,dp:2\",'=1+1\n"
    )
    narrow = output(["study", "query", str(stores / "sweep.sqlite"), "--columns", "axes,reduce"], capsys)
    assert "best_program" not in narrow
    path = tmp_path / "jobs.csv"
    output(["study", "export", str(jobs), "--out", str(path), "--columns", "split,best_order"], capsys)
    found = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"), newline="")))
    assert {row["split"] for row in found} == {row[0] for row in rows[1:]}
    assert found[0].keys() == {"split", "best_order"}
    lines = output(
        ["study", "export", str(jobs), "--format", "jsonl", "--table", "job_placements"], capsys
    ).splitlines()
    assert len({json.loads(line)["key"] for line in lines}) == len(found)


def test_query_document(stores, capsys):
    asked = ["study", "query", str(stores / "sweep.sqlite"), "--reduce", "model", "--json"]
    document = json.loads(output(asked, capsys))
    (row,) = [dict(zip(document["columns"], row, strict=True)) for row in document["rows"]]
    assert (row["axes"], row["reduce"], row["status"]) == ("data:2,model:4", "model", "ok")
    assert document["more"] is False
    sql = "SELECT 9e999, x'00ff', NULL, 1.5"
    said = output(["study", "query", str(stores / "sweep.sqlite"), "--sql", sql, "--json"], capsys)
    assert json.loads(said)["rows"] == [["inf", "00ff", None, 1.5]]
    assert "00ff" in output(["study", "query", str(stores / "sweep.sqlite"), "--sql", sql], capsys)


def test_the_schema_is_printed(capsys):
    assert output(["study", "query", "--schema"], capsys) == described()


def test_names_come_back_exact_from_json_lines_and_parquet(stores, capsys, tmp_path):
    lines = output(["study", "export", str(stores / "names.sqlite"), "--format", "jsonl"], capsys)
    assert lines.isascii()
    documents = [json.loads(line) for line in lines.splitlines()]
    assert {document["system"] for document in documents} == set(NAMES.values())
    assert [document["key"] for document in documents] == sorted(document["key"] for document in documents)
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "names.parquet"
    output(["study", "export", str(stores / "names.sqlite"), "--format", "parquet", "--out", str(path)], capsys)
    assert parquet.read_table(path).to_pylist() == documents


def test_names_in_csv_are_quoted_and_run_nothing(stores, capsys, tmp_path):
    path = tmp_path / "names.csv"
    output(["study", "export", str(stores / "names.sqlite"), "--format", "csv", "--out", str(path)], capsys)
    text = path.read_bytes().decode()
    assert output(["study", "export", str(stores / "names.sqlite"), "--format", "csv"], capsys) == text
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert {row["system"] for row in rows} == {spreadsheet_cell(name) for name in NAMES.values()}
    assert all(not cell.lstrip().startswith(("=", "+", "-", "@", "＝")) for row in rows for cell in row.values())
    assert not any(ord(sign) < 32 and sign != "\n" for sign in text)
    harmless = [NAMES[name] for name in ("html", "quotes", "letters", "markup", "sql")]
    assert {row["system"] for row in rows} >= set(harmless)


def test_names_in_a_terminal_are_spelled_out(stores, capsys):
    for asked in ([], ["--sql", "SELECT system, key FROM problems"]):
        said = output(["study", "query", str(stores / "names.sqlite"), *asked], capsys)
        assert all(sign.isprintable() or sign == "\n" for sign in said)
        squeezed = "".join(said.split())
        for name in NAMES.values():
            assert "".join(printable(name).split())[:8] in squeezed
    assert "\\x1b[2J" in said


@pytest.mark.thorough  # exports of one store are compared in tests/sweep
def test_exports_of_equal_stores_are_the_same_bytes(stores, tmp_path, capsys):
    shutil.copy(stores / "sweep.toml", tmp_path)
    output(["study", "run", str(tmp_path / "sweep.toml"), "--executor", "local:2"], capsys)
    for form, table in product(("csv", "jsonl", "parquet"), ("problems", "placements", "jobs", "environments")):
        if form == "parquet":
            pytest.importorskip("pyarrow")
        files = []
        for folder in (stores, tmp_path):
            out = tmp_path / f"{table}{len(files)}.{form}"
            store = str(folder / "sweep.sqlite")
            output(["study", "export", store, "--format", form, "--table", table, "--out", str(out)], capsys)
            files.append(out.read_bytes())
        assert files[0] == files[1]
        assert len(files[0]) > 60 or table == "jobs"


def test_an_export_that_fails_leaves_what_was_there(stores, tmp_path, capsys):
    out = tmp_path / "out.csv"
    out.write_text("before", encoding="utf-8")
    (tmp_path / "bad.sqlite").write_text("no store", encoding="utf-8")
    assert run(["study", "export", str(tmp_path / "bad.sqlite"), "--format", "csv", "--out", str(out)]) == 2
    assert out.read_text(encoding="utf-8") == "before"
    assert (
        run(["study", "export", str(stores / "sweep.sqlite"), "--format", "csv", "--out", str(tmp_path / "no/out")])
        == 2
    )
    assert "cannot write" in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.sqlite", "out.csv"]


MISTAKES = {
    "no sweep": (["nothing.toml"], "cannot read nothing.toml: No such file or directory"),
    "bad sweep": (["bad.toml"], "bad.toml has no [[grid]] and no [[job]]"),
    "executor": (["good.toml", "--executor", "ssh:host"], "executor 'ssh:host' is unknown; write local, local:4 or"),
    "no scheduler": (["good.toml", "--executor", "dask:tcp://127.0.0.1:1"], "no dask scheduler answers at"),
    "store is no store": (["good.toml", "--executor", "local:1", "--store", "bad.toml"], "file is not a database"),
    "no folder": (["good.toml", "--executor", "local:1", "--store", "no/store"], "cannot open no/store"),
    "query nothing": (["query"], "STORE is missing"),
    "query no store": (["query", "nothing.sqlite"], "there is no store nothing.sqlite"),
    "two questions": (["query", "x", "--sql", "SELECT 1", "--axes", "8"], "--sql is a whole query; leave out --axes"),
    "no format": (["export", "x"], "stdout has no ending; give --format, or an --out that ends in .csv, .jsonl"),
    "unknown ending": (["export", "x", "--out", "a.xls"], "a.xls ends in no format; give --format, or an --out that"),
    "two forms": (
        ["query", "x", "--csv", "--json"],
        "--csv and --json are two formats of one answer; give one of them",
    ),
    "columns of a question": (["query", "x", "--sql", "SELECT 1", "--columns", "a"], "leave out --columns or put it"),
    "parquet to stdout": (["export", "x", "--format", "parquet"], "Parquet is a binary format; name a file with --out"),
    "unknown option": (["good.toml", "--fast"], "there is no option"),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_mistakes_are_one_line_and_write_nothing(tmp_path, monkeypatch, capsys, case):
    from p2smt.sweep import dask_pool

    arguments, message = MISTAKES[case]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(dask_pool, "CONNECT_S", 1)
    (tmp_path / "bad.toml").write_text("# no grid, no job\n" * 40, encoding="utf-8")
    (tmp_path / "good.toml").write_text(FEW, encoding="utf-8")
    assert run(["study", *arguments]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert message in err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.toml", "good.toml"]


def test_a_dry_run_counts_and_writes_nothing(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.toml").write_text(FEW, encoding="utf-8")
    planned = json.loads(output(["study", "s.toml", "--dry-run", "--json"], capsys))
    assert (planned["left"], planned["solved"], planned["known"]) == (planned["problems"], 0, 0)
    assert planned["left"] > 0
    assert not (tmp_path / "s.sqlite").exists()
    done = json.loads(output(["study", "s.toml", "--workers", "1", "--json"], capsys))
    assert done["solved"] == planned["left"]
    assert json.loads(output(["study", "s.toml", "--dry-run", "--json"], capsys))["left"] == 0
    assert "0 solved now" in output(["study", "s.toml", "--dry-run"], capsys)
    given = ["study", "s.toml", "--workers", "2", "--executor", "local:3"]
    assert "--workers 2 is short for --executor local:2; give one of the two" in refused(given, capsys)


ASKED = {
    "system": "2x4",
    "axes": "8",
    "reduce": "0",
    "goal": "all-reduce",
    "model": "llama-8b",
    "split": "tp:8",
    "algorithm": "ring",
    "grammar": "paper",
    "status": "ok",
    "where": "1",
    "sort": "key",
    "columns": "key",
    "table": "jobs",
}


def test_nothing_that_is_asked_beside_a_select_is_passed_over(capsys):
    """All that chooses, orders or names what is answered: each is refused, also all of them together."""
    assert {*ASKED} == {"sort" if each.name == "order" else each.name for each in fields(Filter)} | {"table"}
    query = ["study", "query", "x.sqlite", "--sql", "SELECT 1"]
    for name, value in ASKED.items():
        said = refused([*query, f"--{name}", value], capsys)
        assert said == f"--sql is a whole query; leave out --{name} or put it into the SELECT"
    every = [word for name, value in ASKED.items() for word in (f"--{name}", value)]
    said = refused([*query, *every], capsys)
    assert all(f"--{name}" in said for name in ASKED)


def test_a_first_word_that_is_no_command_is_a_sweep_file(capsys):
    assert "Solve many problems" in output(["study", "--help"], capsys)
    assert "SWEEP.toml" in output(["study", "run", "--help"], capsys)
    assert "SWEEP.toml" in output(["study", "sweep.toml", "--help"], capsys)
