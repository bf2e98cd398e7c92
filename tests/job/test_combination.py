"""The best choice of programs against all choices, on made-up candidates."""

import random
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import examples, is_full

from p2smt.job.candidate import ReductionCandidate
from p2smt.job.combination import WeightedProgram, best_assignment, frugal_candidates, smallest_communicators

TIMES = st.sampled_from([0.5, 1.0, 3.0])
PARTS = st.integers(0, 6).map(float)


@st.composite
def candidates(draw):
    busy = tuple(draw(st.lists(PARTS, min_size=3, max_size=3)))
    groups = draw(st.sets(st.integers(0, 3).map(lambda place: (place,)), max_size=2))
    return ReductionCandidate((), "", max(*busy, draw(PARTS)), busy, frozenset(groups))


@st.composite
def phases(draw):
    return [
        [
            [WeightedProgram(candidate, times) for candidate in draw(st.lists(candidates(), min_size=1, max_size=4))]
            for times in draw(st.lists(TIMES, min_size=1, max_size=4))
        ]
        for _ in range(draw(st.integers(1, 2)))
    ]


def seconds_of(phase, overlap):
    longest = max(way.times * way.candidate.seconds for way in phase)
    if len(phase) == 1:
        return longest
    *links, memory = (sum(way.times * way.candidate.busy[place] for way in phase) for place in range(3))
    return max(longest, max(links) + (1 - overlap) * (sum(links) - max(links)), memory)


def every_choice(asked, overlap):
    """(seconds, communicators) of all."""
    for chosen in product(*(product(*phase) for phase in asked)):
        groups = frozenset().union(*(way.candidate.communicators for phase in chosen for way in phase))
        yield sum(seconds_of(phase, overlap) for phase in chosen), groups


def frugal(ways, *, alone):
    return [WeightedProgram(one, ways[0].times) for one in frugal_candidates([way.candidate for way in ways], alone)]


@settings(max_examples=examples(10))
@given(phases(), st.sampled_from([0.0, 0.5, 1.0]), st.integers(0, 4))
def test_no_choice_is_faster(asked, overlap, most):
    every = list(every_choice(asked, overlap))
    found = best_assignment(asked, overlap)
    assert found.seconds == min(seconds for seconds, _ in every)
    assert (found.seconds, found.communicators) in every
    assert [len(one.chosen) for one in found.phases] == [len(phase) for phase in asked]
    few = [pair for pair in every if len(pair[1]) <= most]
    fewer = [[frugal(ways, alone=len(phase) == 1) for ways in phase] for phase in asked]
    for some in (asked, fewer):
        limited = best_assignment(some, overlap, lambda groups: len(groups) <= most)
        assert (limited is None) == (not few)
        if limited is not None:
            assert limited.seconds == min(seconds for seconds, _ in few)
            assert (limited.seconds, limited.communicators) in few


@settings(max_examples=examples(10))
@given(phases())
def test_the_smallest_sets_of_communicators(asked):
    ways = [[way.candidate for way in reduction] for phase in asked for reduction in phase]
    every = {groups for _, groups in every_choice(asked, 1.0)}
    smallest = smallest_communicators(ways)
    assert set(smallest) == {groups for groups in every if not any(other < groups for other in every)}
    assert len(set(smallest)) == len(smallest)


def test_without_a_way_there_is_no_choice():
    assert best_assignment([[[]]], 1.0) is None
    assert best_assignment([[[]]], 1.0, lambda _: True) is None
    assert best_assignment([], 1.0).seconds == 0


def way(seconds, *busy):
    return WeightedProgram(ReductionCandidate((), "", seconds, (*busy, 0.0), frozenset()), 1.0)


def test_a_choice_that_no_single_step_leads_to_is_found():
    """The way that is fastest alone is busy on both links, either of which the other reduction then waits for."""
    phase = [[way(4.0, 4.0, 4.0), way(7.0, 0.0, 7.0)], [way(5.0, 5.0, 0.0), way(5.0, 0.0, 5.0)]]
    found = best_assignment([phase], 1.0)
    assert found.seconds == 7
    assert [one.candidate.busy[:2] for one in found.phases[0].chosen] == [(0, 7), (5, 0)]


def test_no_choice_is_faster_where_times_are_close():
    dice = random.Random(3)
    for _ in range(400 if is_full() else 100):
        phase = []
        for _ in range(dice.randint(2, 4)):
            busy = [(dice.randint(8, 16) * 0.5, dice.randint(0, 16) * 0.5) for _ in range(3)]
            phase.append([way(max(one), *one) for one in (dice.sample(pair, 2) for pair in busy)])
        overlap = dice.choice([0.0, 0.5, 1.0])
        least = min(seconds_of(one, overlap) for one in product(*phase))
        assert best_assignment([phase], overlap).seconds == least
        fewer = [frugal(ways, alone=False) for ways in phase]
        assert best_assignment([fewer], overlap, lambda _: True).seconds == least
