"""Parallelism matrices: counts, equality with brute force, a placement always exists."""

from collections import Counter
from itertools import product
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st
from looped import looped
from support import problem

from p2smt.errors import ProblemError
from p2smt.placement import enumeration
from p2smt.placement.enumeration import all_placements
from p2smt.placement.matrix import ParallelismMatrix, parse_matrix
from p2smt.placement.matrix_check import check_matrix
from p2smt.smt.answer import Stop


def brute_force(sizes, axes):
    """Every table of divisors with the right products, by trying all of them row by row."""

    def rows(axis, left):
        divisors = [[d for d in range(1, size + 1) if size % d == 0] for size in left]
        return [row for row in product(*divisors) if prod(row) == axis]

    def tables(place, left):
        if place == len(axes):
            return [()] if prod(left) == 1 else []
        return [
            (row, *rest)
            for row in rows(axes[place], left)
            for rest in tables(place + 1, [size // factor for size, factor in zip(left, row, strict=True)])
        ]

    return tables(0, list(sizes))


@pytest.mark.parametrize(
    ("sizes", "axes", "count"),
    [
        ([4, 16], [8, 2, 4], 5),
        ([16, 8, 8], [8, 2, 32, 2], 75),
        ([8, 16, 8], [8, 4, 2, 4, 4], 350),
        pytest.param([64, 32, 8], [8, 8, 4, 16, 4], 1458, marks=pytest.mark.thorough),  # a larger grid
    ],
)
def test_reference_counts(sizes, axes, count):
    found = all_placements(problem(sizes, axes))
    assert found.complete
    assert len(set(found.items)) == len(found.items) == count


@looped(
    ("sizes", "axes"),
    [
        ([4, 16], [8, 2, 4]),
        ([16, 8, 8], [8, 2, 32, 2]),
        ([6, 10], [4, 15]),
        ([6, 10], [15, 4]),
        ([36, 8], [6, 6, 8]),
        ([1, 2, 2, 4], [4, 4]),
        ([7, 1], [1, 7, 1]),
        ([1], [1]),
    ],
)
def test_placements_are_those_of_brute_force_in_ascending_order(sizes, axes):
    found = all_placements(problem(sizes, axes))
    assert [matrix.rows for matrix in found.items] == sorted(brute_force(sizes, axes))


SHAPES = st.tuples(st.lists(st.sampled_from([2, 2, 2, 3, 3, 5]), max_size=6), st.integers(1, 3), st.integers(1, 3))


@st.composite
def sizes_and_axes(draw):
    """Levels and axes with one product: the same primes dealt out twice."""
    primes, levels, axes = draw(SHAPES)

    def dealt(parts):
        homes = [draw(st.integers(0, parts - 1)) for _ in primes]
        return [prod(p for p, home in zip(primes, homes, strict=True) if home == part) for part in range(parts)]

    return dealt(levels), dealt(axes)


@given(sizes_and_axes())
def test_when_the_products_agree_a_placement_always_exists(case):
    sizes, axes = case
    asked = problem(sizes, axes)
    found = all_placements(asked)
    assert found.complete
    assert found.items
    for matrix in found.items:
        check_matrix(matrix, asked)
    assert Counter(matrix.rows for matrix in found.items) == Counter(brute_force(sizes, axes))


@given(st.integers(1, 4).flatmap(lambda w: st.lists(st.lists(st.integers(1, 99), min_size=w, max_size=w), min_size=1)))
def test_parsing_a_printed_matrix_gives_it_back(rows):
    matrix = ParallelismMatrix(tuple(map(tuple, rows)))
    assert parse_matrix(str(matrix)) == matrix


@looped("text", ["", "2x", "0x2/1x1", "2x-1", "1x2/ 2x1", "a/b", "2*2"])
def test_a_text_that_is_no_matrix_is_refused(text):
    with pytest.raises(ProblemError, match="does not parse; write one row per axis such as 1x4/4x4"):
        parse_matrix(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2x4", "matrix 2x4 does not fit; 2 axes on 2 levels need 2 rows of 2 factors"),
        ("2/4", "matrix 2/4 does not fit; 2 axes on 2 levels need 2 rows of 2 factors"),
        ("2x4/1x1", "matrix 2x4/1x1: row of axis axis0 multiplies to 8, not 4; p2smt place lists all"),
        (
            "4x1/1x2",
            "matrix 4x1/1x2: column of level level0 multiplies to 4, not 2; p2smt place lists all",
        ),
    ],
)
def test_a_matrix_that_is_no_placement_is_refused(text, message):
    with pytest.raises(ProblemError) as error:
        check_matrix(parse_matrix(text), problem([2, 4], [4, 2]))
    assert str(error.value) == message


def test_a_matrix_is_a_placement_exactly_when_all_its_products_are_the_sizes():
    """Too small ones are refused as too large ones are, in rows and in columns."""
    sizes, axes = [4, 6], [4, 6]
    asked, taken = problem(sizes, axes), set()
    for factors in product(range(1, 7), repeat=4):
        rows = factors[:2], factors[2:]
        try:
            check_matrix(ParallelismMatrix(rows), asked)
            taken.add(rows)
        except ProblemError:
            pass
    assert taken == set(brute_force(sizes, axes))
    assert len(taken) == 2


def test_matrices_that_time_left_out_are_said_to_be_missing(monkeypatch):
    """Every prime's tables are there in time, and putting them together is not."""
    asked = problem([4, 6], [8, 3])
    tables = enumeration._tables
    monkeypatch.setattr(enumeration, "_tables", lambda problem, prime, deadline: tables(problem, prime, None))
    found = all_placements(asked, deadline=0.0)
    assert (found.items, found.stop) == ((), Stop.DEADLINE)
    assert all_placements(asked).complete


def test_a_matrix_has_a_row_for_each_axis_and_a_factor_for_each_level():
    asked = problem([2, 4], [4, 2])
    check_matrix(parse_matrix("1x4/2x1"), asked)
    for text in ("1x4", "1x4/2x1/1x1", "4/2", "1x4x1/2x1x1", "1x4/2x1x1", "1x4/2"):
        with pytest.raises(ProblemError, match=f"matrix {text} does not fit; 2 axes on 2 levels need 2 rows of 2 fact"):
            check_matrix(parse_matrix(text), asked)
