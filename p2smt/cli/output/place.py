"""Output of `p2smt place`, and descriptions of placements in words."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import click

from p2smt.cli.output.document import VERSION, Document, problem_document
from p2smt.cli.output.prose import labelled
from p2smt.cli.output.screen import GLUE, say, screen_width, show, wrapped
from p2smt.cli.output.table import print_table
from p2smt.placement.condition import clashing, keeps
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.placement.reduction_tree import device_coordinates
from p2smt.placement.words import placement_words
from p2smt.problem.condition import PlacementCondition
from p2smt.problem.condition_text import condition_text
from p2smt.problem.model import Problem
from p2smt.problem.system.text import levels_text
from p2smt.problem.workload import Workload
from p2smt.smt.answer import Enumeration
from p2smt.wording import counted, sizes_text

Coordinates = Sequence[tuple[int, ...]]
"""The coordinates of every device on every axis."""


@dataclass(frozen=True, slots=True)
class ConditionedList:
    """All placements, the conditions, and the placements that keep them; if there are none, conditions that clash."""

    all: Enumeration[ParallelismMatrix]
    conditions: tuple[PlacementCondition, ...]
    kept: tuple[ParallelismMatrix, ...]
    clash: tuple[PlacementCondition, ...]


def conditioned(
    placements: Enumeration[ParallelismMatrix], conditions: tuple[PlacementCondition, ...]
) -> ConditionedList:
    """Return the placements with those that keep the conditions."""
    kept = tuple(matrix for matrix in placements.items if all(keeps(matrix, each) for each in conditions))
    return ConditionedList(placements, conditions, kept, clashing(placements.items, conditions))


def placements_document(problem: Problem, found: ConditionedList, *, maps: bool) -> Document:
    """Return the JSON document: the matrices, and with `maps` the device maps in both directions."""
    document: Document = {
        "version": VERSION,
        "problem": problem_document(problem),
        "conditions": _texts(problem, found.conditions),
        "clash": _texts(problem, found.clash),
        "complete": found.all.complete,
        "stopped": str(found.all.stop),
        "count": len(found.kept),
        "matrices": [matrix.rows for matrix in found.kept],
    }
    if not maps:
        return document
    device_maps = [device_coordinates(problem.system.tree, matrix) for matrix in found.kept]
    return {
        **document,
        "coordinates_of_device": device_maps,
        "device_at_coordinates": [_by_coordinates(device_map) for device_map in device_maps],
    }


def print_placements(problem: Problem, found: ConditionedList, *, maps: bool) -> None:
    """Print the matrices with descriptions, and with `maps` each device's coordinates."""
    if not found.kept:
        clash = "; ".join(_texts(problem, found.clash))
        said = "" if found.all.complete else f" of those found before it stopped ({found.all.stop})"
        say(f"none of {counted(len(found.all.items), 'placement')}{said} keeps: {clash}; leave out one of these")
        return
    names = sizes_text(problem.levels) if problem.system.tree is None else levels_text(problem.system)
    axes = sizes_text(problem.axes, ", ")
    why = "" if found.all.complete else f" ({found.all.stop})"
    conditions = "; ".join(_texts(problem, found.conditions))
    kept = f", of {len(found.all.items)}, with {conditions}" if conditions else ""
    rows = [[str(number), str(matrix), words_of(matrix, problem)] for number, matrix in enumerate(found.kept)]
    title = f"{counted(len(found.kept), 'placement')} of {axes} on {names}{kept}{why}"
    print_table(title, ("#", "matrix", "in words"), rows, right=(0,))
    if maps:
        for number, matrix in enumerate(found.kept):
            click.echo(f"[{number}] {matrix}")
            _print_map([axis.name for axis in problem.axes], device_coordinates(problem.system.tree, matrix))
    click.echo("\n".join(labelled("matrix", _reading(problem))))


def _texts(problem: Problem, conditions: Iterable[PlacementCondition]) -> list[str]:
    return [condition_text(condition, problem.axes, problem.levels) for condition in conditions]


def words_of(matrix: ParallelismMatrix, on: Problem | Workload) -> str:
    """Describe in words on which levels a problem's or job's axes lie."""
    return placement_words(matrix, on.axes, on.levels)


def print_placement_words(on: Problem | Workload, matrices: Iterable[ParallelismMatrix]) -> None:
    """Print each distinct matrix with its description, then a blank line."""
    some = dict.fromkeys(matrices)
    if some:
        print_table("placements", ("matrix", "in words"), [[str(matrix), words_of(matrix, on)] for matrix in some])


def _reading(problem: Problem) -> str:
    """Return a line that explains how to read a matrix."""
    rows = "/".join(axis.name for axis in problem.axes)
    levels = " x ".join(level.name for level in problem.levels)
    return f"a row per axis ({rows}), in it a factor per level ({levels}): into how many parts the axis is cut there"


def _print_map(names: Sequence[str], device_map: Coordinates) -> None:
    click.echo(f"    device -> ({', '.join(names)})")
    _print_packed([f"{device}->{_tuple(coordinates)}" for device, coordinates in enumerate(device_map)])
    click.echo(f"    ({', '.join(names)}) -> device")
    _print_packed([f"{place}->{device}" for place, device in _by_coordinates(device_map).items()])
    click.echo()


def _print_packed(cells: Sequence[str]) -> None:
    wide = max(map(len, cells))
    text = " ".join(f"{cell:<{wide}} ".replace(" ", GLUE) for cell in cells)
    show(f"      {line}" for line in wrapped(text, screen_width() - 6))


def _by_coordinates(device_map: Coordinates) -> dict[str, int]:
    return {_tuple(device_map[device]): device for device in sorted(range(len(device_map)), key=device_map.__getitem__)}


def _tuple(coordinates: Sequence[int]) -> str:
    return f"({','.join(map(str, coordinates))})"
