"""Contents and layouts of all buffers on an irregular tree: like `schedule.py`, with devices instead of classes.

Units of unequal size cannot be sharded level by level. But adjacent levels can be merged until the devices form a
product again: the *blocks* of a tree. Every block has one dimension of the payload's tensor, which is named by the
block's outermost level; a ReduceScatter or AllGather must span whole blocks.

A cut below level c separates two blocks if the paths of all devices are the product of their heads and tails:
    (number of different heads) * (number of different tails) = number of devices.
Then the program is executed on the devices, and `permutation_search.py` finds the cheapest local permutations.
Complexity: O(devices^3) bits of state, so at most `MOST_DEVICES` devices; one pass over the paths for each level.
Reference: Xie et al., "Synthesizing optimal parallelism placement and reduction strategies on hierarchical systems for
deep learning", 2022, for uniform trees.

Example: 2 racks of 2 and 1 nodes with 4 GPUs each: 3 heads (nodes) times 4 tails (GPUs) are the 12 devices, so the
blocks are the 3 nodes and the 4 GPUs. Racks alone are not a block: a scatter over racks has no equal parts.
"""

from collections.abc import Iterator
from functools import lru_cache, partial
from itertools import pairwise

from p2smt.collective import Collective
from p2smt.errors import ProgramError
from p2smt.placement.tree import digits_of
from p2smt.problem.system.tree import Tree
from p2smt.reduction.language.instruction import Grouping
from p2smt.reduction.language.language import Step
from p2smt.reduction.plan.buffers import BufferRules
from p2smt.reduction.plan.layouts import Orders, concrete, levels_of
from p2smt.reduction.plan.permutation_search import PermutationSearch, ScheduleChoices
from p2smt.reduction.plan.schedule import BufferSchedule, Move, Permutation, followed
from p2smt.reduction.plan.traces import CollectiveMove
from p2smt.reduction.semantics.execution import machine
from p2smt.reduction.semantics.goal import LevelGoal
from p2smt.reduction.semantics.groups import Groups, groups_of
from p2smt.reduction.semantics.level_algebra import HeldLevels

# The state matrices of n devices have n^3 bits.
MOST_DEVICES = 128
"""The most devices of a reduction group for which states are computed device by device."""


def block_sizes(tree: Tree) -> dict[int, int]:
    """Map the outermost level (from 1) of every block, outermost block first, to the block's number of units.

    >>> block_sizes(Tree(((2,), (2, 1), (4, 4, 4)))), block_sizes(Tree(((2,), (5, 3))))
    ({1: 3, 3: 4}, {1: 8})
    """
    paths = digits_of(tree)
    depth = len(tree.children)
    firsts = [1, *(cut + 1 for cut in range(1, depth) if _is_product(paths, cut)), depth + 1]
    return {one: len({path[one - 1 : end - 1] for path in paths}) for one, end in pairwise(firsts)}


def _is_product(paths: list[tuple[int, ...]], cut: int) -> bool:
    """True if all units of level `cut` have identical subtrees."""
    return len({path[:cut] for path in paths}) * len({path[cut:] for path in paths}) == len(paths)


@lru_cache(maxsize=1 << 12)
def tree_schedules(
    steps: tuple[Step, ...], tree: Tree, goal: Collective = Collective.ALL_REDUCE
) -> tuple[BufferSchedule, ...]:
    """Return the schedules of a program among the devices of one reduction group; none if it is invalid.

    As with `schedules`, one of them is the cheapest whatever the sizes. Raises ProgramError for trees with too many
    devices, and for a valid program whose shards cannot be expressed by the tensor's dimensions.
    """
    if tree.devices > MOST_DEVICES:
        raise ProgramError(
            f"a reduction group of {tree.devices} devices is too large for an irregular hierarchy; the "
            f"limit is {MOST_DEVICES}"
        )
    if not machine(tree, goal=goal).is_valid(steps):
        return ()
    blocks = tuple(block_sizes(tree))
    scattering = {level for grouping, kind in steps if kind.scatters for level in grouping.levels}
    cut = tuple(level for level in blocks if level in scattering or goal.gathers)
    for number, (grouping, kind) in enumerate(steps, start=1):
        if (kind.scatters or kind.gathers) and not _along_blocks(grouping, blocks, len(tree.children)):
            raise ProgramError(
                f"step {number}, {kind}, splits the hierarchy {tree} at an irregular level; scatter and "
                "gather over all levels down to one with equal units"
            )
    devices = _Devices(tree, goal, cut)
    found = (devices.schedule(steps, way) for way in PermutationSearch(devices.rules).best(steps))
    lying = tuple(schedule for schedule in found if schedule is not None)
    if not lying:
        raise ProgramError(
            f"on the irregular hierarchy {tree}, no permutation per class restores the order of the "
            "buffers; choose another program"
        )
    return lying


def _along_blocks(grouping: Grouping, blocks: tuple[int, ...], depth: int) -> bool:
    """True if the levels of a grouping are whole blocks."""
    return grouping.outer + 1 in blocks and grouping.inner + 1 in (*blocks, depth + 1)


class _Devices:
    """The buffers of one reduction group, device by device."""

    def __init__(self, tree: Tree, goal: Collective, cut: tuple[int, ...]) -> None:
        self._cut = cut
        # Bit `level` is set where the digit is not 0: the same classes as in the level algebra.
        self._classes = [sum(1 << level for level, digit in enumerate(path) if digit) for path in digits_of(tree)]
        self._groups = partial(_groups_of, tree)
        self.rules = BufferRules(goal, _device_goal(goal, tree.devices), cut, self._groups)

    def schedule(self, steps: tuple[Step, ...], way: ScheduleChoices) -> BufferSchedule | None:
        """Return the moves for a choice of permutations.

        None if a permutation covers some but not all devices of a class that hold data, which a plan cannot express.
        """
        orders = followed(self.rules, steps, way)
        assert orders is not None, "a way that was found can be followed"
        layouts = iter([concrete(order, self._cut) for order in orders[len(self.rules.start) :] if order is not None])
        moves: list[Move] = []
        now = self.rules.start
        for place, choice in enumerate(way.choices):
            for _, devices in choice.permuted:
                # A plan names devices by class, so a permutation of some members of a class cannot
                # be written.
                classes = self._whole_classes(devices, now)
                if classes is None:
                    return None
                moves.append(Permutation(classes, next(layouts), next(layouts)))
            now = self.rules.changed(now, choice)[: len(now)]
            if place < len(steps):
                grouping, collective = steps[place]
                moves.append(CollectiveMove(grouping, collective, tuple(self._held(grouping, now))))
                after = self.rules.after(now, steps[place])
                assert after is not None, "a way that was found can be followed"
                now = after
        return BufferSchedule(self._cut, tuple(moves), way.permuted)

    def _whole_classes(self, devices: tuple[int, ...], orders: Orders) -> tuple[int, ...] | None:
        classes = {self._classes[device] for device in devices}
        holding = [device for device, own in enumerate(self._classes) if own in classes and orders[1 + device]]
        return tuple(sorted(classes)) if [*devices] == holding else None

    def _held(self, grouping: Grouping, orders: Orders) -> Iterator[tuple[int, int]]:
        """Yield the classes of the groups' roots, and the levels along which their buffers are sharded."""
        everything = sum(1 << (level - 1) for level in self._cut)
        lacking: dict[int, int] = {}
        for root, *_ in self._groups(grouping):
            order = orders[1 + root]
            assert order is not None, "the root of a valid step holds something"
            known = lacking.setdefault(self._classes[root], everything & ~levels_of(order))
            if known != everything & ~levels_of(order):
                raise ProgramError(
                    "on this irregular hierarchy, devices of one class would hold different amounts; choose "
                    "another program"
                )
        return iter(sorted(lacking.items()))


@lru_cache(maxsize=1 << 10)
def _groups_of(tree: Tree, grouping: Grouping) -> Groups:
    return groups_of(tree, grouping)


def _device_goal(goal: Collective, devices: int) -> LevelGoal:
    """Return the goal with devices in place of classes.

    It only distinguishes a shard, the whole payload and nothing.
    """
    # Devices take the place of classes, and whether a device has a shard is all that the layout
    # asks, so one level is enough to say it.
    whole, shard = HeldLevels(), HeldLevels(1, 1)
    match goal:
        case Collective.ALL_REDUCE:
            return LevelGoal((whole,) * devices, whole, range(devices))
        case Collective.REDUCE_SCATTER:
            return LevelGoal((whole,) * devices, shard, range(devices))
        case Collective.ALL_GATHER:
            return LevelGoal((shard,) * devices, whole, range(devices))
        case Collective.REDUCE:
            return LevelGoal((whole,) * devices, whole, range(1))
        case Collective.BROADCAST:
            return LevelGoal((whole, *(None for _ in range(devices - 1))), whole, range(devices))
