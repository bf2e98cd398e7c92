"""Goals of programs: the initial state of every device, and the final state that is demanded.

A goal is named by the collective that achieves it in one step over a whole reduction group. This module defines goals
in the level algebra and in state matrices, for every hierarchy. "Sharded" is the result of a ReduceScatter over all
levels: device `d` holds the chunk with its own number in the group, with all contributions.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from p2smt.collective import Collective
from p2smt.placement.tree import Shape, digits_of, hull_of
from p2smt.reduction.semantics.level_algebra import HeldLevels, LevelState
from p2smt.reduction.semantics.state import DeviceState, State, goal_state, start_state


@dataclass(frozen=True, slots=True)
class LevelGoal:
    """A goal over device classes; classes that are not `demanded` may end in any state."""

    start: LevelState
    end: HeldLevels
    demanded: Sequence[int]

    def is_reached(self, state: LevelState) -> bool:
        """True if all demanded classes have the final state; a program ends as soon as they do."""
        return all(state[member] == self.end for member in self.demanded)


@dataclass(frozen=True, slots=True)
class MatrixGoal:
    """A goal over devices; devices that are not `demanded` may end in any state."""

    start: State
    end: State
    demanded: tuple[int, ...]

    def is_reached(self, state: State) -> bool:
        """True if all demanded devices have the final state; a program ends as soon as they do."""
        return all(state[device] == self.end[device] for device in self.demanded)


def level_goal(goal: Collective, levels: int) -> LevelGoal:
    """Return the goal on a hierarchy with this number of reduction levels.

    >>> level_goal(Collective.ALL_GATHER, 1)
    LevelGoal(start=(HeldLevels(scattered=1, merged=1), HeldLevels(scattered=1, merged=1)), \
end=HeldLevels(scattered=0, merged=1), demanded=range(0, 2))
    """
    everything = (1 << levels) - 1
    classes = range(1 << levels)
    # Nothing scattered or merged; all merged, all chunks; all merged, one chunk for each device.
    own, merged, sharded = HeldLevels(), HeldLevels(0, everything), HeldLevels(everything, everything)
    match goal:
        case Collective.ALL_REDUCE:
            return LevelGoal((own,) * len(classes), merged, classes)
        case Collective.REDUCE_SCATTER:
            return LevelGoal((own,) * len(classes), sharded, classes)
        case Collective.ALL_GATHER:
            return LevelGoal((sharded,) * len(classes), merged, classes)
        case Collective.REDUCE:
            # A Reduce demands the root alone: the class 0, whose digits are all 0.
            return LevelGoal((own,) * len(classes), merged, classes[:1])
        case Collective.BROADCAST:
            return LevelGoal((merged, *(None for _ in classes[1:])), merged, classes)


def matrix_goal(goal: Collective, shape: Shape, reducing: Sequence[bool] | None = None) -> MatrixGoal:
    """Return the goal on a hierarchy; `reducing` marks the reduction levels, by default all.

    The root of a reduction group is its first device: all its digits on the reduction levels are 0.
    """
    flags = (True,) * len(hull_of(shape)) if reducing is None else tuple(reducing)
    digits = [_reduced_digits(each, flags) for each in digits_of(shape)]
    devices = tuple(range(len(digits)))
    own, merged = start_state(len(devices)), goal_state(shape, flags)
    roots = tuple(device for device in devices if not any(digits[device]))
    match goal:
        case Collective.ALL_REDUCE:
            return MatrixGoal(own, merged, devices)
        case Collective.REDUCE_SCATTER:
            return MatrixGoal(own, _sharded(merged, digits), devices)
        case Collective.ALL_GATHER:
            return MatrixGoal(_sharded(merged, digits), merged, devices)
        case Collective.REDUCE:
            return MatrixGoal(own, merged, roots)
        case Collective.BROADCAST:
            nothing: DeviceState = (0,) * len(devices)
            return MatrixGoal(tuple(merged[d] if d in roots else nothing for d in devices), merged, devices)


def _reduced_digits(digits: Sequence[int], flags: Sequence[bool]) -> tuple[int, ...]:
    """Return a device's digits on the reduction levels."""
    return tuple(digit for digit, reduces in zip(digits, flags, strict=True) if reduces)


def _sharded(merged: State, digits: Sequence[tuple[int, ...]]) -> State:
    """Return the shard of `merged` for every device: the chunks whose reduction digits equal the device's."""
    return tuple(
        tuple(row if digits[chunk] == own else 0 for chunk, row in enumerate(rows))
        for own, rows in zip(digits, merged, strict=True)
    )
