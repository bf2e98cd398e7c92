"""Write a report as one HTML file that loads nothing else."""

from collections.abc import Sequence
from itertools import product
from typing import assert_never
from xml.etree.ElementTree import Element

from p2smt.report.content.content import JobReport, Report, ReportContent
from p2smt.report.content.naming import PlacementNames, levels_shape, naming_of
from p2smt.report.figures.cluster_drawing import Cell, cluster_shapes
from p2smt.report.figures.frame import PAGE_WIDTH, PHONE_WIDTH, ClusterFrame
from p2smt.report.figures.shapes import Drawing
from p2smt.report.figures.svg import svg_element
from p2smt.report.page.document import contents_list, footer, heading
from p2smt.report.page.element import element, html
from p2smt.report.page.head import head_element, packaged
from p2smt.report.page.job_section import job_contents
from p2smt.report.page.page_contents import PageContents
from p2smt.report.page.page_data import frame_shapes, json_text, page_data
from p2smt.report.page.reduction_section import reduction_contents
from p2smt.report.page.sections import reading_section


def page_text(report: Report | JobReport, command: Sequence[str] = ()) -> str:
    """Return the whole page; the text is deterministic, and no string of the problem can become markup or script.

    `command` is the command line that produced the page, shown in the footer.
    """
    naming = naming_of(report.system, report.axes)
    contents = _contents(report, naming)
    script = packaged("script.js")
    head = head_element(f"p2smt: {levels_shape(report.system)}", script)
    chapters = (*contents.chapters, ("How to read this", reading_section(contents.reading)))
    answer = [] if contents.answer is None else [contents.answer]
    main = element("main", *answer, contents_list(chapters), *(chapter for _, chapter in chapters))
    header = heading(contents.subject, contents.heading, contents.lead)
    body = element("body", header, main, footer(report.versions, command))
    if report.placements:
        data = json_text(page_data(report, contents, naming))
        body.extend(_templates(report, naming))
        body.append(element("script", data, type="application/json", id="data"))
        body.append(element("script", script))
    return f"<!DOCTYPE html>\n{html(element('html', head, body, lang='en'))}\n"


def _contents(report: Report | JobReport, naming: PlacementNames) -> PageContents:
    match report:
        case Report():
            return reduction_contents(report, naming)
        case JobReport():
            return job_contents(report, naming)
        case _:
            assert_never(report)


def _templates(shown: ReportContent, naming: PlacementNames) -> list[Element]:
    """Return empty drawings for the page's script to fill, one for pages and one for phones per distinct shape."""
    found = []
    widths = (("frame", PAGE_WIDTH), ("phone", PHONE_WIDTH))
    for (number, shape), (name, widest) in product(enumerate(frame_shapes(shown)), widths):
        frame = ClusterFrame(shape, naming.cell_width, widest)
        boxes = sum(map(len, frame.boxes))
        shapes = cluster_shapes(frame, [""] * boxes, [Cell(0, "", "inset", held=0.0)] * len(frame.cells))
        drawing = Drawing(frame.width, frame.height, shapes, "", "")
        found.append(element("template", svg_element(drawing), id=f"{name}-{number}"))
    return found
