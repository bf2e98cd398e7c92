"""Tables of exponents that problems share are asked for once; parts of them, and those that come late, are not kept."""

import time

import pytest
from support import let_searches_give_up, problem

from p2smt.placement import exponents
from p2smt.placement.enumeration import all_placements, every_table
from p2smt.smt.answer import Enumeration, Stop
from p2smt.smt.deadlines import EVER


@pytest.fixture
def asked(monkeypatch):
    """The names of the searches so far."""
    names, search = [], exponents.all_answers

    def noted(name, *given):
        names.append(name)
        return search(name, *given)

    monkeypatch.setattr(exponents, "all_answers", noted)
    return names


def test_problems_with_the_same_exponents_share_what_the_solver_found(asked):
    first = all_placements(problem([4, 16], [8, 8]))
    assert asked == ["exponents of 2"]
    assert all_placements(problem([4, 16], [8, 8])) == first
    both = all_placements(problem([12, 16], [8, 24])).items
    assert asked == ["exponents of 2", "exponents of 3"]
    every_table.cache_clear()
    assert all_placements(problem([12, 16], [8, 24])).items == both


@pytest.mark.parametrize("other", [([16, 4], [8, 8]), ([4, 16], [4, 16]), ([4, 16], [8, 2, 4]), ([9, 81], [27, 27])])
def test_other_exponents_are_other_questions(asked, other):
    all_placements(problem([4, 16], [8, 8]))
    all_placements(problem(*other))
    assert len(asked) > 1


def test_a_part_is_not_kept(monkeypatch):
    one = problem([4, 16], [8, 8])
    with monkeypatch.context() as patch:
        let_searches_give_up(patch, 1)
        part = all_placements(one)
    assert (len(part.items), part.stop, part.reason) == (1, Stop.UNKNOWN, "exponents of 2: canceled")
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
