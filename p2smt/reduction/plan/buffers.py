"""Effects of steps on buffer layouts, and the local permutations that can be useful before a step.

A permutation rewrites a whole buffer, whichever dimensions it swaps. It is therefore delayed until buffers are about to
grow, to be split or to be combined: before an AllGather or a ReduceScatter, before a reduction of buffers with
different layouts, and at the end. Buffers with equal layouts are permuted together: those in the step, or all of them.

The orders of the dimensions in a group's buffers, before -> after a step along the levels L (`layouts.py` unifies them;
++ concatenates):
    AllReduce, Reduce    o in every buffer    ->  o   (after a Reduce, at the root alone)
    ReduceScatter        L ++ o in every one  ->  o
    AllGather            o in every one       ->  L ++ o
    Broadcast            o at the root        ->  o in every one
Complexity: at most 3^k sets of buffers to permute before a step, where k different orders occur among its members.
Reference: Xie et al., "Synthesizing optimal parallelism placement and reduction strategies on hierarchical systems for
deep learning", 2022, section 3.4 (lowering).

Example: the payload has the order (1, 2), and both levels are scattered. AllGather over 1 leaves (1), AllGather over 2
then (2, 1), so one permutation of the whole payload is needed at the end.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache, partial
from itertools import product
from typing import NamedTuple

from p2smt.collective import Collective
from p2smt.reduction.language.instruction import Grouping
from p2smt.reduction.language.language import Step
from p2smt.reduction.plan.layouts import Order, Orders, decided, levels_of, renamed, undecided, with_equal
from p2smt.reduction.semantics.goal import LevelGoal
from p2smt.reduction.semantics.level_algebra import class_groups

Permuted = tuple[tuple[Order, tuple[int, ...]], ...]
"""Buffers to permute: pairs of the current order and the device classes with that order."""


GroupsOf = Callable[[Grouping], tuple[tuple[int, ...], ...]]
"""A function that returns the groups of a grouping, each with its root first."""


class PermutationChoice(NamedTuple):
    """The permutations chosen between two steps; with `settled`, every buffer has the payload's order afterwards."""

    permuted: Permuted = ()
    settled: bool = False


class BufferRules:
    """The layout rules of a program: the layouts of all device classes from the start to the end.

    `cut` lists the levels with their own dimension, in the order of their digits in a device number. If the goal
    neither starts nor ends with shards, chunks may be numbered in any order, and renumbered whenever every buffer is
    complete and in order; otherwise shard `i` is block `i` of the payload. `after(orders, step)` returns the layouts
    after a step that the level algebra allows, or None if some buffer has an unsuitable layout. `groups` replaces the
    device classes by other units with the same groupings, such as the devices of an irregular tree.
    """

    def __init__(
        self, goal: Collective, level_goal: LevelGoal, cut: Sequence[int], groups: GroupsOf | None = None
    ) -> None:
        self.cut = tuple(cut)
        self._sharded = goal.scatters or goal.gathers
        # Each device ends a ReduceScatter with a single shard, which has no dimensions left to
        # order.
        self._demanded = range(0) if goal.scatters else level_goal.demanded
        self._level_goal = level_goal
        # There are 2^n device classes, so the number of levels is the logarithm of their number.
        self._levels = (len(level_goal.start) - 1).bit_length()
        self._all = sum(1 << (level - 1) for level in self.cut)
        self._of: GroupsOf = partial(class_groups, levels=self._levels) if groups is None else groups
        # A cache for each set of rules, which ends with it; a decorator on the method would keep the rules alive.
        self.after = lru_cache(maxsize=1 << 14)(self._after)

    @cached_property
    def start(self) -> Orders:
        """Return the layouts before the first step."""
        payload = decided(self.cut) if self._sharded else undecided(self._all, ())
        held = (None if holding is None else () if holding.scattered else payload for holding in self._level_goal.start)
        return (payload, *held)

    def choices(self, orders: Orders, step: Step) -> Iterator[PermutationChoice]:
        """Yield the permutations worth trying before a step; the empty choice comes first."""
        grouping, collective = step
        groups = self._of(grouping)
        # A broadcast replaces the members' buffers, so their orders need not agree beforehand.
        members = range(0) if collective.from_root else [member for group in groups for member in group]
        moves_data = collective.scatters or collective.gathers
        needed = moves_data or self._combined(orders, groups, collective) is None
        # Permute the buffers of this step alone, or all that lie alike: later steps may need those as well.
        scopes = (members, range(len(self._level_goal.start)))
        for permuted in _subsets(orders, members, scopes) if needed else ((),):
            yield PermutationChoice(permuted)
            if self._settled(self.changed(orders, PermutationChoice(permuted))) is not None:
                yield PermutationChoice(permuted, settled=True)

    def last_choices(self, orders: Orders) -> Iterator[PermutationChoice]:
        """Yield the permutations worth trying at the end."""
        # `orders[0]` is the order of the payload, so the order of class `m` is at `1 + m`.
        astray = [member for member in self._demanded if orders[1 + member] != orders[0]]
        return map(PermutationChoice, _subsets(orders, astray, (self._demanded,)))

    def lacking(self, choice: PermutationChoice) -> tuple[int, ...]:
        """Return, per permutation, the levels (a bit mask) missing from its buffers.

        They determine the bytes it moves.
        """
        return tuple(self._all & ~levels_of(order) for order, _ in choice.permuted)

    def changed(self, orders: Orders, choice: PermutationChoice) -> Orders:
        """Return the layouts after the permutations; the new orders are still open, unless the choice is `settled`.

        The layouts before and after each permutation are appended to those of the classes.
        """
        for order, classes in choice.permuted:
            # The new order stays open: later steps decide it, so that no order has to be guessed here.
            other = undecided(levels_of(order), orders)
            after = list(orders)
            for member in classes:
                after[1 + member] = other
            orders = (*after, order, other)
        settled = self._settled(orders) if choice.settled else None
        return orders if settled is None else settled

    def _after(self, orders: Orders, step: Step) -> Orders | None:
        grouping, collective = step
        groups = self._of(grouping)
        combined = self._combined(orders, groups, collective)
        along = decided(level for level in self.cut if level in grouping.levels)
        if combined is not None and collective.scatters:
            combined = _with_outermost(combined, groups, along)
        return None if combined is None else renamed(self._renumbered(_moved(combined, groups, along, collective)))

    def ended(self, orders: Orders) -> Orders | None:
        """Return the layouts with every demanded buffer in the payload's order; None if one cannot have it."""
        return _with_all_same(orders, (0, *(1 + member for member in self._demanded)))

    def _combined(self, orders: Orders, groups: tuple[tuple[int, ...], ...], collective: Collective) -> Orders | None:
        """Return the layouts after unifying the orders of all members of each group; a broadcast changes nothing."""
        combined: Orders | None = orders
        for group in () if collective.from_root else groups:
            combined = None if combined is None else _with_all_same(combined, [1 + member for member in group])
        return combined

    def _settled(self, orders: Orders) -> Orders | None:
        """Return the layouts with every buffer in the payload's order; None unless every buffer is complete."""
        held = 1 + len(self._level_goal.start)
        different = {*orders[1:held]}
        if self._sharded or any(order is not None and levels_of(order) != self._all for order in different):
            return None
        combined = _with_all_same(orders, [place for place in range(held) if orders[place] is not None])
        return None if combined is None else self._renumbered(combined)

    def _renumbered(self, orders: Orders) -> Orders:
        """Return the layouts with an open payload order if every buffer is complete and has that order, else unchanged.

        Chunks may then be renumbered, so every order is equally good.
        """
        held = 1 + len(self._level_goal.start)
        if self._sharded or {*orders[1:held]} - {None, orders[0]}:
            return orders
        payload = undecided(self._all, orders)
        return (payload, *(None if order is None else payload for order in orders[1:held]), *orders[held:])


def _subsets(orders: Orders, members: Iterable[int], scopes: Iterable[Iterable[int]]) -> Iterator[Permuted]:
    """Yield all choices of buffers to permute: per order among `members`, no class or all of one scope that have it."""
    # `dict.fromkeys` in place of a set: the order of the choices, and with it the plan, must not
    # depend on hashes.
    have = dict.fromkeys(orders[1 + member] for member in members)
    ways: list[list[Permuted]] = []
    for order in have:
        # A buffer with one dimension has one order only; there is nothing to permute.
        if order is not None and levels_of(order).bit_count() > 1:
            within = dict.fromkeys(tuple(c for c in scope if orders[1 + c] == order) for scope in scopes)
            ways.append([(), *(((order, classes),) for classes in within)])
    for chosen in product(*ways):
        yield tuple(one for permuted in chosen for one in permuted)


def _with_all_same(orders: Orders, places: Sequence[int]) -> Orders | None:
    """Return the layouts after unifying the orders at some places; None if they conflict."""
    # Equal orders stay equal, so one place stands for all that have its order.
    first, *others = {orders[place]: place for place in places}.values()
    combined: Orders | None = orders
    for other in others:
        if combined is not None:
            left, right = combined[first], combined[other]
            assert left is not None, "devices that act together hold something"
            assert right is not None, "devices that act together hold something"
            combined = combined if left == right else with_equal(combined, left, right)
    return combined


def _with_outermost(orders: Orders, groups: tuple[tuple[int, ...], ...], along: Order) -> Orders | None:
    combined: Orders | None = orders
    for group in groups:
        order = None if combined is None else combined[1 + group[0]]
        # Block `i` of a ReduceScatter goes to member `i`, so the levels that vary in the group must
        # be outermost; the order of the other levels stays open.
        if combined is not None and order is not None and order[: len(along)] != along:
            rest = undecided(levels_of(order) & ~levels_of(along), combined)
            combined = with_equal(combined, order, (*along, *rest))
    return combined


def _moved(orders: Orders, groups: tuple[tuple[int, ...], ...], along: Order, collective: Collective) -> Orders:
    """Return the layouts after the step's data movement."""
    after, scatters, gathers, to_root = list(orders), collective.scatters, collective.gathers, collective.to_root
    for first, *others in groups:
        root = orders[1 + first]
        assert root is not None, "the root of a valid step holds something"
        held = root[len(along) :] if scatters else (*along, *root) if gathers else root
        after[1 + first] = held
        for member in others:
            after[1 + member] = None if to_root else held
    return tuple(after)
