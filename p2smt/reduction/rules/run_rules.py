"""The level algebra for runs from the start, in as few terms as they need.

`level_rules.py` gives every device class its own two level sets. In a run from the start, whether level b is scattered
or merged on a device depends only on the device's digits below b (lemma 5.2 of `semantics/README.md`). This also holds
for empty devices, if one that a Reduce empties keeps its level sets without meaning: it takes part in later steps along
or above b together with all devices that have the same digits below b. So a state has

    empty[c]                              for every class c,
    scattered[b][g], merged[b][g]         for every level b and every class g of the levels below b,

2^n + 2 (2^n - 1) terms instead of 2^n (2n + 1). A step along L that is allowed leaves every level of L merged, and
scattered only after ReduceScatter: an AllGather needs L merged, a Broadcast copies a root on which L is merged and not
scattered. Levels above L change only by Broadcast, which copies the root's; levels below L do not change.

Tests compare every step from every state that a run can reach with `apply_step` of `semantics/level_algebra.py`.
Reference: Biere et al., "Symbolic model checking without BDDs", 1999 (unrolled runs).

Example: two levels have 4 + 2 * 3 = 10 terms for each state, instead of 4 * 5 = 20.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from p2smt.collective import Collective
from p2smt.reduction.language.language import Language
from p2smt.reduction.rules.choices import InstructionChoice
from p2smt.reduction.semantics.goal import level_goal
from p2smt.reduction.semantics.level_algebra import HeldLevels
from p2smt.smt.terms import Term, conj, disj, either, iff, neg

_Terms = tuple[Term, ...]

_Sets = tuple[_Terms, ...]
"""A term for each level (by place), and each class of the levels below it."""


@dataclass(frozen=True, slots=True)
class RunState:
    """The holdings of all device classes: which are empty, and the levels that are scattered and merged."""

    empty: tuple[Term, ...]
    scattered: _Sets
    merged: _Sets


@dataclass(frozen=True, slots=True)
class _Step:
    """A chosen step, as terms: its kind, the levels along which its groups vary, and the classes that take part."""

    reduces: Term
    gathers: Term
    broadcasts: Term
    along: tuple[Term, ...]
    takes_part: tuple[Term, ...]


class RunRules:
    """Rules on states of the 2^n device classes; bit `l - 1` of a class is set if its digit on level `l` is not 0."""

    def __init__(self, language: Language) -> None:
        self._goal = level_goal(language.goal, language.levels)
        self._levels = range(language.levels)
        self._classes = range(2**language.levels)

    def start(self) -> RunState:
        """Return the initial holdings of all classes."""
        start = self._goal.start
        held = [HeldLevels() if holding is None else holding for holding in start]
        return RunState(
            tuple(holding is None for holding in start),
            tuple(tuple(bool(held[c].scattered >> b & 1) for c in self._firsts(b)) for b in self._levels),
            tuple(tuple(bool(held[c].merged >> b & 1) for c in self._firsts(b)) for b in self._levels),
        )

    def at_goal(self, state: RunState) -> Term:
        """A term: the classes with a demand have what the goal demands."""
        end = self._goal.end
        sets = dict.fromkeys((b, member >> (b + 1)) for member in self._goal.demanded for b in self._levels)
        return conj(
            (
                *(neg(state.empty[member]) for member in self._goal.demanded),
                *(iff(state.scattered[b][g], bool(end.scattered >> b & 1)) for b, g in sets),
                *(iff(state.merged[b][g], bool(end.merged >> b & 1)) for b, g in sets),
            )
        )

    def apply(self, state: RunState, choice: InstructionChoice) -> tuple[RunState, list[Term]]:
        """Return the state after the chosen step, and its preconditions; classes that are in no group are unchanged."""
        step = self._step(choice)
        roots = RunState(
            self._of_roots(state.empty, 0, step),
            tuple(self._of_roots(level, b + 1, step) for b, level in enumerate(state.scattered)),
            tuple(self._of_roots(level, b + 1, step) for b, level in enumerate(state.merged)),
        )
        needs = [*self._holding(state, roots, step), *self._levels_agree(state, roots, step)]
        needs += self._news(state, roots, step)
        return self._after(state, roots, step, choice), needs

    def _step(self, choice: InstructionChoice) -> _Step:
        kinds = choice.collectives
        below = [choice.is_below(b + 1) for b in self._levels]
        return _Step(
            disj((kinds[Collective.ALL_REDUCE], kinds[Collective.REDUCE_SCATTER], kinds[Collective.REDUCE])),
            kinds[Collective.ALL_GATHER],
            kinds[Collective.BROADCAST],
            tuple(choice.is_along(b + 1) for b in self._levels),
            # A class with digit 1 below a grouping of masters is in no group.
            tuple(conj((neg(choice.ended), *(neg(below[b]) for b in self._inner(c)))) for c in self._classes),
        )

    def _of_roots(self, terms: Sequence[Term], first: int, step: _Step) -> tuple[Term, ...]:
        """Return each class's term of its root; the classes are those of the levels from place `first` on."""
        roots = list(terms)
        for place in range(first, len(self._levels)):
            digit = 1 << (place - first)
            roots = [
                either(step.along[place], roots[number ^ digit], root) if number & digit else root
                for number, root in enumerate(roots)
            ]
        return tuple(roots)

    def _holding(self, state: RunState, roots: RunState, step: _Step) -> list[Term]:
        """Nobody is empty; in a Broadcast, no root is."""
        combines = disj((step.reduces, step.gathers))
        return [
            disj((neg(part), neg(kind), neg(empty)))
            for part, own, root in zip(step.takes_part, state.empty, roots.empty, strict=True)
            for kind, empty in ((combines, own), (combines, root), (step.broadcasts, root))
        ]

    def _levels_agree(self, state: RunState, roots: RunState, step: _Step) -> list[Term]:
        """All members have the same level sets, which allow the step; in a Broadcast, members hold less or nothing."""
        combines = disj((step.reduces, step.gathers))
        needs: list[Term] = []
        for b in self._levels:
            for g, first in enumerate(self._firsts(b)):
                # Where members differ from their root, b is along or above L: all classes with these digits below b
                # take part, or none does.
                part, along = neg(step.takes_part[first]), neg(step.along[b])
                own, root = (state.scattered[b][g], state.merged[b][g]), (roots.scattered[b][g], roots.merged[b][g])
                needs += [disj((part, neg(combines), iff(*pair))) for pair in zip(own, root, strict=True)]
                needs += [disj((part, along, neg(step.reduces), neg(term))) for term in own]
                needs += [disj((part, along, neg(step.gathers), term)) for term in own]
                needs += [disj((part, along, neg(step.broadcasts), term)) for term in (neg(root[0]), root[1])]
            for c in self._classes:
                g, unless = c >> (b + 1), (neg(step.takes_part[c]), neg(step.broadcasts), state.empty[c])
                # Less is: scattered at least as far, merged at most as far.
                needs.append(disj((*unless, neg(roots.scattered[b][g]), state.scattered[b][g])))
                needs.append(disj((*unless, neg(state.merged[b][g]), roots.merged[b][g])))
        return needs

    def _news(self, state: RunState, roots: RunState, step: _Step) -> list[Term]:
        """Return constraints: in every group of a Broadcast, some member differs from the root."""
        differs = [
            [
                disj((neg(iff(state.scattered[b][g], scattered)), neg(iff(state.merged[b][g], merged))))
                for g, (scattered, merged) in enumerate(zip(roots.scattered[b], roots.merged[b], strict=True))
            ]
            for b in self._levels
        ]
        changes = [
            disj((neg(iff(own, root)), *(differs[b][c >> (b + 1)] for b in self._levels)))
            for c, (own, root) in enumerate(zip(state.empty, roots.empty, strict=True))
        ]
        # Spread over the levels that vary, as in a hypercube: after the last level each class knows of its whole group.
        for b in self._levels:
            changes = [disj((change, conj((step.along[b], changes[c ^ 1 << b])))) for c, change in enumerate(changes)]
        return [
            disj((neg(part), neg(step.broadcasts), change))
            for part, change in zip(step.takes_part, changes, strict=True)
        ]

    def _after(self, state: RunState, roots: RunState, step: _Step, choice: InstructionChoice) -> RunState:
        reduces, scatters = choice.collectives[Collective.REDUCE], choice.collectives[Collective.REDUCE_SCATTER]
        empty: list[Term] = []
        for c, (own, part) in enumerate(zip(state.empty, step.takes_part, strict=True)):
            is_member = disj(step.along[b] for b in self._inner(c))
            reduced = either(conj((part, reduces)), is_member, own)
            empty.append(either(conj((part, step.broadcasts)), False, reduced))
        return RunState(
            tuple(empty),
            tuple(self._changed(b, state.scattered[b], roots.scattered[b], scatters, step) for b in self._levels),
            tuple(self._changed(b, state.merged[b], roots.merged[b], True, step) for b in self._levels),
        )

    def _changed(self, place: int, own: _Terms, root: _Terms, along: Term, step: _Step) -> _Terms:
        """Return a level's terms after a step: `along` if the step is along it, else the root's after a Broadcast."""
        after = []
        for first, before, copied in zip(self._firsts(place), own, root, strict=True):
            part = step.takes_part[first]
            kept = either(conj((part, step.broadcasts)), copied, before)
            after.append(either(conj((part, step.along[place])), along, kept))
        return tuple(after)

    def _firsts(self, place: int) -> range:
        """Return, for each class of the levels below a level, the device class with digit 0 on all others."""
        return range(0, len(self._classes), 2 << place)

    def _inner(self, number: int) -> list[int]:
        return [place for place in self._levels if number >> place & 1]
