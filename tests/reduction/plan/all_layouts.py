"""The fewest bytes that any way to permute buffers between the steps of a program moves, by trying all of them."""

from fractions import Fraction
from heapq import heappop, heappush
from itertools import count, permutations, product
from math import prod

from p2smt.collective import Collective
from p2smt.reduction.semantics.goal import level_goal
from p2smt.reduction.semantics.level_algebra import class_groups


def held(levels, sizes):
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
        return cost[0] + sum((held(levels, sizes) for levels in lacks), Fraction(0)), cost[1] + len(changed)

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
