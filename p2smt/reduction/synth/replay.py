"""Replay of found programs in the concrete semantics, as a check before they are returned.

Method: all programs are run at once, step by step, with hash-consed states: equal states have the same number, and so
do equal matrices in them. After i rounds, `states[p]` is the number of the state after the first i steps of program p.
A transition (state, step) is computed once and looked up by all other programs.

    states[p] := number of apply(states[p], step i of p),   for i = 1, 2, ..., all programs p at once.

Complexity: each transition applies a rule to every group whose members hold another combination of matrices than
before, and O(total length of all programs) look-ups, as numpy arrays.
Reference: Filliatre and Conchon, "Type-safe modular hash-consing", 2006.

Example: of 93 programs over two levels, many begin with ReduceScatter over level 2; its effect on the start is computed
for the first of them alone.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain, count
from math import prod

import numpy as np

from p2smt.collective import Collective
from p2smt.placement.tree import Shape
from p2smt.problem.system.tree import Tree
from p2smt.reduction.language.language import Step
from p2smt.reduction.semantics.collectives import RULES, Violation
from p2smt.reduction.semantics.execution import MatrixMachine, machine
from p2smt.reduction.semantics.groups import Blocks
from p2smt.reduction.semantics.state import DeviceState

# Validity does not depend on sizes (the level algebra), so a small instance with all classes of
# devices is enough.
MOST_DEVICES = 16

_START, _NOWHERE = 0, -1

_Numbers = tuple[int, ...]
_Called = tuple[Collective, Blocks | None, _Numbers]


def replay_sizes(sizes: Sequence[int]) -> tuple[int, ...]:
    """Return the level sizes for replay: the real ones up to 16 devices, else 3 per level on two levels, and 2 on more.

    >>> replay_sizes((2, 4)), replay_sizes((64, 1024)), replay_sizes((4, 8, 16))
    ((2, 4), (3, 3), (2, 2, 2))
    """
    if prod(sizes) <= MOST_DEVICES:
        return tuple(sizes)
    return tuple(min(size, 3 if len(sizes) <= 2 else 2) for size in sizes)


def replay_shape(shape: Shape) -> Shape:
    """Return the shape for replay: an irregular tree unchanged, else `replay_sizes`."""
    return shape if isinstance(shape, Tree) else replay_sizes(shape)


def invalid_programs(
    programs: Iterable[tuple[Step, ...]], shape: Shape, goal: Collective = Collective.ALL_REDUCE
) -> list[tuple[Step, ...]]:
    """Return the programs that do not reach the goal on a concrete hierarchy; shared steps are executed once."""
    listed = tuple(programs)
    reached = _Replay(machine(shape, goal=goal)).reach(listed)
    return [steps for steps, is_valid in zip(listed, reached, strict=True) if not is_valid]


class _Replay:
    """A memo of the states reached so far, which are numbered, and their successors.

    A state is a tuple with one number per device, which stands for the device's matrix. Groups whose members hold the
    same matrices are computed once.
    """

    def __init__(self, concrete: MatrixMachine) -> None:
        self._machine = concrete
        self._matrices: dict[DeviceState, int] = {}
        self._held: list[DeviceState] = []
        self._effects: dict[_Called, _Numbers | None] = {}
        goal = concrete.goal
        self._end = [(device, self._number(goal.end[device])) for device in goal.demanded]
        self._states: dict[_Numbers, int] = {}
        self._listed: list[_Numbers] = []
        self._done: list[bool] = []
        self._numbered(tuple(map(self._number, goal.start)))
        self._after: dict[tuple[int, Step], int] = {}

    def reach(self, programs: Sequence[tuple[Step, ...]]) -> list[bool]:
        """Return the validity of each program: all steps are allowed, and the last one is the first to reach the goal.

        All programs advance together, step by step, so programs in the same state before the same step share the work.
        """
        numbers: dict[Step, int] = defaultdict(count().__next__)
        lengths = np.fromiter(map(len, programs), dtype=np.int64, count=len(programs))
        every = map(numbers.__getitem__, chain.from_iterable(programs))
        chosen = np.fromiter(every, dtype=np.int64, count=int(lengths.sum()))
        first, steps = np.cumsum(lengths) - lengths, tuple(numbers)
        states = np.full(len(programs), _START)
        for place in range(lengths.max(initial=0)):
            going_on = np.flatnonzero((lengths > place) & (states != _NOWHERE))
            # A pair (state, step) as one number; each different pair is worked out once, however many programs have
            # it.
            ways = states[going_on] * len(steps) + chosen[first[going_on] + place]
            # An array as a set of pairs: `after[way]` first marks the pairs that occur and then
            # holds their successors.
            after = np.zeros(len(self._listed) * len(steps), dtype=np.int64)
            after[ways] = 1
            for way in np.flatnonzero(after).tolist():
                after[way] = self._led(way // len(steps), steps[way % len(steps)])
            states[going_on] = after[ways]
        return [state != _NOWHERE and self._done[state] for state in states.tolist()]

    def _led(self, before: int, step: Step) -> int:
        """Return the number of the state after a step, which is computed if it is not known yet."""
        after = self._after.get((before, step))
        if after is None:
            after = self._after[before, step] = _NOWHERE if self._done[before] else self._apply(before, step)
        return after

    def _apply(self, before: int, step: Step) -> int:
        grouping, collective = step
        held = self._listed[before]
        after = list(held)
        scatters = collective.scatters  # only then it matters which chunks are whose
        for members, blocks in self._machine.groups(grouping):
            key = (collective, blocks if scatters else None, tuple([held[device] for device in members]))
            result = self._effects[key] if key in self._effects else self._effect(key, blocks)
            if result is None:
                return _NOWHERE
            for device, number in zip(members, result, strict=True):
                after[device] = number
        return self._numbered(tuple(after))

    def _effect(self, key: _Called, blocks: Blocks) -> _Numbers | None:
        """Return the holdings of a group's members after a collective; None if it is not allowed."""
        collective, _, members = key
        result = RULES[collective](tuple([self._held[number] for number in members]), blocks)
        self._effects[key] = None if isinstance(result, Violation) else tuple(map(self._number, result))
        return self._effects[key]

    def _number(self, matrix: DeviceState) -> int:
        number = self._matrices.setdefault(matrix, len(self._held))
        if number == len(self._held):
            self._held.append(matrix)
        return number

    def _numbered(self, state: _Numbers) -> int:
        number = self._states.setdefault(state, len(self._listed))
        if number == len(self._listed):
            self._listed.append(state)
            self._done.append(all(state[device] == end for device, end in self._end))
        return number
