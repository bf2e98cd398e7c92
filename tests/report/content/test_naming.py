"""What boxes and axes are called, on units of one size and of unlike sizes."""

from p2smt.placement.matrix import parse_matrix
from p2smt.problem.model import Axis
from p2smt.problem.system.text import find_system
from p2smt.report.content.naming import levels_shape, naming_of

UNLIKE = naming_of(find_system("node:[5,3]"), (Axis("data", 8),))
ALIKE = naming_of(find_system("node:2,gpu:4"), (Axis("data", 4), Axis("model", 2)))


def test_at_most_stands_where_some_units_have_fewer_parts():
    """Nodes of five and three devices are two nodes exactly, and at most five devices in each."""
    two = parse_matrix("2x5")
    assert [UNLIKE.factor(two, 0, level) for level in (0, 1)] == ["2", "≤5"]
    assert UNLIKE.factor(two, 0, 1, "at most ") == "at most 5"
    laid = parse_matrix("2x2/1x2")
    assert [[ALIKE.factor(laid, axis, level) for level in (0, 1)] for axis in (0, 1)] == [["2", "2"], ["1", "2"]]


def test_axes_of_one_part_lie_nowhere():
    assert [axis for axis, _ in ALIKE.places(parse_matrix("2x2/1x2"))] == [0, 1]
    assert [axis for axis, _ in ALIKE.places(parse_matrix("1x1/2x4"))] == [1]
    assert [axis for axis, _ in ALIKE.places(parse_matrix("2x1/1x4"))] == [0, 1]
    (unlike,), (alike,) = UNLIKE.places(parse_matrix("2x5")), ALIKE.places(parse_matrix("2x4/1x1"))
    assert unlike[1] != alike[1]


def test_a_device_has_room_for_its_largest_coordinates():
    sizes = [naming_of(find_system("4"), tuple(Axis(f"a{n}", size) for n in range(4))).cell_width for size in (10, 11)]
    assert sizes == [max(46.0, 7.6 * len(",".join([last] * 4)) + 10) for last in ("9", "10")]
    assert sizes[0] < sizes[1]


def test_up_to_eight_sizes_are_listed():
    assert levels_shape(find_system("node:8,gpu:[4,4,4,4,4,4,4,2]")) == "node 8 × gpu [4,4,4,4,4,4,4,2]"
    assert levels_shape(find_system("node:9,gpu:[4,4,4,4,4,4,4,4,2]")) == "node 9 × gpu 2 to 4"
