"""Contents and layouts of all buffers of a program: the steps of a plan before devices are numbered.

Problem: communication libraries have no chunk names. ReduceScatter gives block `i` of the buffer to the `i`-th member
of the group, and AllGather concatenates in group order. So the payload is viewed as a tensor with one dimension per
level that is ever scattered, and a device's layout is the order of the unsharded dimensions in its buffer. A
ReduceScatter over levels L needs the dimensions of L outermost, in group order; an AllGather restores them there.
Between steps a layout may be permuted, which copies the buffer once.

Method: dynamic programming over the layouts with dominance, as for shortest paths with several criteria (Martins, "On a
multicriteria shortest path problem", 1984). A label is the multiset of the buffers permuted so far:
    labels[0][start] = {()},
    labels[i+1][o'] = undominated of { w + lacking(c) : w in labels[i][o], c a choice in o, step i leads from o to o' }.
A label dominates another if each of its permutations can be matched with one of the other's whose buffer is no smaller
(`_never_dearer`, greedily), whatever the sizes of levels. The final labels that can be cheapest are kept.

Complexity: one label for most layouts, as most programs need no permutation (tried first); exponential at worst.

Example: two levels. ReduceScatter over 1, ReduceScatter over 2, AllGather over 2, AllGather over 1 needs none. With the
two AllGathers swapped, dimensions come back as 2, 1, and one permutation of the whole payload is needed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from p2smt.collective import Collective
from p2smt.reduction.language.instruction import Grouping
from p2smt.reduction.language.language import Step
from p2smt.reduction.plan.buffers import BufferRules, PermutationChoice
from p2smt.reduction.plan.layouts import Orders, concrete
from p2smt.reduction.semantics.goal import LevelGoal, level_goal
from p2smt.reduction.semantics.level_algebra import LevelState, apply_step, class_groups

BufferLayout = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CollectiveMove:
    """A collective in every group.

    `held` lists pairs of a root's device class and the levels along which it is sharded.
    """

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
class BufferSchedule:
    """The moves of a program, and the levels that split the payload into chunks.

    `permuted` lists, per permutation, the levels (a bit mask) along which its buffers are sharded, in ascending order.
    """

    cut: BufferLayout
    moves: tuple[Move, ...]
    permuted: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ScheduleChoices:
    """The permutations chosen before every step and at the end, with the levels along which each buffer is sharded."""

    choices: tuple[PermutationChoice, ...]
    permuted: tuple[int, ...]


@lru_cache(maxsize=1 << 15)
def schedules(
    steps: tuple[Step, ...], significance: BufferLayout, goal: Collective = Collective.ALL_REDUCE
) -> tuple[BufferSchedule, ...]:
    """Return the schedules of a program that are cheapest for some sizes of levels; none if the program is invalid.

    `significance` lists all levels from the most significant digit of the device number to the least; group members are
    numbered in this order.
    """
    wanted = level_goal(goal, len(significance))
    trace = _trace(steps, wanted, len(significance))
    if trace is None:
        return ()
    scattering = {level for grouping, kind in steps if kind.scatters for level in grouping.levels}
    # An AllGather begins with shards of every level, so the payload is cut along levels that no
    # step scatters, too.
    cut = tuple(level for level in significance if level in scattering or goal.gathers)
    rules = _buffer_rules(goal, len(significance), cut)
    return tuple(_schedule(rules, steps, trace, cut, way) for way in best_ways(rules, steps))


def every_schedule(
    steps: tuple[Step, ...], significance: BufferLayout, goal: Collective = Collective.ALL_REDUCE
) -> tuple[BufferSchedule, ...]:
    """Return a valid program's schedules for all choices of permutations worth trying, however many bytes they move.

    Choices that permute the same buffers at the same points count once. Empty if there are more than `MOST_WAYS`.
    """
    trace = _trace(steps, level_goal(goal, len(significance)), len(significance))
    assert trace is not None, "the program is valid"
    scattering = {level for grouping, kind in steps if kind.scatters for level in grouping.levels}
    cut = tuple(level for level in significance if level in scattering or goal.gathers)
    rules = _buffer_rules(goal, len(significance), cut)
    return tuple(_schedule(rules, steps, trace, cut, way) for way in _every_way(rules, steps))


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


@lru_cache(maxsize=64)
def _buffer_rules(goal: Collective, levels: int, cut: BufferLayout) -> BufferRules:
    return BufferRules(goal, level_goal(goal, levels), cut)


_after = lru_cache(maxsize=1 << 12)(apply_step)
"""A cached `apply_step`; the programs of a language share few states."""


def _trace(steps: tuple[Step, ...], goal: LevelGoal, levels: int) -> list[LevelState] | None:
    states = [goal.start]
    for step in steps:
        after = None if goal.is_reached(states[-1]) else _after(states[-1], step, levels)
        if after is None:
            return None
        states.append(after)
    return states if goal.is_reached(states[-1]) else None


def best_ways(rules: BufferRules, steps: tuple[Step, ...]) -> tuple[ScheduleChoices, ...]:
    """Return the choices of permutations worth pricing: only the empty one if it works, else the undominated ones."""
    # Most programs need no permutation; trying that first saves the search.
    free = ScheduleChoices((PermutationChoice(),) * (len(steps) + 1), ())
    if followed(rules, steps, free) is not None:
        return (free,)
    reached: dict[Orders, list[ScheduleChoices]] = {rules.start: [ScheduleChoices((), ())]}
    for step in steps:
        further: dict[Orders, list[ScheduleChoices]] = {}
        for orders, ways in reached.items():
            for choice in rules.choices(orders, step):
                after = rules.after(rules.changed(orders, choice)[: len(orders)], step)
                if after is not None:
                    _extend(further.setdefault(after, []), ways, choice, rules.lacking(choice))
        reached = further
    found: list[ScheduleChoices] = []
    for orders, ways in reached.items():
        for choice in rules.last_choices(orders):
            if rules.ended(rules.changed(orders, choice)) is not None:
                _extend(found, ways, choice, rules.lacking(choice))
    return tuple(found)


def _extend(
    known: list[ScheduleChoices], ways: list[ScheduleChoices], choice: PermutationChoice, lacking: tuple[int, ...]
) -> None:
    for way in ways:
        longer = ScheduleChoices((*way.choices, choice), tuple(sorted((*way.permuted, *lacking))))
        if not any(_never_dearer(other.permuted, longer.permuted) for other in known):
            known[:] = [other for other in known if not _never_dearer(longer.permuted, other.permuted)]
            known.append(longer)


def _never_dearer(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """True if each permutation of one choice can be matched with one of the other whose buffer is at least as large."""
    free = list(other)
    # The largest buffers (fewest levels lacking) first: they have the fewest partners. Greedy, so it may miss a
    # matching; then a label more is kept, and no answer changes.
    for lacking in sorted(one, key=int.bit_count):
        # The rival lacks a subset of these levels, so its buffer is at least as large whatever the sizes of levels
        # are.
        larger = next((rival for rival in free if not rival & ~lacking), None)
        if larger is None:
            return False
        free.remove(larger)
    return True


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
    rules: BufferRules, steps: tuple[Step, ...], trace: list[LevelState], cut: BufferLayout, way: ScheduleChoices
) -> BufferSchedule:
    orders = followed(rules, steps, way)
    assert orders is not None, "a way that was found can be followed"
    layouts = iter([concrete(order, cut) for order in orders[len(rules.start) :] if order is not None])
    moves: list[Move] = []
    for place, choice in enumerate(way.choices):
        moves += [Permutation(classes, next(layouts), next(layouts)) for _, classes in choice.permuted]
        if place < len(steps):
            grouping, collective = steps[place]
            groups = class_groups(grouping, (len(trace[0]) - 1).bit_length())
            held = tuple((group[0], _scattered(trace[place], group[0])) for group in groups)
            moves.append(CollectiveMove(grouping, collective, held))
    return BufferSchedule(cut, tuple(moves), way.permuted)


def _scattered(state: LevelState, place: int) -> int:
    holding = state[place]
    assert holding is not None, "the root of a valid step is not empty"
    return holding.scattered
