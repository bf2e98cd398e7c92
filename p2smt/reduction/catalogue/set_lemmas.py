"""Properties of state matrices and their level sets for two devices; they show that the algebra's rules are necessary.

`d` and `e` are devices of one group along levels `L`; `d` holds (dF, dM), `e` holds (eF, eM), and neither is empty.
A witness is a chunk, contributor or member that differs from another in its digits on the levels of a set.
"""

from collections.abc import Iterator
from functools import reduce
from operator import mul

from p2smt.reduction.catalogue.lemma_terms import (
    Digits,
    Lemma,
    agree,
    apart,
    every,
    flipped,
    free_digits,
    free_holding,
    free_levels,
    has_bit,
    has_row,
    in_bounds,
    others,
    pick,
    within,
)
from p2smt.reduction.rules.level_rules import HoldingTerms, LevelSet
from p2smt.smt.bitvectors import BitVec, at_least, below, bitvector, number, widened
from p2smt.smt.terms import Term, conj, disj, either, iff, neg

_COUNT_BITS = 4


def set_lemmas(levels: int) -> Iterator[Lemma]:
    """Yield all lemmas about two devices on this number of levels."""
    yield _start_and_goal(levels)
    yield _different_sets_differ(levels)
    yield _same_rows(levels)
    yield _same_rows_of_all(levels)
    yield _overlap(levels)
    yield _shared_row(levels)
    yield _less_at_root(levels)
    if levels <= 3:
        yield _fewer_rows(levels)


def _start_and_goal(levels: int) -> Lemma:
    d, c, j = (free_digits(name, levels) for name in "dcj")
    nothing, everything = (False,) * levels, (True,) * levels
    start = iff(has_bit(HoldingTerms(False, nothing, nothing), d, c, j), agree(every(levels), d, j))
    claim = conj((start, has_bit(HoldingTerms(False, nothing, everything), d, c, j)))
    about = "(none, none) is a device's own contribution to every chunk; (none, all levels) is everything."
    return Lemma("start_and_goal", about, "2", (_bounds(levels, d, c, j),), claim)


def _different_sets_differ(levels: int) -> Lemma:
    d, one, two = free_digits("d", levels), free_holding("d", levels), free_holding("e", levels)
    chunk, contributor = _off(one.scattered, two.scattered, d, d), _off(two.merged, one.merged, d, d)
    by_rows = conj((neg(has_bit(one, d, chunk, d)), has_bit(two, d, chunk, d)))
    by_contributors = conj((neg(has_bit(one, d, d, contributor)), has_bit(two, d, d, contributor)))
    claim = conj(
        (
            disj((within(one.scattered, two.scattered), by_rows)),
            disj((within(two.merged, one.merged), by_contributors)),
            _digits_of(levels, chunk, contributor),
        )
    )
    about = "A device with (dF, dM) and with (eF, eM): unless dF is in eF and eM in dM, the matrices differ."
    return Lemma("different_sets_differ", about, "2", (_bounds(levels, d),), claim)


def _same_rows(levels: int) -> Lemma:
    d, e, one, two = _two(levels)
    chunk = _off(one.scattered, two.scattered, d, e)
    seen = conj((has_row(two, e, chunk), neg(has_row(one, d, chunk)), _digits_of(levels, chunk)))
    about = "Members with different scattered levels hold different rows."
    given = (_bounds(levels, d, e), _group(levels, d, e))
    return Lemma("same_rows_same_sets", about, "3.1", given, disj((within(one.scattered, two.scattered), seen)))


def _same_rows_of_all(levels: int) -> Lemma:
    d, _, one, _ = _two(levels)
    member = _moved(levels, one.scattered, d)
    seen = conj((has_row(one, d, d), neg(has_row(one, member, d)), _member(levels, d, member)))
    about = "Where the group varies along a scattered level, not all members hold the same rows."
    given = (_bounds(levels, d),)
    return Lemma("same_rows_not_along", about, "3.1", given, disj((apart(_along(levels), one.scattered), seen)))


def _overlap(levels: int) -> Lemma:
    d, _, one, two = _two(levels)
    alike = HoldingTerms(False, one.scattered, two.merged)
    member = _moved(levels, one.merged, d)
    shared = conj((has_bit(one, d, d, member), has_bit(alike, member, d, member), _member(levels, d, member)))
    about = "Where the group varies along a level that d has merged, another member holds a contribution of d's."
    given = (
        _bounds(levels, d),
        ("The group varies along no scattered level.", (apart(_along(levels), one.scattered),)),
    )
    claim = disj((apart(_along(levels), one.merged), shared))
    return Lemma("no_overlap_not_along", about, "3.1", given, claim)


def _shared_row(levels: int) -> Lemma:
    d, _, one, two = _two(levels)
    member = _moved(levels, others(one.scattered), d)
    shared = conj((has_row(one, d, member), has_row(two, member, member), _member(levels, d, member)))
    about = "Where the group varies along a level that d has not scattered, another member holds a row of d's."
    claim = disj((within(_along(levels), one.scattered), shared))
    return Lemma("no_shared_row_along", about, "3.2", (_bounds(levels, d),), claim)


def _less_at_root(levels: int) -> Lemma:
    d, e, own, root = _two(levels)
    chunk, contributor = _off(root.scattered, own.scattered, e, d), _off(own.merged, root.merged, e, d)

    def lacks(c: Digits, j: Digits) -> Term:
        return conj((has_bit(own, d, c, j), neg(has_bit(root, e, c, j)), _digits_of(levels, c, j)))

    claim = conj(
        (
            disj((within(root.scattered, own.scattered), lacks(chunk, d))),
            disj((within(own.merged, root.merged), lacks(d, contributor))),
            disj((agree(root.scattered, d, e), lacks(d, d))),
            disj((agree(others(root.merged), d, e), lacks(d, d))),
        )
    )
    about = "What d holds lies within what e holds only if eF is in dF, dM in eM, and they agree on eF and outside eM."
    return Lemma("within_root_within_sets", about, "3.3", (_bounds(levels, d, e),), claim)


def _fewer_rows(levels: int) -> Lemma:
    small = [bitvector(f"size{level}", _COUNT_BITS) for level in range(1, levels + 1)]
    _, _, one, two = _two(levels)
    sizes = (
        f"Sizes from 2 to {2**_COUNT_BITS - 1}; what is multiplied is wide enough.",
        tuple(at_least(s, 2) for s in small),
    )
    proper = conj((within(one.scattered, two.scattered), neg(within(two.scattered, one.scattered))))
    about = (
        "Who scattered more holds fewer rows: dF in eF, not equal, makes the product of sizes outside eF the smaller."
    )
    claim = below(_rows(small, two.scattered), _rows(small, one.scattered))
    return Lemma("fewer_rows", about, "6.3", (sizes, ("dF is in eF and not equal to it.", (proper,))), claim)


def _rows(sizes: list[BitVec], scattered: LevelSet) -> BitVec:
    """Return the number of chunks that agree with a device on the scattered levels."""
    width = _COUNT_BITS * len(sizes)
    one = number(1, width)
    wide = [widened(size, width) for size in sizes]
    return reduce(mul, (either(level, one, size) for level, size in zip(scattered, wide, strict=True)))


def _two(levels: int) -> tuple[Digits, Digits, HoldingTerms, HoldingTerms]:
    digits = free_digits("d", levels), free_digits("e", levels)
    return *digits, free_holding("d", levels), free_holding("e", levels)


def _along(levels: int) -> LevelSet:
    return free_levels("L", levels)


def _off(inside: LevelSet, outside: LevelSet, device: Digits, base: Digits) -> Digits:
    """Return `base`, with digits different from the device's on the levels in `inside` but not in `outside`."""
    only = tuple(conj((level, neg(other))) for level, other in zip(inside, outside, strict=True))
    return pick(only, tuple(map(flipped, device)), base)


def _moved(levels: int, some: LevelSet, device: Digits) -> Digits:
    """Return another member of the device's group: its digits differ on the group's levels that are in `some`."""
    both = tuple(conj(pair) for pair in zip(_along(levels), some, strict=True))
    return pick(both, tuple(map(flipped, device)), device)


def _member(levels: int, device: Digits, other: Digits) -> Term:
    other_device = neg(agree(every(levels), device, other))
    return conj((_digits_of(levels, other), agree(others(_along(levels)), device, other), other_device))


def _digits_of(levels: int, *numbers: Digits) -> Term:
    return conj(in_bounds(free_digits("size", levels), *numbers))


def _bounds(levels: int, *numbers: Digits) -> tuple[str, tuple[Term, ...]]:
    return ("Sizes are at least 2, digits are below them.", in_bounds(free_digits("size", levels), *numbers))


def _group(levels: int, d: Digits, e: Digits) -> tuple[str, tuple[Term, ...]]:
    return ("d and e are in one group along L.", (agree(others(_along(levels)), d, e),))
