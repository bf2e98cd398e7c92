"""The states of the level algebra along a program, and its steps as moves; equal steps from equal states are shared.

The states are those of a deterministic automaton with the steps as its letters, and it is built on demand: a transition
is worked out when a program first takes it. Following a program then takes one look-up for each step. Invariant:
`further[step]` of a state is None if the step is not allowed there, and for every step at the goal.
"""

from dataclasses import dataclass, field
from functools import lru_cache

from p2smt.collective import Collective
from p2smt.reduction.language.instruction import Grouping
from p2smt.reduction.language.language import Step
from p2smt.reduction.semantics.goal import level_goal
from p2smt.reduction.semantics.level_algebra import LevelState, apply_step, class_groups


@dataclass(frozen=True, slots=True)
class CollectiveMove:
    """A collective in every group.

    `held` lists pairs of a root's device class and the levels along which it is sharded.
    """

    grouping: Grouping
    collective: Collective
    held: tuple[tuple[int, int], ...]
    # Moves are looked up far more often than they are made, and hundreds of thousands of programs share a few thousand.
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash((self.grouping, self.collective, self.held)))

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[object, ...]:
        # Hashes of names differ from process to process, so a copy elsewhere hashes itself.
        return CollectiveMove, (self.grouping, self.collective, self.held)


class _Node:
    """A state, and what was found of the steps from it: the move and the state after it, or None if not allowed."""

    # Compared by identity: `Traces` makes one node for each state.
    __slots__ = ("further", "is_goal", "state")

    def __init__(self, state: LevelState, is_goal: bool) -> None:
        self.state, self.is_goal = state, is_goal
        self.further: dict[Step, tuple[CollectiveMove, _Node] | None] = {}


class Traces:
    """The states along programs with one goal over some levels.

    There are few states (`semantics/state_graph.py`), so each step from each is worked out once.
    """

    def __init__(self, goal: Collective, levels: int) -> None:
        self._goal, self._levels = level_goal(goal, levels), levels
        self._nodes: dict[LevelState, _Node] = {}
        self._start = self._node(self._goal.start)

    def moves(self, steps: tuple[Step, ...]) -> tuple[CollectiveMove, ...] | None:
        """Return a program's steps as moves; None if the program is invalid."""
        node, moves = self._start, []
        for step in steps:
            after = node.further[step] if step in node.further else self._grown(node, step)
            if after is None:
                return None
            moves.append(after[0])
            node = after[1]
        return tuple(moves) if node.is_goal else None

    def _grown(self, node: _Node, step: Step) -> tuple[CollectiveMove, _Node] | None:
        # No step follows the goal.
        after = None if node.is_goal else apply_step(node.state, step, self._levels)
        edge = None if after is None else (self._move(node.state, step), self._node(after))
        node.further[step] = edge
        return edge

    def _move(self, state: LevelState, step: Step) -> CollectiveMove:
        roots = [group[0] for group in class_groups(step[0], self._levels)]
        return CollectiveMove(*step, tuple((root, _scattered(state, root)) for root in roots))

    def _node(self, state: LevelState) -> _Node:
        if state not in self._nodes:
            self._nodes[state] = _Node(state, self._goal.is_reached(state))
        return self._nodes[state]


@lru_cache(maxsize=64)
def traces_of(goal: Collective, levels: int) -> Traces:
    """Return the traces for a goal; those of the last few goals and numbers of levels are kept."""
    return Traces(goal, levels)


def _scattered(state: LevelState, place: int) -> int:
    holding = state[place]
    assert holding is not None, "the root of a valid step is not empty"
    return holding.scattered
