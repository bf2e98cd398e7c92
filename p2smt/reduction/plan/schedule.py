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
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product

from p2smt.collective import Collective
from p2smt.reduction.language.instruction import Grouping
from p2smt.reduction.language.language import Step
from p2smt.reduction.semantics.goal import LevelGoal, level_goal
from p2smt.reduction.semantics.level_algebra import Holding, LevelState, apply_step, class_groups

BufferLayout = tuple[int, ...]
_Layouts = tuple[BufferLayout | None, ...]


@dataclass(frozen=True, slots=True)
class CollectiveMove:
    """A collective on every group; `held[i]` is a root's device class and the levels its buffer then lacks."""

    grouping: Grouping
    collective: Collective
    held: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Permutation:
    """A local permutation from one layout to another, on the devices of some classes."""

    classes: tuple[int, ...]
    before: BufferLayout
    after: BufferLayout


Move = CollectiveMove | Permutation


@dataclass(frozen=True, slots=True)
class Schedule:
    """What to do, and the levels that cut the payload into chunks."""

    cut: BufferLayout
    moves: tuple[Move, ...]


@lru_cache(maxsize=1 << 15)
def schedule(
    steps: tuple[Step, ...], significance: BufferLayout, goal: Collective = Collective.ALL_REDUCE
) -> Schedule | None:
    """The best schedule of a program for a goal, or None when the program is not valid.

    `significance` lists all levels in the order of their digits in a device number, most significant first:
    the order in which members of a group are numbered.
    """
    wanted = level_goal(goal, len(significance))
    trace = _trace(steps, wanted, len(significance))
    if trace is None:
        return None
    scattering = {level for grouping, kind in steps if kind.scatters for level in grouping.levels}
    sharded = set(significance) if goal.gathers else set()
    cut = tuple(level for level in significance if level in scattering | sharded)
    first = tuple(_first_layout(holding, cut) for holding in wanted.start)
    end = _End(cut, wanted.demanded, sharded=goal.scatters)
    found = (Schedule(cut, moves) for moves in _moves(steps, trace, first, significance, end))
    return min(found, key=_effort)


@dataclass(frozen=True, slots=True)
class _End:
    """How buffers have to lie in the end: in layout `order` where a device holds the whole payload.

    With `sharded` every device ends with the block of the payload, in that order, that has its own number; then no
    other order can be chosen on the way. Classes that are not `demanded` may end as they like.
    """

    order: BufferLayout
    demanded: range
    sharded: bool


def _first_layout(holding: Holding | None, cut: BufferLayout) -> BufferLayout | None:
    if holding is None:
        return None
    return tuple(level for level in cut if not holding.scattered >> (level - 1) & 1)


def _trace(steps: Sequence[Step], goal: LevelGoal, levels: int) -> list[LevelState] | None:
    states = [goal.start]
    for step in steps:
        after = None if goal.is_reached(states[-1]) else apply_step(states[-1], step, levels)
        if after is None:
            return None
        states.append(after)
    return states if goal.is_reached(states[-1]) else None


def _moves(
    steps: Sequence[Step], trace: Sequence[LevelState], layouts: _Layouts, significance: BufferLayout, end: _End
) -> Iterator[tuple[Move, ...]]:
    """Every way to do the steps from these layouts and end as demanded.

    The first step acts on the layouts as they are, or after permutations that bring the levels of a ReduceScatter
    outermost. Where every buffer is whole and in its final order, that order is only a way to number the chunks: any
    other one can take its place for free, on all devices, from here to the end.
    """
    if not steps:
        final = {} if end.sharded else {layout: end.order for layout in layouts if layout is not None}
        yield _permutations(layouts, final, end.demanded)
        return
    (grouping, collective), *rest = steps
    along = tuple(level for level in significance if level in grouping.levels)
    groups = class_groups(grouping, len(significance))
    act = CollectiveMove(grouping, collective, tuple((group[0], _scattered(trace[0], group[0])) for group in groups))
    scatters = collective.scatters and not end.sharded
    free = scatters and all(layout in (None, end.order) for layout in layouts)
    for order in _useful_orders(end.order, steps, significance) if free else (end.order,):
        current = tuple(None if layout is None else order for layout in layouts) if free else layouts
        for orders in _orders(current, groups, steps, significance):
            before = _permutations(current, orders, {place for group in groups for place in group})
            after = _performed(_moved(current, before), groups, along, collective)
            for further in _moves(rest, trace[1:], after, significance, replace(end, order=order)):
                yield (*before, act, *further)


def _useful_orders(levels: BufferLayout, steps: Sequence[Step], significance: BufferLayout) -> Iterator[BufferLayout]:
    """Orders worth trying: as the levels will be scattered by these steps, soonest first, or as they are."""

    def next_scatter(level: int) -> int:
        scatters = (kind.scatters and level in grouping.levels for grouping, kind in steps)
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
    layouts: _Layouts, groups: list[tuple[int, ...]], steps: Sequence[Step], significance: BufferLayout
) -> Iterator[dict[BufferLayout, BufferLayout]]:
    """For the layouts that members have, each choice of layouts to turn them into before the first step."""
    grouping, collective = steps[0]
    if not collective.scatters:
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


def _permutations(
    layouts: _Layouts, orders: dict[BufferLayout, BufferLayout], places: Collection[int] | None = None
) -> tuple[Permutation, ...]:
    """The permutations that turn the layouts of the devices at these places into those of `orders`."""
    found = []
    for before, after in sorted(orders.items()):
        have = (place for place, layout in enumerate(layouts) if layout == before)
        classes = tuple(place for place in have if places is None or place in places)
        if classes and before != after:
            found.append(Permutation(classes, before, after))
    return tuple(found)


def _moved(layouts: _Layouts, permutations: tuple[Permutation, ...]) -> _Layouts:
    after = list(layouts)
    for permutation in permutations:
        for place in permutation.classes:
            after[place] = permutation.after
    return tuple(after)


def _performed(
    layouts: _Layouts, groups: list[tuple[int, ...]], along: BufferLayout, collective: Collective
) -> _Layouts:
    after = list(layouts)
    for group in groups:
        root = layouts[group[0]]
        assert root is not None
        same = collective.from_root or all(layouts[member] == root for member in group)
        assert same, "devices that act together have one layout"
        for member in group:
            if collective.to_root and member != group[0]:
                after[member] = None
            elif collective.scatters:
                after[member] = root[len(along) :]
            elif collective.gathers:
                after[member] = (*along, *root)
            else:
                after[member] = root
    return tuple(after)


def _effort(candidate: Schedule) -> tuple[int, int, str]:
    permutations = [move for move in candidate.moves if isinstance(move, Permutation)]
    held = sum(len(move.before) for move in permutations)
    return len(permutations), held, str(permutations)
