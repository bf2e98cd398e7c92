"""A store keeps whole rows, each once; it refuses other files."""

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import fields, replace

import pytest
from study_support import FEW, expanded

from p2smt.cost.network.backend import BACKENDS
from p2smt.errors import StudyError
from p2smt.sweep import process, store_file
from p2smt.sweep.environment import environment
from p2smt.sweep.job_rows import JobColumns, JobPlacementRow, JobResultColumns
from p2smt.sweep.process import Process, is_alive, this_process
from p2smt.sweep.query import Filter, ask, ask_sql
from p2smt.sweep.rows import PlacementRow, ResultColumns, RowStatus, TaskColumns, failed
from p2smt.sweep.schema import COMPARED, TABLES, described
from p2smt.sweep.store import ClaimResult, ResultStore
from p2smt.sweep.store_file import open_to_read


def dump(path):
    with closing(open_to_read(path)) as connection:
        return {table: connection.execute(f"SELECT * FROM {table}").fetchall() for table in COMPARED}


def test_the_columns_are_the_fields_of_the_rows(filled):
    def columns(table):
        with closing(open_to_read(filled)) as connection:
            return [name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")]

    def names(kind):
        return [field.name for field in fields(kind)]

    assert columns("problems") == [
        *names(TaskColumns),
        "status",
        "reason",
        *names(ResultColumns),
        "environment",
        "problem",
    ]
    assert columns("placements") == names(PlacementRow)
    assert columns("jobs") == [*names(JobColumns), "status", "reason", *names(JobResultColumns), "environment", "job"]
    assert columns("job_placements") == names(JobPlacementRow)
    assert columns("environments") == ["id", *names(type(environment()))]


def test_what_is_added_is_there_in_the_order_of_the_keys(filled, outcomes):
    found = dump(filled)
    assert found["problems"] == sorted(outcome.row for outcome in outcomes.values())
    assert len(found["placements"]) == sum(len(outcome.placements) for outcome in outcomes.values())
    assert [row[0] for row in found["environments"]] == [environment().id]


def test_a_result_never_changes_but_a_failure_does(filled, outcomes):
    before = dump(filled)
    some = next(iter(outcomes.values()))
    with ResultStore(filled, "local") as store:
        store.add([replace(some, status=RowStatus.STOPPED, placements=())], environment())
        assert dump(filled) == before
    other = filled.with_name("other.sqlite")
    with ResultStore(other, "local") as store:
        store.add(
            [replace(some, status=RowStatus.STOPPED, reason="deadline", placements=some.placements[:1])], environment()
        )
        assert store.statuses() == {some.task.key: RowStatus.STOPPED}
        store.add(outcomes.values(), environment())
    assert dump(other) == before


def test_a_transaction_that_fails_leaves_nothing(filled, outcomes):
    before = dump(filled)
    (some, *_) = outcomes.values()
    new = replace(some, task=replace(some.task, key="new"), placements=())
    bad = replace(new, task=replace(new.task, key="bad", system=None))
    with ResultStore(filled, "local") as store, pytest.raises(StudyError, match=r"cannot write .*NOT NULL"):
        store.add([new, bad], environment())
    assert dump(filled) == before


def test_claims_are_held_by_live_runs_only(tmp_path, outcomes, monkeypatch):
    keys = tuple(outcomes)
    path = tmp_path / "store.sqlite"
    with ResultStore(path, "local") as one, ResultStore(path, "local") as other:
        assert one.claim(keys[:2]).taken == keys[:2]
        assert other.claim(keys) == ClaimResult(taken=keys[2:], busy=keys[:2])
        one.add([outcomes[keys[0]]], environment())
        assert other.claim(keys[:2]) == ClaimResult(known=keys[:1], busy=keys[1:2])
        one.release(keys[1:2])
        assert other.claim(keys[1:2]).taken == keys[1:2]
        monkeypatch.setattr(process, "UNSEEN_S", -1.0)  # nobody was heard of in time
        assert one.claim(keys[1:2]).taken == keys[1:2]


def test_a_run_gives_back_its_own_claims_only(tmp_path, outcomes):
    keys = tuple(outcomes)[:2]
    with ResultStore(tmp_path / "s.sqlite", "local") as one, ResultStore(tmp_path / "s.sqlite", "local") as other:
        assert one.claim(keys[:1]).taken == keys[:1]
        assert other.claim(keys) == ClaimResult(taken=keys[1:], busy=keys[:1])
        other.release(keys)
        assert other.claim(keys) == ClaimResult(taken=keys[1:], busy=keys[:1])


def test_claims_go_when_a_run_ends(tmp_path, outcomes):
    keys = tuple(outcomes)
    with ResultStore(tmp_path / "store.sqlite", "local") as store:
        store.claim(keys)
    with ResultStore(tmp_path / "store.sqlite", "local") as store:
        assert store.claim(keys).taken == keys


def test_whether_a_process_is_alive():
    me = this_process()
    assert is_alive(me, 0)
    assert not is_alive(me, 1e6)
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    its = Process(me.machine, process._process(child.pid))
    assert is_alive(its, 0)
    child.kill()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)  # it is dead, and nobody has asked how it ended
    assert is_alive(its, 0) == (not os.path.exists("/proc"))
    child.communicate()
    assert not is_alive(its, 0)
    assert is_alive(Process("elsewhere", its.process), 10)
    assert not is_alive(Process("elsewhere", its.process), 1e4)
    assert not is_alive(Process(me.machine, "no number"), 0)


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="when a process began is known on Linux only")
def test_another_process_of_the_same_number_is_not_the_one_that_died():
    me = this_process()
    number, _, began = me.process.partition("/")
    assert int(number) == os.getpid()
    assert not is_alive(Process(me.machine, f"{number}/{int(began) - 1}"), 0)


def other_database(path):
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE mine (x)")
        connection.commit()


def changed(path, *statements):
    ResultStore(path, "local").__exit__(None, None, None)
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


SPOILED = {
    "text": (lambda path: path.write_text("no database " * 100, encoding="utf-8"), "file is not a database"),
    "another database": (other_database, "is not a store of p2smt study"),
    "another format": (
        lambda path: changed(path, "PRAGMA user_version = 9"),
        "format 9, but this p2smt reads format 5",
    ),
    "a view": (lambda path: changed(path, "CREATE VIEW v AS SELECT 1"), "holds other tables"),
    "a trigger": (
        lambda path: changed(path, "CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM problems; END"),
        "holds other tables",
    ),
    "a folder": (lambda path: path.mkdir(), "(unable to open|there is no store)"),
}


@pytest.mark.parametrize("case", SPOILED)
def test_other_files_are_refused_and_left_alone(tmp_path, case):
    spoil, message = SPOILED[case]
    path = tmp_path / "store.sqlite"
    spoil(path)
    before = path.read_bytes() if path.is_file() else None
    for opened in (lambda: ResultStore(path, "local"), lambda: open_to_read(path)):
        with pytest.raises(StudyError, match=message):
            opened()
    assert (path.read_bytes() if path.is_file() else None) == before


def test_a_store_of_another_version_is_read_but_not_added_to(filled, monkeypatch):
    monkeypatch.setattr(store_file, "version", lambda name: "9.9.9")
    with pytest.raises(StudyError, match=r", whose predictions may differ; name another --store \(query and export"):
        ResultStore(filled, "local")
    assert len(ask(filled, Filter(), 10).rows) == 3


def test_a_damaged_store_is_an_error(filled):
    data = bytearray(filled.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    filled.write_bytes(data)
    with pytest.raises(StudyError):
        ask(filled, Filter(), 10)


def test_a_finished_store_is_one_file_that_needs_no_other(filled):
    assert [path.name for path in filled.parent.iterdir()] == ["store.sqlite"]
    ask(filled, Filter(), 1)
    assert [path.name for path in filled.parent.iterdir()] == ["store.sqlite"]


def test_the_schema_explains_every_table():
    assert described().count("CREATE TABLE") == len(TABLES) == 7
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(described())


def test_the_problem_column_hashes_to_the_key(filled):
    from hashlib import sha256

    for key, text in ask_sql(filled, "SELECT key, problem FROM problems", 10).rows:
        assert sha256(text.encode()).hexdigest() == key
        assert json.loads(text)["limit"] == 3


def test_a_failed_task_has_no_placements(tmp_path):
    (task, *_) = expanded(tmp_path, FEW).tasks.values()
    with ResultStore(tmp_path / "store.sqlite", "local") as store:
        store.add([failed(task, "why", environment().id)], environment())
    assert dump(tmp_path / "store.sqlite")["placements"] == []


def test_the_schema_names_every_backend():
    line, other = [line for line in described().splitlines() if line.strip().startswith("algorithm ")]
    assert other.endswith("-- as in problems")
    assert line.endswith(f": {', '.join(map(str, BACKENDS))}")
