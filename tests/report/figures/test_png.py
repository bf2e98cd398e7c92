"""Figures as PNG: the same shapes, the same bytes, no surprises from text."""

import struct
import sys

import pytest
from report_support import report

from p2smt.errors import OutputError
from p2smt.report.content.naming import naming_of
from p2smt.report.figures.cluster_drawing import placement_drawing
from p2smt.report.figures.png import png_bytes
from p2smt.report.figures.ranking_chart import ranking_drawing
from p2smt.report.figures.shapes import Box, Dot, Drawing, Polyline, TextLabel, Ticks


def test_a_figure_twice_has_the_same_bytes_at_twice_its_size():
    found = report((2, 4), (2, 4), (1,))
    drawing = placement_drawing(found.placements[0], naming_of(found.system, found.axes), 1)
    data = png_bytes(drawing)
    assert data == png_bytes(drawing)
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", data[16:24])
    assert (width, height) == pytest.approx((2 * drawing.width, 2 * drawing.height), abs=2)
    assert png_bytes(ranking_drawing(found))[:4] == b"\x89PNG"


def pixels(drawing):
    import io

    from matplotlib.image import imread

    return imread(io.BytesIO(png_bytes(drawing)))


def test_shapes_are_where_they_should_be():
    shapes = (
        Box(0, 0, 100, 60, "surface"),
        Box(10, 10, 20, 20, "ink", radius=3),
        Dot(60, 20, 8, "ink"),
        Polyline(((10, 40), (90, 40)), "ink", 3),
        Ticks(10, 45, 10, (0.0, 50.0), "ink", 3),
    )
    image = pixels(Drawing(100, 60, shapes, "", ""))
    for (x, y), dark in {
        (20, 20): True,
        (60, 20): True,
        (50, 40): True,
        (60, 50): True,
        (10, 50): True,
        (45, 20): False,
        (35, 50): False,
        (5, 5): False,
        (95, 40): False,
    }.items():
        assert (image[2 * y, 2 * x, :3].max() < 0.3) == dark, (x, y)


def test_text_is_text_whatever_is_in_it(capfd):
    label = TextLabel(5, 20, "$\\frac{a}{0$ 漢字 \x00 \ud800", 12)
    assert pixels(Drawing(200, 40, (label,), "漢字", "")).min() < 0.5
    assert capfd.readouterr() == ("", "")


def test_what_cannot_be_drawn_is_said(monkeypatch):
    for width, height in ((20000, 10), (10, 20000), (16385, 16385)):
        with pytest.raises(OutputError, match=rf"the figure is {width} x {height} px, too large for PNG; use \.svg"):
            png_bytes(Drawing(width, height, (), "", ""))
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(OutputError, match="PNG figures need matplotlib: pip install"):
        png_bytes(Drawing(10, 10, (), "", ""))
