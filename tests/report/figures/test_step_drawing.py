"""The time line of a step as a drawing: boxes as long as what they stand for, few of them however many kernels."""

import pytest

from p2smt.cost.computing.time_line import Queue, StepTask, time_line
from p2smt.report.figures.shapes import Box, TextLabel
from p2smt.report.figures.step_drawing import step_drawing

LABEL = 130.0


def boxes(tasks):
    drawing = step_drawing(time_line(tasks), LABEL + 900.0)
    rows = {shape.y - 17: shape.text for shape in drawing.shapes if isinstance(shape, TextLabel) and shape.x == 0}
    found = [(rows[shape.y], shape.x - LABEL, shape.width) for shape in drawing.shapes if isinstance(shape, Box)]
    return drawing, found


def test_boxes_are_where_the_queues_are_busy():
    tasks = [
        StepTask(name="a", queue=Queue.COMPUTING, duration=3, launch=1),
        StepTask(name="sum", queue=Queue.COMMUNICATION, duration=5, launch=1, after=(0,)),
        StepTask(name="b", queue=Queue.COMPUTING, duration=4, launch=1),
    ]
    drawing, found = boxes(tasks)  # 9 in all: a from 1 to 4, the sum from 4 to 9, b from 4 to 8
    assert found == [
        ("host", 0, pytest.approx(300)),
        ("computing", pytest.approx(100), pytest.approx(700)),
        ("communication", pytest.approx(400), pytest.approx(500)),
    ]
    paints = {shape.fill for shape in drawing.shapes if isinstance(shape, Box)}
    assert paints == {"muted", "computing", "sending"}  # as in the charts of stages; accent is for what is best
    assert drawing.description.endswith("busy: host 0.003 ns, computing 0.007 ns, communication 0.005 ns.")


def test_thousands_of_kernels_are_few_boxes():
    tasks = [StepTask(name=str(number), queue=Queue.COMPUTING, duration=2, launch=1) for number in range(5000)]
    _, found = boxes(tasks)
    assert [name for name, _, _ in found] == ["host", "computing"]


@pytest.mark.parametrize(("width", "times"), [(LABEL + 900.0, 5), (LABEL + 222.0, 4), (LABEL + 60.0, 2)])
def test_times_below_the_axis_keep_apart(width, times):
    drawing = step_drawing(time_line([StepTask(name="a", queue=Queue.COMPUTING, duration=15, launch=1)]), width)
    assert len([shape for shape in drawing.shapes if isinstance(shape, TextLabel) and shape.size == 11]) == times
