"""The chart of a job's placements: as long as the phases take."""

from dataclasses import replace
from itertools import groupby, pairwise

import pytest
from command_line import golden
from hypothesis import given, settings
from job.jobs import jobs
from report_support import example_job, example_report, job_report_of, optimum
from tiers import examples, sample

from p2smt.problem.quantity import format_seconds
from p2smt.problem.workload import GOALS
from p2smt.report.figures.chart_rows import WIDE
from p2smt.report.figures.job_ranking_chart import MOST_OF_BEST, job_ranking_drawing
from p2smt.report.figures.shapes import Box, TextLabel, on_paper
from p2smt.report.figures.svg import svg_text


def bars(drawing, phases):
    """The boxes of every bar, top down; the first boxes are those of the legend."""
    boxes = [shape for shape in drawing.shapes if isinstance(shape, Box) and shape.role == "phase"][phases:]
    return [list(row) for _, row in groupby(boxes, key=lambda box: box.y)]


def test_a_small_chart_is_as_it_was():
    drawing = job_ranking_drawing(example_report("job"))
    golden("report_ranking_job.svg", svg_text(on_paper(drawing)))


@given(jobs(goals=GOALS))
@settings(max_examples=examples(3))
def test_parts_are_as_long_as_the_phases_take(job):
    said = job_report_of(optimum(job))
    lengths, seconds = [], []
    rows = bars(job_ranking_drawing(said), len(said.times[0].phases))
    kept = [time for time in said.times if time.seconds]
    for row, time in zip(rows, kept, strict=True):
        parts = [phase.seconds for phase in time.phases if phase.seconds]
        assert row[0].x == rows[0][0].x
        assert all(after.x == pytest.approx(before.x + before.width) for before, after in pairwise(row))
        if time.seconds <= MOST_OF_BEST * kept[0].seconds and len(row) == len(parts):
            assert time.seconds == pytest.approx(sum(parts))
            lengths += [box.width for box in row]
            seconds += parts
        assert row[-1].x + row[-1].width <= WIDE
    rate = sum(lengths) / sum(seconds) if seconds else 1.0
    assert lengths == pytest.approx([rate * part for part in seconds], abs=1e-6)


@pytest.mark.parametrize("name", sample(["moe", "dense-70b", "long-context"], 1))
def test_parts_of_the_examples_are_as_long_as_the_phases_take(name):
    said = example_report(name)
    rows = bars(job_ranking_drawing(said), len(said.times[0].phases))
    rate = sum(box.width for box in rows[0]) / said.times[0].seconds
    for row, time in zip(rows, said.times, strict=True):
        assert [box.width for box in row] == pytest.approx([rate * phase.seconds for phase in time.phases])


def test_very_long_bars_are_cut_off_and_marked():
    said = example_report("job")
    first, second, third = said.times
    longer = replace(
        said,
        times=(
            first,
            second,
            replace(
                third,
                seconds=40 * first.seconds,
                phases=tuple(replace(phase, seconds=40 * phase.seconds) for phase in first.phases),
            ),
        ),
    )
    drawing = job_ranking_drawing(longer)
    rows = bars(drawing, len(first.phases))
    ends = [row[-1].x + row[-1].width for row in rows]
    begin = rows[0][0].x
    assert (ends[2] - begin) / (ends[0] - begin) == pytest.approx(MOST_OF_BEST)
    assert len([shape for shape in drawing.shapes if getattr(shape, "stroke", "") == "surface"]) == 2
    labels = [shape.text for shape in drawing.shapes if isinstance(shape, TextLabel)]
    assert format_seconds(40 * first.seconds) in labels


def test_names_are_in_the_legend_on_one_line():
    job = example_job("job")
    named = tuple(replace(one, name=f"<{n}>\nnext \u6f22\u5b57{'x' * 90}") for n, one in enumerate(job.reductions))
    drawing = job_ranking_drawing(job_report_of(optimum(replace(job, reductions=named))), 860.0)
    legend = [shape for shape in drawing.shapes if isinstance(shape, TextLabel) and shape.text.startswith("<")]
    assert [label.text[:10] for label in legend] == ["<0> next 漢", "<2> next 漢", "<3> next 漢"]
    assert all(len(label.text) <= 60 for label in legend)
    assert len({label.y for label in legend}) == 3
