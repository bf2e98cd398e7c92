"""Effects of allowed steps on matrices of every size, and the invariants that they preserve.

The step is that of `rules/level_rules.py`, on free holdings of all device classes; `d` and `e` are devices with free
digits, `c` is a chunk, `j` a contributor.
"""

from collections.abc import Callable, Iterator
from itertools import combinations

from p2smt.collective import Collective
from p2smt.reduction.catalogue.lemma_terms import (
    Digits,
    Lemma,
    Scene,
    agree,
    corners,
    equal,
    every,
    free_digits,
    has_bit,
    has_row,
    in_bounds,
    number,
    of_device,
    pick,
    scene,
    within,
)
from p2smt.reduction.rules.level_rules import HoldingTerms, LevelState
from p2smt.smt.smtlib import Group
from p2smt.smt.terms import Term, conj, disj, iff, implies, neg

_REDUCTIONS = tuple(kind for kind in Collective if kind.adds)


def step_lemmas(levels: int) -> Iterator[Lemma]:
    """Yield all lemmas about one step on this number of levels."""
    now = scene(levels)
    d, e, c, j = (free_digits(name, levels) for name in "decj")
    yield _reduction_allowed(now, d, e, c, j)
    yield _scatter_even(now, d, e, c)
    yield _gather_allowed(now, d, e, c)
    yield _broadcast_allowed(now, e, c, j)
    for collective in Collective:
        yield _result(now, collective, d, e, c, j)
    yield _others_keep(now, e)
    for stem, about, section, holds in _INVARIANTS:
        before = ("Before the step it is so.", (holds(now.state, levels),))
        yield Lemma(stem, f"{about} A step keeps it so.", section, (_step(now), before), holds(now.after, levels))


def allowed_steps(levels: int) -> Iterator[tuple[str, str, tuple[Group, ...]]]:
    """Yield for every collective an allowed step that has an effect, which shows that the lemmas are not vacuous."""
    now = scene(levels)
    changes = disj(neg(equal(before, after)) for before, after in zip(now.state, now.after, strict=True))
    for kind in Collective:
        about = f"{kind} is allowed in some state and changes it, with {levels} levels."
        yield f"{_stem(kind)}_possible", about, (_step(now, kind), ("The state changes.", (changes,)))


def _reduction_allowed(now: Scene, d: Digits, e: Digits, c: Digits, j: Digits) -> Lemma:
    left, right = of_device(now.state, d), of_device(now.state, e)
    claim = conj(
        (
            neg(left.empty),
            iff(has_row(left, d, c), has_row(right, e, c)),
            disj((agree(every(now.levels), d, e), neg(conj((has_bit(left, d, c, j), has_bit(right, e, c, j)))))),
        )
    )
    about = "Where the algebra allows a reduction, members are not empty, hold the same rows and share no contribution."
    return Lemma("reduction_allowed", about, "3.1", (_step(now, *_REDUCTIONS), _members(now, d, e, c, j)), claim)


def _scatter_even(now: Scene, d: Digits, e: Digits, c: Digits) -> Lemma:
    left, right = of_device(now.state, d), of_device(now.state, e)
    owned = conj((has_row(left, d, c), agree(now.along, c, d)))
    claim = conj((has_row(left, d, d), implies(owned, has_row(right, e, pick(now.along, e, c)))))
    about = "Rows split evenly: a row in one member's block, with the digits of another, is a row in that one's block."
    return Lemma("scatter_even", about, "3.1", (_step(now, Collective.REDUCE_SCATTER), _members(now, d, e, c)), claim)


def _gather_allowed(now: Scene, d: Digits, e: Digits, c: Digits) -> Lemma:
    left, right = of_device(now.state, d), of_device(now.state, e)
    moved = conj((agree(now.along, c, d), has_row(right, e, pick(now.along, e, c))))
    claim = conj(
        (
            neg(left.empty),
            disj((agree(every(now.levels), d, e), neg(conj((has_row(left, d, c), has_row(right, e, c)))))),
            implies(has_row(left, d, c), moved),
        )
    )
    about = "Where the algebra allows AllGather, members are not empty, share no row, and have one row per other's row."
    return Lemma("all_gather_allowed", about, "3.2", (_step(now, Collective.ALL_GATHER), _members(now, d, e, c)), claim)


def _broadcast_allowed(now: Scene, e: Digits, c: Digits, j: Digits) -> Lemma:
    root = of_device(now.state, now.root(e))
    inside = implies(has_bit(of_device(now.state, e), e, c, j), has_bit(root, now.root(e), c, j))
    differs = disj(neg(equal(of_device(now.state, corner), root)) for corner in corners(now, e))
    about = "Where the algebra allows Broadcast, the root is not empty, holds all that a member holds, and one differs."
    given = (_step(now, Collective.BROADCAST), _members(now, e, e, c, j))
    return Lemma("broadcast_allowed", about, "3.3", given, conj((neg(root.empty), inside, differs)))


def _result(now: Scene, kind: Collective, d: Digits, e: Digits, c: Digits, j: Digits) -> Lemma:
    """The lemma that `e` holds a bit after the step exactly if some `d` held it before and `e` receives it from `d`."""
    zero = (number(0),) * now.levels
    # lacks ALL_REDUCE, REDUCE, REDUCE_SCATTER: the others are alike
    digits = {Collective.ALL_GATHER: c, Collective.BROADCAST: zero}.get(kind, j)
    witness = pick(now.along, digits, e)
    held = [has_bit(of_device(now.state, member), member, c, j) for member in (d, witness)]
    after = has_bit(of_device(now.after, e), e, c, j)
    due = [_due(now, kind, member, e, c) for member in (d, witness)]
    claim = conj((implies(conj((held[0], due[0])), after), implies(after, conj((held[1], due[1])))))
    about = f"{kind} on level sets gives what it gives on matrices."
    # lacks ALL_REDUCE, REDUCE, REDUCE_SCATTER: the others are alike
    section = {Collective.ALL_GATHER: "3.2", Collective.BROADCAST: "3.3"}.get(kind, "3.1")
    return Lemma(f"{_stem(kind)}_result", about, section, (_step(now, kind), _members(now, d, e, c, j)), claim)


def _due(now: Scene, kind: Collective, d: Digits, e: Digits, c: Digits) -> Term:
    """A term: in this step `e` receives what member `d` holds of chunk `c`."""
    zero = (number(0),) * now.levels
    match kind:
        case Collective.REDUCE_SCATTER:
            return agree(now.along, c, e)
        case Collective.REDUCE:
            return agree(now.along, e, zero)
        case Collective.BROADCAST:
            return agree(now.along, d, zero)
        case Collective.ALL_REDUCE | Collective.ALL_GATHER:
            return True


def _others_keep(now: Scene, e: Digits) -> Lemma:
    given = (_step(now), ("e is a device in no group.", (*in_bounds(_sizes(now), e), neg(now.takes_part(e)))))
    about = "A device in no group keeps what it has."
    return Lemma("others_keep", about, "3", given, equal(of_device(now.state, e), of_device(now.after, e)))


def _scattered_is_merged(state: LevelState, levels: int) -> Term:
    return conj(disj((holding.empty, within(holding.scattered, holding.merged))) for holding in state)


def _status_by_inner_digits(state: LevelState, levels: int) -> Term:
    def alike(place: int, p: HoldingTerms, q: HoldingTerms) -> Term:
        same = iff(p.scattered[place], q.scattered[place]), iff(p.merged[place], q.merged[place])
        return disj((p.empty, q.empty, conj(same)))

    pairs = list(combinations(range(2**levels), 2))
    below = [(place, p, q) for place in range(levels) for p, q in pairs if p >> place + 1 == q >> place + 1]
    return conj(alike(place, state[p], state[q]) for place, p, q in below)


def _empty_beside_merged(state: LevelState, levels: int) -> Term:
    """An invariant on two classes that differ on one level, if the class with digit 0 is the only one not empty.

    That class has merged the level and not scattered it. Stated for the class whose digits are all 0, and for classes
    with a digit other than 0 further in.
    """
    apart = [(place, p) for place in range(levels) for p in range(2**levels) if not p or p >> place + 1]
    return conj(
        disj((neg(state[p | 1 << place].empty), state[p].empty, _merged_and_whole(state[p], place)))
        for place, p in apart
        if not p >> place & 1
    )


def _merged_and_whole(holding: HoldingTerms, place: int) -> Term:
    return conj((holding.merged[place], neg(holding.scattered[place])))


_INVARIANTS: tuple[tuple[str, str, str, Callable[[LevelState, int], Term]], ...] = (
    ("scattered_is_merged", "What is scattered is merged.", "5.1", _scattered_is_merged),
    (
        "status_by_inner_digits",
        "Whether a device that is not empty has a level scattered or merged depends on its digits below alone.",
        "5.2",
        _status_by_inner_digits,
    ),
    (
        "empty_beside_merged",
        "Beside an empty device, the one that differs from it by digit 0 on one level has merged the level whole.",
        "5.3",
        _empty_beside_merged,
    ),
)


def _step(now: Scene, *kinds: Collective) -> tuple[str, tuple[Term, ...]]:
    chosen = disj(now.choice.collectives[kind] for kind in kinds or Collective)
    return (f"The algebra allows a step, one of {', '.join(kinds or Collective)}.", (*now.allowed, chosen))


def _members(now: Scene, d: Digits, e: Digits, *numbers: Digits) -> tuple[str, tuple[Term, ...]]:
    sentence = "Sizes are at least 2, digits are below them; devices d and e (or e alone) are in one group."
    return (sentence, (*in_bounds(_sizes(now), d, e, *numbers), now.together(d, e)))


def _sizes(now: Scene) -> Digits:
    return free_digits("size", now.levels)


def _stem(kind: Collective) -> str:
    return {"AllReduce": "all_reduce", "ReduceScatter": "reduce_scatter", "AllGather": "all_gather"}.get(
        kind, kind.lower()
    )
