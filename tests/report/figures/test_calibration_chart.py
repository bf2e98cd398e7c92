"""The chart of a fit to tables: where dots and lines are, held to bus bandwidths counted by hand."""

from itertools import pairwise

import pytest
from cost.calibration import logs

from p2smt.cost.calibration.fit_measured import fit_measured
from p2smt.cost.calibration.nccl_tests import read_nccl_text
from p2smt.problem.system.text import find_system
from p2smt.report.figures.calibration_chart import calibration_drawing
from p2smt.report.figures.shapes import Dot, Polyline, TextLabel

SIZES = (2**20, 2**24, 2**28, 2**32)


def drawing(system, sizes=SIZES):
    text = logs.table(logs.points(8, logs.twice, 220e9, 3e-5, sizes), 1, 8, name="all_reduce")
    described = find_system(system)
    fit = fit_measured(described, read_nccl_text(text, "a.log", described, None).measurements)
    return calibration_drawing(fit, described), fit


def test_dots_are_measured_rates_and_a_dashed_line_is_of_a_named_system():
    drawn, fit = drawing("dgx-a100:1x8")
    dots = [shape for shape in drawn.shapes if isinstance(shape, Dot)]
    ticks = {shape.text: shape.y - 4 for shape in drawn.shapes if isinstance(shape, TextLabel) and "GB/s" in shape.text}
    per_rate = (ticks["0 GB/s"] - ticks["100 GB/s"]) / 100
    measured = [row.measurement.size * 1.75 / row.measurement.seconds / 1e9 for row in fit.rows]
    assert [(ticks["0 GB/s"] - dot.y) / per_rate for dot in dots] == pytest.approx(measured, rel=0.01)
    steps = [after.x - before.x for before, after in pairwise(dots)]
    assert steps == pytest.approx([steps[0]] * 3)
    curves = [shape for shape in drawn.shapes if isinstance(shape, Polyline) and len(shape.points) == 4]
    assert [bool(line.dash) for line in curves] == [False, True]
    assert f"all_reduce all of 4 GiB: {measured[-1]:.4g} GB/s measured" in drawn.description


def test_levels_alone_have_no_dashed_line():
    drawn, _ = drawing("node:1,gpu:8", SIZES[2:])
    assert not any(shape.dash for shape in drawn.shapes if isinstance(shape, Polyline))
    assert not any("dashed" in shape.text for shape in drawn.shapes if isinstance(shape, TextLabel))
