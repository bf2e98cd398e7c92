"""Which devices are drawn, and where: every kind, inside its parents, none on top of another."""

from itertools import combinations, product
from math import prod

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from p2smt.placement.digits import DeviceMap, split
from p2smt.placement.matrix import ParallelismMatrix, parse_matrix
from p2smt.report.content.selection import MOST_DRAWN, MOST_OF_LARGE, select_devices
from p2smt.report.figures.frame import (
    CELL_HEIGHT,
    FIGURE_WIDTH,
    GAP,
    HEAD,
    PADDING,
    PAGE_WIDTH,
    PHONE_WIDTH,
    ClusterFrame,
)

MATRICES = (
    st.tuples(st.integers(1, 4), st.integers(1, 3))
    .flatmap(lambda shape: st.tuples(*[st.tuples(*[st.sampled_from([1, 1, 2, 3, 4, 16])] * shape[1])] * shape[0]))
    .map(ParallelismMatrix)
)


def kinds(matrix, devices, reduced):
    """Which digits of the reduced axes are not 0, per device."""
    digits = DeviceMap(matrix).digits
    places = [place for place, digit in enumerate(digits) if digit.axis in reduced]
    values = (split(device, [digit.size for digit in digits]) for device in devices)
    return {tuple(value[place] > 0 for place in places) for value in values}


@given(MATRICES, st.sets(st.integers(0, 3)))
def test_no_more_are_drawn_than_said_and_every_kind_is(matrix, reduced):
    chosen = select_devices(matrix, reduced)
    devices, count = chosen.devices, DeviceMap(matrix).devices
    assert list(devices) == sorted(set(devices))
    assert prod(chosen.counts) == len(devices)
    assert chosen.whole == (len(devices) == count)
    assert len(devices) <= (MOST_DRAWN if count <= MOST_DRAWN else MOST_OF_LARGE)
    assert chosen.whole or count > MOST_DRAWN
    if count <= 5000:
        assert (kinds(matrix, devices, reduced) == kinds(matrix, range(count), reduced)) == chosen.every_kind


@given(MATRICES, st.sets(st.integers(0, 3)))
def test_units_drawn_are_where_the_devices_are(matrix, reduced):
    chosen = select_devices(matrix, reduced)
    sizes = chosen.level_sizes
    assert sorted({split(device, sizes) for device in chosen.devices}) == list(product(*chosen.units))


def test_few_kinds_are_drawn_whatever_the_size():
    chosen = select_devices(parse_matrix("512x1/16x32"), (1,))
    assert chosen.every_kind
    assert not chosen.whole
    assert chosen.units == ((0, 1, 16, 17), tuple(range(16)))


@given(st.lists(st.integers(1, 9), min_size=1, max_size=4).filter(lambda counts: prod(counts) <= 256))
def test_boxes_stand_inside_their_parents_and_apart(counts):
    frame = ClusterFrame(tuple(counts), 50.0)
    levels = [*frame.boxes, frame.cells]
    assert [len(level) for level in levels] == [prod(counts[:n]) for n in range(len(counts) + 1)]
    for parents, children, count in zip(levels, levels[1:], counts, strict=False):
        for number, child in enumerate(children):
            parent = parents[number // count]
            assert parent.x < child.x
            assert parent.y < child.y
            assert child.x + child.width < parent.x + parent.width
            assert child.y + child.height < parent.y + parent.height
        for one, other in combinations(children[:count], 2):
            beside = one.x + one.width < other.x or other.x + other.width < one.x
            below = one.y + one.height < other.y or other.y + other.height < one.y
            assert beside or below


@pytest.mark.parametrize(
    ("counts", "widest", "columns"),
    [
        ((4, 16), FIGURE_WIDTH, (2, 4)),
        ((4, 16), PAGE_WIDTH, (4, 4)),
        ((8,), PAGE_WIDTH, (8,)),
        ((7,), PAGE_WIDTH, (7,)),
        ((8,), PHONE_WIDTH, (4,)),
        ((31,), PHONE_WIDTH, (6,)),
    ],
)
def test_grids_are_as_wide_as_may_be(counts, widest, columns):
    frame = ClusterFrame(counts, 46.0, widest)
    assert frame.width <= widest
    for level, expected in zip([*frame.boxes[1:], frame.cells], columns, strict=True):
        assert len({place.x for place in level[: counts[len(counts) - 1]]}) == expected


def heights_by_force(counts, cell_width, widest):
    """The heights of all grids without holes that are not too wide, from the inside out."""
    sizes = [(cell_width, CELL_HEIGHT)]
    for level, count in reversed(list(enumerate(counts))):
        gap = 4.0 if level == len(counts) - 1 else GAP
        sizes = [
            (
                columns * (width + gap) - gap + 2 * PADDING,
                count // columns * (height + gap) - gap + HEAD + 1.6 * PADDING,
            )
            for width, height in sizes
            for columns in range(1, count + 1)
            if count % columns == 0
        ]
    return [height for width, height in sizes if width <= widest]


@given(st.lists(st.integers(1, 8), min_size=1, max_size=4).filter(lambda counts: prod(counts) <= 256))
def test_no_grid_that_fits_is_lower(counts):
    for widest in (PAGE_WIDTH, FIGURE_WIDTH, PHONE_WIDTH):
        heights = heights_by_force(counts, 50.0, widest)
        frame = ClusterFrame(tuple(counts), 50.0, widest)
        if heights:
            assert frame.width <= widest
            assert frame.height == pytest.approx(min(heights))


def test_it_is_said_that_not_every_kind_is_drawn():
    """Nine digits on reduced axes tell 512 kinds apart, of 512 devices of which 64 are drawn."""
    matrix = parse_matrix("2x2x2/2x2x2/2x2x2")
    chosen = select_devices(matrix, (0, 1, 2))
    assert len(chosen.devices) == MOST_OF_LARGE < len(kinds(matrix, range(512), {0, 1, 2}))
    assert not chosen.every_kind


@given(MATRICES, st.sets(st.integers(0, 3)))
@example(ParallelismMatrix(((2, 2, 2),) * 4), {3})
def test_every_kind_is_drawn_wherever_there_is_room_for_two_of_each_digit(matrix, reduced):
    """Digits of other axes give way first."""
    digits = DeviceMap(matrix).digits
    needed = prod(min(2, digit.size) for digit in digits if digit.axis in reduced)
    whole = DeviceMap(matrix).devices <= MOST_DRAWN
    assert select_devices(matrix, reduced).every_kind == (whole or needed <= MOST_OF_LARGE)
