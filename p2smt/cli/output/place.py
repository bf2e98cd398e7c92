"""Output of `p2smt place`, and descriptions of placements in words."""

from collections.abc import Iterable, Sequence

import click

from p2smt.cli.output.document import VERSION, Document, problem_document
from p2smt.cli.output.prose import labelled
from p2smt.cli.output.screen import GLUE, screen_width, show, wrapped
from p2smt.cli.output.table import print_table
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.placement.reduction_tree import device_coordinates
from p2smt.placement.words import placement_words
from p2smt.problem.model import Problem
from p2smt.problem.system.text import levels_text
from p2smt.problem.workload import Workload
from p2smt.smt.answer import Enumeration
from p2smt.wording import counted, sizes_text

Coordinates = Sequence[tuple[int, ...]]
"""The coordinates of every device on every axis."""


def placements_document(problem: Problem, placements: Enumeration[ParallelismMatrix], *, maps: bool) -> Document:
    """Return the JSON document: the matrices, and with `maps` the device maps in both directions."""
    document: Document = {
        "version": VERSION,
        "problem": problem_document(problem),
        "complete": placements.complete,
        "stopped": str(placements.stop),
        "count": len(placements.items),
        "matrices": [matrix.rows for matrix in placements.items],
    }
    if not maps:
        return document
    device_maps = [device_coordinates(problem.system.tree, matrix) for matrix in placements.items]
    return {
        **document,
        "coordinates_of_device": device_maps,
        "device_at_coordinates": [_by_coordinates(device_map) for device_map in device_maps],
    }


def print_placements(problem: Problem, placements: Enumeration[ParallelismMatrix], *, maps: bool) -> None:
    """Print the matrices with descriptions, and with `maps` each device's coordinates."""
    names = sizes_text(problem.levels) if problem.system.tree is None else levels_text(problem.system)
    axes = sizes_text(problem.axes, ", ")
    why = "" if placements.complete else f" ({placements.stop})"
    rows = [[str(number), str(matrix), words_of(matrix, problem)] for number, matrix in enumerate(placements.items)]
    title = f"{counted(len(placements.items), 'placement')} of {axes} on {names}{why}"
    print_table(title, ("#", "matrix", "in words"), rows, right=(0,))
    if maps:
        for number, matrix in enumerate(placements.items):
            click.echo(f"[{number}] {matrix}")
            _print_map([axis.name for axis in problem.axes], device_coordinates(problem.system.tree, matrix))
    click.echo("\n".join(labelled("matrix", _reading(problem))))


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
