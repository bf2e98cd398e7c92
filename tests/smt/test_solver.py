"""A question has the time that is left, and its end is called what it was."""

import time
from contextlib import suppress
from math import inf

import pytest
import z3

from p2smt.smt import deadlines
from p2smt.smt import solver as solver_module
from p2smt.smt.answer import Enumeration, NoAnswer, Sat, Stop, Unsat
from p2smt.smt.query import Query, all_codes
from p2smt.smt.solver import Solver
from p2smt.smt.terms import constants, disj, neg


def test_nothing_is_asked_when_the_time_is_up(monkeypatch):
    monkeypatch.setattr(solver_module, "checked", lambda *_: pytest.fail("asked"))
    question = Solver("late", constants("b", 1))
    assert question.ask(time.monotonic()) == question.ask(0.0) == NoAnswer("late: time is up", Stop.DEADLINE)


@pytest.mark.parametrize(("seconds", "milliseconds"), [(2.5, 2500), (1e-9, 1), (0.0019, 1), (3600, 3_600_000)])
def test_the_solver_is_given_the_time_that_is_left(monkeypatch, seconds, milliseconds):
    told = []
    question = Solver("timed", constants("b", 1))
    monkeypatch.setattr(question._solver, "set", lambda *given: told.append(given))
    monkeypatch.setattr(deadlines, "seconds_left", lambda deadline: inf if deadline is None else deadline)
    assert isinstance(question.ask(), Sat)
    assert told == []
    for _ in range(2):
        assert isinstance(question.ask(seconds), Sat)
        assert told == [("timeout", milliseconds)]
    assert isinstance(question.ask(), Sat)
    assert told == [("timeout", milliseconds), ("timeout", 2**32 - 1)]


@pytest.mark.parametrize(
    ("left", "stop"), [(inf, Stop.UNKNOWN), (1000.0, Stop.UNKNOWN), (1.0, Stop.UNKNOWN), (0.01, Stop.DEADLINE)]
)
def test_an_unknown_is_a_deadline_only_when_that_has_come(monkeypatch, left, stop):
    monkeypatch.setattr(solver_module, "checked", lambda *_: z3.Z3_L_UNDEF)
    monkeypatch.setattr(deadlines, "seconds_left", lambda _: left)
    answer = Solver("hard", constants("b", 1)).ask(0.0)
    assert isinstance(answer, NoAnswer)
    assert answer.stop is stop
    assert answer.reason.startswith("hard: ")
    found = all_codes(Query("hard", constants("b", 1), []), lambda _: 1, 0.0)
    assert found == Enumeration((), stop, answer.reason if stop is Stop.UNKNOWN else "")


def test_a_core_names_what_clashes_and_nothing_beside_it():
    """An assumption that stands under two numbers is in the core under both, or is told apart by neither."""
    a, b, c = constants("core", 3)
    question = Solver("clash", [neg(a), disj([neg(b), neg(c)])])
    assert question.ask(None, {4: b, 7: a}) == Unsat(frozenset({7}))
    assert question.ask(None, {4: b, 7: c, 8: neg(a)}) == Unsat(frozenset({4, 7}))
    assert question.ask(None, {1: a, 2: a, 3: b}) == Unsat(frozenset({1, 2}))
    assert question.ask(None, {9: a}) == Unsat(frozenset({9}))
    assert isinstance(question.ask(None, {4: b}), Sat)
    assert Solver("never", [False]).ask(None, {1: a}) == Unsat(frozenset())


def test_what_is_added_in_a_scope_is_forgotten_also_after_an_error():
    a, b = constants("scope", 2)
    question = Solver("scoped", [disj([a, b])])
    with suppress(KeyError), question.scope():
        question.add([neg(a), neg(b)])
        assert question.ask() == Unsat(frozenset())
        raise KeyError
    answer = question.ask(None, {0: neg(a)})
    assert isinstance(answer, Sat)
    assert (answer.model.holds(a), answer.model.holds(b)) == (False, True)
