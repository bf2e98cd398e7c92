"""Section on the whole step of a job's split, beside the fastest splits of the same model: a stacked bar each."""

from xml.etree.ElementTree import Element

from p2smt.job.step.split_words import split_words
from p2smt.problem.quantity import format_bytes, format_seconds
from p2smt.report.content.content import StepsContent
from p2smt.report.figures.chart_rows import NARROW
from p2smt.report.figures.splits_chart import seconds_by_kind, splits_drawing
from p2smt.report.page.element import element, table
from p2smt.report.page.sections import chart, section

_CAPTION = (
    "Predicted seconds of a step, computing included, in the usual order of axes (Megatron-LM); the job's own split is "
    "in bold. The other splits have the same model, batch and devices, and fit into memory."
)


def splits_section(steps: StepsContent) -> Element:
    """Return the chart and the table of splits, fastest first."""
    found = steps.found
    kinds = list(seconds_by_kind(found.best[0].time))
    rows = [
        (
            element("strong", split_words(one.split)) if one.split == steps.own else split_words(one.split),
            format_seconds(one.seconds),
            format_bytes(one.memory.total),
            *(format_seconds(seconds) if seconds else "–" for seconds in seconds_by_kind(one.time).values()),
        )
        for one in found.best
    ]
    wide, narrow = splits_drawing(found, own=steps.own), splits_drawing(found, NARROW, steps.own)
    return section(
        "splits",
        "The whole step, and other splits",
        chart(wide, narrow, "splits-words", _CAPTION),
        table(
            "Seconds of a step by cause",
            ("Split", "Step", "Memory", *kinds),
            rows,
            numbers=range(1, len(kinds) + 3),
            class_="splits",
        ),
    )
