"""Repairs of values if a rank holds another part than it should.

    the slice that another rank takes                         each rank takes the slice of another
    the rank's own block of a single-device value             it holds another block, other rows, or another order
    0 where an index is not in the rank's range               a lookup is not masked
    plus or minus a length times the rank                     positions, or classes, are counted from 0 on every rank

The matching single-device value is found by its rows: all rows of the rank's array are rows of it, or zeros
(padding). Rows are compared by their rounded bits, so matching a value takes time linear in its size.
Reference: Reiter, "A theory of diagnosis from first principles", 1987.

Example: [1, 2, 3, 4] is cut in two, and a rank has [3, 4, 1, 2] after a gather: the blocks are in another order.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from p2smt.tensor.layout import Sliced
from p2smt.tensor.operation import Array
from p2smt.tensor.placing import world
from p2smt.tensor.ranks.parts import lengths, placed_parts
from p2smt.tensor.ranks.programs import RankPrograms
from p2smt.tensor.ranks.repair import RIGHT, Groups, RankValue, Repair, axes_of, is_all, made_by, read_by
from p2smt.tensor.reason import Refusal

_DIGITS = 9
_NEAR = 1e-8


def other_slices(held: RankValue) -> Iterator[Repair]:
    """Yield repairs that replace each rank's slice by that of another rank."""
    if not is_all(held.ranks, held.name, "slice"):
        return
    count = len(held.arrays)
    for shift in range(1, count):
        moved = [held.arrays[(rank + shift) % count] for rank in range(count)]
        yield held.repair(
            moved, f"{held.name} on rank 0 is the slice of another: with that of rank {shift}, and so on, {RIGHT}"
        )


def of_other_ranks(held: RankValue) -> Iterator[Repair]:
    """Yield repairs that replace each rank's value by that of another rank."""
    count = len(held.arrays)
    for shift in range(1, count) if not is_all(held.ranks, held.name, "slice") else ():
        moved = [held.arrays[(rank + shift) % count] for rank in range(count)]
        yield held.repair(
            moved, f"{held.name} on rank 0 is that of another: with what rank {shift} has, and so on, {RIGHT}"
        )


def other_blocks(held: RankValue) -> Iterator[Repair]:
    """Yield repairs that replace each rank's array by its own block of a single-device value."""
    shape = held.arrays[0].shape
    for of, expected in held.whole.items():
        if expected.ndim != len(shape) or not _may_be_of(held.arrays[0], expected):
            continue
        unlike = [dim for dim in range(len(shape)) if shape[dim] != expected.shape[dim]]
        for _, groups in axes_of(held.ranks) if len(unlike) == 1 else ():
            if shape[unlike[0]] * len(groups[0]) == expected.shape[unlike[0]]:
                yield from _own_blocks(held, of, expected, unlike[0], groups)


def other_orders(held: RankValue) -> Iterator[Repair]:
    """Yield repairs that replace each rank's array by a whole single-device value, in order."""
    shape = held.arrays[0].shape
    for of, expected in held.whole.items():
        if expected.shape == shape and _may_be_of(held.arrays[0], expected):
            yield from _whole_in_order(held, of, expected)


def _may_be_of(array: Array, expected: Array) -> bool:
    """False if the first or last element of an array is nonzero and not an element of the other array."""
    ends = (array.flat[0], array.flat[-1]) if array.size else ()
    return all(not each or bool((np.abs(expected - each) <= _NEAR).any()) for each in ends)


def _own_blocks(held: RankValue, of: str, expected: Array, dim: int, groups: Groups) -> Iterator[Repair]:
    length = held.arrays[0].shape[dim]
    at = {rank: number for group in groups for number, rank in enumerate(group)}
    own = [expected.take(range(at[rank] * length, (at[rank] + 1) * length), dim) for rank in range(len(at))]
    rows = _rows(expected, dim)
    places = [[rows.get(row, -1) for row in _keys(array, dim)] for array in held.arrays]
    if any(-1 in each for each in places) or all(map(_same, held.arrays, own)):
        return
    first = next(rank for rank in range(len(own)) if not _same(held.arrays[rank], own[rank]))
    alike = all(each == places[0] for each in places)
    where = "every rank" if alike else f"rank {first}"
    said = f"{held.name} on {where} has {_indices(places[first])} of {of}, along dimension {dim}"
    right = "its own part" if alike else _indices(list(range(at[first] * length, (at[first] + 1) * length)))
    yield held.repair(own, f"{said}: another part, or in another order; with {right} {RIGHT}")


def _whole_in_order(held: RankValue, of: str, expected: Array) -> Iterator[Repair]:
    if all(_same(array, expected) for array in held.arrays):
        return
    for dim in range(expected.ndim):
        rows = _rows(expected, dim)
        zero = np.zeros(expected.take([0], dim).shape)
        # A row of zeros may be padding: it gets the position -1 unless the value has such a row; -2
        # is an unknown row.
        known = {**rows, _key(zero): rows.get(_key(zero), -1)}
        places = [[known.get(row, -2) for row in _keys(array, dim)] for array in held.arrays]
        found = [each for each in places[0] if each >= 0]
        # At least half of the rows must be known, or the match is an accident.
        if any(-2 in each for each in places) or 2 * len(found) < len(places[0]):
            continue
        lost = sorted(set(rows.values()) - set(found))
        said = (
            f"{held.name} has {of} in another order, along dimension {dim}"
            if not lost
            else f"{held.name} lacks {_indices(lost)} of {of}, along dimension {dim}, and has padding or others instead"
        )
        yield held.repair([expected] * len(held.arrays), f"{said}; with all of it in order {RIGHT}")
        return


def _rows(array: Array, dim: int) -> dict[bytes, int]:
    """Return the first position of each row along a dimension."""
    return {key: number for number, key in reversed(list(enumerate(_keys(array, dim))))}


def _keys(array: Array, dim: int) -> list[bytes]:
    return [_key(array.take([number], dim)) for number in range(array.shape[dim])]


def _key(row: Array) -> bytes:
    return (np.round(np.asarray(row, dtype=np.float64), _DIGITS) + 0.0).tobytes()


def _same(left: Array, right: Array) -> bool:
    return left.shape == right.shape and bool(np.allclose(left, right, rtol=1e-9, atol=1e-12, equal_nan=True))


def _indices(places: Sequence[int]) -> str:
    """Return indices as text, such as "0 to 3"."""
    if len(places) > 1 and list(places) == list(range(places[0], places[0] + len(places))):
        return f"{places[0]} to {places[-1]}"
    return ", ".join(map(str, places))


def offsets(held: RankValue) -> Iterator[Repair]:
    """Yield repairs that add or subtract an offset per rank, for integers that every rank counts from 0."""
    ranks, arrays = held.ranks, held.arrays
    if held.name not in counted(ranks) or not all(np.array_equal(each, arrays[0]) for each in arrays):
        return
    for length in sorted({*arrays[0].shape, *_cut_lengths(ranks)} - {0}):
        for sign, word in ((1, "plus"), (-1, "minus")):
            moved = [array + sign * rank * length for rank, array in enumerate(arrays)]
            yield held.repair(
                moved,
                f"{held.name} is the same on every rank, without an offset: {word} {length} times the rank {RIGHT}",
            )


def unmasked(held: RankValue) -> Iterator[Repair]:
    """Yield repairs that set rows to 0 if their index is not in the rank's range."""
    if not is_all(held.ranks, held.name, "pick", "embedding"):
        return
    for source in held.ranks.sources:
        index, shape = held.values[0][source.name], held.arrays[0].shape
        if not source.dtype.is_whole or index.shape != shape[: index.ndim]:
            continue
        for length in sorted(_cut_lengths(held.ranks)):
            # In a table cut into equal blocks, an index belongs to the rank of its quotient by the
            # block's length.
            own = [index.astype(np.int64) // length == rank for rank in range(len(held.arrays))]
            made = [
                np.where(each.reshape((*each.shape, *(1,) * (len(shape) - each.ndim))), array, 0.0)
                for each, array in zip(own, held.arrays, strict=True)
            ]
            yield held.repair(
                made,
                f"{held.name} is looked up even where {source.name} is outside of a "
                f"rank's {length}; masked there {RIGHT}",
            )


def counted(ranks: RankPrograms) -> frozenset[str]:
    """Return the names of integer sources, and of values computed from integers alone."""
    found = {source.name for source in ranks.sources if source.dtype.is_whole}
    for statement in ranks.statements:
        read = read_by(statement)
        if found.issuperset(read):
            found.update(made_by(statement))
    return frozenset(found)


def _cut_lengths(ranks: RankPrograms) -> set[int]:
    """Return the lengths of the ranks' parts along sliced dimensions of sources."""
    found = set()
    for source in ranks.sources:
        parts = placed_parts(source.layouts, ranks, source.shape)
        # only Sliced: other layouts cut nothing
        dims = [each.layout.dimension for each in source.layouts if isinstance(each.layout, Sliced)]
        if not isinstance(parts, Refusal) and world(ranks.mesh):
            found |= {lengths(parts[0])[dim] for dim in dims}
    return found
