"""The shapes that figures are made of; lengths are in pixels, and the y axis points down."""

from collections.abc import Iterable
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle; `fill` and `stroke` name paints (see `palette.py`), empty for none."""

    x: float
    y: float
    width: float
    height: float
    fill: str = ""
    stroke: str = ""
    radius: float = 0.0
    weight: float = 1.0
    role: str = ""

    @property
    def centre(self) -> tuple[float, float]:
        """The centre of the rectangle."""
        return self.x + self.width / 2, self.y + self.height / 2


@dataclass(frozen=True, slots=True)
class Polyline:
    """A line through points; `dash` alternates drawn and skipped lengths."""

    points: tuple[tuple[float, float], ...]
    stroke: str
    weight: float = 1.0
    dash: tuple[float, ...] = ()
    role: str = ""


@dataclass(frozen=True, slots=True)
class Ticks:
    """Vertical strokes of one height; `places` are their distances to the right of `x`."""

    x: float
    y: float
    height: float
    places: tuple[float, ...]
    stroke: str
    weight: float = 1.0
    role: str = ""


@dataclass(frozen=True, slots=True)
class Dot:
    """A circle around a point."""

    x: float
    y: float
    radius: float
    fill: str = ""
    stroke: str = ""
    weight: float = 1.0
    role: str = ""


@dataclass(frozen=True, slots=True)
class TextLabel:
    """Text with its baseline at `y`; `anchor` (start, middle or end) says which part of the text is at `x`."""

    x: float
    y: float
    text: str
    size: float = 12.0
    fill: str = "ink"
    anchor: str = "start"
    bold: bool = False
    mono: bool = False
    role: str = ""


Shape = Box | Polyline | Ticks | Dot | TextLabel


@dataclass(frozen=True, slots=True)
class Drawing:
    """Shapes from back to front, and the text alternative: a short `title` and a `description`."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    title: str
    description: str


def moved(shapes: Iterable[Shape], right: float, down: float) -> tuple[Shape, ...]:
    """Return the shapes, shifted by `right` and `down`.

    >>> moved([Dot(1, 2, 3)], 10, 20)
    (Dot(x=11, y=22, radius=3, fill='', stroke='', weight=1.0, role=''),)
    """
    return tuple(_moved(shape, right, down) for shape in shapes)


def _moved(shape: Shape, right: float, down: float) -> Shape:
    if isinstance(shape, Polyline):
        return replace(shape, points=tuple((x + right, y + down) for x, y in shape.points))
    return replace(shape, x=shape.x + right, y=shape.y + down)


def on_paper(drawing: Drawing, margin: float = 8.0) -> Drawing:
    """Return the drawing on an opaque background, with a margin around it."""
    width, height = drawing.width + 2 * margin, drawing.height + 2 * margin
    shapes = (Box(0, 0, width, height, "surface"), *moved(drawing.shapes, margin, margin))
    return replace(drawing, width=width, height=height, shapes=shapes)
