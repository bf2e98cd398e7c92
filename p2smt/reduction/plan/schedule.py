"""Contents and layouts of all buffers of a program: the steps of a plan before devices are numbered.

Problem: communication libraries have no chunk names. ReduceScatter gives block `i` of the buffer to the `i`-th member
of the group, and AllGather concatenates in group order. So the payload is viewed as a tensor with one dimension per
level that is ever scattered, and a device's layout is the order of the unsharded dimensions in its buffer. A
ReduceScatter over levels L needs the dimensions of L outermost, in group order; an AllGather restores them there.
Between steps a layout may be permuted, which copies the buffer once.

Which permutations can be cheapest is the question of `permutation_search.py`.

    ReduceScatter over L:  layout L ++ o -> o;    AllGather over L:  o -> L ++ o;    permutation:  o -> any order of o.

Complexity: one pass over the steps for each choice of permutations.
Reference: Xie et al., "Synthesizing optimal parallelism placement and reduction strategies on hierarchical systems for
deep learning", 2022, section 3.4.

Example: two levels. ReduceScatter over 1, ReduceScatter over 2, AllGather over 2, AllGather over 1 needs none. With the
two AllGathers swapped, dimensions come back as 2, 1, and one permutation of the whole payload is needed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest

from p2smt.collective import Collective
from p2smt.reduction.language.language import Step
from p2smt.reduction.plan.buffers import BufferRules, PermutationChoice
from p2smt.reduction.plan.joined_levels import JoinedLevels, joined_levels
from p2smt.reduction.plan.layouts import Orders, concrete
from p2smt.reduction.plan.permutation_search import ScheduleChoices, search_of
from p2smt.reduction.plan.traces import CollectiveMove, traces_of

BufferLayout = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Permutation:
    """A local permutation from one layout to another, on the devices of some classes."""

    classes: tuple[int, ...]
    before: BufferLayout
    after: BufferLayout


Move = CollectiveMove | Permutation


@dataclass(frozen=True, slots=True)
class BufferSchedule:
    """The moves of a program, and the levels that split the payload into chunks.

    `permuted` lists, per permutation, the levels (a bit mask) along which its buffers are sharded, in ascending order.
    """

    cut: BufferLayout
    moves: tuple[Move, ...]
    permuted: tuple[int, ...]


@lru_cache(maxsize=1 << 15)
def schedules(
    steps: tuple[Step, ...], significance: BufferLayout, goal: Collective = Collective.ALL_REDUCE
) -> tuple[BufferSchedule, ...]:
    """Return the schedules of a program that are cheapest for some sizes of levels; none if the program is invalid.

    `significance` lists all levels from the most significant digit of the device number to the least; group members are
    numbered in this order. Levels that the program treats as one are joined first (`joined_levels.py`).
    """
    joined = joined_levels(steps, significance)
    if joined is None:
        return searched_schedules(steps, significance, goal)
    coarse = tuple(map(joined.step, steps))
    every = searched_schedules(coarse, joined.significance, goal)
    return tuple(_stretched(joined, steps, schedule) for schedule in every)


@lru_cache(maxsize=1 << 15)
def searched_schedules(
    steps: tuple[Step, ...], significance: BufferLayout, goal: Collective
) -> tuple[BufferSchedule, ...]:
    """Return the schedules of a program by a search over all levels, without joining any."""
    moves = traces_of(goal, len(significance)).moves(steps)
    if moves is None:
        return ()
    search = search_of(goal, len(significance), _cut(steps, significance, goal))
    return tuple(_schedule(search.rules, steps, moves, way) for way in search.best(steps))


def _stretched(joined: JoinedLevels, steps: tuple[Step, ...], schedule: BufferSchedule) -> BufferSchedule:
    """Return a schedule over joined levels as one over all levels, on which the program has these steps."""
    left, moves = iter(steps), list[Move]()
    following = next(left, None)
    for move in schedule.moves:
        match move:
            case CollectiveMove():
                assert following is not None, "a schedule has one collective for each step"
                moves.append(joined.collective(move, following[0]))
                following = next(left, None)
            case Permutation(classes, before, after):
                classes = joined.classes(classes, None if following is None else following[0])
                moves.append(Permutation(classes, joined.layout(before), joined.layout(after)))
    return BufferSchedule(joined.layout(schedule.cut), tuple(moves), joined.sets(schedule.permuted))


def every_schedule(
    steps: tuple[Step, ...], significance: BufferLayout, goal: Collective = Collective.ALL_REDUCE
) -> tuple[BufferSchedule, ...]:
    """Return a valid program's schedules for all choices of permutations worth trying, however many bytes they move.

    Choices that permute the same buffers at the same points count once. Empty if there are more than `MOST_WAYS`.
    """
    moves = traces_of(goal, len(significance)).moves(steps)
    assert moves is not None, "the program is valid"
    rules = search_of(goal, len(significance), _cut(steps, significance, goal)).rules
    return tuple(_schedule(rules, steps, moves, way) for way in _every_way(rules, steps))


def _cut(steps: tuple[Step, ...], significance: BufferLayout, goal: Collective) -> BufferLayout:
    """Return the levels that split the payload, in order of significance."""
    scattering = {level for grouping, kind in steps if kind.scatters for level in grouping.levels}
    # An AllGather begins with shards of every level, so the payload is cut along levels that no
    # step scatters, too.
    return tuple(level for level in significance if level in scattering or goal.gathers)


MOST_WAYS = 1 << 12
"""The most partial choices of permutations that are kept between two steps."""


def _every_way(rules: BufferRules, steps: tuple[Step, ...]) -> Iterator[ScheduleChoices]:
    reached: dict[tuple[Orders, tuple[tuple[int, ...], ...]], tuple[PermutationChoice, ...]] = {(rules.start, ()): ()}
    for step in steps:
        further: dict[tuple[Orders, tuple[tuple[int, ...], ...]], tuple[PermutationChoice, ...]] = {}
        for (orders, permuted), choices in reached.items():
            for choice in rules.choices(orders, step):
                after = rules.after(rules.changed(orders, choice)[: len(orders)], step)
                if after is not None:
                    # Which buffers are permuted where decides the price, the orders decide what can
                    # follow; the first choice with equal values of both stands for all.
                    key = (after, (*permuted, tuple(sorted(rules.lacking(choice)))))
                    further.setdefault(key, (*choices, choice))
        reached = further
        if len(reached) > MOST_WAYS:
            return
    for (orders, permuted), choices in reached.items():
        for choice in rules.last_choices(orders):
            if rules.ended(rules.changed(orders, choice)) is not None:
                every = (levels for place in (*permuted, rules.lacking(choice)) for levels in place)
                yield ScheduleChoices((*choices, choice), tuple(sorted(every)))


def followed(rules: BufferRules, steps: tuple[Step, ...], way: ScheduleChoices) -> Orders | None:
    """Return the final layouts for a choice of permutations, then the layouts before and after each permutation."""
    held = len(rules.start)
    orders: Orders | None = rules.start
    for step, choice in zip((*steps, None), way.choices, strict=True):
        if orders is None:
            return None
        changed = rules.changed(orders, choice)
        orders = rules.ended(changed) if step is None else rules.after(changed, step)
    assert orders is None or len(orders) == held + 2 * len(way.permuted)
    return orders


def _schedule(
    rules: BufferRules, steps: tuple[Step, ...], collectives: tuple[CollectiveMove, ...], way: ScheduleChoices
) -> BufferSchedule:
    if not any(choice.permuted for choice in way.choices):
        return BufferSchedule(rules.cut, collectives, ())
    orders = followed(rules, steps, way)
    assert orders is not None, "a way that was found can be followed"
    layouts = iter([concrete(order, rules.cut) for order in orders[len(rules.start) :] if order is not None])
    moves: list[Move] = []
    for choice, further in zip_longest(way.choices, collectives):
        moves += [Permutation(classes, next(layouts), next(layouts)) for _, classes in choice.permuted]
        moves += [] if further is None else [further]
    return BufferSchedule(rules.cut, tuple(moves), way.permuted)
