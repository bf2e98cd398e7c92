"""Buffer layouts: schedules against the fewest bytes of all ways to permute buffers on the way."""

from fractions import Fraction
from heapq import heappop, heappush
from itertools import count, cycle, permutations, product
from math import prod

import pytest
from support import problem, programs

from p2smt.collective import Collective
from p2smt.placement.enumeration import all_placements
from p2smt.problem.model import Engine
from p2smt.reduction.language.instruction import Grouping
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import PermuteStep
from p2smt.reduction.plan.schedule import CollectiveMove, Permutation, schedules
from p2smt.reduction.semantics.goal import level_goal
from p2smt.reduction.semantics.level_algebra import class_groups

SIZES = {2: [(2, 2), (2, 16), (7, 2)], 3: [(2, 2, 2), (3, 2, 16), (8, 2, 3)]}


def permuted(steps, sizes, goal):
    """What a plan's permutations move, in payloads, and how many there are."""
    every = schedules(steps, tuple(range(1, len(sizes) + 1)), goal)
    lacking = [schedule.permuted for schedule in every]
    assert lacking == [tuple(sorted(_lacked(schedule))) for schedule in every]
    return min((sum((_held(levels, sizes) for levels in one), Fraction(0)), len(one)) for one in lacking)


def _lacked(schedule):
    moves = [move for move in schedule.moves if isinstance(move, Permutation)]
    assert all(sorted(move.before) == sorted(move.after) for move in moves)
    assert all(move.before != move.after for move in moves)
    return [sum(1 << (level - 1) for level in schedule.cut if level not in move.before) for move in moves]


def _held(levels, sizes):
    return Fraction(1, prod(size for place, size in enumerate(sizes) if levels >> place & 1))


def fewest_permuted(steps, sizes, goal, scopes):
    """The same of the best of all ways: before every step and at the end any layout may become any other one.

    A layout lists the levels that cut the buffer, outermost first; None where a device holds nothing. Where all lie
    alike and hold everything, the order is that in which the chunks are numbered, and may be called any other, unless
    the goal speaks of numbered shards.
    """
    levels, wanted = len(sizes), level_goal(goal, len(sizes))
    scattered = {level for grouping, kind in steps if kind is Collective.REDUCE_SCATTER for level in grouping.levels}
    start = tuple(range(1, levels + 1)) if goal.gathers else tuple(sorted(scattered))
    first = tuple(holding and (() if holding.scattered else start) for holding in wanted.start)
    tie, done = count(), set()
    queue = [((Fraction(0), 0), next(tie), 0, first, start)]

    def more(cost, changed):
        lacks = [sum(1 << (level - 1) for level in start if level not in layout) for layout, _ in changed]
        return cost[0] + sum((_held(levels, sizes) for levels in lacks), Fraction(0)), cost[1] + len(changed)

    while queue:
        cost, _, place, layouts, order = heappop(queue)
        if place > len(steps):
            return cost
        if (place, layouts, order) in done:
            continue
        done.add((place, layouts, order))
        if place == len(steps):
            astray = set() if goal.scatters else {layouts[member] for member in wanted.demanded} - {None, order}
            changed = {(layout, order) for layout in astray}
            heappush(queue, (more(cost, changed), next(tie), place + 1, (), ()))
            continue
        numbered = goal.scatters or goal.gathers or not set(layouts) <= {None, order}
        for name in [order] if numbered else permutations(order):
            named = layouts if name == order else tuple(layout and name for layout in layouts)
            for now in scopes(named, _members(steps[place], levels)):
                after = performed(steps[place], now, levels)
                if after is not None:
                    changed = {(old, new) for old, new in zip(named, now, strict=True) if old != new}
                    heappush(queue, (more(cost, changed), next(tie), place + 1, after, name))
    raise AssertionError("no way at all")


def _members(step, levels):
    return {place for group in class_groups(step[0], levels) for place in group}


def alike(layouts, members):
    """Layouts after permutations of those that lie alike: all of them, or all that take part."""
    have = sorted(set(layouts) - {None})
    for chosen in product(*map(permutations, have)):
        turned = dict(zip(have, chosen, strict=True))
        for scopes in product((members, range(len(layouts))), repeat=len(have)):
            within = dict(zip(have, scopes, strict=True))
            yield tuple(
                turned[layout] if layout is not None and place in within[layout] else layout
                for place, layout in enumerate(layouts)
            )


def each_alone(layouts, members):
    """Layouts after permutations of any devices whatever."""
    yield from product(*([None] if layout is None else permutations(layout) for layout in layouts))


def performed(step, layouts, levels):
    """The layouts after a step; None where a buffer does not lie as the step needs it."""
    grouping, collective = step
    along, after = tuple(sorted(grouping.levels)), list(layouts)
    for root, *others in class_groups(grouping, levels):
        layout = layouts[root]
        if collective is not Collective.BROADCAST and any(layouts[other] != layout for other in others):
            return None
        if collective is Collective.REDUCE_SCATTER and layout[: len(along)] != along:
            return None
        for member in (root, *others):
            after[member] = {
                Collective.REDUCE_SCATTER: layout[len(along) :],
                Collective.ALL_GATHER: (*along, *layout),
                Collective.REDUCE: layout if member == root else None,
            }.get(collective, layout)
    return tuple(after)


@pytest.mark.parametrize("goal", Collective)
def test_no_program_of_two_levels_is_lowered_dearer_than_needed(goal):
    for steps in programs(Engine.EXPLICIT, (2, 2), 6, goal=goal):
        for sizes in SIZES[2]:
            assert permuted(steps, sizes, goal) == fewest_permuted(steps, sizes, goal, each_alone), (steps, sizes)


@pytest.mark.parametrize("goal", Collective)
def test_no_program_of_three_levels_is_lowered_dearer_than_needed(goal):
    """A program that is lowered without permutations cannot be lowered cheaper; the others are tried."""
    every = programs(Engine.EXPLICIT, (2, 2, 2), goal=goal)
    need = [steps for steps in every if permuted(steps, SIZES[3][0], goal)[1]]
    for steps, sizes in zip(need, cycle(SIZES[3]), strict=False):
        assert permuted(steps, sizes, goal) == fewest_permuted(steps, sizes, goal, alike), (steps, sizes)
    assert len(need) >= {Collective.ALL_REDUCE: 217, Collective.REDUCE: 150, Collective.ALL_GATHER: 20}.get(goal, 0)


def test_most_programs_need_no_permutation():
    needed = [permuted(steps, (2, 2), Collective.ALL_REDUCE)[1] for steps in programs(Engine.EXPLICIT, (2, 2))]
    assert (needed.count(0), needed.count(1)) == (87, 6)


def test_a_permutation_waits_until_buffers_are_small_and_comes_before_they_grow():
    """Two AllGathers of outer levels leave them in the wrong order; the innermost level is gathered after that."""
    scatter, gather = Collective.REDUCE_SCATTER, Collective.ALL_GATHER
    steps = (
        (Grouping(2, 3), scatter), (Grouping(0, 2), scatter),
        (Grouping(0, 1), gather), (Grouping(1, 2), gather), (Grouping(2, 3), gather),
    )  # fmt: skip
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
