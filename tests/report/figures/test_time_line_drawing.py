"""The time line of a schedule as a drawing: boxes where spans run, as high as resources are busy in them."""

from collections import defaultdict

import pytest

from p2smt.problem.quantity import format_seconds
from p2smt.problem.system.text import find_system
from p2smt.report.figures.shapes import Box, TextLabel
from p2smt.report.figures.time_line_drawing import time_line_drawing
from p2smt.schedule.check import check_schedule
from p2smt.schedule.cost.machine import Machine
from p2smt.schedule.explained import explained
from p2smt.schedule.text.parser import parse_schedule
from p2smt.tensor.text.parser import parse_program

TAIL = """program tail
input x : f32[1024, 512] partial(+)
parameter b : f32[512]
sum = AllReduce(x)
out = relu(sum + b)
output out
"""
STEPS = "rs, ag = split sum rs-ag\ns, whole = reorder ag past out\noverlap rs, s, whole chunks 4 dim 1\n"
ROW, WIDTH, LABEL = 22.0, 10_190.0, 190.0
"""As wide as that a pixel is a ten-thousandth of the time."""


@pytest.fixture(scope="module")
def line():
    checked = check_schedule(parse_program(TAIL), parse_schedule(STEPS), 4)
    return explained(checked, Machine.of(find_system("dgx-h100:1x4"))).time_line


def rows(line, fill):
    """Boxes by their lower edges, from the top down."""
    found = defaultdict(list)
    for shape in time_line_drawing(line, WIDTH).shapes:
        if isinstance(shape, Box) and shape.fill.startswith(fill):
            found[round(shape.y + shape.height, 6)].append(shape)
    return [found[edge] for edge in sorted(found)]


def test_spans_stand_where_they_run_a_row_for_each_stage(line):
    stages = list(dict.fromkeys(span.stage for span in line.spans))
    assert len(stages) > 2
    scale = (WIDTH - LABEL) / line.seconds
    for boxes, stage in zip(rows(line, "group"), stages, strict=True):
        spans = [(span.start, span.end) for span in line.spans if span.stage == stage]
        assert [(box.x, box.x + box.width) for box in boxes] == [
            pytest.approx((LABEL + start * scale, LABEL + end * scale), abs=0.5) for start, end in spans
        ]


def test_the_area_of_a_resource_is_the_time_for_which_it_is_busy(line):
    scale = (WIDTH - LABEL) / line.seconds
    used = [(name, seconds) for name, seconds in line.busy if seconds]
    assert len(used) > 1
    for boxes, (name, seconds) in zip(rows(line, "muted"), used, strict=True):
        assert sum(box.width * box.height for box in boxes) / (ROW * scale) == pytest.approx(seconds, rel=0.02), name
        assert max(box.height for box in boxes) <= ROW


def test_the_axis_goes_from_nothing_to_the_end(line):
    texts = [
        shape for shape in time_line_drawing(line, WIDTH).shapes if isinstance(shape, TextLabel) and shape.size == 11
    ]
    assert [label.text for label in texts] == [format_seconds(line.seconds * part / 4) for part in range(5)]
    assert [label.x for label in texts] == pytest.approx([LABEL + (WIDTH - LABEL) * part / 4 for part in range(5)])
