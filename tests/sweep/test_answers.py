"""Whole answers to questions about rows that are known by hand: which rows, in which order, with which columns."""

import pytest
from sweep.made_rows import job_row, problem_row, stored

from p2smt.sweep import query
from p2smt.sweep.query import Filter, ask, ask_sql, asked_of
from p2smt.sweep.query_columns import ORDERS, QuerySubject

FIGURES = {
    QuerySubject.PROBLEMS: ("best_seconds", "speedup", "speedup_over_allreduce", "placement_spread", "above_wire"),
    QuerySubject.JOBS: ("best_seconds", "loss"),
}
FALLING = {
    "speedup",
    "speedup_over_allreduce",
    "placement_spread",
    "above_wire",
    "programs",
    "devices",
    "loss",
    "placements",
}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """Two problems and two jobs of equal figures each, one of larger ones, and one without a result."""
    outcomes = []
    for key, figure in (("d", 1), ("c", 2), ("b", 2), ("a", None)):
        asked = {"system": f"s{key}", "sizes": "2x4", "devices": figure or 0, "algorithm": f"with {key}"}
        problem_found, job_found = (
            {} if figure is None else dict.fromkeys(names, float(figure)) for names in FIGURES.values()
        )
        counted = {"programs": figure or 0}
        outcomes += [
            problem_row(key, problem_found | counted, goal=f"goal {key}", **asked),
            job_row(
                key,
                job_found | {"placements": figure or 0},
                memory=figure or 0,
                bubble=float(figure or 0),
                step_seconds=None if figure is None else float(figure),
                **asked,
            ),
        ]
    return stored(tmp_path_factory.mktemp("answers") / "s.sqlite", *outcomes)


def keys(store, wanted, table, most=9):
    return "".join(row[0] for row in ask(store, Filter(columns=("key",), **wanted), most, table).rows)


@pytest.mark.parametrize(("table", "order"), [(table, order) for table, orders in ORDERS.items() for order in orders])
def test_equal_figures_stand_in_the_order_of_their_keys_whichever_way_they_are_sorted(store, table, order):
    figured = order in FIGURES[table] or order == "step_seconds"
    falling = "bcda" if figured or order != "key" else "abcd"
    rising = "dbca" if figured else "adbc"
    wanted = falling if order in FALLING else "abcd" if order == "key" else rising
    assert keys(store, {"order": order}, table) == wanted


@pytest.mark.parametrize("table", QuerySubject)
@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({"system": "sc"}, "c"),
        ({"system": "sc:2x4"}, "c"),
        ({"system": "2x4"}, "abcd"),
        ({"system": "sc:2x2"}, ""),
        ({"algorithm": "with b"}, "b"),
        ({"status": "ok"}, "abcd"),
        ({"status": "ok", "where": "key > 'a' OR 0", "algorithm": "with a"}, ""),
    ],
)
def test_conditions_hold_of_all_rows_and_of_no_others(store, table, wanted, found):
    assert keys(store, wanted | {"order": "key"}, table) == found


def test_a_goal_is_a_condition_of_problems(store):
    assert keys(store, {"goal": "goal c"}, QuerySubject.PROBLEMS) == "c"


def test_columns_are_in_the_order_in_which_they_are_named(store):
    answer = ask(store, Filter(columns=("system", "key", "devices")), 1)
    assert (answer.columns, answer.rows) == (("system", "key", "devices"), (("sa", "a", 0),))
    assert Filter(columns=("key",), order="key").given == ()


def test_more_is_said_exactly_where_there_is_more(store, monkeypatch):
    """Also where more is asked for than an answer may have."""
    for rows in (4, 3):
        monkeypatch.setattr(query, "MOST_ROWS", rows)
        for most in range(1, 7):
            answer = ask_sql(store, "SELECT key FROM problems", most)
            assert (len(answer.rows), answer.more) == (min(most, rows), min(most, rows) < 4)


def test_a_question_is_about_problems_where_there_are_problems_and_jobs(store, tmp_path):
    assert asked_of(store) is QuerySubject.PROBLEMS
    assert asked_of(stored(tmp_path / "jobs.sqlite", job_row("a"))) is QuerySubject.JOBS
    assert asked_of(stored(tmp_path / "none.sqlite")) is QuerySubject.PROBLEMS
