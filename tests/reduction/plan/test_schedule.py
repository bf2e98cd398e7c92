"""Buffer layouts: schedules against the fewest bytes of all ways to permute buffers on the way."""

import pickle
from fractions import Fraction
from itertools import cycle, permutations

import pytest
from reduction.plan.all_layouts import alike, each_alone, fewest_permuted, held
from support import problem, programs
from tiers import sample

from p2smt.collective import Collective
from p2smt.placement.enumeration import all_placements
from p2smt.problem.model import Engine
from p2smt.reduction.language.instruction import Grouping
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import PermuteStep
from p2smt.reduction.plan.schedule import Permutation, schedules, searched_schedules
from p2smt.reduction.plan.traces import CollectiveMove

SIZES = {2: [(2, 2), (2, 16), (7, 2)], 3: [(2, 2, 2), (3, 2, 16), (8, 2, 3)]}


def permuted(steps, sizes, goal):
    """What a plan's permutations move, in payloads, and how many there are."""
    every = schedules(steps, tuple(range(1, len(sizes) + 1)), goal)
    lacking = [schedule.permuted for schedule in every]
    assert lacking == [tuple(sorted(_lacked(schedule))) for schedule in every]
    return min((sum((held(levels, sizes) for levels in one), Fraction(0)), len(one)) for one in lacking)


def _lacked(schedule):
    moves = [move for move in schedule.moves if isinstance(move, Permutation)]
    assert all(sorted(move.before) == sorted(move.after) for move in moves)
    assert all(move.before != move.after for move in moves)
    return [sum(1 << (level - 1) for level in schedule.cut if level not in move.before) for move in moves]


@pytest.mark.parametrize("goal", Collective)
def test_no_program_of_two_levels_is_lowered_dearer_than_needed(goal):
    for steps in programs(Engine.EXPLICIT, (2, 2), 6, goal=goal):
        for sizes in SIZES[2]:
            assert permuted(steps, sizes, goal) == fewest_permuted(steps, sizes, goal, each_alone), (steps, sizes)


@pytest.mark.thorough  # two levels are tried
@pytest.mark.parametrize("goal", Collective)
def test_no_program_of_three_levels_is_lowered_dearer_than_needed(goal):
    """A program that is lowered without permutations cannot be lowered cheaper; the others are tried."""
    every = programs(Engine.EXPLICIT, (2, 2, 2), goal=goal)
    need = [steps for steps in every if permuted(steps, SIZES[3][0], goal)[1]]
    for steps, sizes in sample(zip(need, cycle(SIZES[3]), strict=False), 40):
        assert permuted(steps, sizes, goal) == fewest_permuted(steps, sizes, goal, alike), (steps, sizes)
    assert len(need) >= {Collective.ALL_REDUCE: 217, Collective.REDUCE: 150, Collective.ALL_GATHER: 20}.get(goal, 0)


def test_most_programs_need_no_permutation():
    needed = [permuted(steps, (2, 2), Collective.ALL_REDUCE)[1] for steps in programs(Engine.EXPLICIT, (2, 2))]
    assert (needed.count(0), needed.count(1)) == (87, 6)


def test_a_permutation_waits_until_buffers_are_small_and_comes_before_they_grow():
    """Two AllGathers of outer levels leave them in the wrong order; the innermost level is gathered after that."""
    scatter, gather = Collective.REDUCE_SCATTER, Collective.ALL_GATHER
    steps = (
        (Grouping(2, 3), scatter),
        (Grouping(0, 2), scatter),
        (Grouping(0, 1), gather),
        (Grouping(1, 2), gather),
        (Grouping(2, 3), gather),
    )
    (only,) = schedules(steps, (1, 2, 3))
    kinds = [type(move) for move in only.moves]
    assert kinds == [CollectiveMove] * 4 + [Permutation, CollectiveMove]
    assert only.permuted == (0b100,)


@pytest.mark.parametrize("goal", Collective)
def test_every_program_of_every_goal_has_a_plan(goal):
    """Whatever a device holds in the end that need hold nothing, it is left alone."""
    asked = problem((2, 4), (8,), (0,), goal, limit=4)
    (matrix,) = all_placements(asked).items
    lowering = Lowering(asked, matrix)
    found = programs(Engine.EXPLICIT, (2, 4), 4, goal=goal)
    plans = [lowering.plan(lowering.language.program(steps)) for steps in found]
    assert len(plans) == len(found) > 2
    permuted = [step for plan in plans for step in plan.steps if isinstance(step, PermuteStep)]
    assert all(step.order != tuple(range(len(step.order))) for step in permuted)


@pytest.mark.parametrize("goal", Collective)
def test_levels_that_a_program_treats_as_one_are_joined_without_a_difference(goal):
    """Schedules over fewer levels, stretched, against a search over all levels, in every order of significance."""
    for levels, most in ((2, None), (3, 60)):
        every = programs(Engine.LEVELS, (2,) * levels, goal=goal)
        for steps in sample(every, most or len(every)):
            for order in permutations(range(1, levels + 1)):
                assert schedules(steps, order, goal) == searched_schedules(steps, order, goal), (steps, order)


def test_a_move_that_was_sent_to_another_process_hashes_itself():
    """Hashes of names differ between processes, and a move keeps its own."""
    move = CollectiveMove(Grouping(0, 1, False), Collective.ALL_REDUCE, ((0, 1),))
    own = hash(move)
    object.__setattr__(move, "_hash", own + 1)
    sent = pickle.loads(pickle.dumps(move))
    assert sent == move
    assert hash(sent) == own
