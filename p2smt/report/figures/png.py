"""Drawings as PNG, rendered by matplotlib from the same shapes as the SVG, in the light colours."""

import warnings
from io import BytesIO
from typing import TYPE_CHECKING, Any, assert_never  # Any: matplotlib's values

from p2smt.errors import OutputError
from p2smt.report.content.text import printable
from p2smt.report.figures.palette import LIGHT
from p2smt.report.figures.shapes import Box, Dot, Drawing, Polyline, Shape, TextLabel, Ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_PIXELS_PER_INCH = 96
_POINTS = 72 / _PIXELS_PER_INCH
_FINER = 2
_ACROSS = {"start": "left", "middle": "center", "end": "right"}
_MOST_PIXELS = 2**15


def png_bytes(drawing: Drawing) -> bytes:
    """Return the figure as PNG at twice its size in pixels.

    Raises OutputError if matplotlib is missing or a side would exceed 32768 pixels.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError as cause:
        raise OutputError("PNG figures need matplotlib: pip install matplotlib; or write an .svg") from cause
    if max(drawing.width, drawing.height) * _FINER > _MOST_PIXELS:
        raise OutputError(f"the figure is {drawing.width:.0f} x {drawing.height:.0f} px, too large for PNG; use .svg")
    size = (drawing.width / _PIXELS_PER_INCH, drawing.height / _PIXELS_PER_INCH)
    figure = Figure(figsize=size, dpi=_PIXELS_PER_INCH * _FINER, facecolor=LIGHT["surface"])
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_axis_off()
    axes.set_xlim(0, drawing.width)
    # SVG's y axis points down, matplotlib's up.
    axes.set_ylim(drawing.height, 0)
    for order, shape in enumerate(drawing.shapes):
        _paint(axes, shape, order)
    target = BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a glyph that no font has is drawn as a box
        # Without the version of matplotlib in the file, so that equal drawings are equal bytes.
        figure.savefig(target, format="png", metadata={"Software": None})
    return target.getvalue()


def _paint(axes: "Axes", shape: Shape, order: int) -> None:
    from matplotlib.patches import Circle, FancyBboxPatch, Rectangle

    match shape:
        case Box(x, y, width, height, radius=0.0):
            axes.add_patch(Rectangle((x, y), width, height, zorder=order, **_outline(shape)))
        case Box(x, y, width, height, radius=radius):
            rounded = f"round,pad=0,rounding_size={min(radius, width / 2, height / 2)}"
            axes.add_patch(FancyBboxPatch((x, y), width, height, boxstyle=rounded, zorder=order, **_outline(shape)))
        case Dot(x, y, radius):
            axes.add_patch(Circle((x, y), radius, zorder=order, **_outline(shape)))
        case Polyline(points, stroke, weight, dash):
            # matplotlib scales dashes by line width; the figure's are in pixels.
            style = (0, tuple(length / weight for length in dash)) if dash else "-"
            xs, ys = zip(*points, strict=True) if points else ((), ())
            axes.plot(xs, ys, color=LIGHT[stroke], linewidth=weight * _POINTS, linestyle=style, zorder=order)
        case Ticks(x, y, height, places, stroke, weight):
            at = [x + place for place in places]
            axes.vlines(at, y, y + height, colors=LIGHT[stroke], linewidths=weight * _POINTS, zorder=order)
        case TextLabel():
            axes.text(
                shape.x,
                shape.y,
                printable(shape.text),
                fontsize=shape.size * _POINTS,
                color=LIGHT[shape.fill],
                ha=_ACROSS[shape.anchor],
                va="baseline",
                fontweight="bold" if shape.bold else "normal",
                fontfamily="DejaVu Sans Mono" if shape.mono else "DejaVu Sans",
                # A `$` in a user's name would otherwise start a formula.
                parse_math=False,
                zorder=order,
            )
        case _:
            assert_never(shape)


def _outline(shape: Box | Dot) -> dict[str, Any]:
    return {
        "facecolor": LIGHT[shape.fill] if shape.fill else "none",
        "edgecolor": LIGHT[shape.stroke] if shape.stroke else "none",
        "linewidth": shape.weight * _POINTS if shape.stroke else 0,
    }
