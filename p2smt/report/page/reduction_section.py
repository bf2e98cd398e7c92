"""The sections of the report of one reduction: its programs step by step, their ranking, sensitivity to the payload."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement

from p2smt.cost.crossovers import Crossover, known_changes
from p2smt.cost.extrapolation import extrapolation_text, is_extrapolated
from p2smt.problem.quantity import format_bytes, format_seconds
from p2smt.report.content.content import PlacementResult, Report
from p2smt.report.content.naming import Naming, shape_text
from p2smt.report.figures.ranking_chart import ranking_drawing
from p2smt.report.figures.sensitivity_chart import sensitivity_drawing
from p2smt.report.page.element import element, table
from p2smt.report.page.page_contents import PageContents
from p2smt.report.page.sections import chart, cluster_section, problem_section, section
from p2smt.report.page.steps_section import steps_section
from p2smt.wording import counted


def reduction_contents(report: Report, naming: Naming) -> PageContents:
    """What the page of one reduction has that those of others have not."""
    names = [_placement_name(result) for result in report.results]
    title = f"Reduction over {_reduced(report)}"
    problem = problem_section(report, "problem", "The problem")
    if report.placements:
        cluster = cluster_section(report, naming, names)
        chapters = [("Cluster", cluster), (title, _reduction_section(report, title, naming, names))]
    else:
        none = element("p", "The search stopped before it had searched a placement; give it more time.")
        chapters = [("Cluster", section("cluster", "The cluster", none))]
    return PageContents(
        f"Placements and reduction programs for {shape_text(report.system.levels)}",
        (_lead(report, title),),
        (("Problem", problem), *chapters),
        tuple(result.programs for result in report.results),
    )


def _reduced(report: Report) -> str:
    """Which axes are reduced over, and how much."""
    problem = report.problem
    axes = ", ".join(problem.axes[axis].name for axis in problem.reduce)
    return f"{axes}, {format_bytes(problem.payload.bytes)} of {problem.payload.dtype} per device"


def _placement_name(result: PlacementResult) -> str:
    best = format_seconds(result.programs[0].seconds) if result.programs else "no program"
    return f"{result.matrix} · {best}"


def _lead(report: Report, title: str) -> str:
    """The answer in a sentence or two."""
    all_of = f"INCOMPLETE ({report.why})" if report.why else "all there are"
    counts = f"{counted(report.total, 'program')} on {counted(report.found, 'placement')}, {all_of} within the limit."
    best = min((one for one in report.results if one.programs), key=lambda r: r.programs[0].seconds, default=None)
    if best is None:
        return f"No program was found: {counts}"
    program = best.programs[0]
    gain = best.allreduce_seconds / program.seconds if program.seconds else 1.0
    claimed = not is_extrapolated(report.system, report.problem.payload.bytes)
    against = "" if gain < 1.005 or not claimed else f", {gain:.2f} times as fast as one AllReduce there"
    return (
        f"{title}: {format_seconds(program.seconds)} on placement {best.matrix} with {program.text}{against}. {counts}"
    )


def _reduction_section(report: Report, title: str, naming: Naming, names: Sequence[str]) -> Element:
    if not any(result.programs for result in report.results):
        none = element("p", "On no placement does a program do this reduction within the limit.")
        return section("reduction", title, none)
    return section(
        "reduction",
        title,
        _steps(report, naming, names),
        _ranking_section(report),
        _sensitivity_section(report),
    )


def _steps(report: Report, naming: Naming, names: Sequence[str]) -> Element:
    result = report.results[report.opened]
    if not result.programs:
        return element("p", f"On placement {result.matrix} no program does this reduction within the limit.")
    return steps_section(report, naming, names, result.programs, 0, "Program")


def _ranking_section(report: Report) -> Element:
    caption = "Predicted seconds; placements fastest first."
    if report.others is not None:
        fastest, slowest = map(format_seconds, report.others)
        caption += f" The best programs on the placements left out take {fastest} to {slowest}."
    drawing = chart(ranking_drawing(report), "ranking-words", caption)
    return section("ranking", "Ranking", drawing, _ranking_table(report), level="h3")


def _ranking_table(report: Report) -> Element:
    """The first programs of every placement; the placement's cells span its programs' rows."""
    columns = ("Placement", "Levels", "Programs", "One AllReduce", "Rank", "Time", "Speed-up", "Program")
    found = table("The best programs of every placement", columns, (), numbers=(2, 3, 4, 5, 6))
    inner = found[0]
    inner.remove(inner[-1])
    claimed = not is_extrapolated(report.system, report.problem.payload.bytes)
    for result in report.results:
        body = SubElement(inner, "tbody")
        span = {"rowspan": str(max(len(result.programs), 1))}
        head = SubElement(body, "tr")
        head.append(element("th", element("code", str(result.matrix)), scope="rowgroup", **span))
        head.append(element("td", "×".join(map(str, result.levels)) or "1", **span))
        for text in (str(result.count), format_seconds(result.allreduce_seconds)):
            head.append(element("td", text, class_="number", **span))
        _program_rows(body, head, result, claimed=claimed)
    return found


def _program_rows(body: Element, head: Element, result: PlacementResult, *, claimed: bool) -> None:
    if not result.programs:
        head.append(element("td", "no program within the limit", colspan="4"))
    for number, (rank, program) in enumerate(zip(result.ranks, result.programs, strict=True)):
        row = SubElement(body, "tr") if number else head
        gain = f"{result.allreduce_seconds / program.seconds:.2f}×" if program.seconds and claimed else "–"
        row.extend(element("td", text, class_="number") for text in (str(rank), format_seconds(program.seconds), gain))
        row.append(element("td", element("code", program.text)))


def _sensitivity_section(report: Report) -> Element:
    caption = (
        "The time of the best program of each of the fastest placements, both scales logarithmic. At a ring on a line "
        f"another program begins to win there; {extrapolation_text(report.system)}."
    )
    rows = [
        (_begin(crossover), str(crossover.best.lowering.matrix), element("code", crossover.best.text))
        for crossover in known_changes(report.crossovers, report.system.known_from)
    ]
    overall = table("What wins at which payload, of all placements", ("Payload", "Placement", "Program"), rows)
    own_rows = [
        (element("code", str(result.matrix)), _begin(crossover), element("code", crossover.best.text))
        for result in report.results
        for crossover in known_changes(result.crossovers, report.system.known_from)
    ]
    single = table("What wins at which payload on one placement", ("Placement", "Payload", "Program"), own_rows)
    return section(
        "sensitivity",
        "Sensitivity to the payload",
        chart(sensitivity_drawing(report), "sensitivity-words", caption),
        overall,
        element("details", element("summary", "On every placement alone"), single),
        level="h3",
    )


def _begin(crossover: Crossover) -> str:
    return f"from {format_bytes(crossover.least_bytes)}"
