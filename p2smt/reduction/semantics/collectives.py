"""One rule per collective: from the states of a group's members to their states after it (paper, figure 8).

Members are in group order, the first is the root of Reduce and Broadcast. A rule gives the new states, or the
`Violation` that makes the step invalid. Restated for the solver in `rules/matrix_rules.py`, same names and order.
"""

from collections.abc import Callable, Sequence
from enum import StrEnum
from operator import and_, or_

from p2smt.collective import Collective
from p2smt.reduction.semantics.state import DeviceState, rows


class Violation(StrEnum):
    """Why a collective may not be applied to a group."""

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
    """Same rows, contributors disjoint per row: everyone gets the union."""
    union = _reduced(states)
    return union if isinstance(union, Violation) else (union,) * len(states)


def reduce_scatter(states: Members, blocks: Blocks) -> Members | Violation:
    """AllReduce, with the rows of the union split evenly: each member keeps those in its own block.

    On trees of unlike sizes a chunk may be in no member's block; then it does not divide.
    """
    union = _reduced(states)
    if isinstance(union, Violation):
        # Equal numbers of held chunks in all blocks, and at least one.
        return union
    held = rows(union)
    if len({len(held & block) for block in blocks}) != 1 or not held & blocks[0]:
        return Violation.UNEVEN
    if not held <= frozenset().union(*blocks):
        return Violation.UNEVEN
    return tuple(tuple(row if c in block else 0 for c, row in enumerate(union)) for block in blocks)


def reduce(states: Members, blocks: Blocks) -> Members | Violation:
    """AllReduce, with the union at the root and nothing at the others."""
    union = _reduced(states)
    if isinstance(union, Violation):
        return union
    return (union, *((0,) * len(union) for _ in states[1:]))


def all_gather(states: Members, blocks: Blocks) -> Members | Violation:
    """Non-empty, rows pairwise disjoint and equally many: everyone gets the union."""
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
    """Every state within the root's, at least one smaller: everyone gets the root's state."""
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
