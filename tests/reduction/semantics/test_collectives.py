"""Each collective's rule on tiny groups, as in figure 8 of the paper. A state is written as its rows' bits."""

from itertools import product

import pytest
from looped import looped
from tiers import sample

from p2smt.collective import Collective
from p2smt.reduction.language.instruction import Grouping
from p2smt.reduction.semantics.collectives import RULES, Violation
from p2smt.reduction.semantics.execution import machine
from p2smt.reduction.semantics.groups import groups_of
from p2smt.reduction.semantics.state import rows

AR, RS, RED, AG, BC = (
    Collective.ALL_REDUCE,
    Collective.REDUCE_SCATTER,
    Collective.REDUCE,
    Collective.ALL_GATHER,
    Collective.BROADCAST,
)
HALVES = (frozenset({0}), frozenset({1}))  # two members, two chunks: each one's own
OWN, OTHER, BOTH, NONE = (0b01, 0b01), (0b10, 0b10), (0b11, 0b11), (0, 0)


@looped(
    ("collective", "before", "after"),
    [
        (AR, (OWN, OTHER), (BOTH, BOTH)),
        (AR, ((0b01, 0), (0b10, 0)), ((0b11, 0), (0b11, 0))),
        (RS, (OWN, OTHER), ((0b11, 0), (0, 0b11))),
        (RED, (OWN, OTHER), (BOTH, NONE)),
        (AG, ((0b11, 0), (0, 0b11)), (BOTH, BOTH)),
        (AG, ((0b01, 0), (0, 0b10)), ((0b01, 0b10), (0b01, 0b10))),
        (BC, (BOTH, OTHER), (BOTH, BOTH)),
        (BC, (BOTH, NONE), (BOTH, BOTH)),
        (BC, (BOTH, (0, 0b11)), (BOTH, BOTH)),
        (AR, (OWN, NONE), Violation.EMPTY),
        (RS, (NONE, OTHER), Violation.EMPTY),
        (RED, (NONE, NONE), Violation.EMPTY),
        (AG, ((0b11, 0), NONE), Violation.EMPTY),
        (BC, (NONE, NONE), Violation.EMPTY),
        (BC, (NONE, BOTH), Violation.EMPTY),
        (AR, ((0b01, 0), (0, 0b10)), Violation.DIFFERENT_ROWS),
        (RS, (OWN, (0b10, 0)), Violation.DIFFERENT_ROWS),
        (RED, (OWN, (0, 0b10)), Violation.DIFFERENT_ROWS),
        (AR, (OWN, OWN), Violation.OVERLAP),
        (RS, (BOTH, OTHER), Violation.OVERLAP),
        (RED, (BOTH, BOTH), Violation.OVERLAP),
        (AG, (OWN, OTHER), Violation.SHARED_ROW),
        (RS, ((0b01, 0), (0b10, 0)), Violation.UNEVEN),
        (BC, (OWN, BOTH), Violation.LESS_AT_ROOT),
        (BC, ((0b11, 0), (0, 0b11)), Violation.LESS_AT_ROOT),
        (BC, (BOTH, BOTH), Violation.NO_CHANGE),
    ],
)
def test_rule(collective, before, after):
    assert RULES[collective](before, HALVES) == after


def test_gathering_needs_equally_many_chunks():
    blocks = (frozenset({0, 1}), frozenset({2, 3}))
    assert RULES[AG](((1, 1, 0, 0), (0, 0, 1, 0)), blocks) == Violation.UNEVEN


def test_scatter_is_uneven_when_no_held_chunk_is_a_members_own():
    blocks = (frozenset({0}), frozenset({1}))
    assert RULES[RS](((0, 0, 1), (0, 0, 2)), blocks) == Violation.UNEVEN


def test_collectives_of_three_members():
    thirds = tuple(frozenset({chunk}) for chunk in range(3))
    start = tuple((1 << device,) * 3 for device in range(3))
    full, scattered = (7, 7, 7), ((7, 0, 0), (0, 7, 0), (0, 0, 7))
    assert RULES[RS](start, thirds) == scattered
    assert RULES[AG](scattered, thirds) == (full, full, full)
    assert RULES[RED](start, thirds) == (full, (0, 0, 0), (0, 0, 0))
    assert RULES[AR](((7, 7, 7), (7, 7, 7), start[0]), thirds) == Violation.OVERLAP


def contributions(state):
    """What a device holds, as pairs of chunk and contributor."""
    return {(chunk, who) for chunk, row in enumerate(state) for who in range(3) if row >> who & 1}


def by_definition(collective, states, blocks):
    """What the members hold afterwards, as sets of pairs; None where the collective may not be applied."""
    held = [contributions(state) for state in states]
    chunks = [{chunk for chunk, _ in own} for own in held]
    everything, every_chunk = set().union(*held), set().union(*chunks)
    if collective is BC:
        fits = bool(held[0]) and all(own <= held[0] for own in held) and any(own != held[0] for own in held)
        return [held[0]] * len(held) if fits else None
    if collective is AG:
        fits = len({*map(len, chunks)}) == 1 and sum(map(len, chunks)) == len(every_chunk)
    else:
        fits = all(own == every_chunk for own in chunks) and sum(map(len, held)) == len(everything)
    parts = [len(every_chunk & block) for block in blocks]
    if collective is RS:
        fits = fits and len({*parts}) == 1 and sum(parts) == len(every_chunk)
    after = [everything] * len(held)
    if collective is RED:
        after = [everything, *(set() for _ in held[1:])]
    if collective is RS:
        after = [{(chunk, who) for chunk, who in everything if chunk in block} for block in blocks]
    return after if fits and all(chunks) else None


def check_by_definition(collective, states, blocks):
    found, expected = RULES[collective](states, blocks), by_definition(collective, states, blocks)
    assert isinstance(found, Violation) == (expected is None), (collective, states, blocks)
    if expected is not None:
        assert [contributions(state) for state in found] == expected, (collective, states, blocks)
    return expected is not None


@pytest.mark.parametrize("collective", Collective)
def test_all_states_of_three_members_with_two_chunks_by_definition(collective):
    """Two contributors: what the second and the third have in common counts as what the first two have."""
    blocks = (frozenset({0}), frozenset({1}), frozenset())
    every = product(product(range(4), repeat=2), repeat=3)
    allowed = sum(check_by_definition(collective, states, blocks) for states in every)
    assert (allowed > 0) == (collective not in (AR, RS, RED, AG))


@pytest.mark.parametrize("collective", sample([AR, RS, RED, AG, BC], 3))
def test_three_contributors_of_three_members_by_definition(collective):
    """Each member its own contribution to one set of four chunks, or another's, and every way to own chunks."""
    allowed = 0
    for owners, rows_held in product(product(range(4), repeat=4), product(range(2), repeat=4)):
        blocks = tuple(frozenset(chunk for chunk in range(4) if owners[chunk] == member) for member in range(3))
        whose = owners[:3] if collective is AR or collective is RED else (0, 1, 2)
        states = tuple(tuple(row << min(who, 2) for row in rows_held) for who in whose)
        if collective is AG:
            states = tuple(tuple(7 * (chunk in block) for chunk in range(4)) for block in blocks)
        allowed += check_by_definition(collective, states, blocks)
    assert (allowed > 0) == (collective is not BC)


INNER, OUTER, ALL = Grouping(1, 2), Grouping(0, 1), Grouping(0, 2)


def test_figure_4a_scattered_chunks_must_not_be_reduced_with_other_chunks():
    concrete = machine((2, 2))
    scattered = concrete.apply(concrete.goal.start, (INNER, RS))
    assert [rows(state) for state in scattered] == [{0, 2}, {1, 3}, {0, 2}, {1, 3}]
    assert concrete.apply(scattered, (ALL, AR)) == Violation.DIFFERENT_ROWS
    assert concrete.apply(scattered, (INNER, AR)) == Violation.DIFFERENT_ROWS
    assert concrete.is_valid([(INNER, RS), (OUTER, AR), (INNER, AG)])


def test_figure_4b_the_same_data_must_not_be_reduced_twice():
    concrete = machine((2, 2))
    reduced = concrete.apply(concrete.goal.start, (INNER, AR))
    assert concrete.apply(reduced, (ALL, AR)) == Violation.OVERLAP
    assert concrete.apply(reduced, (INNER, AR)) == Violation.OVERLAP
    assert concrete.is_valid([(INNER, AR), (OUTER, AR)])


def test_scatter_is_aligned_each_device_keeps_the_chunks_with_its_own_digits():
    concrete = machine((2, 3))
    outer = concrete.apply(concrete.goal.start, (OUTER, RS))
    assert [rows(state) for state in outer] == [{0, 1, 2}] * 3 + [{3, 4, 5}] * 3
    both = concrete.apply(outer, (INNER, RS))
    assert [rows(state) for state in both] == [{device} for device in range(6)]
    assert concrete.apply(both, (ALL, AG)) == concrete.goal.end


def test_devices_in_no_group_keep_their_state():
    concrete = machine((2, 2))
    reduced = concrete.apply(concrete.goal.start, (INNER, RED))
    masters = concrete.apply(reduced, (Grouping(0, 1, masters=True), AR))
    assert masters == ((15,) * 4, (0,) * 4) * 2
    assert concrete.apply(concrete.goal.start, (Grouping(0, 1, masters=True), AR))[1] == concrete.goal.start[1]


def test_one_group_that_breaks_a_rule_rejects_the_step():
    concrete = machine((2, 2))
    half = concrete.apply(concrete.goal.start, (Grouping(0, 1, masters=True), AR))
    assert concrete.apply(half, (OUTER, AR)) == Violation.OVERLAP


def test_nothing_may_follow_the_goal_and_a_program_must_reach_it():
    concrete = machine((2, 2))
    assert concrete.is_valid([(ALL, AR)])
    assert not concrete.is_valid([(ALL, AR), (ALL, BC)])
    assert not concrete.is_valid([(INNER, AR)])
    assert not concrete.is_valid([(INNER, AR), (INNER, AR), (OUTER, AR)])
    assert not concrete.is_valid([])


@pytest.mark.parametrize("sizes", [(2, 3), (2, 2, 2), (3, 2, 2)])
def test_groups_are_the_classes_of_the_defining_equivalence(sizes):
    from p2smt.reduction.language.language import all_groupings

    digits = list(product(*map(range, sizes)))
    for grouping in all_groupings(len(sizes)):
        classes = {}
        for device, own in enumerate(digits):
            inner = own[grouping.inner :]
            if not (grouping.masters and any(inner)):
                classes.setdefault((own[: grouping.outer], inner), []).append(device)
        assert groups_of(sizes, grouping) == tuple(sorted(map(tuple, classes.values())))
