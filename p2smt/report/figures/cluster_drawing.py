"""Drawing of a cluster as nested boxes; devices show their coordinates, or their groups in a step."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from p2smt.placement.matrix import ParallelismMatrix
from p2smt.report.content.content import PlacementContent, StepContent
from p2smt.report.content.group_letters import group_letter, groups_drawn
from p2smt.report.content.naming import PlacementNames
from p2smt.report.content.selection import AnySelection, Selection
from p2smt.report.content.tree_selection import TreeSelection
from p2smt.report.figures.frame import HEAD, PADDING, PAGE_WIDTH, ClusterFrame, cluster_frame
from p2smt.report.figures.palette import GROUPS, tint
from p2smt.report.figures.shapes import Box, Drawing, Polyline, Shape, TextLabel

WAY = 14.5
"""Distance in pixels from a device's top edge to the line that joins its group's members.

The line runs between the device's number and its letter.
"""
_BAR = 3.0
_LETTER_WIDTH = 6.6


@dataclass(frozen=True, slots=True)
class Cell:
    """The drawing of one device; `held` is the fraction of the payload that it holds, None to omit the bar."""

    number: int
    text: str
    fill: str
    followed: bool = False
    held: float | None = None


def box_titles(selection: AnySelection, naming: PlacementNames, frame: ClusterFrame) -> tuple[str, ...]:
    """Return the titles of all boxes except devices, from the outermost level inwards, shortened to fit.

    The cluster's title says how many units of each level are drawn if some are omitted; for irregular units it
    counts devices.
    """
    cut = _drawn_of(selection, naming, "{} of {} {}")
    names: list[tuple[str, str]] = [("cluster", f": {', '.join(cut)} drawn" if cut else "")]
    titles = []
    for level, places in enumerate(frame.boxes):
        if level:
            names = [(naming.levels[level - 1], f" {unit}") for unit in selection.units[level - 1]]
        room = int((places[0].width - 2 * PADDING) / _LETTER_WIDTH)
        titles += [_shortened(*names[number % len(names)], room) for number in range(len(places))]
    return tuple(titles)


def _shortened(name: str, rest: str, room: int) -> str:
    """Return a title of at most `room` letters.

    >>> _shortened("accelerator", " 12", 9), _shortened("node", " 3", 9)
    ('accel… 12', 'node 3')
    """
    whole = f"{name}{rest}"
    if len(whole) <= room:
        return whole
    left = room - len(rest) - 1
    return f"{name[:left]}…{rest}" if left > 0 else f"{whole[: max(room - 1, 0)]}…"


def placement_cells(placement: PlacementContent, naming: PlacementNames, axis: int) -> tuple[Cell, ...]:
    """Return the devices with their coordinates, coloured by the coordinate on `axis`."""
    pairs = zip(placement.selection.devices, placement.coordinates, strict=True)
    return tuple(
        Cell(device, ",".join(map(str, place)), tint(place[axis], naming.axis_sizes[axis])) for device, place in pairs
    )


def step_cells(selection: AnySelection, step: StepContent, payload: int, followed: int = 0) -> tuple[Cell, ...]:
    """Return the devices with the letters of their groups in a step; group number `followed` is highlighted.

    Devices in no group have a pale fill and no letter.
    """
    local = step.among == 1
    found = []
    for device, group, held in zip(selection.devices, groups_drawn(step.roots), step.held, strict=True):
        text = "" if group < 0 else "local" if local else group_letter(group)
        fill = "inset" if group < 0 else "soft" if local else f"group{group % GROUPS}"
        found.append(Cell(device, text, fill, group == followed and not local, held / payload))
    return tuple(found)


def cluster_shapes(frame: ClusterFrame, titles: Sequence[str], cells: Sequence[Cell]) -> tuple[Shape, ...]:
    """Return boxes, devices, the line that connects the highlighted group, and all text on top."""
    boxes = [place for level in frame.boxes for place in level]
    back: list[Shape] = []
    for level, places in enumerate(frame.boxes):
        fill = ("surface", "inset")[level % 2]
        back += [Box(p.x, p.y, p.width, p.height, fill, "line", radius=6) for p in places]
    text: list[Shape] = [
        TextLabel(place.x + PADDING, place.y + HEAD - 3, title, 11.5, "muted", role="unit")
        for place, title in zip(boxes, titles, strict=True)
    ]
    way = []
    for place, cell in zip(frame.cells, cells, strict=True):
        edge, weight = ("accent", 2.5) if cell.followed else ("line", 1.0)
        back.append(Box(place.x, place.y, place.width, place.height, cell.fill, edge, 3, weight, "cell"))
        middle = place.x + place.width / 2
        way += [(middle, place.y + WAY)] if cell.followed else []
        text.append(TextLabel(place.x + 4, place.y + 11, str(cell.number), 9.5, role="number"))
        text.append(TextLabel(middle, place.y + 27, cell.text, 12.5, anchor="middle", mono=True, role="detail"))
        if cell.held is not None:
            width = (place.width - 8) * min(cell.held, 1.0)
            text.append(Box(place.x + 4, place.y + place.height - 3 - _BAR, width, _BAR, "muted", role="held"))
    ring = Polyline(tuple(way), "accent", 1.5, (2, 3), role="ring")
    return (*back, ring, *text)


def placement_drawing(
    placement: PlacementContent, naming: PlacementNames, axis: int, widest: float = PAGE_WIDTH
) -> Drawing:
    """Return the drawing of a placement, in which every device shows its coordinates."""
    selection = placement.selection
    frame = cluster_frame(selection, naming, widest)
    shapes = cluster_shapes(frame, box_titles(selection, naming, frame), placement_cells(placement, naming, axis))
    title = f"Placement {placement.matrix} on the cluster"
    return Drawing(frame.width, frame.height, shapes, title, described(placement, naming, axis))


def described(placement: PlacementContent, naming: PlacementNames, axis: int) -> str:
    """Return the text alternative of a placement's drawing."""
    factors = "; ".join(
        f"{name} has {', '.join(_factors(placement.matrix, naming, axis))}" for axis, name in enumerate(naming.axes)
    )
    return (
        f"{drawn_note(placement.selection, naming)} {factors}. Every device shows its number and its "
        f"coordinates ({', '.join(naming.axes)}); the colour is the coordinate on {naming.axes[axis]}."
    )


def _factors(matrix: ParallelismMatrix, naming: PlacementNames, axis: int) -> list[str]:
    """Return the number of parts of an axis on every level, in words."""
    levels = enumerate(naming.levels)
    return [f"{naming.factor(matrix, axis, level, 'up to ')} on {name}" for level, name in levels]


def drawn_note(selection: AnySelection, naming: PlacementNames) -> str:
    """Return a sentence on which devices are drawn."""
    if selection.whole:
        return f"All {selection.total} devices are drawn."
    drawn = f"{len(selection.devices)} of {selection.total} devices are drawn"
    match selection:
        case TreeSelection(most=most):
            return f"{drawn}: of every unit at most {most} of those inside it, such as differ in size first."
        case Selection(every_kind=every):
            parts = ", ".join(_drawn_of(selection, naming, "{} of {} units of {}"))
            kinds = "some of every kind" if every else "not of every kind, for there are too many kinds"
            return f"{drawn} ({parts}), {kinds}; devices of one kind do the same in every step."
        case _:
            assert_never(selection)


def _drawn_of(selection: AnySelection, naming: PlacementNames, text: str) -> list[str]:
    """Return texts with drawn and total numbers of units for each level with omissions; for a tree, of devices only."""
    match selection:
        case TreeSelection():
            own = [(len(selection.devices), selection.total, "devices")]
        case Selection():
            own = list(zip(selection.counts, selection.level_sizes, naming.levels, strict=True))
        case _:
            assert_never(selection)
    return [text.format(drawn, size, name) for drawn, size, name in own if drawn != size]
