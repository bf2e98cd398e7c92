"""Section on a chunked plan: its time line as a figure, in words and as a table."""

from xml.etree.ElementTree import Element

from p2smt.cost.chunk_time_line import time_line_columns, time_line_rows
from p2smt.cost.network.pipelining import WORTH
from p2smt.problem.quantity import format_seconds
from p2smt.report.content.content import ChunksContent
from p2smt.report.content.naming import PlacementNames
from p2smt.report.figures.chart_rows import NARROW
from p2smt.report.figures.chunks_drawing import chunks_drawing
from p2smt.report.page.answer_section import named
from p2smt.report.page.element import element, table
from p2smt.report.page.sections import chart, section

_CAPTION = (
    "Steps of different chunks run at once; in a slot every chunk on its way does its next step, and the next slot "
    "begins when all are done. Numbers in boxes are those of chunks. In the rows of links and memory the height is the "
    "part of a slot for which they are busy, and the percentage that of the whole time."
)


def chunks_section(content: ChunksContent, naming: PlacementNames) -> Element:
    """Return the section: the time of the chunked plan beside the best unchunked program, and the time line."""
    line = content.line
    columns = ["Slots", "Begin", "Each takes", "Waits for"]
    columns += [f"Chunks in step {name}" for name in time_line_columns(line)[4 : 4 + len(line.stages)]]
    columns += line.resources
    return section(
        "chunks",
        "In chunks",
        element("p", "On ", named(content.matrix, naming), ": ", element("code", content.text)),
        element("p", _sentence(content)),
        chart(chunks_drawing(line), chunks_drawing(line, NARROW), "chunks-words", _CAPTION),
        table("Slots, those alike in one row", columns, time_line_rows(line), numbers=_numbers(len(columns))),
        level="h3",
    )


def _numbers(columns: int) -> list[int]:
    """Return the indices of the numeric columns: all except column 3, "Waits for"."""
    return [0, 1, 2, *range(4, columns)]


def _sentence(content: ChunksContent) -> str:
    text = f"{content.chunks} chunks take {format_seconds(content.seconds)}"
    if content.alone is None or not content.seconds:
        return f"{text}."
    alone = f"the best program in one piece takes {format_seconds(content.alone)} there"
    gain = content.alone / content.seconds
    return f"{text}; {alone}, {gain:.2f} times as long." if gain >= WORTH else f"{text}; {alone}."
