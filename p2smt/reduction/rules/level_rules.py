"""The level algebra for the solver: `semantics/level_algebra.py` restated with the same names in the same order.

A device class is empty or has two level sets, each with one boolean per level. Each member sees its own holding and
that of its group's root; a rule states what the class needs and what it holds afterwards.

    root[0](class) = class's own holding,   after level l:  the holding of the class with digit 0 on l, if l varies.

Size: 2n + 1 terms for each of the 2^n classes, and O(n 2^n) terms for a step. The root of a class, and whether some
member of its group changes, are found level by level, as in a butterfly network: after level l every class knows about
the members that differ from it on levels 1 to l. So the groupings need not be told apart.
Reference: Xie et al., "Synthesizing optimal parallelism placement and reduction strategies on hierarchical systems for
deep learning", 2022, figure 8 (the rules on matrices).

Example: one level, classes 0 (digit 0) and 1 (other digits), both with scattered = merged = {}. A ReduceScatter over
level 1 needs that class 1 equals its root, class 0, and that level 1 is in neither set; both then have {1} and {1}.
"""

from collections.abc import Callable
from dataclasses import dataclass

from p2smt.collective import Collective
from p2smt.reduction.language.language import Language
from p2smt.reduction.rules.choices import InstructionChoice
from p2smt.reduction.semantics import level_algebra
from p2smt.reduction.semantics.goal import level_goal
from p2smt.smt.terms import Term, conj, disj, iff, implies, joined, neg, select

LevelSet = tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class HoldingTerms:
    """The holding of a device class, as terms; for an empty class the two sets have no meaning."""

    empty: Term
    scattered: LevelSet
    merged: LevelSet

    def terms(self) -> tuple[Term, ...]:
        """Return all terms in a fixed order."""
        return (self.empty, *self.scattered, *self.merged)


@dataclass(frozen=True, slots=True)
class MemberView:
    """A member's view of its group: its own holding, its root's, and the levels that vary in the group."""

    own: HoldingTerms
    root: HoldingTerms
    is_root: Term
    along: LevelSet
    same: Term
    reducible: Term


@dataclass(frozen=True, slots=True)
class Effect:
    """The preconditions of a rule for one member, and the member's holding afterwards."""

    needs: Term
    after: HoldingTerms


def all_reduce(view: MemberView) -> Effect:
    """AllReduce: all members have the same (F, M), disjoint from L; all get (F, M + L)."""
    return Effect(view.reducible, HoldingTerms(view.own.empty, view.own.scattered, _union(view.own.merged, view.along)))


def reduce_scatter(view: MemberView) -> Effect:
    """ReduceScatter: preconditions of AllReduce; the result is split: (F + L, M + L)."""
    scattered, merged = _union(view.own.scattered, view.along), _union(view.own.merged, view.along)
    return Effect(view.reducible, HoldingTerms(view.own.empty, scattered, merged))


def reduce(view: MemberView) -> Effect:
    """Reduce: preconditions of AllReduce; the root gets (F, M + L), the others become empty."""
    merged = _union(view.own.merged, view.along)
    return Effect(view.reducible, HoldingTerms(neg(view.is_root), view.own.scattered, merged))


def all_gather(view: MemberView) -> Effect:
    """AllGather: all members have the same (F, M), and both contain L; all get (F - L, M)."""
    within = _each(view.along, lambda place: conj((view.own.scattered[place], view.own.merged[place])))
    kept = tuple(conj((level, neg(gone))) for level, gone in zip(view.own.scattered, view.along, strict=True))
    return Effect(conj((view.same, neg(view.root.empty), within)), HoldingTerms(view.own.empty, kept, view.own.merged))


def broadcast(view: MemberView) -> Effect:
    """Broadcast: the root has (F, M), L disjoint from F and within M; others are empty or hold less; all get (F, M).

    `_some_member_changes` adds, for the whole group, that some member differs from the root.
    """
    root, own = view.root, view.own
    ready = _each(view.along, lambda place: conj((neg(root.scattered[place]), root.merged[place])))
    # For level sets, "holds no more" is: scattered at least as far, merged at most as far.
    within = conj((*map(implies, root.scattered, own.scattered), *map(implies, own.merged, root.merged)))
    return Effect(conj((neg(root.empty), ready, disj((own.empty, within)))), root)


RULES: dict[Collective, Callable[[MemberView], Effect]] = {
    Collective.ALL_REDUCE: all_reduce,
    Collective.REDUCE_SCATTER: reduce_scatter,
    Collective.REDUCE: reduce,
    Collective.ALL_GATHER: all_gather,
    Collective.BROADCAST: broadcast,
}

LevelState = tuple[HoldingTerms, ...]


class LevelRules:
    """Rules on states of the 2^n device classes; bit `l - 1` of a class is set if its digit on level `l` is not 0."""

    def __init__(self, language: Language) -> None:
        self._goal = level_goal(language.goal, language.levels)
        self._levels = range(language.levels)
        self._classes = range(2**language.levels)

    def start(self) -> LevelState:
        """Return the initial holdings of all classes."""
        return tuple(map(self._constant, self._goal.start))

    def at_goal(self, state: LevelState) -> Term:
        """A term: the classes with a demand have what the goal demands."""
        end = self._constant(self._goal.end).terms()
        return conj(
            iff(*pair) for member in self._goal.demanded for pair in zip(state[member].terms(), end, strict=True)
        )

    def apply(self, state: LevelState, choice: InstructionChoice) -> tuple[LevelState, list[Term]]:
        """Return the state after the chosen step, and its preconditions; classes that are in no group are unchanged."""
        along = tuple(choice.is_along(place + 1) for place in self._levels)
        below = [choice.is_below(place + 1) for place in self._levels]
        views = self._views(state, along)
        changes = self._some_member_changes(views, along)
        after, needs = [], []
        for number, view in enumerate(views):
            # A class with digit 1 below a grouping of masters is in no group.
            takes_part = conj((neg(choice.ended), *(neg(below[place]) for place in self._inner(number))))
            acts = {kind: conj((takes_part, chosen)) for kind, chosen in choice.collectives.items()}
            effects = {kind: rule(view) for kind, rule in RULES.items()}
            needed = joined((acts[kind], effect.needs) for kind, effect in effects.items())
            needs += [implies(act, need) for act, need in needed]
            needs.append(implies(acts[Collective.BROADCAST], changes[number]))
            after.append(_after(view.own, [(acts[kind], effect.after) for kind, effect in effects.items()]))
        return tuple(after), needs

    def _constant(self, holding: level_algebra.HeldLevels | None) -> HoldingTerms:
        held = level_algebra.HeldLevels() if holding is None else holding
        return HoldingTerms(holding is None, self._level_set(held.scattered), self._level_set(held.merged))

    def _level_set(self, mask: int) -> LevelSet:
        return tuple(bool(mask >> place & 1) for place in self._levels)

    def _views(self, state: LevelState, along: LevelSet) -> list[MemberView]:
        """Return the views of all classes; the root of a class has digit 0 on the levels that vary in the group."""
        # The root's digits are 0 where the group varies. Level after level a class with digit 1 takes the root of the
        # class with digit 0 there (`number ^ 1 << place`), if the level varies: n choices, not one for each grouping.
        roots = list(state)
        for place in self._levels:
            roots = [
                _after(root, [(along[place], roots[number ^ 1 << place])]) if number >> place & 1 else root
                for number, root in enumerate(roots)
            ]
        views = []
        for number, (own, root) in enumerate(zip(state, roots, strict=True)):
            is_root = conj(neg(along[place]) for place in self._inner(number))
            same = conj(map(iff, own.terms(), root.terms()))
            touched = map(_pair, own.scattered, own.merged)
            untouched = conj(implies(level, neg(either)) for level, either in zip(along, touched, strict=True))
            reducible = conj((same, neg(root.empty), untouched))
            views.append(MemberView(own, root, is_root, along, same, reducible))
        return views

    def _some_member_changes(self, views: list[MemberView], along: LevelSet) -> list[Term]:
        """Return, per class, a term that some member of its group differs from the root."""
        # Spread over the levels that vary, as in a hypercube: after the last level each class knows of its whole
        # group.
        changes = [neg(view.same) for view in views]
        for place in self._levels:
            changes = [
                disj((change, conj((along[place], changes[number ^ 1 << place]))))
                for number, change in enumerate(changes)
            ]
        return changes

    def _inner(self, number: int) -> list[int]:
        return [place for place in self._levels if number >> place & 1]


def _pair(left: Term, right: Term) -> Term:
    return disj((left, right))


def _union(left: LevelSet, right: LevelSet) -> LevelSet:
    return tuple(map(_pair, left, right))


def _each(along: LevelSet, condition: Callable[[int], Term]) -> Term:
    return conj(implies(level, condition(place)) for place, level in enumerate(along))


def _after(own: HoldingTerms, cases: list[tuple[Term, HoldingTerms]]) -> HoldingTerms:
    """Return the holding of the case that applies, or the class's own holding if none does."""
    places = range(len(own.merged))
    return HoldingTerms(
        select(((acts, holding.empty) for acts, holding in cases), own.empty),
        tuple(select(((acts, holding.scattered[p]) for acts, holding in cases), own.scattered[p]) for p in places),
        tuple(select(((acts, holding.merged[p]) for acts, holding in cases), own.merged[p]) for p in places),
    )
