"""Data for the page's script: all placements and programs shown, as compact JSON."""

import json
from typing import Any  # Any: a page may show any value

from p2smt.report.content.content import PlacementContent, ProgramContent, ReportContent
from p2smt.report.content.group_letters import groups_drawn
from p2smt.report.content.naming import PlacementNames
from p2smt.report.content.text import printable
from p2smt.report.content.words import group_lines, step_cells_text, step_sentence
from p2smt.report.figures.cluster_drawing import box_titles, described, drawn_note
from p2smt.report.figures.frame import PAGE_WIDTH, PHONE_WIDTH, Shape, cluster_frame
from p2smt.report.page.page_contents import PageContents

_THOUSANDTHS = 1000


class _SharedLists:
    """A table that stores each distinct list once and numbers it."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[Any, ...], int] = {}

    def number(self, values: tuple[Any, ...]) -> int:
        return self._numbers.setdefault(values, len(self._numbers))

    @property
    def lists(self) -> list[tuple[Any, ...]]:
        return list(self._numbers)


def page_data(shown: ReportContent, contents: PageContents, naming: PlacementNames) -> dict[str, Any]:
    """Return the placements (frame, devices, coordinates) and the programs (groups and texts per step).

    Lists with one value per device, and lists of box titles, are stored once in `lists` and referred to by
    index.
    """
    shared = _SharedLists()
    frames = frame_shapes(shown)
    placements = [_placement(placement, naming, shared, frames) for placement in shown.placements]
    programs = [
        [_program(program, placement, shared) for program in some]
        for some, placement in zip(contents.programs, shown.placements, strict=True)
    ]
    axes = [{"name": axis.name, "size": axis.size} for axis in shown.axes]
    texts = [{"sentence": text.sentence, "rows": text.rows} for text in contents.texts]
    return {"axes": axes, "placements": placements, "programs": programs, "texts": texts, "lists": shared.lists}


def frame_shapes(shown: ReportContent) -> list[Shape]:
    """Return the distinct shapes of selections, in the order in which placements use them."""
    return list(dict.fromkeys(placement.selection.shape for placement in shown.placements))


def json_text(data: dict[str, Any]) -> str:
    """Return JSON that is safe inside a script element, whatever strings it contains."""
    text = json.dumps(_readable(data), separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.translate({ord(char): f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"})


def _readable(value: Any) -> Any:
    """Return the value with all strings sanitised for HTML, which forbids characters that JSON allows."""
    match value:
        case str():
            return printable(value)
        case list() | tuple():
            return [_readable(one) for one in value]
        case dict():
            return {name: _readable(one) for name, one in value.items()}
        case _:
            return value


def _placement(
    placement: PlacementContent, naming: PlacementNames, shared: _SharedLists, frames: list[Shape]
) -> dict[str, Any]:
    selection = placement.selection
    by_axis = zip(*placement.coordinates, strict=True)
    return {
        "matrix": str(placement.matrix),
        "frame": frames.index(selection.shape),
        "devices": shared.number(selection.devices),
        "titles": [
            shared.number(box_titles(selection, naming, cluster_frame(selection, naming, widest)))
            for widest in (PAGE_WIDTH, PHONE_WIDTH)
        ],
        "name": naming.words(placement.matrix),
        "coordinates": [shared.number(values) for values in by_axis],
        "note": drawn_note(selection, naming),
        "words": [described(placement, naming, axis) for axis in range(len(naming.axes))],
    }


def _program(program: ProgramContent, placement: PlacementContent, shared: _SharedLists) -> dict[str, Any]:
    devices, payload = placement.selection.devices, program.payload
    steps = [
        {
            "cells": step_cells_text(number + 1, step),
            "local": step.among == 1,
            "groups": shared.number(groups_drawn(step.roots)),
            "held": shared.number(tuple(round(held / payload * _THOUSANDTHS) for held in step.held)),
            "say": step_sentence(program, number, devices),
            "lines": shared.number(tuple(group_lines(step, devices))),
            "share": round(step.share * _THOUSANDTHS),
        }
        for number, step in enumerate(program.steps)
    ]
    return {"text": program.text, "label": program.label, "steps": steps}
