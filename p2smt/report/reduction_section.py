"""The sections of one reduction: its programs step by step, their ranking, sensitivity to the payload."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement

from p2smt.cost.explanation import Turn
from p2smt.problem.quantity import format_bytes, format_seconds
from p2smt.report.cluster_drawing import box_titles, cluster_shapes, drawn_note, group_letter, step_cells
from p2smt.report.content import PlacementResult, ReductionContent, Report
from p2smt.report.element import add, element, table
from p2smt.report.naming import Naming
from p2smt.report.page_data import program_label
from p2smt.report.ranking_chart import ranking_drawing
from p2smt.report.sections import choice, section
from p2smt.report.sensitivity_chart import sensitivity_drawing
from p2smt.report.shapes import Drawing
from p2smt.report.svg import svg_element
from p2smt.report.words import STEP_COLUMNS, group_lines, members_drawn, step_cells_text, step_sentence

_KEY = (
    "Devices with the same letter form a group; the group followed is outlined, and a line joins its members in order. "
    "The bar in a device is the part of the payload that it holds after the step. "
)


def reduction_title(reduction: ReductionContent) -> str:
    """Which axes are reduced over, and how much."""
    problem = reduction.problem
    axes = ", ".join(problem.axes[axis].name for axis in problem.reduce)
    return f"Reduction over {axes}, {format_bytes(problem.payload.bytes)} of {problem.payload.dtype} per device"


def reduction_section(report: Report, number: int, naming: Naming, names: Sequence[str]) -> Element:
    """All that is said of reduction `number` of a report; `names` are those of the placements."""
    reduction, own = report.reductions[number], f"reduction-{number}"
    if not any(result.programs for result in reduction.results):
        none = element("p", "On no placement does a program do this reduction within the limit.")
        return section(own, reduction_title(reduction), none)
    return section(
        own,
        reduction_title(reduction),
        _steps_section(report, number, naming, names),
        _ranking_section(own, reduction),
        _sensitivity_section(own, reduction),
    )


def _steps_section(report: Report, number: int, naming: Naming, names: Sequence[str]) -> Element:
    own, result = f"reduction-{number}-steps", report.reductions[number].results[report.opened]
    programs = [program_label(program) for program in result.programs]
    found = section(own, "Programs, step by step", level="h3")
    if not programs:
        add(found, element("p", f"On placement {result.matrix} no program does this reduction within the limit."))
        return found
    if result.programs[0].steps:
        groups = members_drawn(result.programs[0].steps[0], report.placements[report.opened].selection.devices)
        controls = element(
            "div",
            choice(f"{own}-placement", "Placement", names, report.opened, data_placement=""),
            choice(f"{own}-program", "Program", programs, data_program=""),
            choice(f"{own}-group", "Group to follow", map(group_letter, range(len(groups))), data_group=""),
            class_="controls",
            hidden="",
        )
        found.append(controls)
    found.append(element("p", element("code", result.programs[0].text), class_="program", data_text=""))
    found.append(_stepper(report, number, naming))
    rows = [step_cells_text(place + 1, step) for place, step in enumerate(result.programs[0].steps)]
    found.append(table("Steps of the program", STEP_COLUMNS, rows, numbers=(0, 6, 7), data_steps=""))
    found.set("data-reduction", str(number))
    return found


def _stepper(report: Report, number: int, naming: Naming) -> Element:
    own, result = f"reduction-{number}-steps", report.reductions[number].results[report.opened]
    program, selection = result.programs[0], report.placements[report.opened].selection
    if not program.steps:
        return element("p", "No step: nothing has to be moved.")
    step, frame = program.steps[0], naming.frame(selection)
    cells = step_cells(selection, step, program.plan.payload.bytes)
    shapes = cluster_shapes(frame, box_titles(selection, naming), cells)
    drawing = Drawing(frame.width, frame.height, shapes, "Groups of the step on the cluster", "")
    words = f"{own}-words"
    return element(
        "div",
        element(
            "div",
            element("button", "Previous", type="button", data_go="-1"),
            element("ol", data_timeline="", class_="timeline"),
            element("button", "Next", type="button", data_go="1"),
            class_="walk",
            hidden="",
        ),
        element("p", step_sentence(program, 0, selection.devices), id=words, role="status", data_say=""),
        element(
            "figure",
            element("div", svg_element(drawing, words), class_="canvas", data_drawing="", tabindex="0", role="group",
                    aria_label="Step; the left and right arrow keys go to other steps"),
            element("figcaption", _KEY, element("span", drawn_note(selection, naming), data_note="")),
        ),
        element(
            "details",
            element("summary", "Groups of this step as a list"),
            element("ul", *(element("li", line) for line in group_lines(step, selection.devices)), data_groups=""),
        ),
        class_="stepper",
        data_stepper="",
    )  # fmt: skip


def _figure(drawing: Drawing, identity: str, caption: str) -> Element:
    """A chart with its text alternative."""
    return element(
        "figure",
        element("div", svg_element(drawing, identity), class_="canvas", tabindex="0", role="group",
                aria_label=drawing.title),
        element("figcaption", caption),
        element("p", drawing.description, id=identity, class_="spoken"),
    )  # fmt: skip


def _ranking_section(own: str, reduction: ReductionContent) -> Element:
    caption = "Predicted seconds; placements fastest first."
    if reduction.others is not None:
        fastest, slowest = map(format_seconds, reduction.others)
        caption += f" The best programs on the placements left out take {fastest} to {slowest}."
    found = section(f"{own}-ranking", "Ranking", level="h3")
    found.append(_figure(ranking_drawing(reduction), f"{own}-ranking-words", caption))
    found.append(_ranking_table(reduction))
    return found


def _ranking_table(reduction: ReductionContent) -> Element:
    """The first programs of every placement; the placement's cells span its programs' rows."""
    columns = ("Placement", "Levels", "Programs", "One AllReduce", "Rank", "Time", "Speed-up", "Program")
    found = table("The best programs of every placement", columns, (), numbers=(2, 3, 4, 5, 6))
    inner = found[0]
    inner.remove(inner[-1])
    for result in reduction.results:
        body = SubElement(inner, "tbody")
        span = {"rowspan": str(max(len(result.programs), 1))}
        head = SubElement(body, "tr")
        head.append(element("th", element("code", str(result.matrix)), scope="rowgroup", **span))
        head.append(element("td", "×".join(map(str, result.levels)) or "1", **span))
        for text in (str(result.count), format_seconds(result.allreduce_seconds)):
            head.append(element("td", text, class_="number", **span))
        _program_rows(body, head, result)
    return found


def _program_rows(body: Element, head: Element, result: PlacementResult) -> None:
    if not result.programs:
        head.append(element("td", "no program within the limit", colspan="4"))
    for number, program in enumerate(result.programs):
        row = SubElement(body, "tr") if number else head
        gain = f"{result.allreduce_seconds / program.seconds:.2f}×" if program.seconds else "–"
        row.extend(
            element("td", text, class_="number") for text in (str(program.rank), format_seconds(program.seconds), gain)
        )
        row.append(element("td", element("code", program.text)))


def _sensitivity_section(own: str, reduction: ReductionContent) -> Element:
    drawing = sensitivity_drawing(reduction)
    caption = (
        "The time of the best program of each of the fastest placements, both scales logarithmic. At a ring on a line "
        "another program begins to win there."
    )
    rows = [(_begin(turn), str(turn.best.lowering.matrix), element("code", turn.best.text)) for turn in reduction.turns]
    overall = table("What wins at which payload, of all placements", ("Payload", "Placement", "Program"), rows)
    own_rows = [
        (element("code", str(result.matrix)), _begin(turn), element("code", turn.best.text))
        for result in reduction.results
        for turn in result.turns
    ]
    single = table("What wins at which payload on one placement", ("Placement", "Payload", "Program"), own_rows)
    return section(
        f"{own}-sensitivity",
        "Sensitivity to the payload",
        _figure(drawing, f"{own}-sensitivity-words", caption),
        overall,
        element("details", element("summary", "On every placement alone"), single),
        level="h3",
    )


def _begin(turn: Turn) -> str:
    return f"from {format_bytes(turn.least_bytes)}" if turn.least_bytes else "at the smallest"
