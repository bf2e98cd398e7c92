"""Placements on irregular units: coordinates of devices on axes, and the tree over which a reduction runs.

A placement on a tree is a placement on its hull in which the existing devices form a full grid of the axes'
coordinates. Then all groups of an axis are alike, and so are all groups that reduce together.

The devices of a group are those whose digits agree at all positions off the reduction levels. Their digits on the
reduction levels are paths, and the tree of a group is the trie of its paths: a node has as many children as there are
different continuations of its prefix. Groups are alike exactly if their lists of paths are equal.

    children(prefix) = { d : some path of the group begins with prefix, d }.

Complexity: O(devices x digits).
Reference: Fredkin, "Trie memory", 1960.

Example: nodes of 3 and 1 GPUs, and a reduction over both levels. The paths 00, 01, 02, 10 have the tree of two nodes
with 3 and 1 children.
"""

from collections.abc import Sequence

from p2smt.errors import ProblemError
from p2smt.placement.digits import DeviceMap, join, split
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.placement.order import Order
from p2smt.problem.system.tree import Tree

Digits = tuple[int, ...]


def axis_coordinates(tree: Tree, matrix: ParallelismMatrix) -> tuple[tuple[Digits, ...], ...]:
    """Return, per axis, the digits that occur on existing devices, ascending; the matrix is one of the hull.

    >>> axis_coordinates(Tree(((2,), (3, 1))), ParallelismMatrix(((2, 3),)))
    (((0, 0), (0, 1), (0, 2), (1, 0)),)
    """
    found: list[set[Digits]] = [set() for _ in matrix.rows]
    digits = DeviceMap(matrix).digits
    sizes = [digit.size for digit in digits]
    for number in tree.present:
        values = split(number, sizes)
        for axis, coordinates in enumerate(found):
            own = (value for value, digit in zip(values, digits, strict=True) if digit.axis == axis)
            coordinates.add(tuple(own))
    return tuple(tuple(sorted(coordinates)) for coordinates in found)


def device_coordinates(tree: Tree | None, matrix: ParallelismMatrix) -> list[tuple[int, ...]]:
    """Return the coordinate of every device on every axis; on a tree, coordinates are numbered without gaps.

    >>> device_coordinates(Tree(((2,), (4, 2))), ParallelismMatrix(((2, 2), (1, 2))))
    [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)]
    """
    device_map = DeviceMap(matrix)
    if tree is None:
        return list(device_map)
    found = [device_map.coordinates(number) for number in tree.present]
    numbers = [{own: number for number, own in enumerate(sorted({*axis}))} for axis in zip(*found, strict=True)]
    return [tuple(number[own] for number, own in zip(numbers, each, strict=True)) for each in found]


def rank_order(tree: Tree, matrix: ParallelismMatrix, sizes: Sequence[int]) -> Order | None:
    """Return the axis order in which the coordinates of an irregular placement form the ranks; None if there is none.

    Axes of size 1 are placed outermost, as their position is irrelevant.

    >>> rank_order(Tree(((3,), (8, 8, 4))), ParallelismMatrix(((3, 2), (1, 4))), (5, 4))
    (0, 1)
    """
    ranks = {own: rank for rank, own in enumerate(device_coordinates(tree, matrix))}
    axes = range(len(sizes))
    # The rank of the device with coordinate 1 on one axis and 0 on all others is that axis's stride, if there is an
    # order.
    strides = [ranks[tuple(int(axis == one) for axis in axes)] if sizes[one] > 1 else tree.devices for one in axes]
    order = tuple(sorted(axes, key=lambda axis: -strides[axis]))
    spelled = all(
        rank == join([own[axis] for axis in order], [sizes[axis] for axis in order]) for own, rank in ranks.items()
    )
    return order if spelled else None


def reduction_tree(tree: Tree, sizes: Sequence[int], levels: Sequence[Sequence[int]]) -> Tree:
    """Return the tree of the devices in one reduction group.

    `sizes` are the radices of device numbers. `levels` lists, outermost first, the positions of the digits on
    each reduction level. Raises ProblemError if groups differ, or if the levels are not in the order of their
    digits.
    """
    places = [place for level in levels for place in level]
    if places != sorted(places):
        raise ProblemError("on an irregular hierarchy, reductions use the levels in their order; use --hierarchy d")
    groups: dict[Digits, list[Digits]] = {}
    for number in tree.present:
        values = split(number, sizes)
        key = tuple(value for place, value in enumerate(values) if place not in places)
        own = tuple(join([values[p] for p in level], [sizes[p] for p in level]) for level in levels)
        groups.setdefault(key, []).append(own)
    alike, *others = groups.values()
    if any(other != alike for other in others):
        raise ProblemError(
            "on this irregular hierarchy, reduction groups have different structures; choose a "
            "placement where all have the same"
        )
    return _tree_of_paths(alike, len(levels))


def _tree_of_paths(paths: Sequence[Digits], depth: int) -> Tree:
    children = []
    for level in range(depth):
        # Units in order of appearance, so that children are listed in device order.
        units = dict.fromkeys(path[: level + 1] for path in paths)
        counts: dict[Digits, int] = {}
        for unit in units:
            counts[unit[:-1]] = counts.get(unit[:-1], 0) + 1
        children.append(tuple(counts.values()))
    return Tree(tuple(children))
