"""Tables of exponents that problems share are asked for once; parts of them, and those that come late, are not kept."""

import time

import pytest
from support import problem

from p2smt.placement.enumeration import all_placements, every_table
from p2smt.smt.answer import Enumeration, NoAnswer, Stop
from p2smt.smt.deadlines import EVER
from p2smt.smt.query import Query


@pytest.fixture
def asked(monkeypatch):
    """The names of the questions so far."""
    names, ask = [], Query.ask

    def noted(query, *given):
        names.append(query.name)
        return ask(query, *given)

    monkeypatch.setattr(Query, "ask", noted)
    return names


def test_problems_with_the_same_exponents_share_what_the_solver_found(asked):
    first = all_placements(problem([4, 16], [8, 8]))
    questions = len(asked)
    assert questions == len(first.items) + 1
    assert all_placements(problem([4, 16], [8, 8])) == first
    assert len(asked) == questions
    both = all_placements(problem([12, 16], [8, 24])).items
    assert set(asked[questions:]) == {"exponents of 3"}
    every_table.cache_clear()
    assert all_placements(problem([12, 16], [8, 24])).items == both


@pytest.mark.parametrize("other", [([16, 4], [8, 8]), ([4, 16], [4, 16]), ([4, 16], [8, 2, 4]), ([9, 81], [27, 27])])
def test_other_exponents_are_other_questions(asked, other):
    all_placements(problem([4, 16], [8, 8]))
    questions = len(asked)
    all_placements(problem(*other))
    assert len(asked) > questions


def test_a_part_is_not_kept(monkeypatch):
    one, answers = problem([4, 16], [8, 8]), Query.ask
    given = []

    def gives_up(query, *rest):
        given.append(query)
        return answers(query, *rest) if len(given) == 1 else NoAnswer("gave up")

    with monkeypatch.context() as patch:
        patch.setattr(Query, "ask", gives_up)
        part = all_placements(one)
    assert (len(part.items), part.stop, part.reason) == (1, Stop.UNKNOWN, "gave up")
    whole = all_placements(one)
    assert whole.complete
    assert len(whole.items) > 1


def test_known_or_not_nothing_comes_after_the_time_is_up():
    one = problem([4, 16], [8, 8])
    assert all_placements(one).complete
    assert all_placements(one, time.monotonic() - 1) == Enumeration((), Stop.DEADLINE)
    assert all_placements(one, time.monotonic() + 1000) == all_placements(one)


def test_only_some_tables_are_kept():
    most = every_table.cache_info().maxsize
    for size in range(1, most + 5):
        every_table(2, (size, 1), (size + 1,), EVER)
    assert len(all_placements(problem([4, 2], [8])).items) == 1
    assert every_table.cache_info().currsize == most
