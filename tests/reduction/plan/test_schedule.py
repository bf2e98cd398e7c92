"""Buffer layouts: schedules against the least effort of all ways to permute buffers on the way."""

from collections import Counter
from heapq import heappop, heappush
from itertools import count, permutations, product

import pytest
from support import problem, programs

from p2smt.collective import Collective
from p2smt.placement.enumeration import all_placements
from p2smt.problem.model import Engine
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import PermuteStep
from p2smt.reduction.plan.schedule import Permutation, schedule
from p2smt.reduction.semantics.level_algebra import class_groups


def effort(steps, levels):
    """How many permutations a schedule has, and how many dimensions they have in all."""
    found = schedule(steps, tuple(range(1, levels + 1)))
    moves = [move for move in found.moves if isinstance(move, Permutation)]
    return len(moves), sum(len(move.before) for move in moves)


def least_effort(steps, levels):
    """The same of the best of all ways: before every step and at the end any layout may become any other one.

    A layout lists the levels that cut the buffer, outermost first; None where a device holds nothing. Where all lie
    alike and hold everything, the order is that in which the chunks are numbered, and may be called any other.
    """
    scattered = {level for grouping, kind in steps if kind is Collective.REDUCE_SCATTER for level in grouping.levels}
    start = tuple(sorted(scattered))
    tie, done = count(), set()
    queue = [((0, 0), next(tie), 0, (start,) * (1 << levels), start)]
    while queue:
        cost, _, place, layouts, order = heappop(queue)
        if place > len(steps):
            return cost
        if (place, layouts, order) in done:
            continue
        done.add((place, layouts, order))
        if place == len(steps):
            heappush(queue, (_more(cost, set(layouts) - {None, order}), next(tie), place + 1, (), ()))
            continue
        for name in permutations(order) if set(layouts) <= {None, order} else [order]:
            named = tuple(layout if layout is None else name for layout in layouts) if name != order else layouts
            for now, changed in _permuted(named, _members(steps[place], levels)):
                after = performed(steps[place], now, levels)
                if after is not None:
                    heappush(queue, (_more(cost, changed), next(tie), place + 1, after, name))
    raise AssertionError("no way at all")


def _members(step, levels):
    return {place for group in class_groups(step[0], levels) for place in group}


def _permuted(layouts, members):
    """Layouts after permutations, and which were permuted: those of the step's members, or of everybody."""
    have = sorted({layouts[place] for place in members} - {None})
    for chosen in product(*map(permutations, have)):
        turned = dict(zip(have, chosen, strict=True))
        for places in (members, range(len(layouts))):
            now = tuple(
                turned.get(layout, layout) if place in places else layout for place, layout in enumerate(layouts)
            )
            yield now, {layout for layout in have if turned[layout] != layout}


def _more(cost, changed):
    return cost[0] + len(changed), cost[1] + sum(map(len, changed))


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


@pytest.mark.parametrize(("sizes", "more"), [((2, 2), {}), ((2, 2, 2), {(0, 1): 12, (1, 3): 3})])
def test_schedules_take_the_least_effort_but_for_a_few(sizes, more):
    """Of three levels, 12 programs permute after an AllGather where they could before, and 3 once too often."""
    levels = len(sizes)
    gaps, permuted = Counter(), 0
    for steps in programs(Engine.EXPLICIT, sizes):
        (often, dimensions), best = effort(steps, levels), least_effort(steps, levels)
        gaps[often - best[0], dimensions - best[1]] += 1
        permuted += best[0] > 0
    assert {gap: number for gap, number in gaps.items() if gap != (0, 0)} == more
    assert permuted > 5


def test_most_programs_need_no_permutation():
    needed = [effort(steps, 2)[0] for steps in programs(Engine.EXPLICIT, (2, 2))]
    assert (needed.count(0), needed.count(1)) == (87, 6)


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
