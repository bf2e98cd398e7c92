"""What is computed together in a graph: frames around members, and a line from the end of a loop to its beginning."""

import pytest

from p2smt.errors import ProgramError
from p2smt.report.figures import graph_drawing as graph_module
from p2smt.report.figures.graph_drawing import graph_drawing
from p2smt.report.figures.shapes import Box, Polyline, TextLabel
from p2smt.report.figures.together_drawing import Together, paint_of
from p2smt.tensor.expression import ProgramAxis
from p2smt.tensor.footprint import footprint
from p2smt.tensor.text.parser import parse_program

TEXT = """program tail
input x : f32[8, 4] partial(+)
rs = ReduceScatter(x, 0)
s = relu(rs)
whole = AllGather(s, 0)
output whole
"""
VALUES = footprint(parse_program(TEXT).on(ProgramAxis("rank", 4)))
KERNEL = Together("f", (("rs", "s", "whole"),))
LOOP = Together("loop.rs", (("rs",), ("s", "whole")), 8)


def test_every_member_is_framed_and_a_loop_goes_back():
    drawing = graph_drawing(VALUES, (KERNEL, LOOP))
    boxes = {
        paint: [shape for shape in drawing.shapes if isinstance(shape, Box) and shape.stroke == paint]
        for paint in (paint_of(0), paint_of(1))
    }
    assert [len(each) for each in boxes.values()] == [3, 3]
    for inner, outer in zip(*boxes.values(), strict=True):
        assert outer.x < inner.x
        assert outer.y < inner.y
        assert outer.x + outer.width > inner.x + inner.width
    back = [
        shape
        for shape in drawing.shapes
        if isinstance(shape, Polyline) and shape.stroke == paint_of(1) and len(shape.points) == 4
    ]
    assert len(back) == 1
    (begin, _, _, end) = back[0].points
    assert begin[1] > end[1], "from the last stage up to the first"
    assert all(0 <= x <= drawing.width and 0 <= y <= drawing.height for x, y in back[0].points)
    texts = [shape.text for shape in drawing.shapes if isinstance(shape, TextLabel)]
    assert {"8x", "f: one kernel", "loop.rs: 8 chunks in turn"} <= set(texts)
    assert "loop.rs: 8 chunks in turn, rs, then s and whole." in drawing.description


def test_as_many_values_as_can_be_are_drawn_and_no_more(monkeypatch):
    count = len(VALUES.values)
    monkeypatch.setattr(graph_module, "MOST_VALUES", count)
    boxes = [shape for shape in graph_drawing(VALUES).shapes if isinstance(shape, Box) and shape.radius == 5]
    assert len(boxes) == count
    assert sorted({(box.weight, box.stroke) for box in boxes}) == [(1.0, "edge"), (2.4, "sending")]
    monkeypatch.setattr(graph_module, "MOST_VALUES", count - 1)
    with pytest.raises(ProgramError, match=f"at most {count - 1} can be drawn"):
        graph_drawing(VALUES)


def test_shapes_are_those_of_the_largest_part():
    uneven = footprint(
        parse_program("program u\nmesh r=3\ninput x : f32[9, 4] sliced(0, sizes=5/4/0)\ny = relu(x)\noutput y\n")
    )
    texts = [shape.text for shape in graph_drawing(uneven).shapes if isinstance(shape, TextLabel)]
    assert texts.count("5x4") == 2


def test_a_graph_without_them_is_as_it_was():
    assert graph_drawing(VALUES) == graph_drawing(VALUES, ())
    assert not [shape for shape in graph_drawing(VALUES).shapes if isinstance(shape, Box) and not shape.fill]
