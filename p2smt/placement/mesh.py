"""Recognise the matrix of a mesh given as a tensor of device numbers, or explain why there is none.

Method: a mesh is refined level by level. Let k[l][a] be the number of coordinates on axis a that occur in one unit of
level l - 1, where the only unit of level -1 is the whole mesh. If every unit of each level holds a full grid of its
coordinates, and two units' coordinates on an axis are equal or disjoint, the matrix has
    factor[a][l] = k[l][a] / k[l + 1][a].
Complexity: O(devices x axes) for each level.
Reference: Paige and Tarjan, "Three partition refinement algorithms", 1987, for refinement.

Example: the mesh [[0, 1], [2, 3]] on 2 nodes of 2 GPUs. Node 0 has the coordinate {0} on axis 0 and {0, 1} on axis 1,
so k = (2, 2), (1, 2), (1, 1) and the matrix is 2x1/1x2.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from p2smt.placement.matrix import ParallelismMatrix
from p2smt.placement.order import Order
from p2smt.placement.rank_tensor import Ranks, rank_tensor

Coordinates = tuple[frozenset[int], ...]
"""The coordinates on every axis that occur in a set of devices."""


@dataclass(frozen=True, slots=True)
class MeshMatch:
    """The matrix that equals a mesh up to renumbering devices within units.

    `exact`: every device has the coordinates that p2smt assigns to it. `mixed` lists the axes whose coordinates
    the mesh does not count with outer levels more significant; their groups are nevertheless those of the
    matrix.
    """

    matrix: ParallelismMatrix
    exact: bool
    mixed: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NoMatch:
    """Units of `level`, by number, that no matrix can have, with the coordinates of their devices.

    A single unit does not hold all combinations of its devices' coordinates. Two units have coordinate sets on
    some axis that are neither equal nor disjoint.
    """

    level: int
    units: tuple[int, ...]
    coordinates: tuple[Coordinates, ...]


def recognise(devices: Ranks, sizes: Sequence[int]) -> MeshMatch | NoMatch:
    """Return the matrix of a mesh with one dimension per axis, in axis order, on levels of these sizes.

    `devices` contains each number of `range(prod(sizes))` once. A mesh is a matrix, up to renumbering devices
    within units and coordinates on axes, exactly if on every level each unit holds all combinations of some
    coordinates per axis, and the coordinate sets of two units on an axis are equal or disjoint. Otherwise the
    outermost violating level is returned.

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
    """True if device numbers ascend along these axes taken together, the first most significant.

    If they do not, torch, which sorts the ranks of a group, numbers its members differently from the mesh. For
    the mesh of a matrix, `rank_tensor.ascends` decides the same without examining devices.

    >>> ascends_along(np.array([[0, 2], [1, 3]]), (0,)), ascends_along(np.array([[0, 2], [1, 3]]), (0, 1))
    (True, False)
    """
    others = [axis for axis in range(devices.ndim) if axis not in axes]
    flat = devices.transpose([*others, *axes]).reshape(-1, prod(devices.shape[axis] for axis in axes))
    return bool((np.diff(flat, axis=1) > 0).all())


def order_of_mesh(devices: Ranks) -> Order | None:
    """Return the axis order that numbers the devices as the mesh does; None if there is none.

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
    """Return, for each unit of `unit` devices, the coordinates that occur on every axis."""
    # argsort of a permutation is its inverse: the place in the mesh of device 0, 1, 2, ...
    at = np.unravel_index(np.argsort(devices, axis=None), devices.shape)
    columns = [[frozenset(row) for row in axis.reshape(-1, unit).tolist()] for axis in at]
    return list(zip(*columns, strict=True)) if columns else [()]


def _first_wrong(parts: Sequence[Coordinates], unit: int) -> tuple[int, ...]:
    """Return the first unit that does not hold a full grid, or else the first two whose sets overlap partially."""
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
    """Yield every (axis, coordinate) pair of a unit."""
    return ((axis, coordinate) for axis, held in enumerate(part) for coordinate in sorted(held))


def _aligned(held: frozenset[int]) -> bool:
    """True if coordinates are an aligned contiguous block: 4, 5, 6, 7, but not 0, 2 or 3, 4."""
    first = min(held)
    return first % len(held) == 0 and max(held) - first == len(held) - 1
