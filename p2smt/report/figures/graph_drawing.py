"""Drawing of a tensor program as a graph: a box per value, coloured by layout, placed below its operands.

Layered drawing (Sugiyama, Tagawa and Toda, "Methods for visual understanding of hierarchical system structures", 1981):
    layer(v) = 1 + max over operands u of layer(u),   sources just above their first reader;
    place in a layer = mean place of the operands (barycentre), in one pass downwards.
Complexity: O(edges + values log values). Crossings are few, not fewest.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from p2smt.errors import ProgramError
from p2smt.report.figures.palette import GROUPS
from p2smt.report.figures.shapes import Box, Drawing, Polyline, Shape, TextLabel
from p2smt.report.figures.together_drawing import LANE, ROW, Together, frames, legend
from p2smt.tensor.expression import AxisLayout, ProgramAxis
from p2smt.tensor.footprint import Footprint, ValueFootprint
from p2smt.tensor.judgement import Layouts
from p2smt.tensor.layout import Replicated, Sliced
from p2smt.tensor.printer import placed_text
from p2smt.wording import plural, sizes_text

MOST_VALUES = 500
_WIDTH, _HEIGHT, _ACROSS, _DOWN = 136.0, 46.0, 14.0, 34.0
_HEAD, _ROW = 64.0, 20.0
_LETTERS = 17

Point = tuple[float, float]


def graph_drawing(shown: Footprint, together: Sequence[Together] = ()) -> Drawing:
    """Return the graph of a program's values.

    Boxes with a thick edge contain collectives. Frames mark values of one fused kernel, and loops mark chunked
    execution. Raises ProgramError for more than 500 values.
    """
    values, mesh = shown.values, shown.program.mesh
    if len(values) > MOST_VALUES:
        raise ProgramError(
            f"program {shown.program.name} has {len(values)} values; at most {MOST_VALUES} can be "
            "drawn, so draw a part of the program"
        )
    layers = _layers(values)
    names = {layouts: _named(layouts, mesh) for layouts in dict.fromkeys(value.layouts for value in values)}
    paints = {layouts: f"group{number % GROUPS}" for number, layouts in enumerate(names)}
    key = _HEAD + (_ROW * len(names))
    top = key + (ROW * len(together)) + 10
    loops = sum(one.chunks is not None for one in together)
    lanes = (len(together) + 1) * LANE if loops else 0.0
    width = max(max((len(layer) for layer in layers), default=1) * (_WIDTH + _ACROSS), 420.0) + (2 * lanes)
    corners = _corners(layers, width, top)
    shapes = [*_legend(shown, names, paints), *legend(together, key), *_lines(values, corners)]
    shapes += frames(together, corners, _WIDTH, _HEIGHT)
    for value in values:
        shapes += _box(value, corners[value.name], paints[value.layouts])
    height = top + (len(layers) * (_HEIGHT + _DOWN))
    count = f"{len(values)} {plural('value', len(values))} in {len(layers)} {plural('layer', len(layers))}"
    description = " ".join(
        [f"{count}, sources first. Layouts: {'; '.join(names.values())}.", *(f"{one.text}." for one in together)]
    )
    return Drawing(width, height, tuple(shapes), _title(shown), description)


def _title(shown: Footprint) -> str:
    where = sizes_text((axis.name, axis.size) for axis in shown.program.mesh) or "one device"
    return f"{shown.program.name} on {where}"


def _layers(values: Sequence[ValueFootprint]) -> list[list[ValueFootprint]]:
    """Return values in layers so that each is below its operands, and each source is just above its first reader.

    Within a layer, values are ordered by the mean position of their operands, which shortens edges.
    """
    by_name = {value.name: value for value in values}
    depth: dict[str, int] = {}
    for value in values:
        depth[value.name] = 1 + max((depth[name] for name in value.reads), default=-1 if not value.reads else 0)
    first: dict[str, int] = {}
    for value in values:
        for name in value.reads:
            first[name] = min(first.get(name, depth[value.name]), depth[value.name])
    layers: dict[int, list[ValueFootprint]] = defaultdict(list)
    for name, value in by_name.items():
        layers[depth[name] if value.reads else max(0, first.get(name, 1) - 1)].append(value)
    ordered = [layers[number] for number in sorted(layers)]
    place: dict[str, float] = {}
    for layer in ordered:
        # Barycentre heuristic (Sugiyama): one pass downwards keeps most lines from crossing.
        layer.sort(key=lambda value: _middle(value, place))
        place |= {value.name: (number + 0.5) / len(layer) for number, value in enumerate(layer)}
    return ordered


def _middle(value: ValueFootprint, place: Mapping[str, float]) -> float:
    """Return the mean position, from 0 to 1, of a value's operands."""
    places = [place[name] for name in value.reads if name in place]
    return sum(places) / len(places) if places else 0.5


def _corners(layers: Sequence[Sequence[ValueFootprint]], width: float, top: float) -> dict[str, Point]:
    """Return the upper left corner of every box."""
    corners = {}
    for row, layer in enumerate(layers):
        left = (width - (len(layer) * (_WIDTH + _ACROSS)) + _ACROSS) / 2
        for column, value in enumerate(layer):
            corners[value.name] = (left + (column * (_WIDTH + _ACROSS)), top + (row * (_HEIGHT + _DOWN)))
    return corners


def _legend(shown: Footprint, names: Mapping[Layouts, str], paints: Mapping[Layouts, str]) -> Iterator[Shape]:
    yield TextLabel(0, 16, _title(shown), 15, bold=True)
    yield TextLabel(0, 36, "Colour: layout. Thick edge: a collective.", 12, "muted")
    yield TextLabel(0, 52, "Shapes are those on one device.", 12, "muted")
    for number, (layouts, name) in enumerate(names.items()):
        y = _HEAD + (number * _ROW)
        yield Box(0, y, 14, 14, paints[layouts], "edge", radius=3)
        yield TextLabel(22, y + 11, name, 12, mono=True)


def _lines(values: Sequence[ValueFootprint], corners: Mapping[str, Point]) -> Iterator[Shape]:
    for value in values:
        for name in value.reads:
            (x, y), (to_x, to_y) = corners[name], corners[value.name]
            yield Polyline(((x + (_WIDTH / 2), y + _HEIGHT), (to_x + (_WIDTH / 2), to_y)), "line", 1.2)


def _box(value: ValueFootprint, corner: Point, paint: str) -> Iterator[Shape]:
    x, y = corner
    weight = 2.4 if value.sent else 1.0
    yield Box(x, y, _WIDTH, _HEIGHT, paint, "sending" if value.sent else "edge", radius=5, weight=weight)
    there = [shape for shape in value.local if shape is not None]
    shape = "x".join(str(max(column)) for column in zip(*there, strict=True)) or "scalar"
    for line, (text, size, ink) in enumerate(
        ((value.name, 12, "ink"), (" ".join(value.what), 10, "ink"), (shape, 10, "muted"))
    ):
        yield TextLabel(x + (_WIDTH / 2), y + 15 + (line * 13), _short(text), size, ink, "middle", line == 0, line != 1)


def _short(text: str) -> str:
    """Return a text cut to the width of a box.

    >>> _short("a.name.of.a.parameter")
    'a.name.of.a.para…'
    """
    return text if len(text) <= _LETTERS else f"{text[: _LETTERS - 1]}…"


def _named(layouts: Layouts, mesh: Sequence[ProgramAxis]) -> str:
    """Return layouts in the notation of programs, leaving out block sizes and replicated axes."""
    found = [  # only Replicated, Sliced: others are printed as they are
        placed_text(AxisLayout(Sliced(layout.dimension) if isinstance(layout, Sliced) else layout, axis.name))
        for layout, axis in zip(layouts, mesh, strict=True)
        if not isinstance(layout, Replicated)
    ]
    return " ".join(found) or ("replicated" if mesh else "whole")
