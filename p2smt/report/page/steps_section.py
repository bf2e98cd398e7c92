"""Section that walks through the programs of the selected placement step by step."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element

from p2smt.report.content.content import ProgramContent, ReportContent
from p2smt.report.content.group_letters import group_letter
from p2smt.report.content.naming import PlacementNames
from p2smt.report.content.selection import AnySelection
from p2smt.report.content.words import STEP_COLUMNS, group_lines, members_drawn, step_cells_text, step_sentence
from p2smt.report.figures.cluster_drawing import box_titles, cluster_shapes, drawn_note, step_cells
from p2smt.report.figures.frame import cluster_frame
from p2smt.report.figures.shapes import Drawing
from p2smt.report.figures.svg import svg_element
from p2smt.report.page.element import element, table
from p2smt.report.page.sections import choice, section

_KEY = (
    "Devices with the same letter form a group; the group followed is outlined, and a line joins its members in order. "
    "The bar in a device is the part of the payload that it holds after the step. "
)


def steps_section(
    shown: ReportContent,
    naming: PlacementNames,
    names: Sequence[str],
    programs: Sequence[ProgramContent],
    first: int,
    label: str,
) -> Element:
    """Return a list of programs to choose from, and the steps of the chosen one, initially number `first`.

    `label` is the list's caption, `names` are the placements' names, and `programs` (at least one) are those of
    the placement that is selected when the page opens.
    """
    selection, program = shown.placements[shown.opened].selection, programs[first]
    text = element("p", element("code", program.text), class_="program", data_text="")
    if not program.steps:
        return section("steps", _TITLE, text, element("p", "No step: nothing has to be moved."), level="h3")
    groups = members_drawn(program.steps[0], selection.devices)
    controls = element(
        "div",
        choice("steps-placement", "Placement", names, shown.opened, data_placement=""),
        choice("steps-program", label, [one.label for one in programs], first, data_program=""),
        choice("steps-group", "Group to follow", map(group_letter, range(len(groups))), data_group=""),
        class_="controls",
        hidden="",
    )
    rows = [step_cells_text(place + 1, step) for place, step in enumerate(program.steps)]
    steps = table("Steps of the program", STEP_COLUMNS, rows, numbers=(0, 6, 7, 8), data_steps="")
    found = section("steps", _TITLE, controls, text, _stepper(program, selection, naming), steps, level="h3")
    found.set("data-programs", "")
    return found


_TITLE = "Programs, step by step"


def _stepper(program: ProgramContent, selection: AnySelection, naming: PlacementNames) -> Element:
    step, frame = program.steps[0], cluster_frame(selection, naming)
    shapes = cluster_shapes(frame, box_titles(selection, naming, frame), step_cells(selection, step, program.payload))
    drawing = Drawing(frame.width, frame.height, shapes, "Groups of the step on the cluster", "")
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
        element("p", step_sentence(program, 0, selection.devices), id="steps-words", role="status", data_say=""),
        element(
            "figure",
            element(
                "div",
                svg_element(drawing, "steps-words"),
                class_="canvas",
                data_drawing="",
                tabindex="0",
                role="group",
                aria_label="Step; the left and right arrow keys go to other steps",
            ),
            element("figcaption", _KEY, element("span", drawn_note(selection, naming), data_note="")),
        ),
        element(
            "details",
            element("summary", "Groups of this step as a list"),
            element("ul", *(element("li", line) for line in group_lines(step, selection.devices)), data_groups=""),
        ),
        class_="stepper",
        data_stepper="",
    )
