"""Sections of a reduction's report: programs step by step, their ranking, and sensitivity to the payload size."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement

from p2smt.cost.above_wire import above_text
from p2smt.cost.bus_bandwidth import RATE, problem_bus_bandwidth, rate_cell
from p2smt.cost.crossovers import Crossover, known_changes
from p2smt.cost.extrapolation import extrapolation_text, is_extrapolated
from p2smt.problem.model import Problem
from p2smt.problem.quantity import format_bytes, format_seconds
from p2smt.report.content.answer import reduction_answer
from p2smt.report.content.content import PlacementResult, Report
from p2smt.report.content.naming import PlacementNames, levels_shape
from p2smt.report.content.program_content import LOCAL
from p2smt.report.figures.chart_rows import NARROW
from p2smt.report.figures.ranking_chart import MOST_OF_BEST, is_cut, ranking_drawing
from p2smt.report.figures.sensitivity_chart import sensitivity_drawing
from p2smt.report.page.answer_section import answer_section, headline, named
from p2smt.report.page.chunks_section import chunks_section
from p2smt.report.page.element import add, element, table
from p2smt.report.page.page_contents import PageContents
from p2smt.report.page.sections import chart, cluster_section, problem_section, section
from p2smt.report.page.steps_section import steps_section
from p2smt.wording import counted


def reduction_contents(report: Report, naming: PlacementNames) -> PageContents:
    """Return the contents specific to the page of one reduction."""
    names = [_placement_name(result, naming) for result in report.results]
    title = f"Reduction over {_reduced(report)}"
    problem = problem_section(report, "problem", "The problem")
    if report.placements:
        cluster = cluster_section(report, naming, names)
        chapters = [("Cluster", cluster), (title, _reduction_section(report, title, naming, names))]
    else:
        none = element("p", "The search stopped before it had searched a placement; give it more time.")
        chapters = [("Cluster", section("cluster", "The cluster", none))]
    answer, claimed = reduction_answer(report), not is_extrapolated(report.system, report.problem.payload.bytes)
    return PageContents(
        f"{title}, on {levels_shape(report.system)}",
        "No program was found" if answer is None else headline(answer, naming),
        _lead(report, claimed=claimed),
        None if answer is None else answer_section(answer, naming, claimed=claimed),
        (*chapters, ("Problem", problem)),
        tuple(result.programs for result in report.results),
        reading=_reading(report),
    )


def _reading(report: Report) -> tuple[str, ...]:
    """Return further remarks for irregular units."""
    if report.system.tree is None:
        return ()
    return (
        f"The units are of unlike size, {levels_shape(report.system)}: boxes hold the devices that there are, numbered "
        "by rank, and a matrix has the factors of the largest units. A group leaves out devices that there are not; "
        "where one member is left of a group, it does nothing in that step. Prices are counted hop by hop, for the "
        "groups of every size. Programs longer than the limit are not looked for.",
    )


def _reduced(report: Report) -> str:
    """Return the reduced axes and the payload, in words."""
    problem = report.problem
    axes = ", ".join(problem.axes[axis].name for axis in problem.reduce)
    return f"{axes}, {format_bytes(problem.payload.bytes)} of {problem.payload.dtype} per device"


def _placement_name(result: PlacementResult, naming: PlacementNames) -> str:
    best = format_seconds(result.programs[0].seconds) if result.programs else "no program"
    return f"{best} · {naming.words(result.matrix)} · {result.matrix}"


def _lead(report: Report, *, claimed: bool) -> tuple[str, ...]:
    """Return sentences on the best program's time and gain; `claimed` is false if the model must extrapolate."""
    all_of = f"INCOMPLETE ({report.why})" if report.why else "all there are"
    counts = f"{counted(report.total, 'program')} on {counted(report.found, 'placement')}, {all_of} within the limit."
    if report.late:
        counts += f" On {counted(report.late, 'placement')} there was no time to look for longer ones."
    best = min((one for one in report.results if one.programs), key=lambda r: r.programs[0].seconds, default=None)
    if best is None:
        return (f"No program was found: {counts}",)
    program = best.programs[0]
    if best.longer and not report.late:
        most = counted(report.search.limit, "instruction")
        counts += f" The fastest is longer than that, {most}: it is the cheapest of any length."
    if not program.steps:
        return ("Nothing has to be moved.", counts)
    gain = best.allreduce_seconds / program.seconds if program.seconds else 1.0
    steps = ", ".join(step.what for step in program.steps if step.what != LOCAL)
    plain = str(report.problem.goal)
    if not claimed:
        against = ""
    # A gain below half a per cent would print as 1.00 times.
    elif len(program.steps) == 1 or gain < 1.005:
        against = f"; on this placement no other program is faster than one {plain}"
    else:
        against = f", {gain:.2f} times as fast as one {plain} there"
    above = above_text(program.seconds, best.wire_seconds) if claimed else ""
    wire = f" That is {above} above the lower bound of the links, the least time for the bytes." if above else ""
    return f"{format_seconds(program.seconds)} with {steps}{against}.{wire}", counts


def _reduction_section(report: Report, title: str, naming: PlacementNames, names: Sequence[str]) -> Element:
    if not any(result.programs for result in report.results):
        none = element("p", "On no placement does a program do this reduction within the limit.")
        return section("reduction", title, none)
    return section(
        "reduction",
        title,
        _steps(report, naming, names),
        *([] if report.chunked is None else [chunks_section(report.chunked, naming)]),
        _ranking_section(report, naming),
        _sensitivity_section(report, naming),
    )


def _steps(report: Report, naming: PlacementNames, names: Sequence[str]) -> Element:
    result = report.results[report.opened]
    if not result.programs:
        return element("p", f"On placement {result.matrix} no program does this reduction within the limit.")
    return steps_section(report, naming, names, result.programs, 0, "Program")


def _ranking_section(report: Report, naming: PlacementNames) -> Element:
    caption = "Predicted seconds; placements fastest first."
    if is_cut(report):
        caption += f" What takes more than {MOST_OF_BEST:.0f} times the fastest is cut off."
    if report.others is not None:
        fastest, slowest = map(format_seconds, report.others)
        caption += f" The best programs on the placements left out take {fastest} to {slowest}."
    drawing = chart(ranking_drawing(report), ranking_drawing(report, NARROW), "ranking-words", caption)
    content = [drawing, *_no_bound(report), _ranking_table(report, naming)]
    return section("ranking", "Ranking", *content, level="h3")


def _no_bound(report: Report) -> list[Element]:
    """Return a paragraph that explains why no lower bound is shown; empty if one is shown."""
    if report.system.tree is None:
        return []
    text = "Nothing stands under “Overhead”: the lower bound of the links is known for units of one size alone."
    return [element("p", text)]


def _ranking_table(report: Report, naming: PlacementNames) -> Element:
    """Return the table of every placement's first programs; the placement's cells span its programs' rows."""
    columns = (
        "Placement",
        "Levels",
        "Programs",
        "One AllReduce",
        "Rank",
        "Time",
        RATE,
        "Speed-up",
        "Overhead",
        "Program",
    )
    found = table("The best programs of every placement", columns, (), numbers=(2, 3, 4, 5, 6, 7, 8))
    inner = found[0]
    # The body of the helper's table is replaced by one body per placement, whose cells span its
    # rows.
    inner.remove(inner[-1])
    claimed = not is_extrapolated(report.system, report.problem.payload.bytes)
    for result in report.results:
        body = SubElement(inner, "tbody")
        span = {"rowspan": str(max(len(result.programs), 1))}
        head = SubElement(body, "tr")
        head.append(element("th", named(result.matrix, naming), scope="rowgroup", **span))
        head.append(element("td", "×".join(map(str, result.levels)) or "1", **span))
        for text in (str(result.count), format_seconds(result.allreduce_seconds)):
            head.append(element("td", text, class_="number", **span))
        _program_rows(body, head, result, report.problem, claimed=claimed)
    return found


def _program_rows(body: Element, head: Element, result: PlacementResult, problem: Problem, *, claimed: bool) -> None:
    if not result.programs:
        head.append(element("td", "no program within the limit", colspan="6"))
    for number, (rank, program) in enumerate(zip(result.ranks, result.programs, strict=True)):
        row = SubElement(body, "tr") if number else head
        gain = f"{result.allreduce_seconds / program.seconds:.2f}×" if program.seconds and claimed else "–"
        above = above_text(program.seconds, result.wire_seconds) if claimed else ""
        rate = rate_cell(problem_bus_bandwidth(problem, program.seconds)) or "–"
        numbers = (str(rank), format_seconds(program.seconds), rate, gain, above or "–")
        add(row, *(element("td", text, class_="number") for text in numbers))
        row.append(element("td", element("code", program.text)))


def _sensitivity_section(report: Report, naming: PlacementNames) -> Element:
    caption = (
        "The time of the best program of each of the fastest placements, both scales logarithmic. At a ring on a line "
        f"another program begins to win there; {extrapolation_text(report.system)}."
    )
    if report.crossovers is None:
        caption += " INCOMPLETE (deadline): placements whose other payloads there was no time for are left out."
    rows = [
        (_begin(crossover), named(crossover.best.lowering.matrix, naming), element("code", crossover.best.text))
        for crossover in known_changes(report.crossovers or (), report.system.known_from)
    ]
    overall = table("What wins at which payload, of all placements", ("Payload", "Placement", "Program"), rows)
    own_rows = [
        (named(result.matrix, naming), _begin(crossover), element("code", crossover.best.text))
        for result in report.results
        for crossover in known_changes(result.crossovers or (), report.system.known_from)
    ]
    single = table("What wins at which payload on one placement", ("Placement", "Payload", "Program"), own_rows)
    return section(
        "sensitivity",
        "Sensitivity to the payload",
        chart(sensitivity_drawing(report), sensitivity_drawing(report, NARROW), "sensitivity-words", caption),
        overall,
        element("details", element("summary", "On every placement alone"), single),
        level="h3",
    )


def _begin(crossover: Crossover) -> str:
    return f"from {format_bytes(crossover.least_bytes)}"
