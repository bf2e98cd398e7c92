"""Replaying found programs in the concrete semantics before anyone sees them."""

from collections.abc import Iterable, Sequence
from math import prod

from p2smt.collective import Collective
from p2smt.placement.tree import Shape
from p2smt.problem.system.tree import Tree
from p2smt.reduction.language.language import Step
from p2smt.reduction.semantics.collectives import Violation
from p2smt.reduction.semantics.execution import Machine, machine
from p2smt.reduction.semantics.state import State

MOST_DEVICES = 16

_START, _NOWHERE = 0, -1


def replay_sizes(sizes: Sequence[int]) -> tuple[int, ...]:
    """The sizes to replay at: the real ones up to 16 devices, else 3 per level on two levels and 2 on more.

    >>> replay_sizes((2, 4)), replay_sizes((64, 1024)), replay_sizes((4, 8, 16))
    ((2, 4), (3, 3), (2, 2, 2))
    """
    if prod(sizes) <= MOST_DEVICES:
        return tuple(sizes)
    return tuple(min(size, 3 if len(sizes) <= 2 else 2) for size in sizes)


def replay_shape(shape: Shape) -> Shape:
    """The shape to replay at: a tree of unlike sizes itself, else `replay_sizes`."""
    return shape if isinstance(shape, Tree) else replay_sizes(shape)


def invalid_programs(
    programs: Iterable[tuple[Step, ...]], shape: Shape, goal: Collective = Collective.ALL_REDUCE
) -> list[tuple[Step, ...]]:
    """The programs that do not reach the goal on a concrete hierarchy; no step runs twice."""
    replay = _Replay(machine(shape, goal=goal))
    return [steps for steps in programs if not replay.reaches(steps)]


class _Replay:
    """The states that were reached, by numbers, and where the steps that were tried lead from them."""

    def __init__(self, concrete: Machine) -> None:
        self._machine = concrete
        self._numbers: dict[State, int] = {concrete.goal.start: _START}
        self._states = [concrete.goal.start]
        self._done = [concrete.goal.is_reached(concrete.goal.start)]
        self._after: dict[tuple[int, Step], int] = {}

    def reaches(self, steps: tuple[Step, ...]) -> bool:
        """Whether the steps reach the goal, every one allowed, and none after the goal is reached."""
        state = _START
        for step in steps:
            key = state, step
            known = self._after.get(key)
            state = self._apply(key) if known is None else known
            if state == _NOWHERE:
                return False
        return self._done[state]

    def _apply(self, key: tuple[int, Step]) -> int:
        before, step = key
        result = Violation.NO_CHANGE if self._done[before] else self._machine.apply(self._states[before], step)
        number = _NOWHERE if isinstance(result, Violation) else self._numbered(result)
        self._after[key] = number
        return number

    def _numbered(self, state: State) -> int:
        number = self._numbers.setdefault(state, len(self._states))
        if number == len(self._states):
            self._states.append(state)
            self._done.append(self._machine.goal.is_reached(state))
        return number
