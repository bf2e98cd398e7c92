"""scripts/smtlib_files.py: what it writes, what it notices, and what three solvers say about every file."""

import importlib.util
import json
import shutil
import time
from functools import cache
from itertools import groupby

import pytest
from paths import ROOT
from scripts.loading import SCRIPTS, ran, script_module

from p2smt.reduction.catalogue import families
from p2smt.schedule import catalogue as schedules
from p2smt.tensor.rules import catalogue

SMALL = "placements/4x16-axes-8-2-4-exponents.smt2"
NONE = "placements/4x16-axes-8-2-8-exponents.smt2"

SELECTED = script_module("smtlib_selection").SELECTED

with_solvers = pytest.mark.usefixtures("solvers")


@pytest.fixture
def solvers():
    pytest.importorskip("bitwuzla")
    pytest.importorskip("cvc5")


def script(*arguments, code=0):
    done = ran("smtlib_files", *arguments)
    assert done.returncode == code, done.stdout + done.stderr
    return done


@pytest.fixture
def some(tmp_path):
    """A folder with two of the files."""
    for path in (SMALL, NONE):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / "encodings" / path, tmp_path / path)
    return tmp_path


def change(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


FOLDERS = ("examples", "sequences")
CHANGED, REMOVED = (f"examples/figure-4-{name}.smt2" for name in ("a", "b"))


@pytest.fixture
def loaded(monkeypatch):
    """The script in this process, for two folders, generated once; test_catalogue compares all files."""
    few = tuple(family for family in families.FAMILIES if family.folder in FOLDERS)
    assert len(few) == 2
    monkeypatch.setattr(families, "FAMILIES", few)
    monkeypatch.setattr(catalogue, "all_scripts", lambda: iter(()))
    monkeypatch.setattr(schedules, "all_scripts", lambda: iter(()))
    monkeypatch.syspath_prepend(str(SCRIPTS))
    spec = importlib.util.spec_from_file_location("smtlib_files", SCRIPTS / "smtlib_files.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "generated", cache(module.generated))
    return module


def test_writing_and_noticing_what_differs(tmp_path, loaded, capsys):
    (tmp_path / "sequences").mkdir()
    old = tmp_path / "sequences" / "of-old.smt2"
    old.write_text("(check-sat)\n", encoding="utf-8")
    assert loaded.write(tmp_path) == 0
    assert "removed sequences/of-old.smt2" in capsys.readouterr().out
    kept = (path for folder in FOLDERS for path in (ROOT / "encodings" / folder).glob("*.smt2"))
    files = {path.relative_to(ROOT / "encodings"): path.read_bytes() for path in kept}
    assert files == {path.relative_to(tmp_path): path.read_bytes() for path in tmp_path.rglob("*.smt2")}
    assert loaded.check(tmp_path) == 0
    assert capsys.readouterr().out.endswith(" 0 wrong\n")

    change(tmp_path / CHANGED, "; Status: unsat", "; Status: sat")
    (tmp_path / REMOVED).unlink()
    old.write_text("(check-sat)\n", encoding="utf-8")
    assert loaded.check(tmp_path) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == [
        f"{CHANGED} differs from what is generated",
        f"{REMOVED} is not there",
        "sequences/of-old.smt2 is no longer generated",
    ]
    assert len(lines) == 4


@with_solvers
def test_three_solvers_agree_with_the_headers(some):
    done = script("--cross-check", "--folder", some, "--json")
    document = json.loads(done.stdout)
    assert document["disagreeing"] == []
    found = {
        (row["path"], solver, of["status"], of["models"])
        for row in document["files"]
        for solver, of in row["answers"].items()
    }
    names = ("z3", "bitwuzla", "cvc5")
    assert found == {(SMALL, name, "sat", 5) for name in names} | {(NONE, name, "unsat", None) for name in names}


@with_solvers
@pytest.mark.parametrize("models", [4, 6])
def test_a_wrong_number_of_models_is_a_disagreement(some, models):
    change(some / SMALL, "; Models: 5", f"; Models: {models}")
    done = script("--cross-check", "--folder", some, code=1)
    assert f"WRONG  {SMALL}  sat {models}:" in done.stdout
    assert done.stdout.endswith("2 files, 3 solvers, 1 disagreements\n")


@with_solvers
def test_a_wrong_status_and_a_wrong_formula_are_disagreements(some):
    change(some / NONE, "; Status: unsat", "; Status: sat")
    change(some / SMALL, "(assert (bvule e2_0_0 #b010))", "(assert (bvule e2_0_0 #b000))")
    done = script("--cross-check", "--folder", some, code=1)
    assert f"WRONG  {NONE}  sat:" in done.stdout
    assert f"WRONG  {SMALL}  sat 5:" in done.stdout


@with_solvers
def test_single_files_can_be_asked_for_and_unknown_ones_are_named(some):
    assert len(script("--cross-check", "--folder", some, NONE).stdout.splitlines()) == 2
    done = script("--cross-check", "--folder", some, "placements/none.smt2", code=2)
    assert done.stderr.startswith("smtlib_files: no file placements/none.smt2 in ")


@with_solvers
def test_folders_and_files_that_hold_no_queries_are_one_message(tmp_path):
    """Exit code 2, the file or folder and the rule: a run over nothing proves nothing."""
    texts = {
        "a": b"garbage",
        "b": b"",
        "c": b"\x81\xff",
        "d": b"; Status: sat\n",
        "e": b"; Status: sat\n; Models: many\n; Over: x\n(set-logic QF_BV)\n",
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.smt2").write_bytes(text)
        done = script("--cross-check", "--folder", tmp_path, f"{name}.smt2", code=2)
        assert done.stderr.startswith(f"smtlib_files: {tmp_path / name}.smt2: ")
        assert (done.stdout, done.stderr.count("\n")) == ("", 1)
    assert "no .smt2 file in" in script("--cross-check", "--folder", tmp_path / "none", code=2).stderr
    assert "there is no folder" in script("--check", "--folder", tmp_path / "none", code=2).stderr
    for action in ("--write", "--check", "--cross-check"):
        assert "is a file; --folder takes" in script(action, "--folder", tmp_path / "a.smt2", code=2).stderr


def test_all_queries_are_not_written_over_the_selection(monkeypatch):
    """`encodings` seen from the repository is the folder of the selection as well."""
    monkeypatch.chdir(ROOT)
    done = script("--check", "--all", "--folder", "encodings", code=2)
    assert done.stderr.startswith("smtlib_files: --all needs --folder")


@with_solvers
def test_whole_numbers_are_put_to_the_two_solvers_that_know_them():
    (row,) = json.loads(script("--cross-check", "--json", "tensor/rule-add.smt2").stdout)["files"]
    assert {solver: of["status"] for solver, of in row["answers"].items()} == {"z3": "unsat", "cvc5": "unsat"}


def test_a_missing_solver_is_one_message(monkeypatch):
    real = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *more: None if name in ("bitwuzla", "cvc5") else real(name, *more)
    )
    done = script("--cross-check", code=2)
    assert done.stderr == (
        "smtlib_files: bitwuzla and cvc5 cannot be imported; pip install -e '.[xcheck]' brings the solvers\n"
    )
    assert done.stdout == ""


@pytest.mark.slow
@with_solvers
@pytest.mark.parametrize("solver", ["bitwuzla", "cvc5", "z3"])
def test_a_second_solver_agrees_on_files_of_every_folder(solver):
    """z3 answers the texts of all folders where they are made, so that only a fault of z3 itself escapes that."""
    folders = groupby(sorted(SELECTED), lambda path: path.partition("/")[0])
    smallest = [min(inside, key=lambda path: (ROOT / "encodings" / path).stat().st_size) for _, inside in folders]
    asked = [path for path in smallest if solver != "bitwuzla" or not path.startswith(("tensor/", "schedules/"))]
    document = json.loads(script("--cross-check", "--json", *asked, "--solvers", solver).stdout)
    assert document["disagreeing"] == []
    assert [row["path"] for row in document["files"]] == asked
    assert {tuple(row["answers"]) for row in document["files"]} == {(solver,)}


@pytest.mark.thorough  # the selected files are compared above and where they are made
@with_solvers
def test_three_solvers_agree_on_every_query():
    document = json.loads(script("--cross-check", "--all", "--json").stdout)
    assert document["disagreeing"] == []
    assert {row["path"] for row in document["files"]} > SELECTED
    assert all({"z3", "cvc5"} <= row["answers"].keys() for row in document["files"])


@pytest.mark.parametrize(
    ("seconds", "status", "limits"), [(0.01, "sat", [0.01, 0.02, 0.04]), (1000, "unknown", [1000])]
)
def test_time_that_others_took_is_no_answer(monkeypatch, seconds, status, limits):
    """A solver that slept through its time gets twice as much, one that gives up before is not asked again."""
    solvers, given = script_module("smtlib_solvers"), []

    def asleep(question, limit):
        given.append(limit)
        time.sleep(min(limit, 0.05))
        yield "sat" if limit == 0.04 else "unknown"

    monkeypatch.setattr(solvers, "SECONDS_PER_CALL", seconds)
    monkeypatch.setitem(solvers.SOLVERS, "z3", asleep)
    assert solvers.answer("z3", solvers.Question("", "QF_BV", "sat", None, ())).status == status
    assert given == limits


def test_every_query_is_written_only_to_another_folder():
    done = script("--write", "--all", code=2)
    assert "--all needs --folder" in done.stderr
