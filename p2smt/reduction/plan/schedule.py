"""From a program to what every buffer holds and where: the steps of a plan before devices have numbers.

Backends know no chunk names: ReduceScatter gives block `i` of the buffer to the `i`-th member of the group,
AllGather concatenates in group order. So the payload is viewed as a tensor with one dimension per level that is
ever scattered, and a device's layout is the order in which the dimensions it holds whole lie in its buffer. A
ReduceScatter over levels L needs the dimensions of L outermost, in group order; an AllGather puts them back
there. Which dimension is outermost is free while every buffer is whole and in order, and so is the order after a
permutation; of the useful orders at each such point, those that need the fewest and smallest local
permutations are taken (against all orders, one too many for 3 of the 1635 programs of three levels).
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

from p2smt.collective import Collective
from p2smt.reduction.language.instruction import Grouping
from p2smt.reduction.language.language import Step
from p2smt.reduction.semantics.level_algebra import (
    LevelState,
    apply_step,
    class_groups,
    level_goal,
    level_start,
)

Layout = tuple[int, ...]
_Layouts = tuple[Layout | None, ...]


@dataclass(frozen=True, slots=True)
class Together:
    """A collective on every group; `held[i]` is a root's device class and the levels its buffer then lacks."""

    grouping: Grouping
    collective: Collective
    held: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Reorder:
    """A local permutation from one layout to another, on the devices of some classes."""

    classes: tuple[int, ...]
    before: Layout
    after: Layout


Move = Together | Reorder


@dataclass(frozen=True, slots=True)
class Schedule:
    """What to do, and the levels that cut the payload into chunks."""

    cut: Layout
    moves: tuple[Move, ...]


@cache
def schedule(steps: tuple[Step, ...], significance: Layout) -> Schedule | None:
    """The best schedule of a program, or None when the program is not valid.

    `significance` lists all levels in the order of their digits in a device number, most significant first:
    the order in which members of a group are numbered.
    """
    trace = _trace(steps, len(significance))
    if trace is None:
        return None
    scattering = {level for grouping, kind in steps if kind is Collective.REDUCE_SCATTER for level in grouping.levels}
    cut = tuple(level for level in significance if level in scattering)
    found = (Schedule(cut, moves) for moves in _moves(steps, trace, (cut,) * len(trace[0]), significance, cut))
    return min(found, key=_effort)


def _trace(steps: Sequence[Step], levels: int) -> list[LevelState] | None:
    states = [level_start(levels)]
    for step in steps:
        after = apply_step(states[-1], step, levels) if states[-1] != level_goal(levels) else None
        if after is None:
            return None
        states.append(after)
    return states if states[-1] == level_goal(levels) else None


def _moves(
    steps: Sequence[Step], trace: Sequence[LevelState], layouts: _Layouts, significance: Layout, last: Layout
) -> Iterator[tuple[Move, ...]]:
    """Every way to do the steps from these layouts and end in the layout `last` on all devices."""
    if not steps:
        yield _reorders(layouts, {layout: last for layout in layouts if layout is not None})
        return
    (grouping, collective), *rest = steps
    along = tuple(level for level in significance if level in grouping.levels)
    groups = class_groups(grouping, len(significance))
    act = Together(grouping, collective, tuple((group[0], _scattered(trace[0], group[0])) for group in groups))
    free = collective is Collective.REDUCE_SCATTER and all(layout in (None, last) for layout in layouts)
    for cut in _useful_orders(last, steps, significance) if free else (last,):
        current = tuple(layout and cut for layout in layouts) if free else layouts
        for orders in _orders(current, groups, steps, significance):
            before = _reorders(current, orders, {place for group in groups for place in group})
            after = _performed(_moved(current, before), groups, along, collective)
            for further in _moves(rest, trace[1:], after, significance, cut):
                yield (*before, act, *further)


def _useful_orders(levels: Layout, steps: Sequence[Step], significance: Layout) -> Iterator[Layout]:
    """Orders worth trying: as the levels will be scattered by these steps, soonest first, or as they are."""

    def next_scatter(level: int) -> int:
        scatters = (kind is Collective.REDUCE_SCATTER and level in grouping.levels for grouping, kind in steps)
        return next((place for place, scatters_it in enumerate(scatters) if scatters_it), len(steps))

    by_need = tuple(sorted(levels, key=lambda level: (next_scatter(level), significance.index(level))))
    yield by_need
    if by_need != levels:
        yield levels


def _scattered(state: LevelState, place: int) -> int:
    holding = state[place]
    assert holding is not None, "the root of a valid step is not empty"
    return holding.scattered


def _orders(
    layouts: _Layouts, groups: list[tuple[int, ...]], steps: Sequence[Step], significance: Layout
) -> Iterator[dict[Layout, Layout]]:
    """For the layouts that members have, each choice of layouts to turn them into before the first step."""
    grouping, collective = steps[0]
    if collective is not Collective.REDUCE_SCATTER:
        yield {}
        return
    along = tuple(level for level in significance if level in grouping.levels)
    have = sorted({layout for group in groups for member in group if (layout := layouts[member]) is not None})
    choices = []
    for layout in have:
        rest = _useful_orders(tuple(level for level in layout if level not in along), steps[1:], significance)
        ready = layout[: len(along)] == along
        choices.append([layout] if ready else [(*along, *order) for order in rest])
    for choice in product(*choices):
        yield dict(zip(have, choice, strict=True))


def _reorders(
    layouts: _Layouts, orders: dict[Layout, Layout], places: Collection[int] | None = None
) -> tuple[Reorder, ...]:
    """The permutations that turn the layouts of the devices at these places into those of `orders`."""
    found = []
    for before, after in sorted(orders.items()):
        have = (place for place, layout in enumerate(layouts) if layout == before)
        classes = tuple(place for place in have if places is None or place in places)
        if before != after:
            found.append(Reorder(classes, before, after))
    return tuple(found)


def _moved(layouts: _Layouts, reorders: tuple[Reorder, ...]) -> _Layouts:
    after = list(layouts)
    for reorder in reorders:
        for place in reorder.classes:
            after[place] = reorder.after
    return tuple(after)


def _performed(layouts: _Layouts, groups: list[tuple[int, ...]], along: Layout, collective: Collective) -> _Layouts:
    after = list(layouts)
    for group in groups:
        root = layouts[group[0]]
        assert root is not None
        same = collective is Collective.BROADCAST or all(layouts[member] == root for member in group)
        assert same, "devices that act together have one layout"
        for member in group:
            match collective:
                case Collective.REDUCE_SCATTER:
                    after[member] = root[len(along) :]
                case Collective.ALL_GATHER:
                    after[member] = (*along, *root)
                case Collective.REDUCE if member != group[0]:
                    after[member] = None
                case _:
                    after[member] = root
    return tuple(after)


def _effort(candidate: Schedule) -> tuple[int, int, str]:
    reorders = [move for move in candidate.moves if isinstance(move, Reorder)]
    held = sum(len(move.before) for move in reorders)
    return len(reorders), held, str(reorders)
