"""Operations that move elements, against numpy's own."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from looped import looped
from tiers import examples

from p2smt.errors import VerifyError
from p2smt.frontend.xla import layout
from p2smt.frontend.xla.ssa import HloShape


def shape(array):
    return HloShape("f32", array.shape)


def counted(dims, first=1):
    return np.arange(first, first + int(np.prod(dims))).reshape(dims)


def made(ranges, *operands):
    """What ranges of the operands, one after the other, are; a zero where they have none."""
    flat = np.concatenate([one.reshape(-1) for one in operands])
    return np.concatenate([flat[at : at + count] if at >= 0 else np.zeros(count, int) for at, count in ranges])


def transposed(rng, one):
    order = rng.sample(range(one.ndim), one.ndim)
    return layout.transposed(shape(one), order), [one], one.transpose(order)


def reversed_along(rng, one):
    axes = rng.sample(range(one.ndim), rng.randint(0, one.ndim))
    return layout.reversed_along(shape(one), axes), [one], np.flip(one, axes)


def sliced(rng, one):
    starts = [rng.randrange(size) for size in one.shape]
    ranges = [
        (start, rng.randint(start + 1, size), rng.choice([1, 1, 2]))
        for start, size in zip(starts, one.shape, strict=True)
    ]
    return layout.sliced(shape(one), ranges), [one], one[tuple(slice(*one) for one in ranges)]


def padded(rng, one):
    ranges, wanted = [], one
    for axis, size in enumerate(one.shape):
        low, high = (rng.choice([0, 0, 1, 3, size, -1 if size > 2 else 0]) for _ in range(2))
        interior = rng.choice([0, 0, 0, 1])
        ranges.append((low, high, interior))
        wide = np.zeros([*wanted.shape[:axis], size + (size - 1) * interior, *wanted.shape[axis + 1 :]], int)
        before = (slice(None),) * axis
        wide[(*before, slice(None, None, interior + 1))] = wanted
        wide = np.pad(wide, [(max(low, 0), max(high, 0)) if place == axis else (0, 0) for place in range(one.ndim)])
        wanted = wide[(*before, slice(max(-low, 0), wide.shape[axis] + min(high, 0)))]
    return layout.padded(shape(one), ranges), [one], wanted


def joined(rng, one):
    axis = rng.randrange(one.ndim)
    sizes = [rng.randint(1, 4) for _ in range(rng.randint(0, 2))]
    others = [
        counted([*one.shape[:axis], size, *one.shape[axis + 1 :]], 1000 * place)
        for place, size in enumerate(sizes, start=1)
    ]
    operands = [one, *others]
    return layout.joined([shape(each) for each in operands], axis), operands, np.concatenate(operands, axis)


def repeated(rng, one):
    dims = rng.sample(range(one.ndim + 2), one.ndim)
    wide, to = [1] * (one.ndim + 2), [rng.randint(1, 3) for _ in range(one.ndim + 2)]
    for place, axis in enumerate(dims):
        wide[axis] = one.shape[place]
        to[axis] = one.shape[place] if one.shape[place] > 1 else rng.choice([1, 3])
    order = sorted(range(one.ndim), key=lambda place: dims[place])
    wanted = np.broadcast_to(one.transpose(order).reshape(wide), to)
    return layout.repeated(shape(one), HloShape("f32", tuple(to)), dims), [one], wanted


def updated(rng, one):
    part = counted([rng.randint(1, size) for size in one.shape], 5000)
    starts = [rng.randint(0, size - new) for size, new in zip(one.shape, part.shape, strict=True)]
    wanted = one.copy()
    wanted[tuple(slice(at, at + size) for at, size in zip(starts, part.shape, strict=True))] = part
    return layout.updated(shape(one), shape(part), starts), [one, part], wanted


def chosen(rng, one):
    mask = np.array([rng.random() < 0.5 for _ in range(one.size)]).reshape(one.shape)
    return layout.chosen(mask, one.size), [one, one + 1000], np.where(mask, one, one + 1000)


def turned(rng, one):
    """The bytes of one layout, read as another."""
    old, new = (tuple(rng.sample(range(one.ndim), one.ndim)) for _ in range(2))
    memory = one.transpose(old[::-1]).reshape(-1)
    dims = rng.sample(one.shape, one.ndim)
    wanted = memory.reshape([dims[axis] for axis in new[::-1]]).transpose([new[::-1].index(a) for a in range(one.ndim)])
    return layout.turned(HloShape("f32", one.shape, old), HloShape("f32", tuple(dims), new)), [one], wanted


EXAMPLES = examples(20)
MOVES = (transposed, reversed_along, sliced, padded, joined, repeated, updated, chosen, turned)


@looped("move", MOVES)
def test_elements_move_as_those_of_numpy(move):
    lengths = Counter()

    @settings(max_examples=EXAMPLES)
    @given(st.randoms(use_true_random=False))
    def check(rng):
        one = counted(tuple(rng.choice([1, 2, 3, 4, 6]) for _ in range(rng.randint(1, 4))))
        ranges, operands, wanted = move(rng, one)
        assert (made(ranges, *operands) == wanted.reshape(-1)).all()
        lengths.update(["several" if len(ranges) > 1 else "one"])

    check()
    assert lengths["several"] > EXAMPLES / 8


def test_ranges_of_ranges():
    held = ((10, 4), (-1, 2), (0, 4))
    whole = made(held, counted((14,), 0))
    for start in range(10):
        for count in range(1, 11 - start):
            found = layout.cut_out(held, ((start, count), (-1, 1)))
            assert made(found, counted((14,), 0)).tolist() == [*whole[start : start + count].tolist(), 0]


def test_long_rows_stay_together():
    long = HloShape("f32", (4, 2**30))
    assert layout.sliced(long, [(1, 3, 1), (0, 2**30, 1)]) == ((2**30, 2**31),)
    assert layout.transposed(HloShape("f32", (2, 3, 2**20)), (1, 0, 2))[1] == (3 * 2**20, 2**20)
    with pytest.raises(VerifyError, match="it moves 1048576 non-contiguous pieces; at most 262144"):
        layout.transposed(HloShape("f32", (2**10, 2**10)), (1, 0))
