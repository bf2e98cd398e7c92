"""The chart of the best splits: bars are the steps to one scale, made of all their parts."""

from collections import Counter
from dataclasses import fields

import pytest

from p2smt.job.step.advise import advise
from p2smt.job.step.grid import FixedDegrees
from p2smt.job.step.split_words import split_words
from p2smt.job.step.step_time import StepTime
from p2smt.problem.quantity import format_seconds
from p2smt.report.figures.chart_rows import NARROW
from p2smt.report.figures.shapes import Box, TextLabel
from p2smt.report.figures.splits_chart import KINDS, PAINTS, splits_drawing


def test_every_part_of_a_step_has_one_colour():
    counts = Counter(part for parts in KINDS.values() for part in parts)
    assert counts == dict.fromkeys({one.name for one in fields(StepTime)} - {"hidden"}, 1)
    assert len({*PAINTS}) == len(PAINTS) == len(KINDS)


def test_bars_are_as_long_as_their_steps():
    found = advise("mixtral-8x7b", "dgx-h100:4x8", batch=256, keep=4, fixed=FixedDegrees(pp=2, micro_batch=1, cp=1))
    drawn = splits_drawing(found)
    bars = {}
    for box in (shape for shape in drawn.shapes if isinstance(shape, Box) and shape.height > 12):
        bars.setdefault(box.y, []).append(box)
    assert len(bars) == len(found.best) == 4
    lengths = [sum(box.width for box in row) for row in bars.values()]
    steps = [one.seconds for one in found.best]
    assert [length / lengths[-1] for length in lengths] == pytest.approx([step / steps[-1] for step in steps])
    first = {box.fill: box.width for box in next(iter(bars.values()))}
    waits = list(KINDS).index("stages that wait")
    assert first[PAINTS[waits]] / lengths[0] == pytest.approx(found.best[0].time.bubble / steps[0])
    assert all(box.x >= 0 and box.x + box.width <= drawn.width for row in bars.values() for box in row)
    keys = [shape for shape in drawn.shapes if isinstance(shape, TextLabel) and shape.text in KINDS]
    assert [label.text for label in keys] == list(KINDS)
    assert max(label.y for label in keys) < drawn.height
    words = [shape.text for shape in splits_drawing(found, NARROW).shapes if isinstance(shape, TextLabel)]
    assert max(map(len, words)) <= NARROW / 6
    assert " ".join(words[: words.index(format_seconds(steps[0]))]) == split_words(found.best[0].split)


def test_without_a_split_that_fits_it_says_so():
    found = advise("llama-405b", "dgx-h100:1x8", batch=8, keep=1, fixed=FixedDegrees(tp=8, micro_batch=1))
    assert splits_drawing(found).description == "No split fits."
