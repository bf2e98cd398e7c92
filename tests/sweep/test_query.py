"""Questions to a store: filters, and SQL that neither writes nor takes long."""

import pytest
from study_support import FEW, expanded

from p2smt.errors import StudyError
from p2smt.sweep import query
from p2smt.sweep.environment import environment
from p2smt.sweep.query import Filter, ask, ask_sql
from p2smt.sweep.rows import failed
from p2smt.sweep.store import ResultStore


@pytest.mark.parametrize(
    ("wanted", "count"),
    [
        (Filter(), 3),
        (Filter(system="2x4"), 3),
        (Filter(system="level0:2,level1:4"), 3),
        (Filter(system="4x2"), 0),
        (Filter(axes="data:2,model:4"), 2),
        (Filter(axes="data:2,model:4", reduce="model"), 1),
        (Filter(algorithm="tree"), 0),
        (Filter(status="ok", grammar="full", where="devices = 8 OR 0"), 3),
        (Filter(where="speedup > 1 AND reduce = 'model'", order="speedup"), 0),
        (Filter(system="' OR 1 --"), 0),
        (Filter(axes="data:2,model:4", where="0 OR 1"), 2),
        (Filter(algorithm="tree", where="0 OR 1"), 0),
    ],
)
def test_filters(filled, wanted, count):
    assert len(ask(filled, wanted, 10).rows) == count


def test_answers_are_sorted_and_cut(filled):
    everything = ask(filled, Filter(order="best_seconds"), 10)
    times = [row[everything.columns.index("best_seconds")] for row in everything.rows]
    assert times == sorted(times)
    first = ask(filled, Filter(order="best_seconds"), 2)
    assert (first.rows, first.more, everything.more) == (everything.rows[:2], True, False)


def test_rows_without_a_value_come_last_in_either_direction(filled, tmp_path):
    task = next(iter(expanded(tmp_path, FEW.replace("3", "2")).tasks.values()))
    with ResultStore(filled, "local") as store:
        store.add([failed(task, "no memory", environment().id)], environment())
    for order in ("best_seconds", "speedup"):
        answer = ask(filled, Filter(order=order), 10)
        values = [row[answer.columns.index(order)] for row in answer.rows]
        assert [value is None for value in values] == [False, False, False, True]


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM problems",
        "DROP TABLE problems",
        "INSERT INTO claims VALUES ('a', 'b')",
        "UPDATE problems SET system = ''",
        "ATTACH 'other.sqlite' AS other",
        "PRAGMA query_only = OFF",
        "PRAGMA writable_schema = ON",
        "VACUUM INTO 'copy.sqlite'",
        "SELECT load_extension('x')",
        "SELECT randomblob(1000000000)",
        "SELECT zeroblob(1000000000)",
        "SELECT printf('%1000000000d', 1)",
        "SELECT writefile('x', 'y')",
        "SELECT sqlite_version()",
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT * FROM n",
        "SELECT 1; DELETE FROM problems",
        "SELECT group_concat(problem) FROM problems",
        "SELECT * FROM nowhere",
        "SELECT",
        "",
        "BEGIN",
        "SELECT 1 \x00 2",
        "SELECT CAST(x'ff' AS TEXT)",
        "SELECT " + "(" * 500 + "1" + ")" * 500,
        "SELECT '" + "x" * 200_000 + "'",
    ],
)
def test_nothing_but_a_select_is_answered(filled, sql, monkeypatch):
    before, files = filled.read_bytes(), sorted(filled.parent.iterdir())
    monkeypatch.chdir(filled.parent)
    with pytest.raises(StudyError) as error:
        ask_sql(filled, sql, 10)
    assert "\n" not in str(error.value)
    assert filled.read_bytes() == before
    assert sorted(filled.parent.iterdir()) == files
    if sql and "\x00" not in sql:
        with pytest.raises(StudyError):
            ask(filled, Filter(where=f"1); {sql}; SELECT (1"), 10)


def test_a_question_that_takes_long_is_ended(filled, monkeypatch):
    monkeypatch.setattr(query, "TIMEOUT_S", 0.1)
    tables = ", ".join(f"placements p{number}" for number in range(20))
    with pytest.raises(StudyError, match=r"takes longer than 0\.1 s"):
        ask_sql(filled, f"SELECT count(*) FROM {tables}", 10)


def test_an_answer_that_is_too_large_is_refused(filled, monkeypatch):
    monkeypatch.setattr(query, "MAX_ANSWER_BYTES", 1000)
    with pytest.raises(StudyError, match="more than 1000 characters"):
        ask_sql(filled, "SELECT problem FROM problems", 10)


def test_sql_of_the_user(filled):
    answer = ask_sql(
        filled, "SELECT reduce AS r, count(*), json_extract(problem, '$.bytes') FROM problems GROUP BY r", 10
    )
    assert answer.columns[:2] == ("r", "count(*)")
    assert sorted(answer.rows) == [("axis0", 1, 2**30), ("data", 1, 2**30), ("model", 1, 2**30)]
    joined = ask_sql(filled, "SELECT matrix FROM problems JOIN placements USING (key) WHERE matrix = best_matrix", 10)
    assert len(joined.rows) == 3
