"""Placements on units of unlike size against all matrices of the hull, tried one by one."""

import time
from collections.abc import Iterator
from itertools import permutations, product
from math import prod
from types import SimpleNamespace

import numpy as np
import pytest
from looped import looped
from tree_support import paths_of

from p2smt.errors import ProblemError
from p2smt.placement import enumeration
from p2smt.placement.enumeration import all_placements
from p2smt.placement.hierarchy import synthesis_hierarchy
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.placement.matrix_check import check_matrix
from p2smt.placement.reduction_tree import device_coordinates, rank_order, reduction_tree
from p2smt.problem.build import build_problem
from p2smt.problem.model import Axis, HierarchyKind, Payload, Problem, Search
from p2smt.problem.system.text import find_system
from p2smt.problem.system.tree import Tree
from p2smt.smt import deadlines
from p2smt.smt.answer import Stop


def problem(system: str, *sizes: int, search: Search | None = None, reduce: tuple[int, ...] = (0,)) -> Problem:
    """Axes of these sizes on a system."""
    axes = [Axis(f"axis{number}", size) for number, size in enumerate(sizes)]
    return build_problem(find_system(system), axes, reduce, Payload(1024, "float32"), search or Search())


def factorised(size: int, parts: int) -> Iterator[tuple[int, ...]]:
    """All ways to write a size as a product of so many factors, in order."""
    if parts == 1:
        yield (size,)
        return
    for first in (divisor for divisor in range(1, size + 1) if size % divisor == 0):
        yield from ((first, *rest) for rest in factorised(size // first, parts - 1))


def of_hull(tree: Tree, sizes: tuple[int, ...]) -> Iterator[tuple[ParallelismMatrix, tuple[int, ...]]]:
    """All matrices of the hull, and how many coordinates the devices have on every axis."""
    for columns in product(*(list(factorised(level, len(sizes))) for level in tree.hull)):
        coordinates = [set() for _ in sizes]
        for path in paths_of(tree):
            for axis, own in enumerate(coordinates):
                below = [prod(column[axis + 1 :]) for column in columns]
                spelled = zip(path, below, columns, strict=True)
                own.add(tuple(digit // stride % column[axis] for digit, stride, column in spelled))
        yield ParallelismMatrix(tuple(zip(*columns, strict=True))), tuple(map(len, coordinates))


def by_trial(tree: Tree, sizes: tuple[int, ...]) -> Iterator[ParallelismMatrix]:
    """The matrices of the hull whose devices are a full grid, one axis alone with other coordinates than a product."""
    for matrix, counts in of_hull(tree, sizes):
        unlike = sum(count != prod(row) for count, row in zip(counts, matrix.rows, strict=True))
        if counts == sizes and unlike == 1:
            yield matrix


@looped(
    ("system", "sizes", "count"),
    [
        ("node:[5,3]", (8,), 1),
        ("node:[8,8,4]", (5, 4), 1),
        ("node:[8,8,4]", (10, 2), 1),
        ("node:[8,8,4]", (5, 2, 2), 1),
        ("node:[8,8,4]", (1, 20), 1),
        ("node:[6,6,3]", (5, 3), 1),
        ("node:[4,4,2,2]", (6, 2), 2),
        ("rack:2,node:[2,2],gpu:[4,2,4,2]", (6, 2), 2),
        ("rack:2,node:[2,2],gpu:[4,2,4,2]", (2, 6), 1),
        ("rack:2,node:[2,2],gpu:[4,2,4,2]", (3, 4), 1),
        ("rack:2,node:[2,2],gpu:[4,2,4,2]", (3, 2, 2), 2),
        ("rack:2,node:[2,1],gpu:4", (3, 4), 1),
        ("rack:2,node:[4,2],gpu:2", (3, 2, 2), 2),
        ("rack:2,node:[4,2],gpu:2", (3, 4), 1),
    ],
)
def test_all_full_grids_in_which_one_axis_is_unlike(system: str, sizes: tuple[int, ...], count: int) -> None:
    """The solver's placements are those that trying all matrices finds; each passes the check of matrices."""
    asked = problem(system, *sizes)
    assert asked.system.tree is not None
    found = all_placements(asked)
    assert found.stop is Stop.EXHAUSTED
    assert list(found.items) == sorted(by_trial(asked.system.tree, sizes))
    assert len(found.items) == count
    for matrix, counts in of_hull(asked.system.tree, sizes):
        if counts == sizes:
            check_matrix(matrix, asked)
        else:
            with pytest.raises(ProblemError, match="the irregular hierarchy"):
                check_matrix(matrix, asked)


def test_groups_that_are_not_alike_are_no_placement() -> None:
    """With model over the nodes, its two coordinates would have data groups of unlike shape."""
    assert all_placements(problem("node:[4,2]", 3, 2)).items == (ParallelismMatrix(((2, 2), (1, 2))),)
    with pytest.raises(ProblemError, match="; one axis must cover the irregular levels and come first there, and the"):
        all_placements(problem("node:[3,3,2]", 4, 2))


def test_the_axis_that_takes_what_is_unlike_stands_first() -> None:
    """Five coordinates inside nodes are none of model's strides."""
    with pytest.raises(ProblemError, match="; one axis must cover the irregular levels and come first there, and the"):
        all_placements(problem("node:[8,8,4]", 4, 5))


def test_a_deadline_says_so() -> None:
    """Nothing is claimed after it."""
    assert all_placements(problem("node:[8,8,4]", 5, 4), 0.0).stop is Stop.DEADLINE


def test_the_tree_of_a_reduction() -> None:
    """Over data units are unlike, over model alike, over both the whole."""
    on = problem("node:[8,8,4]", 5, 4)
    (matrix,) = all_placements(on).items
    assert synthesis_hierarchy(on, matrix).tree == Tree(((3,), (2, 2, 1)))
    model = problem("node:[8,8,4]", 5, 4, reduce=(1,))
    assert synthesis_hierarchy(model, matrix).tree is None
    assert synthesis_hierarchy(model, matrix).shape == (4,)
    both = problem("node:[8,8,4]", 5, 4, reduce=(0, 1))
    assert synthesis_hierarchy(both, matrix).shape == Tree(((3,), (8, 8, 4)))


def test_groups_of_one_size_but_unlike_shape_have_no_tree() -> None:
    """In either rack four devices reduce together: one and three of a node here, two and two there."""
    inside = [(1,), (2,)]
    assert reduction_tree(Tree(((2,), (2, 2), (1, 3, 1, 3))), (2, 2, 3), inside) == Tree(((2,), (1, 3)))
    with pytest.raises(ProblemError, match="on this irregular hierarchy, reduction groups have different structures;"):
        reduction_tree(Tree(((2,), (2, 2), (1, 3, 2, 2))), (2, 2, 3), inside)


def test_a_matrix_of_a_smaller_hull_is_none_though_it_has_a_coordinate_for_every_device() -> None:
    """Two by four are eight, as five and three are; but no unit of four devices is there."""
    asked = problem("node:[5,3]", 8)
    check_matrix(ParallelismMatrix(((2, 5),)), asked)
    with pytest.raises(ProblemError, match="matrix 2x4: column of level gpu multiplies to 4, not 5"):
        check_matrix(ParallelismMatrix(((2, 4),)), asked)


def test_levels_in_another_order_than_their_digits_have_no_tree() -> None:
    """What is inside cannot stand outside, nor between the digits of another level."""
    tree = Tree(((2,), (2, 1), (2, 2, 2)))
    assert reduction_tree(tree, (2, 2, 2), [(0,), (1,), (2,)]) == tree
    for levels in ([(1,), (0,)], [(0,), (2,), (1,)], [(0, 2), (1,)], [(1, 0)]):
        with pytest.raises(
            ProblemError, match="on an irregular hierarchy, reductions use the levels in their order; use"
        ):
            reduction_tree(tree, (2, 2, 2), levels)


def test_other_hierarchies_are_refused() -> None:
    """Those of the paper's comparison are for units of one size."""
    on = problem("node:[5,3]", 8, search=Search(hierarchy=HierarchyKind.SYSTEM))
    (matrix,) = all_placements(on).items
    with pytest.raises(ProblemError, match="on an irregular hierarchy, programs are searched on hierarchy d, not on a"):
        synthesis_hierarchy(on, matrix)


@looped(
    ("system", "sizes", "order"),
    [
        ("node:[8,8,4]", (5, 4), (0, 1)),
        ("node:[8,8,4]", (1, 5, 2, 2), None),
        ("rack:2,node:[2,2],gpu:[4,2,4,2]", (3, 4), None),
        ("rack:2,node:[2,1],gpu:[4,4,2]", (5, 2), (0, 1)),
        ("node:[5,3]", (1, 8), (0, 1)),
        ("node:[8,8,4]", (5, 1, 4), (1, 0, 2)),
    ],
)
def test_the_order_of_the_axes_that_ranks_are_laid_by(
    system: str, sizes: tuple[int, ...], order: tuple[int, ...] | None
) -> None:
    """Ranks in a row-major array of that order stand at their coordinates; where there is none, no array has them."""
    tree = find_system(system).tree
    assert tree is not None
    found = set()
    for matrix in by_trial(tree, sizes):
        coordinates = device_coordinates(tree, matrix)
        for one in permutations(range(len(sizes))):
            ranks = np.arange(prod(sizes)).reshape([sizes[axis] for axis in one])
            if all(ranks[tuple(own[axis] for axis in one)] == rank for rank, own in enumerate(coordinates)):
                found.add((matrix, one))
        answer = rank_order(tree, matrix, sizes)
        assert answer is None or sizes[answer[0]] == 1 or 1 not in sizes  # those of size 1 stand outermost
        assert ((matrix, answer) in found) == (answer is not None)
        assert (answer is None) == (matrix not in {laid for laid, _ in found})
    if order is not None:
        assert order in {laid for _, laid in found}
    elif 1 not in sizes:
        assert not found  # an axis on the racks and inside nodes, and the other between them


@pytest.mark.parametrize(
    ("system", "sizes"),
    [
        ("node:[8,8,4]", (5, 4)),
        ("node:[6,6,3]", (5, 3)),
        ("rack:2,node:[2,2],gpu:[4,2,4,2]", (2, 6)),
        ("rack:2,node:[4,2],gpu:2", (3, 2, 2)),
        ("node:[8,1,1,1,1]", (12,)),
    ],
)
def test_coordinates_are_the_digits_there_are_numbered_in_their_order(system: str, sizes: tuple[int, ...]) -> None:
    """By definition: a device's number on an axis is how many other sets of digits there stand before its own."""
    tree = find_system(system).tree
    assert tree is not None
    for matrix in by_trial(tree, sizes):
        columns = list(zip(*matrix.rows, strict=True))
        digits = []
        for path in paths_of(tree):
            spelled = [(digit, column) for digit, column in zip(path, columns, strict=True)]
            digits.append(
                [
                    tuple(digit // prod(column[axis + 1 :]) % column[axis] for digit, column in spelled)
                    for axis in range(len(sizes))
                ]
            )
        there = [{own[axis] for own in digits} for axis in range(len(sizes))]
        wanted = [tuple(sum(other < one for other in there[axis]) for axis, one in enumerate(own)) for own in digits]
        assert device_coordinates(tree, matrix) == wanted


def test_placements_are_all_there_are_or_said_to_be_some(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time is counted in looks at the clock, of which every matrix takes one."""
    asked, end, partial = problem("rack:3,node:[4,4,2],gpu:[8,8,8,8,8,8,8,8,8,8]", 5, 4, 4), time.monotonic() + 1000, 0
    everything = all_placements(asked)
    assert everything.complete
    for looks in range(40):
        left = iter(range(looks))
        clock = SimpleNamespace(monotonic=lambda left=left: end if next(left, None) is None else end - 500)
        monkeypatch.setattr(enumeration, "time", clock)
        found = all_placements(asked, end)
        assert found.complete == (len(found.items) == len(everything.items))
        partial += 0 < len(found.items) < len(everything.items)
    assert found.complete
    assert partial


def test_of_several_primes_there_are_all_placements_or_said_to_be_some(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time is counted in looks at the clock, of which every exponent table of every prime takes one."""
    asked, end, kinds = problem("12x12", 12, 12), time.monotonic() + 1000, set()
    everything = all_placements(asked)
    assert (len(everything.items), everything.complete) == (3 * 2, True)
    for looks in range(30):
        enumeration.every_table.cache_clear()
        left = iter(range(looks))
        clock = SimpleNamespace(monotonic=lambda left=left: end if next(left, None) is None else end - 500)
        for module in (enumeration, deadlines):
            monkeypatch.setattr(module, "time", clock)
        found = all_placements(asked, end)
        assert {*found.items} <= {*everything.items}
        assert found.stop is (Stop.EXHAUSTED if found.complete else Stop.DEADLINE)
        assert found == everything or not found.complete
        kinds.add((found.complete, len(found.items)))
    assert kinds > {(False, 0), (False, 1), (True, 6)}
