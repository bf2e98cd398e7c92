"""Times of programs that take turns: rounds in which everything is slow say nothing of who is faster."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripts.loading import script_module

rounds = script_module("shard_rounds")


def test_steps_of_a_round_count_together():
    assert rounds.in_rounds([1.0, 3.0, 5.0, 5.0, 2.0, 4.0], 2) == (2.0, 5.0, 3.0)


def test_what_is_near_the_fastest_that_may_win_has_more_rounds():
    times = [(1.0, 1.0, 9.0), (2.0, 2.0, 2.0), (2.4, 2.4, 2.4), (3.0, 3.0, 3.0)]
    assert rounds.contending(times, [None, 2.0, 3.0, 3.0]) == [0, 1, 2]
    assert rounds.contending(times, [2.0, 3.0, 3.0, 3.0]) == [0]


def test_what_is_predicted_to_win_has_more_rounds_however_slow_the_first_ones_were():
    times = [(2.0, 2.0), (2.8, 3.0), (2.8, 3.0), (1.0, 1.0)]
    assert rounds.contending(times, [1.1, 1.0, 1.5, None]) == [0, 1, 3]


@given(
    st.lists(st.floats(0.1, 10.0), min_size=2, max_size=6),
    st.lists(st.floats(0.5, 2.0), min_size=3, max_size=9),
)
def test_what_all_of_a_round_take_longer_is_taken_off(programs, slower):
    times = [tuple(mine * each for each in slower) for mine in programs]
    found = rounds.levelled(times)
    for mine, each in zip(programs, found, strict=True):
        assert each / found[0] == pytest.approx(mine / programs[0])


def test_one_slow_program_does_not_make_a_round_slow():
    times = [(1.0, 1.0, 1.0, 1.0), (2.0, 2.0, 2.0, 2.0), (3.0, 3.0, 3.0, 30.0)]
    assert rounds.drift(times) == pytest.approx([1.0] * 4)
    assert rounds.levelled(times) == pytest.approx([1.0, 2.0, 3.0])
