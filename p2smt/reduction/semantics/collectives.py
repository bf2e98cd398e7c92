"""One rule per collective: from the states of a group's members before a step to those after it (paper, figure 8).

Members are in group order; the first is the root of Reduce and Broadcast. A rule returns the new states, or the
`Violation` that makes the step invalid. `rules/matrix_rules.py` restates the rules for the solver, with the same names
in the same order.
"""

from collections.abc import Callable, Sequence
from enum import StrEnum
from operator import and_, or_

from p2smt.collective import Collective
from p2smt.reduction.semantics.state import DeviceState, rows


class Violation(StrEnum):
    """A reason why a collective may not be applied to a group."""

    EMPTY = "a member holds no chunk"
    DIFFERENT_ROWS = "members hold different chunks"
    OVERLAP = "two members hold the same contribution to one chunk"
    SHARED_ROW = "two members hold the same chunk"
    UNEVEN = "chunks do not divide evenly among the members"
    LESS_AT_ROOT = "a member holds something that the root lacks"
    NO_CHANGE = "every member already holds what the root has"


Members = tuple[DeviceState, ...]
Blocks = Sequence[frozenset[int]]


def all_reduce(states: Members, blocks: Blocks) -> Members | Violation:
    """AllReduce: equal chunks, disjoint contributors per chunk; every member gets the union."""
    union = _reduced(states)
    return union if isinstance(union, Violation) else (union,) * len(states)


def reduce_scatter(states: Members, blocks: Blocks) -> Members | Violation:
    """ReduceScatter: preconditions of AllReduce.

    Each member keeps the union's rows in its own block, equally many each. On irregular trees a chunk may be in no
    member's block; the step is then invalid.
    """
    union = _reduced(states)
    if isinstance(union, Violation):
        return union
    held = rows(union)
    # Equal numbers of held chunks in all blocks, and at least one.
    if len({len(held & block) for block in blocks}) != 1 or not held & blocks[0]:
        return Violation.UNEVEN
    if not held <= frozenset().union(*blocks):
        return Violation.UNEVEN
    return tuple(tuple(row if c in block else 0 for c, row in enumerate(union)) for block in blocks)


def reduce(states: Members, blocks: Blocks) -> Members | Violation:
    """Reduce: preconditions of AllReduce; the root gets the union, and the others keep nothing."""
    union = _reduced(states)
    if isinstance(union, Violation):
        return union
    return (union, *((0,) * len(union) for _ in states[1:]))


def all_gather(states: Members, blocks: Blocks) -> Members | Violation:
    """AllGather: non-empty, pairwise disjoint sets of equally many chunks; every member gets the union."""
    held = [*map(_rows_held, states)]
    if 0 in held:
        return Violation.EMPTY
    union = _union(states)
    # As many rows in the union as in all members together: no two of them hold the same chunk.
    if _rows_held(union) != sum(held):
        return Violation.SHARED_ROW
    if len(set(held)) != 1:
        return Violation.UNEVEN
    return (union,) * len(states)


def broadcast(states: Members, blocks: Blocks) -> Members | Violation:
    """Broadcast: every state is within the root's and at least one is smaller; every member gets the root's state."""
    root = states[0]
    if not any(root):
        return Violation.EMPTY
    others = [state for state in states if state != root]
    if not others:
        return Violation.NO_CHANGE
    if any(tuple(map(or_, state, root)) != root for state in others):
        return Violation.LESS_AT_ROOT
    return (root,) * len(states)


RULES: dict[Collective, Callable[[Members, Blocks], Members | Violation]] = {
    Collective.ALL_REDUCE: all_reduce,
    Collective.REDUCE_SCATTER: reduce_scatter,
    Collective.REDUCE: reduce,
    Collective.ALL_GATHER: all_gather,
    Collective.BROADCAST: broadcast,
}


def _reduced(states: Members) -> DeviceState | Violation:
    if not all(map(any, states)):
        return Violation.EMPTY
    union = states[0]
    held = [*map(bool, union)]
    for state in states[1:]:
        if [*map(bool, state)] != held:
            return Violation.DIFFERENT_ROWS
    # Overlaps are looked for against the union so far: k - 1 comparisons instead of one for every
    # pair of members.
    for state in states[1:]:
        if any(map(and_, union, state)):
            return Violation.OVERLAP
        union = tuple(map(or_, union, state))
    return union


def _rows_held(state: DeviceState) -> int:
    return len(state) - state.count(0)


def _union(states: Members) -> DeviceState:
    union = states[0]
    for state in states[1:]:
        union = tuple(map(or_, union, state))
    return union
