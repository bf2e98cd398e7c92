"""The reasons to refuse each collective, bit by bit: `Violation` of `semantics/collectives.py` on symbolic states.

This is written from the table of violations and not from the rules in `matrix_rules.py`, so the triples compare two
independent formulations.
"""

from collections.abc import Callable, Iterable
from functools import reduce
from itertools import combinations, pairwise
from operator import add

from p2smt.collective import Collective
from p2smt.reduction.rules.matrix_rules import GroupStates
from p2smt.reduction.semantics.collectives import Violation
from p2smt.smt.bitvectors import BitVec, bit_at, number, widened
from p2smt.smt.terms import Term, conj, differ, disj, either

Refusal = Callable[[GroupStates], Term]


def bit(row: BitVec, contributor: int) -> BitVec:
    """Return the bit of one contributor, as a vector of one bit."""
    return bit_at(row, contributor)


def count(bits: Iterable[BitVec], width: int) -> BitVec:
    """Count the one-bit vectors that are set, as a number of `width` bits.

    The caller must choose `width` large enough.
    """
    return reduce(add, [widened(each, width) for each in bits])


def empty(group: GroupStates) -> Term:
    """A term: some member holds no chunk."""
    return disj(conj(row == 0 for row in state) for state in group.states)


def empty_root(group: GroupStates) -> Term:
    """A term: the root holds no chunk."""
    return conj(row == 0 for row in group.states[0])


def different_rows(group: GroupStates) -> Term:
    """A term: one of two members holds a chunk that the other lacks."""
    return disj(differ(a == 0, b == 0) for a, b in _pairs(group))


def overlap(group: GroupStates) -> Term:
    """A term: two members have the same contributor in the same chunk."""
    places = range(len(group.states[0]))
    one = number(1, 1)
    return disj(conj((bit(a, j) == one, bit(b, j) == one)) for a, b in _pairs(group) for j in places)


def shared_row(group: GroupStates) -> Term:
    """A term: two members hold the same chunk."""
    return disj(conj((a != 0, b != 0)) for a, b in _pairs(group))


def uneven_blocks(group: GroupStates) -> Term:
    """A term: the chunks held do not divide evenly into the members' own blocks, or no chunk is held."""
    first = group.states[0]
    counts = [_rows(first[chunk] for chunk in sorted(block)) for block in group.blocks]
    return disj((_unequal(counts), counts[0] == 0))


def uneven_members(group: GroupStates) -> Term:
    """A term: two members hold different numbers of chunks."""
    return _unequal([_rows(state) for state in group.states])


def less_at_root(group: GroupStates) -> Term:
    """A term: some member holds a contribution that the root lacks."""
    root, *others = group.states
    one = number(1, 1)
    pairs = [pair for state in others for pair in zip(state, root, strict=True)]
    places = range(len(root))
    return disj(conj((bit(row, j) == one, bit(of_root, j) != one)) for row, of_root in pairs for j in places)


def no_change(group: GroupStates) -> Term:
    """A term: every member already holds what the root holds."""
    root, *others = group.states
    return conj(row == of_root for state in others for row, of_root in zip(state, root, strict=True))


_REDUCING: dict[Violation, Refusal] = {  # lacks LESS_AT_ROOT, NO_CHANGE, SHARED_ROW, UNEVEN: they refuse no reduction
    Violation.EMPTY: empty,
    Violation.DIFFERENT_ROWS: different_rows,
    Violation.OVERLAP: overlap,
}
REFUSALS: dict[Collective, dict[Violation, Refusal]] = {
    Collective.ALL_REDUCE: _REDUCING,
    Collective.REDUCE_SCATTER: {**_REDUCING, Violation.UNEVEN: uneven_blocks},
    Collective.REDUCE: _REDUCING,
    Collective.ALL_GATHER: {  # lacks DIFFERENT_ROWS, LESS_AT_ROOT, NO_CHANGE, OVERLAP: they refuse no AllGather
        Violation.EMPTY: empty,
        Violation.SHARED_ROW: shared_row,
        Violation.UNEVEN: uneven_members,
    },
    Collective.BROADCAST: {  # lacks DIFFERENT_ROWS, OVERLAP, SHARED_ROW, UNEVEN: they refuse no Broadcast
        Violation.EMPTY: empty_root,
        Violation.LESS_AT_ROOT: less_at_root,
        Violation.NO_CHANGE: no_change,
    },
}


def in_words(kind: Collective, violation: Violation) -> str:
    """Describe in words why a collective is refused; Broadcast only refuses an empty root."""
    if kind.from_root and violation is Violation.EMPTY:
        return "the root holds no chunk"
    return str(violation)


def _pairs(group: GroupStates) -> list[tuple[BitVec, BitVec]]:
    """Return the rows of every pair of members, chunk by chunk."""
    return [rows for left, right in combinations(group.states, 2) for rows in zip(left, right, strict=True)]


def _rows(rows: Iterable[BitVec]) -> BitVec:
    filled = [either(row != 0, number(1, 1), number(0, 1)) for row in rows]
    return count(filled, 8)


def _unequal(counts: list[BitVec]) -> Term:
    return disj(left != right for left, right in pairwise(counts))
