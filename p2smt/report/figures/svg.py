"""Drawings as SVG: inline in a page whose style provides the colours, or as a stand-alone file."""

from collections.abc import Callable
from typing import assert_never
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from p2smt.report.content.text import printable
from p2smt.report.figures.palette import LIGHT
from p2smt.report.figures.shapes import Box, Dot, Drawing, Polyline, Shape, TextLabel, Ticks

SANS = "system-ui, 'Helvetica Neue', Arial, sans-serif"
MONO = "ui-monospace, 'DejaVu Sans Mono', Menlo, monospace"

_Painter = Callable[[Element, str, str], None]


def svg_element(drawing: Drawing, described_by: str = "") -> Element:
    """Return the figure as an inline element of an HTML page, whose style defines the paints as classes.

    `described_by` is the id of the page's element that describes the figure. If it is empty, the figure gets no
    label, and the caller must add one.
    """
    names = {"aria-label": printable(drawing.title), "aria-describedby": described_by} if described_by else {}
    root = Element("svg", {"viewBox": _view(drawing), "role": "img", **names})
    root.extend([_shape(shape, _as_class) for shape in drawing.shapes])
    return root


def svg_text(drawing: Drawing) -> str:
    """Return the figure as a stand-alone SVG file in the light colours."""
    size = {"width": _number(drawing.width), "height": _number(drawing.height), "viewBox": _view(drawing)}
    names = {"role": "img", "aria-labelledby": "title", "aria-describedby": "description", "font-family": SANS}
    root = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", **size, **names})
    for tag, identity, text in (("title", "title", drawing.title), ("desc", "description", drawing.description)):
        SubElement(root, tag, {"id": identity}).text = printable(text)
    root.extend([_shape(shape, _as_colour) for shape in drawing.shapes])
    indent(root, " ")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


def _view(drawing: Drawing) -> str:
    return f"0 0 {_number(drawing.width)} {_number(drawing.height)}"


def _shape(shape: Shape, paint: _Painter) -> Element:
    match shape:
        case Box(x, y, width, height):
            places = {"x": x, "y": y, "width": width, "height": height} | ({"rx": shape.radius} if shape.radius else {})
            found = Element("rect", {name: _number(value) for name, value in places.items()})
            _outlined(found, shape, paint)
        case Dot(x, y, radius):
            found = Element("circle", {"cx": _number(x), "cy": _number(y), "r": _number(radius)})
            _outlined(found, shape, paint)
        case Polyline(points, stroke, weight, dash):
            where = " ".join(f"{_number(x)},{_number(y)}" for x, y in points)
            found = Element("polyline", {"points": where, "fill": "none", "stroke-width": _number(weight)})
            paint(found, "stroke", stroke)
            if dash:
                found.set("stroke-dasharray", " ".join(map(_number, dash)))
        case Ticks(x, y, height, places, stroke, weight):
            strokes = "".join(f"M{_number(x + place)} {_number(y)}v{_number(height)}" for place in places)
            found = Element("path", {"d": strokes, "stroke-width": _number(weight)})
            paint(found, "stroke", stroke)
        case TextLabel():
            found = _label(shape, paint)
        case _:
            assert_never(shape)
    if shape.role:
        found.set("class", " ".join(filter(None, (found.get("class"), shape.role))))
    return found


def _outlined(element: Element, shape: Box | Dot, paint: _Painter) -> None:
    if shape.fill:
        paint(element, "fill", shape.fill)
    else:
        element.set("fill", "none")
    if shape.stroke:
        paint(element, "stroke", shape.stroke)
        element.set("stroke-width", _number(shape.weight))


def _label(label: TextLabel, paint: _Painter) -> Element:
    found = Element("text", {"x": _number(label.x), "y": _number(label.y), "font-size": _number(label.size)})
    if label.anchor != "start":
        found.set("text-anchor", label.anchor)
    if label.bold:
        found.set("font-weight", "600")
    if label.mono:
        found.set("font-family", MONO)
    paint(found, "fill", label.fill)
    found.text = printable(label.text)
    return found


def _as_class(element: Element, what: str, name: str) -> None:
    element.set("class", " ".join(filter(None, (element.get("class"), f"{what}-{name}"))))


def _as_colour(element: Element, what: str, name: str) -> None:
    element.set(what, LIGHT[name])


def _number(value: float) -> str:
    """Return a number with at most two fractional digits and no trailing zeros.

    >>> _number(3.0), _number(1 / 3), _number(-0.001)
    ('3', '0.33', '0')
    """
    # `or 0` turns -0.0 into 0, which would be written as "-0".
    return f"{round(value, 2) or 0:.2f}".rstrip("0").rstrip(".")
