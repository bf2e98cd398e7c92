"""The synthesis hierarchies of the paper's table 1."""

from math import prod

import pytest
from looped import looped
from support import problem

from p2smt.placement.hierarchy import synthesis_hierarchy
from p2smt.placement.matrix import parse_matrix
from p2smt.problem.model import HierarchyKind

RUNNING = ([1, 2, 2, 4], [4, 4], (1,), "1x1x2x2/1x2x1x2")
THREE = ([28, 80, 162], [6, 120, 504], (0, 2), "1x2x3/4x5x6/7x8x9")


def hierarchy_of(case, hierarchy="d", **search):
    sizes, axes, reduce, matrix = case
    search["hierarchy"] = HierarchyKind(hierarchy)
    return synthesis_hierarchy(problem(sizes, axes, reduce, **search), parse_matrix(matrix))


@looped(
    ("case", "search", "sizes"),
    [
        (RUNNING, {"hierarchy": "a"}, (2, 2, 4)),
        (RUNNING, {"hierarchy": "b"}, (2, 2, 2, 2)),
        (RUNNING, {"hierarchy": "c"}, (2, 2, 2, 2)),
        (RUNNING, {"hierarchy": "d"}, (2, 2)),
        (THREE, {"hierarchy": "a"}, (28, 80, 162)),
        (THREE, {"hierarchy": "b"}, (4, 7, 2, 5, 8, 3, 6, 9)),
        (THREE, {"hierarchy": "c"}, (2, 3, 4, 5, 6, 7, 8, 9)),
        (THREE, {"hierarchy": "d", "collapse": False}, (2, 3, 7, 8, 9)),
        (THREE, {"hierarchy": "d"}, (7, 16, 27)),
    ],
)
def test_sizes_are_those_of_table_1_without_ones(case, search, sizes):
    assert hierarchy_of(case, **search).sizes == sizes


def test_columns_and_rows_of_the_running_example_differ_in_which_levels_reduce():
    flags = {kind: [level.reduces for level in hierarchy_of(RUNNING, hierarchy=kind).levels] for kind in "bcd"}
    assert flags == {"b": [True, False, False, True], "c": [False, False, True, True], "d": [True, True]}


def test_a_mixed_level_holds_reduction_axes_but_does_not_reduce():
    levels = hierarchy_of(RUNNING, hierarchy="a").levels
    assert [(level.reduces_some, level.reduces) for level in levels] == [(True, True), (False, False), (True, False)]


def test_collapsed_levels_put_the_lower_axis_first():
    digits = [level.digits for level in hierarchy_of(THREE).levels]
    assert digits == [(2,), (3, 5), (6, 8)]  # digit 3 * level + axis


def test_levels_are_named_after_their_axes_too_where_several_could_share_a_level():
    assert hierarchy_of(RUNNING, collapse=False).names == ("root", "level1", "level3")
    assert hierarchy_of(THREE).names == ("root", "level0", "level1", "level2")
    one_by_one = hierarchy_of(THREE, collapse=False).names
    assert one_by_one == ("root", "level1.axis0", "level2.axis0", "level0.axis2", "level1.axis2", "level2.axis2")
    assert hierarchy_of(RUNNING, hierarchy="c").names[1:] == (
        "level2.axis0",
        "level3.axis0",
        "level1.axis1",
        "level3.axis1",
    )


@pytest.mark.parametrize("kind", "abcd")
def test_every_real_digit_of_the_carried_axes_stands_in_one_level(kind):
    hierarchy = hierarchy_of(THREE, hierarchy=kind)
    digits = [digit for level in hierarchy.levels for digit in level.digits]
    sizes = [1, 4, 7, 2, 5, 8, 3, 6, 9]
    carried = [place for place, size in enumerate(sizes) if size > 1 and (kind != "d" or place % 3 != 1)]
    assert sorted(digits) == carried
    assert [level.size for level in hierarchy.levels] == [prod(sizes[d] for d in x.digits) for x in hierarchy.levels]


def test_names_say_level_and_axis_where_one_level_carries_several():
    assert hierarchy_of(RUNNING, hierarchy="d").names == ("root", "level1", "level3")
    assert hierarchy_of(RUNNING, hierarchy="b").names == (
        "root",
        "level1.axis1",
        "level2.axis0",
        "level3.axis0",
        "level3.axis1",
    )
    assert len(set(hierarchy_of(THREE, hierarchy="c").names)) == 9
