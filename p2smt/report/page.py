"""The report as one HTML file that needs nothing else and reaches nothing else."""

from base64 import b64encode
from hashlib import sha256
from importlib import resources
from xml.etree.ElementTree import Element

from p2smt.problem.quantity import format_seconds
from p2smt.report.cluster_drawing import Cell, cluster_shapes
from p2smt.report.content import Report
from p2smt.report.element import element, html
from p2smt.report.frame import Frame
from p2smt.report.naming import Naming, naming_of
from p2smt.report.page_data import frame_counts, json_text, page_data
from p2smt.report.palette import palette_style
from p2smt.report.reduction_section import reduction_section, reduction_title
from p2smt.report.sections import cluster_section, problem_section, reading_section, section
from p2smt.report.shapes import Drawing
from p2smt.report.svg import svg_element


def page_text(report: Report) -> str:
    """The whole page. Same report, same text; no string of the problem can become markup or script."""
    naming = naming_of(report.system, report.axes)
    style, script = palette_style() + _packaged("style.css"), _packaged("script.js")
    title = f"p2smt: {_levels_text(report)}"
    policy = (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    # The policy stands before all that it speaks of.
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", title),
        element("style", style),
    )
    body = element("body", _header(report), _main(report, naming), _footer(report))
    if report.placements:
        data = json_text(page_data(report, naming))
        body.extend(_templates(report, naming))
        body.append(element("script", data, type="application/json", id="data"))
        body.append(element("script", script))
    return f"<!DOCTYPE html>\n{html(element('html', head, body, lang='en'))}\n"


def _levels_text(report: Report) -> str:
    return " × ".join(f"{level.name} {level.size}" for level in report.system.levels)


def _header(report: Report) -> Element:
    contents = [("problem", "Problem"), ("cluster", "Cluster")]
    contents += [(f"reduction-{number}", reduction_title(one)) for number, one in enumerate(report.reductions)]
    shown = contents if report.placements else contents[:1]
    links = (element("li", element("a", name, href=f"#{identity}")) for identity, name in (*shown, _READING))
    return element(
        "header",
        element("p", "p2smt report", class_="kicker"),
        element("h1", f"Placements and reduction programs for {_levels_text(report)}"),
        *(element("p", text, class_="lead") for text in _lead(report)),
        element("nav", element("ul", *links), aria_label="Contents"),
    )


_READING = ("reading", "How to read this")


def _lead(report: Report) -> list[str]:
    """The answer in a sentence or two per reduction."""
    found = []
    for reduction in report.reductions:
        all_of = f"INCOMPLETE ({reduction.why})" if reduction.why else "all there are"
        counts = f"{reduction.total} programs on {report.found} placements, {all_of} within the limit."
        best = min((r for r in reduction.results if r.programs), key=lambda r: r.programs[0].seconds, default=None)
        if best is None:
            found.append(f"No program was found: {counts}")
            continue
        program = best.programs[0]
        gain = best.allreduce_seconds / program.seconds if program.seconds else 1.0
        against = "" if gain < 1.005 else f", {gain:.2f} times as fast as one AllReduce there"
        found.append(
            f"{reduction_title(reduction)}: {format_seconds(program.seconds)} on placement {best.matrix} with "
            f"{program.text}{against}. {counts}"
        )
    return found


def _main(report: Report, naming: Naming) -> Element:
    found = element("main", problem_section(report))
    if not report.placements:
        none = element("p", "The search stopped before it had searched a placement; give it more time.")
        found.append(section("cluster", "The cluster", none))
    else:
        names = [_placement_name(report, number) for number in range(len(report.placements))]
        found.append(cluster_section(report, naming, names))
        found.extend(reduction_section(report, number, naming, names) for number in range(len(report.reductions)))
    found.append(reading_section())
    return found


def _placement_name(report: Report, number: int) -> str:
    programs = [reduction.results[number].programs for reduction in report.reductions]
    total = format_seconds(sum(found[0].seconds for found in programs)) if all(programs) else "no program"
    return f"{report.placements[number].matrix} · {total}"


def _footer(report: Report) -> Element:
    versions = ", ".join(f"{name} {version}" for name, version in report.versions)
    return element("footer", element("p", f"Written by p2smt report ({versions}). This file is complete in itself."))


def _templates(report: Report, naming: Naming) -> list[Element]:
    """Empty drawings, one for every number of units drawn per level, for the script to fill."""
    found = []
    for number, counts in enumerate(frame_counts(report)):
        frame = Frame(counts, naming.cell_width)
        boxes = sum(map(len, frame.boxes))
        shapes = cluster_shapes(frame, [""] * boxes, [Cell(0, "", "inset", held=0.0)] * len(frame.cells))
        drawing = Drawing(frame.width, frame.height, shapes, "", "")
        found.append(element("template", svg_element(drawing), id=f"frame-{number}"))
    return found


def _packaged(name: str) -> str:
    return resources.files("p2smt.report").joinpath(name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    """The source expression that allows one inline text in a Content-Security-Policy."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
