"""A mesh that somebody else laid out, as a tensor of device numbers: which matrix it is, or why it is none."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from p2smt.placement.matrix import ParallelismMatrix
from p2smt.placement.order import Order
from p2smt.placement.rank_tensor import Ranks, rank_tensor

Coordinates = tuple[frozenset[int], ...]
"""The coordinates that a set of devices has, on every axis."""


@dataclass(frozen=True, slots=True)
class MeshMatch:
    """The matrix that a mesh is, after renumbering devices inside units of levels where it is not `exact`.

    `exact`: every device has the coordinates that p2smt gives it. `mixed` are the axes that the mesh counts with the
    digit of an outer level less significant than that of an inner one, or in no order at all; their groups are those
    of the matrix all the same.
    """

    matrix: ParallelismMatrix
    exact: bool
    mixed: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NoMatch:
    """Units of `level` (by their numbers) that no matrix has, and the coordinates of their devices.

    One unit: its devices are not all combinations of the coordinates that they have on the axes. Two: their
    coordinates on some axis are neither the same nor apart.
    """

    level: int
    units: tuple[int, ...]
    coordinates: tuple[Coordinates, ...]


def recognise(devices: Ranks, sizes: Sequence[int]) -> MeshMatch | NoMatch:
    """Read a mesh with one dimension per axis, in the order of the axes, on levels of these sizes.

    `devices` has every number of `range(prod(sizes))` once. A mesh is a matrix, up to the numbers of devices inside
    units and of coordinates on axes, exactly when in every level each unit holds all combinations of some
    coordinates per axis, and the coordinates of two units on an axis are the same or apart. Names the outermost
    level that breaks this.

    >>> str(recognise(np.array([[0, 1], [2, 3]]), (2, 2)).matrix)
    '2x1/1x2'
    """
    shards = devices.shape
    inside = [shards]
    mixed: set[int] = set()
    for level in range(len(sizes)):
        unit = prod(sizes[level + 1 :])
        parts = _units(devices, unit)
        if wrong := _first_wrong(parts, unit):
            return NoMatch(level, wrong, tuple(parts[number] for number in wrong))
        inside.append(tuple(len(part) for part in parts[0]))
        mixed.update(axis for part in parts for axis, held in enumerate(part) if not _aligned(held))
    matrix = ParallelismMatrix(
        tuple(tuple(inside[j][axis] // inside[j + 1][axis] for j in range(len(sizes))) for axis in range(len(shards)))
    )
    own = rank_tensor(matrix, tuple(range(len(shards)))).devices()
    return MeshMatch(matrix, bool((devices == own).all()), tuple(sorted(mixed)))


def ascends_along(devices: Ranks, axes: Sequence[int]) -> bool:
    """True if device numbers ascend everywhere along some axes taken as one, the first most significant.

    Where they do not, torch, which sorts the ranks of a group, numbers its members otherwise than the mesh does. For
    the mesh of a matrix `rank_tensor.ascends` says the same without looking at devices.

    >>> ascends_along(np.array([[0, 2], [1, 3]]), (0,)), ascends_along(np.array([[0, 2], [1, 3]]), (0, 1))
    (True, False)
    """
    others = [axis for axis in range(devices.ndim) if axis not in axes]
    flat = devices.transpose([*others, *axes]).reshape(-1, prod(devices.shape[axis] for axis in axes))
    return bool((np.diff(flat, axis=1) > 0).all())


def order_of_mesh(devices: Ranks) -> Order | None:
    """The order of the axes that numbers the devices as a mesh does; None: no order does.

    >>> order_of_mesh(np.array([[0, 2], [1, 3]]))
    (1, 0)
    """
    axes = range(devices.ndim)
    # In an order's mesh, device 0 is in the corner, so entry 1 along an axis is the axis's stride.
    strides = [int(devices.take(1, axis).flat[0]) if devices.shape[axis] > 1 else 0 for axis in axes]
    order = tuple(sorted(axes, key=lambda axis: -strides[axis]))
    laid = np.arange(devices.size).reshape([devices.shape[axis] for axis in order])
    return order if (laid == devices.transpose(order)).all() else None


def _units(devices: Ranks, unit: int) -> list[Coordinates]:
    """The coordinates on every axis that each unit of `unit` devices holds."""
    # argsort of a permutation is its inverse: the place in the mesh of device 0, 1, 2, ...
    at = np.unravel_index(np.argsort(devices, axis=None), devices.shape)
    columns = [[frozenset(row) for row in axis.reshape(-1, unit).tolist()] for axis in at]
    return list(zip(*columns, strict=True)) if columns else [()]


def _first_wrong(parts: Sequence[Coordinates], unit: int) -> tuple[int, ...]:
    """The first unit that holds no product of coordinates, else the first two whose coordinates overlap in part."""
    for number, part in enumerate(parts):
        # All combinations of k[i] coordinates are prod(k) places; a unit with fewer devices lacks some.
        if prod(map(len, part)) != unit:
            return (number,)
    holders: dict[tuple[int, int], int] = {}
    for number, part in enumerate(parts):
        for place in _places(part):
            # The first unit that holds this coordinate; any other one with it must hold the same set on that axis.
            first = holders.setdefault(place, number)
            if parts[first][place[0]] != part[place[0]]:
                return (first, number)
    return ()


def _places(part: Coordinates) -> Iterator[tuple[int, int]]:
    """Every (axis, coordinate) of a unit."""
    return ((axis, coordinate) for axis, held in enumerate(part) for coordinate in sorted(held))


def _aligned(held: frozenset[int]) -> bool:
    """True if coordinates are a whole block of a row of blocks of their size: 4, 5, 6, 7, but not 0, 2 or 3, 4."""
    first = min(held)
    return first % len(held) == 0 and max(held) - first == len(held) - 1
