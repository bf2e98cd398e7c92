"""Figures as text: golden for a small cluster, well-formed for all, readable in both schemes."""

from dataclasses import replace
from itertools import pairwise, product
from math import isclose
from types import SimpleNamespace
from xml.etree.ElementTree import Element

import pytest
from command_line import golden
from defusedxml.ElementTree import fromstring
from hypothesis import given
from hypothesis import strategies as st
from report_support import plan_of, report

from p2smt.cost.chunk_time_line import chunk_time_line
from p2smt.cost.network.backend import cost_of
from p2smt.placement.matrix import parse_matrix
from p2smt.report.content.group_letters import group_letter
from p2smt.report.content.naming import PlacementNames, naming_of
from p2smt.report.content.selection import selection_of
from p2smt.report.figures.chart_rows import NARROW, TIME_WIDTH, WIDE, rows_of
from p2smt.report.figures.chunks_drawing import chunks_drawing
from p2smt.report.figures.cluster_drawing import box_titles, placement_cells, placement_drawing, step_cells
from p2smt.report.figures.frame import PAGE_WIDTH, PHONE_WIDTH, cluster_frame
from p2smt.report.figures.palette import DARK, GROUPS, LIGHT, SERIES, TINTS, palette_style, tint
from p2smt.report.figures.pills import LINE, pills
from p2smt.report.figures.program_drawing import program_drawing
from p2smt.report.figures.ranking_chart import MOST_OF_BEST, is_cut, ranking_drawing
from p2smt.report.figures.scale import LinearScale, LogarithmicScale, decades
from p2smt.report.figures.sensitivity_chart import sensitivity_drawing
from p2smt.report.figures.shapes import Box, Drawing, Polyline, TextLabel, Ticks, on_paper
from p2smt.report.figures.svg import svg_text

SVG = "{http://www.w3.org/2000/svg}"


def figures(found):
    naming = naming_of(found.system, found.axes)
    yield placement_drawing(found.placements[0], naming, 0)
    yield program_drawing(found.results[-1].programs[0], found.placements[-1].selection, naming)
    yield ranking_drawing(found)
    yield sensitivity_drawing(found)


def time_lines(found, width):
    """Of the fastest program, in few and in many chunks, and in one piece."""
    plan = plan_of(found, 0, found.results[0].programs[-1].text)
    for chunks in (4, 1, 100):
        yield chunks_drawing(chunk_time_line(replace(plan, chunks=chunks), cost_of(found.system)), width)


def narrow_figures(found):
    yield placement_drawing(found.placements[0], naming_of(found.system, found.axes), 0, PHONE_WIDTH)
    yield ranking_drawing(found, NARROW)
    yield sensitivity_drawing(found, NARROW)


def test_small_figures_are_as_they_were():
    found = report((2, 2), (2, 2), (1,))
    names = ("cluster", "program", "ranking", "sensitivity")
    for name, drawing in zip(names, figures(found), strict=True):
        golden(f"report_{name}_2x2.svg", svg_text(on_paper(drawing)))


def test_a_small_time_line_is_as_it_was():
    golden("report_time_line_2x2.svg", svg_text(on_paper(next(time_lines(report((2, 2), (2, 2), (1,)), WIDE)))))


def test_many_slots_alike_are_counted_and_all_boxes_of_few_chunks_are_drawn():
    found = report((4, 4), (4, 4), (1,))
    few, whole, many = time_lines(found, WIDE)
    for drawing, boxes in ((few, 4), (whole, 1)):
        assert sum(isinstance(shape, Box) and shape.stroke == "edge" for shape in drawing.shapes) % boxes == 0
    texts = [shape.text for shape in many.shapes if isinstance(shape, TextLabel)]
    left_out = [int(text.split()[0]) for text in texts if text.endswith(" more")]
    assert len(left_out) == 1
    plan = plan_of(found, 0, found.results[0].programs[-1].text)
    line = chunk_time_line(replace(plan, chunks=100), cost_of(found.system))
    counts = [run.count for run in line.slots]
    assert left_out[0] == max(counts) - 4 > 80, "two slots are drawn at each end"
    boxes = [shape for shape in many.shapes if isinstance(shape, Box) and shape.stroke == "edge"]
    assert len(boxes) == sum(len(run.work) * (4 if run.count > 5 else run.count) for run in line.slots)
    assert max(box.x + box.width for box in boxes) == pytest.approx(many.width)
    assert not any(isinstance(shape, TextLabel) and shape.text.endswith(" more") for shape in few.shapes)
    assert many.title == "Time line of 100 chunks"
    assert whole.title == "Time line of the payload in one piece"


@pytest.mark.parametrize("sizes", [((4, 4), (4, 4)), ((1,), (1,)), ((2, 64, 8), (1024,)), ((3, 5), (5, 3))])
def test_figures_are_well_formed_with_all_shapes_inside(sizes):
    found = report(*sizes, limit=3)
    for drawing in (*figures(found), *time_lines(found, WIDE)):
        root = fromstring(svg_text(drawing))
        assert root.tag == f"{SVG}svg"
        assert root.find(f"{SVG}title").text == drawing.title
        assert root.find(f"{SVG}desc").text == drawing.description
        assert drawing.description
        for box in root.iter(f"{SVG}rect"):
            x, y, width, height = (float(box.get(name)) for name in ("x", "y", "width", "height"))
            assert min(x, y) >= 0
            assert width >= 0
            assert x + width <= drawing.width + 0.02
            assert y + height <= drawing.height + 0.02


@pytest.mark.parametrize("sizes", [((4, 4), (4, 4)), ((2, 4), (2, 2, 2), (0, 2)), ((1,), (1,)), ((3, 5), (5, 3))])
def test_figures_for_phones_are_as_narrow_with_all_text_inside(sizes):
    found = report(*sizes, limit=3)
    for drawing in (*narrow_figures(found), *time_lines(found, NARROW)):
        assert drawing.width <= NARROW
        for shape in drawing.shapes:
            if isinstance(shape, TextLabel):
                wide = 0.62 * shape.size * len(shape.text)
                begin = shape.x - {"start": 0.0, "middle": 0.5, "end": 1.0}[shape.anchor] * wide
                assert begin >= -2, shape
                assert begin + wide <= drawing.width + 8, shape
                assert shape.size >= 9


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_bars_are_as_long_as_the_best_programs_take_and_pills_are_the_matrices(width):
    found = report((4, 4), (4, 4), (1,))
    drawing = ranking_drawing(found, width)
    bars = [shape for shape in drawing.shapes if isinstance(shape, Box) and shape.height == 12]
    seconds = [result.programs[0].seconds for result in found.results]
    rate = bars[-1].width / seconds[-1]
    assert [bar.width for bar in bars] == pytest.approx([rate * one for one in seconds], abs=1)
    assert bars[-1].width / bars[0].width > 5
    naming = naming_of(found.system, found.axes)
    for result in found.results:
        own = pills(result.matrix, naming, width)
        products = dict.fromkeys(naming.axes, 1)
        for _, _, pill in own.placed:
            if pill.axis >= 0:
                name, factor = pill.text.split()
                assert name == naming.axes[pill.axis]
                products[name] *= int(factor)
        assert tuple(products.values()) == naming.axis_sizes
        assert own.width <= width
        assert f"{naming.words(result.matrix)} ({result.matrix}): best" in drawing.description


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_bars_stand_beside_or_below_their_pills_and_rows_apart(width):
    found = report((4, 4), (4, 4), (1,))
    rows = rows_of([result.matrix for result in found.results], naming_of(found.system, found.axes), width, 30.0)
    assert rows.above is (width == NARROW)
    for row, name in enumerate(rows.names):
        below = rows.name_top(row) + (LINE * (name.lines - 1)) + 16
        assert (rows.middle(row) - 8 >= below) is rows.above
        assert rows.tops[row] <= rows.name_top(row) < rows.middle(row) + 8 <= rows.tops[row + 1]
        assert rows.above or name.width < rows.left


def test_times_that_are_too_long_are_cut_off_with_their_ticks_and_said_to_be():
    found = report((4, 4), (4, 4), (1,))
    assert not is_cut(found)
    first, *others = found.results
    edge = replace(
        found, results=(replace(first, seconds=(*first.seconds, MOST_OF_BEST * first.programs[0].seconds)), *others)
    )
    assert not is_cut(edge)
    slow = (*first.seconds, 300 * first.seconds[0])
    drawing = ranking_drawing(replace(found, results=(replace(first, seconds=slow), *others)))
    assert is_cut(replace(found, results=(replace(first, seconds=slow), *others)))
    ticks = [shape for shape in drawing.shapes if isinstance(shape, Ticks)]
    assert max(each.x + place for each in ticks for place in each.places) <= drawing.width - TIME_WIDTH


def test_of_many_placements_the_first_six_have_lines():
    found = report((4, 4), (4, 4), (1,))
    strokes = {
        shape.stroke
        for shape in sensitivity_drawing(replace(found, results=found.results * 3)).shapes
        if isinstance(shape, Polyline) and shape.stroke.startswith("series")
    }
    assert strokes == {f"series{number}" for number in range(6)}


def test_colours_are_those_of_the_coordinates_on_the_axis():
    found = report((4, 4), (4, 4), (1,))
    naming = naming_of(found.system, found.axes)
    for placement, axis in product(found.placements, range(2)):
        fills = [cell.fill for cell in placement_cells(placement, naming, axis)]
        own = [place[axis] for place in placement.coordinates]
        assert dict(zip(own, fills, strict=True)) == {value: tint(value, 4) for value in range(4)}
        assert len(set(zip(own, fills, strict=True))) == 4


def test_titles_are_the_numbers_of_the_units_whose_devices_stand_inside():
    """Of 64 nodes those of every kind are drawn, which are not the first ones."""
    naming, selection = (
        PlacementNames(("node", "gpu"), ("a", "b"), (8, 64)),
        selection_of(parse_matrix("4x2/16x4"), (1,), None),
    )
    frame = cluster_frame(selection, naming, PAGE_WIDTH)
    nodes = []
    cluster, *titles = box_titles(selection, naming, frame)
    for box, title in zip(frame.boxes[1], titles, strict=True):
        own = [
            device
            for device, cell in zip(selection.devices, frame.cells, strict=True)
            if box.x < cell.x < box.x + box.width and box.y < cell.y < box.y + box.height
        ]
        (node,) = {device // 8 for device in own}
        assert title == f"node {node}"
        nodes.append(node)
    assert cluster == f"cluster: {len(nodes)} of 64 node drawn"
    assert max(nodes) > len(nodes)


def test_pills_that_do_not_fit_go_to_the_next_line():
    naming = PlacementNames(("node", "gpu"), ("alpha", "beta", "gamma"), (4, 4, 4))
    matrix = parse_matrix("2x2/2x2/2x2")
    one, several = pills(matrix, naming, 1000), pills(matrix, naming, 150)
    assert (one.lines, several.lines) == (1, 4)
    assert several.width <= 150 < one.width
    assert [pill.text for _, _, pill in several.placed] == [pill.text for _, _, pill in one.placed]
    for pair in pairwise(several.placed):
        (x, line, pill), (after, other, _) = pair
        assert other > line or after >= x + pill.width


def test_text_of_a_figure_is_escaped_and_printable():
    label = TextLabel(0, 0, 'a<b & "c"\x00\u202e')
    root = fromstring(svg_text(Drawing(1, 1, (label,), "<t>\x01", "&amp;")))
    assert isinstance(root, Element)
    assert root.find(f"{SVG}text").text == 'a<b & "c"\ufffd\ufffd'
    assert root.find(f"{SVG}title").text == "<t>\ufffd"
    assert root.find(f"{SVG}desc").text == "&amp;"


def luminance(colour):
    parts = [part / 255 for part in bytes.fromhex(colour[1:])]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_text_is_readable_on_every_ground(theme):
    grounds = ["page", "surface", "inset"]
    cells = [*(f"tint{n}" for n in range(TINTS)), *(f"group{n}" for n in range(GROUPS)), "soft", "inset"]
    pairs = [*product(["ink", "muted", "accent"], grounds), *(("ink", cell) for cell in cells), ("onaccent", "accent")]
    for text, ground in pairs:
        assert contrast(theme[text], theme[ground]) >= 4.5, (text, ground)
    for line, ground in product(
        ["accent", "edge", "computing", "sending", *(f"series{n}" for n in range(SERIES))], ["page", "surface"]
    ):
        assert contrast(theme[line], theme[ground]) >= 3, (line, ground)
    for cell in cells:
        assert contrast(theme["accent"], theme[cell]) >= 3, cell


def test_contrast_is_counted_as_wcag_does():
    assert isclose(contrast("#000000", "#ffffff"), 21)
    assert isclose(contrast("#777777", "#ffffff"), 4.478, rel_tol=1e-3)


def test_the_style_names_every_paint():
    style = palette_style()
    assert LIGHT.keys() == DARK.keys()
    for name in LIGHT:
        assert f".fill-{name}{{" in style
        assert f"--{name}:{DARK[name]};" in style


@given(st.integers(0, 100_000))
def test_letters_are_different_and_in_order(number):
    one, other = group_letter(number), group_letter(number + 1)
    assert (len(one), one) < (len(other), other)


@given(st.floats(1e-9, 1e3), st.floats(1.5, 1e9))
def test_scales_keep_order_and_their_ticks_are_on_them(least, ratio):
    begin, end = decades(least, least * ratio)
    assert begin <= least * (1 + 1e-9)
    assert least * ratio <= end * (1 + 1e-9)
    for scale in (LinearScale(least * ratio, 10.0, 500.0), LogarithmicScale(begin, end, 10.0, 500.0)):
        places = [scale.place(tick) for tick in scale.ticks]
        assert places == sorted(places)
        assert 2 <= len(places) <= 24
        assert min(places) >= 10 - 1e-6
        assert max(places) <= 500 + 1e-6
    assert scale.place(begin / 7) == scale.place(begin) == 10.0


def test_the_last_tick_is_not_lost_by_rounding():
    """0.3 / 0.1 is a little less than three."""
    for power in range(-9, 9):
        for digits in (3, 6, 7, 9, 12, 21):
            most = float(f"{digits}e{power}")
            ticks = LinearScale(most, 0, 100).ticks
            step = ticks[1]
            assert most - ticks[-1] < step * 0.999


def test_of_a_step_the_part_of_the_payload_that_devices_hold_is_drawn():
    step = SimpleNamespace(among=2, roots=(0, 1, 0, -1), held=(64, 16, 0, 8))
    cells = step_cells(SimpleNamespace(devices=(4, 5, 6, 7)), step, 64, followed=1)
    assert [cell.held for cell in cells] == [1.0, 0.25, 0.0, 0.125]
    assert [(cell.number, cell.text, cell.fill, cell.followed) for cell in cells] == [
        (4, "A", "group0", False),
        (5, "B", "group1", True),
        (6, "A", "group0", False),
        (7, "", "inset", False),
    ]
