"""Figure of a whole program, with a panel per step."""

from math import ceil, sqrt

from p2smt.problem.quantity import format_seconds
from p2smt.report.content.content import ProgramContent
from p2smt.report.content.naming import PlacementNames
from p2smt.report.content.selection import AnySelection
from p2smt.report.content.words import amounts, groups_text, share_text, step_sentence
from p2smt.report.figures.cluster_drawing import box_titles, cluster_shapes, drawn_note, step_cells
from p2smt.report.figures.frame import FIGURE_WIDTH, cluster_frame
from p2smt.report.figures.shapes import Drawing, Shape, TextLabel, moved

_HEAD, _GAP, _FOOT = 66.0, 28.0, 24.0
_LEAST_WIDTH = 360.0
_WIDEST = 1500.0


def program_drawing(program: ProgramContent, selection: AnySelection, naming: PlacementNames) -> Drawing:
    """Return the figure: devices show their group's letter and a bar for the data held after the step.

    Group A is outlined in every panel.
    """
    frame = cluster_frame(selection, naming, FIGURE_WIDTH)
    width, height = max(frame.width, _LEAST_WIDTH), frame.height + _HEAD
    count = len(program.steps)
    columns = count if count * (width + _GAP) <= _WIDEST else ceil(sqrt(count))
    payload = program.payload
    shapes: list[Shape] = []
    for number, step in enumerate(program.steps):
        row, column = divmod(number, max(columns, 1))
        cells = step_cells(selection, step, payload)
        panel = (
            TextLabel(0, 16, f"{number + 1}  {step.what}", 15, bold=True),
            TextLabel(0, 36, groups_text(step), 12, "muted"),
            TextLabel(
                0,
                53,
                f"{amounts(step.before)} → {amounts(step.after)} · {format_seconds(step.seconds)} "
                f"({share_text(step.share)})",
                12,
                "muted",
            ),
            *moved(cluster_shapes(frame, box_titles(selection, naming, frame), cells), 0, _HEAD),
        )
        shapes += moved(panel, column * (width + _GAP), row * (height + _GAP))
    rows = ceil(count / max(columns, 1))
    whole = (max(columns, 1) * (width + _GAP) - _GAP, max(rows * (height + _GAP) - _GAP, 0) + _FOOT)
    note = "Same letter: same group. Group A outlined. Bar: part of the payload held after the step."
    shapes.append(TextLabel(0, whole[1] - 6, note if count else "No step: nothing has to be moved.", 11, "muted"))
    sentences = " ".join(step_sentence(program, number, selection.devices) for number in range(count))
    description = f"{drawn_note(selection, naming)} {sentences}".strip()
    return Drawing(*whole, tuple(shapes), f"{program.text} on placement {selection.matrix}", description)
