"""State matrices for the solver: `semantics/collectives.py` restated with the same names in the same order.

A device's state is one k-bit vector per chunk; bit `j` of row `c` says that device `j` has contributed to chunk `c`.
Sizes are the real ones; nothing of the level algebra is assumed.

Method: bounded model checking (Biere, Cimatti, Clarke and Zhu, "Symbolic model checking without BDDs", 1999); this file
writes one step of the transition relation. For every group, every collective and every chunk c
    chosen(grouping, collective)  implies  the rule's preconditions on the members' rows,
    row'[c] = the rule's row if it is chosen for a group of the device, else row[c].
Size: k^3 bits for the state of k devices, and O(k^2) operations on rows of k bits for each grouping and collective,
hence the limit `MAX_BITVEC_DEVICES`.

Example: two devices with rows (01, 01) and (10, 10). An AllReduce needs 01 & 10 = 0, and leaves (11, 11) on both. A
second one needs 11 & 11 = 0, so it is never allowed.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from p2smt.collective import Collective
from p2smt.placement.tree import Shape
from p2smt.reduction.language.language import Language
from p2smt.reduction.rules.choices import InstructionChoice
from p2smt.reduction.semantics.goal import matrix_goal
from p2smt.reduction.semantics.groups import groups_with_blocks
from p2smt.reduction.semantics.state import State
from p2smt.smt.bitvectors import BitVec, number, total
from p2smt.smt.terms import Term, conj, disj, either, iff, implies, joined, neg, select

Rows = tuple[BitVec, ...]
"""One vector of k bits per chunk."""
MatrixState = tuple[Rows, ...]


@dataclass(frozen=True, slots=True)
class GroupStates:
    """The members' states, root first; each member's own chunks; and the terms from which rules build preconditions."""

    states: tuple[Rows, ...]
    blocks: tuple[frozenset[int], ...]
    held: tuple[tuple[Term, ...], ...]
    union: Rows
    reducible: Term

    @property
    def zero(self) -> BitVec:
        """Return the empty row."""
        return number(0, len(self.union))


@dataclass(frozen=True, slots=True)
class GroupEffect:
    """The preconditions of a rule for a group, and the members' states afterwards."""

    needs: Term
    after: tuple[Rows, ...]


def all_reduce(group: GroupStates) -> GroupEffect:
    """AllReduce: equal chunks, disjoint contributors per chunk; every member gets the union."""
    return GroupEffect(group.reducible, (group.union,) * len(group.states))


def reduce_scatter(group: GroupStates) -> GroupEffect:
    """ReduceScatter: preconditions of AllReduce.

    Each member keeps the union's rows in its own block, equally many each.
    """
    held = group.held[0]
    # All members hold the same rows before (`reducible`), so the first one's rows count for all.
    counts = [_count(held[chunk] for chunk in block) for block in group.blocks]
    even = conj(left == right for left, right in pairwise(counts))
    some = disj(held[chunk] for chunk in group.blocks[0])
    # On trees of unequal units a chunk can be in no member's block; a ReduceScatter would lose it.
    owned = conj(neg(held[chunk]) for chunk in sorted({*range(len(held))}.difference(*group.blocks)))
    zero = group.zero
    after = tuple(
        tuple(row if chunk in block else zero for chunk, row in enumerate(group.union)) for block in group.blocks
    )
    return GroupEffect(conj((group.reducible, even, some, owned)), after)


def reduce(group: GroupStates) -> GroupEffect:
    """Reduce: preconditions of AllReduce; the root gets the union, and the others keep nothing."""
    nothing = (group.zero,) * len(group.union)
    return GroupEffect(group.reducible, (group.union, *(nothing for _ in group.states[1:])))


def all_gather(group: GroupStates) -> GroupEffect:
    """AllGather: non-empty, pairwise disjoint sets of equally many chunks; every member gets the union."""
    filled = conj(disj(held) for held in group.held)
    disjoint = conj(_at_most_one(of_chunk) for of_chunk in zip(*group.held, strict=True))
    # Equal counts of neighbours make all counts equal.
    counts = [_count(held) for held in group.held]
    even = conj(left == right for left, right in pairwise(counts))
    return GroupEffect(conj((filled, disjoint, even)), (group.union,) * len(group.states))


def broadcast(group: GroupStates) -> GroupEffect:
    """Broadcast: every state is within the root's and at least one is smaller; every member gets the root's state."""
    root = group.states[0]
    filled, zero = disj(group.held[0]), group.zero
    within = conj((row & ~of_root) == zero for s in group.states[1:] for row, of_root in zip(s, root, strict=True))
    smaller = disj(row != of_root for s in group.states[1:] for row, of_root in zip(s, root, strict=True))
    return GroupEffect(conj((filled, within, smaller)), (root,) * len(group.states))


RULES: dict[Collective, Callable[[GroupStates], GroupEffect]] = {
    Collective.ALL_REDUCE: all_reduce,
    Collective.REDUCE_SCATTER: reduce_scatter,
    Collective.REDUCE: reduce,
    Collective.ALL_GATHER: all_gather,
    Collective.BROADCAST: broadcast,
}


class MatrixRules:
    """Rules on the states of all devices of a hierarchy of reduction levels, given by sizes or by an irregular tree."""

    def __init__(self, language: Language, shape: Shape) -> None:
        goal = matrix_goal(language.goal, shape)
        self._start, self._end = self._constant(goal.start), self._constant(goal.end)
        self._demanded = goal.demanded
        self._groupings = {grouping: groups_with_blocks(shape, grouping) for grouping in language.groupings}

    def start(self) -> MatrixState:
        """Return the initial states of all devices."""
        return self._start

    def at_goal(self, state: MatrixState) -> Term:
        """A term: the devices with a demand have what the goal demands."""
        pairs = ((state[device], self._end[device]) for device in self._demanded)
        return conj(row == of_goal for rows, goal in pairs for row, of_goal in zip(rows, goal, strict=True))

    def apply(self, state: MatrixState, choice: InstructionChoice) -> tuple[MatrixState, list[Term]]:
        """Return the state after a choice, and its preconditions.

        Group members get the rule's result; other devices keep their state.
        """
        held = [tuple(row != 0 for row in rows) for rows in state]
        cases: list[list[tuple[Term, Rows]]] = [[] for _ in state]
        needs = []
        for grouping, groups in self._groupings.items():
            acts = {
                collective: conj((chosen, choice.groupings[grouping]))
                for collective, chosen in choice.collectives.items()
            }
            for members, blocks in groups:
                group = group_of([state[d] for d in members], blocks, [held[d] for d in members])
                effects = {collective: rule(group) for collective, rule in RULES.items()}
                needed = joined((acts[kind], effect.needs) for kind, effect in effects.items())
                needs += [implies(act, need) for act, need in needed]
                for kind, effect in effects.items():
                    for device, rows in zip(members, effect.after, strict=True):
                        cases[device].append((acts[kind], rows))
        return tuple(map(_after, state, cases)), needs

    def _constant(self, state: State) -> MatrixState:
        return tuple(tuple(number(row, len(state)) for row in rows) for rows in state)


def group_of(
    states: Sequence[Rows], blocks: tuple[frozenset[int], ...], held: Sequence[tuple[Term, ...]]
) -> GroupStates:
    """Return the group with these members' states; `held[m][c]` says that member `m` holds chunk `c`."""
    # Members are compared with the union so far: k - 1 conditions instead of one for each pair.
    union, disjoint = states[0], []
    for state in states[1:]:
        disjoint += [(have & new) == 0 for have, new in zip(union, state, strict=True)]
        union = tuple(have | new for have, new in zip(union, state, strict=True))
    same = (iff(a, b) for left, right in pairwise(held) for a, b in zip(left, right, strict=True))
    return GroupStates(tuple(states), blocks, tuple(held), union, conj((disj(held[0]), *same, *disjoint)))


def _after(own: Rows, cases: list[tuple[Term, Rows]]) -> Rows:
    return tuple(select(((acts, rows[chunk]) for acts, rows in cases), row) for chunk, row in enumerate(own))


def _count(terms: Iterable[Term]) -> BitVec:
    # Eight bits count 255 chunks and wrap around beyond; `MAX_BITVEC_DEVICES` keeps far below that.
    one, zero = number(1, 8), number(0, 8)
    return total([either(term, one, zero) for term in terms])


def _at_most_one(terms: Sequence[Term]) -> Term:
    seen, clashes = terms[0], []
    for term in terms[1:]:
        clashes.append(neg(conj((seen, term))))
        seen = disj((seen, term))
    return conj(clashes)
