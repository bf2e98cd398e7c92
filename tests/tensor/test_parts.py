"""Parts of a tensor on ranks after a collective, beside the same done to the indices of its elements."""

import random

import numpy as np

from p2smt.tensor.conversion import AllGather, AllToAll, ReduceScatter, Slice
from p2smt.tensor.expression import Convert, ProgramAxis, Read
from p2smt.tensor.frame import Interval
from p2smt.tensor.placing import coordinates
from p2smt.tensor.ranks.exchange import parts_after
from p2smt.tensor.ranks.moving import cut_along_axis, moved_parts

SHAPE = (6, 4)
ELEMENTS = np.arange(24).reshape(SHAPE)


def held(part):
    """The numbers of the elements of a part."""
    return ELEMENTS[tuple(slice(each.start, each.stop) for each in part)]


def some(rng, length):
    start = rng.randrange(length)
    return Interval(start, rng.randint(start + 1, length))


def groups(rng):
    """Parts of two or three ranks: blocks that follow each other, and such that nearly do."""
    count = rng.choice((2, 3))
    dim = rng.randrange(2)
    other = some(rng, SHAPE[1 - dim])
    stops = sorted(rng.sample(range(1, SHAPE[dim] + 1), count))
    starts = [rng.randrange(stops[0]), *stops[:-1]]
    parts = []
    for start, stop in zip(starts, stops, strict=True):
        mine = [Interval(start, stop), other] if dim == 0 else [other, Interval(start, stop)]
        parts.append(mine)
    if rng.random() < 0.5:
        at = rng.randrange(2)
        rng.choice(parts)[at] = some(rng, SHAPE[at])
    if rng.random() < 0.2:
        rng.shuffle(parts)
    return dim, [tuple(part) for part in parts]


def test_a_gather_has_the_elements_of_the_part_that_is_said():
    rng = random.Random(1)
    done = refused = 0
    for _ in range(400):
        dim, group = groups(rng)
        made = parts_after(AllGather(dim), group)
        if made is None:
            refused += 1
            continue
        done += 1
        joined = np.concatenate([held(part) for part in group], axis=dim)
        assert all(np.array_equal(held(part), joined) for part in made)
    assert min(done, refused) > 80


def test_an_exchange_has_the_elements_of_the_part_that_is_said():
    rng = random.Random(2)
    done = 0
    for _ in range(400):
        dim, group = groups(rng)
        count, target = len(group), 1 - dim
        length = group[0][target].length
        made = parts_after(AllToAll(dim, target), group)
        if made is None or length % count:
            continue
        done += 1
        joined = np.concatenate([held(part) for part in group], axis=dim)
        for part, piece in zip(made, np.split(joined, count, axis=target), strict=True):
            assert np.array_equal(held(part), piece)
    assert done > 30


def test_slices_and_scattered_sums_are_blocks_of_what_every_rank_has():
    rng = random.Random(3)
    for _ in range(60):
        part, dim, count = (some(rng, 6), some(rng, 4)), rng.randrange(2), rng.choice((2, 3))
        if part[dim].length % count:
            continue
        for conversion in (Slice(dim), ReduceScatter(dim)):
            made = parts_after(conversion, [part] * count)
            for mine, piece in zip(made, np.split(held(part), count, axis=dim), strict=True):
                assert np.array_equal(held(mine), piece)
    before = [(Interval(0, 6), Interval(0, 4))] * 3
    uneven = parts_after(Slice(0, (1, 3, 2)), before)
    assert [part[0] for part in uneven] == [Interval(0, 1), Interval(1, 4), Interval(4, 6)]
    for conversion in (AllGather(2), Slice(2), ReduceScatter(2), AllToAll(0, 2), AllToAll(1, 1)):
        assert parts_after(conversion, before) is None


def by_hand(mesh, blocks, axis):
    """The rows that ranks have of what is whole, by the numbers of the blocks along one axis."""
    starts = np.cumsum([0, *blocks])
    return [(int(starts[at]), int(starts[at + 1])) for at in (coordinates(mesh, rank)[axis] for rank in range(4))]


def test_own_slices_are_a_cut_where_they_are_the_blocks_of_one_axis_and_nothing_is_left_out():
    """Three rows by two axes of two ranks: every way in which four ranks can take rows."""
    mesh = (ProgramAxis("a", 2), ProgramAxis("b", 2))
    whole = (Interval(0, 3), Interval(0, 4))
    ways = [(start, stop) for start in range(4) for stop in range(start, 4)]
    rng, cuts = random.Random(4), 0
    right = {}
    for axis in range(2):
        for first in range(4):
            right[tuple(by_hand(mesh, (first, 3 - first), axis))] = axis
    drawn = [tuple(rng.choice(ways) for _ in range(4)) for _ in range(300)]
    pairs = [(one, other) for one in ways for other in ways]
    along = [tuple(pair[coordinates(mesh, rank)[axis]] for rank in range(4)) for pair in pairs for axis in range(2)]
    for rows in [*right, *drawn, *along]:
        after = tuple((Interval(*each), Interval(0, 4)) for each in rows)
        made = cut_along_axis(Read("x"), (whole,) * 4, after, 0, mesh)
        empty = any(start == stop for start, stop in rows)
        if made is not None:
            assert isinstance(made, Convert)
            assert made.axis in ("a", "b")
            taken = right.get(rows)
            assert taken is not None or empty, rows
            cuts += 1
        else:
            assert rows not in right, rows
    assert cuts >= 6


def test_what_is_cut_is_no_slice_of_it_without_a_gather():
    mesh = (ProgramAxis("r", 2),)
    rows = tuple((Interval(start, start + 3), Interval(0, 4)) for start in (0, 3))
    columns = tuple((Interval(0, 6), Interval(start, start + 2)) for start in (0, 2))
    whole = ((Interval(0, 6), Interval(0, 4)),) * 2
    assert moved_parts(Read("x"), rows, columns, SHAPE, mesh, gathers=False) is None
    assert moved_parts(Read("x"), rows, whole, SHAPE, mesh, gathers=False) is None
    both = moved_parts(Read("x"), rows, columns, SHAPE, mesh, gathers=True)
    assert both == Convert(Slice(1), Convert(AllGather(0), Read("x"), "r"), "r")
    assert moved_parts(Read("x"), rows, rows, SHAPE, mesh, gathers=False) == Read("x")
    assert moved_parts(Read("x"), whole, columns, SHAPE, mesh, gathers=False) == Convert(Slice(1), Read("x"), "r")
    turned = columns[::-1]
    assert moved_parts(Read("x"), whole, turned, SHAPE, mesh, gathers=True) is None
