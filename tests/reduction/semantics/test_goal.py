"""Goals are written twice, in level sets and in state matrices; both say what the collective itself leaves."""

from itertools import product
from math import prod

import pytest
from looped import looped

from p2smt.collective import Collective
from p2smt.reduction.language.instruction import Grouping
from p2smt.reduction.language.language import full_language
from p2smt.reduction.semantics.collectives import Violation
from p2smt.reduction.semantics.execution import machine
from p2smt.reduction.semantics.goal import level_goal, matrix_goal
from p2smt.reduction.semantics.level_algebra import state_matrices

SIZES = [(2,), (5,), (2, 3), (3, 2), (2, 2, 2), (2, 3, 2)]


@looped("sizes", SIZES)
@looped("goal", Collective)
def test_both_say_the_same(goal, sizes):
    levels, matrices = level_goal(goal, len(sizes)), matrix_goal(goal, sizes)
    assert state_matrices(levels.start, sizes) == matrices.start
    end = state_matrices((levels.end,) * len(levels.start), sizes)
    for device, digits in enumerate(product(*map(range, sizes))):
        of_class = sum(1 << place for place, digit in enumerate(digits) if digit)
        assert (device in matrices.demanded) == (of_class in levels.demanded)
        if device in matrices.demanded:
            assert end[device] == matrices.end[device]


@looped("sizes", SIZES)
@looped("goal", Collective)
def test_one_collective_over_everything_does_its_own_goal_and_no_other_alike(goal, sizes):
    step = (Grouping(0, len(sizes)), goal)
    assert machine(sizes, goal=goal).is_valid([step])
    others = {other for other in Collective if machine(sizes, goal=other).is_valid([step])}
    # An AllReduce leaves the root of a Reduce all that it asks for, and the others may hold anything.
    assert others == {goal} | ({Collective.REDUCE} if goal is Collective.ALL_REDUCE else set())


@pytest.mark.parametrize("goal", Collective)
def test_a_program_ends_where_the_goal_is_reached_first(goal):
    """What goes on after the goal is no program, even where the goal is reached once more."""
    concrete = machine((2, 2), goal=goal)
    steps = list(full_language(2).steps())
    begun = [((), concrete.goal.start, False)]
    again = 0
    for _ in range(3):
        grown = []
        for before, state, passed in begun:
            for step in steps:
                after = concrete.apply(state, step)
                reached = not isinstance(after, Violation) and concrete.goal.is_reached(after)
                gone_on = passed or concrete.goal.is_reached(state)
                assert concrete.is_valid([*before, step]) == (reached and not gone_on)
                again += reached and gone_on
                if not isinstance(after, Violation):
                    grown.append(((*before, step), after, gone_on))
        begun = grown
    assert bool(again) == (goal is Collective.REDUCE)


@looped(("sizes", "reducing"), [((2, 3), (False, True)), ((2, 2, 2), (True, False, True))])
@looped("goal", Collective)
def test_other_levels_hold_one_reduction_group_each(goal, sizes, reducing):
    """What a device has to hold is what it has to hold in its group alone, but for the numbers of the others."""
    whole = matrix_goal(goal, sizes, reducing)
    inner = tuple(size for size, reduces in zip(sizes, reducing, strict=True) if reduces)
    alone = matrix_goal(goal, inner)
    for device, digits in enumerate(product(*map(range, sizes))):
        groups: dict[tuple[int, ...], list[int]] = {}
        for other, others in enumerate(product(*map(range, sizes))):
            key = tuple(d for d, reduces in zip(others, reducing, strict=True) if not reduces)
            groups.setdefault(key, []).append(other)
        key = tuple(d for d, reduces in zip(digits, reducing, strict=True) if not reduces)
        group = groups[key]
        number = group.index(device)
        assert (device in whole.demanded) == (number in alone.demanded)
        for state, small in ((whole.start, alone.start), (whole.end, alone.end)):
            for chunk in range(prod(sizes)):
                own = tuple(d for d, reduces in zip(_digits(chunk, sizes), reducing, strict=True) if reduces)
                expected = {group[bit] for bit in range(len(group)) if small[number][_number(own, inner)] >> bit & 1}
                assert {bit for bit in range(prod(sizes)) if state[device][chunk] >> bit & 1} == expected


def _digits(number, sizes):
    return list(product(*map(range, sizes)))[number]


def _number(digits, sizes):
    return list(product(*map(range, sizes))).index(tuple(digits))
