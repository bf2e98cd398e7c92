"""What `p2smt place` prints."""

from collections.abc import Sequence

import click

from p2smt.cli.output.document import VERSION, Document, problem_document
from p2smt.placement.digits import DeviceMap
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.model import Problem
from p2smt.smt.answer import Enumeration
from p2smt.wording import counted, sizes_text

_LINE = 100


def placements_document(problem: Problem, placements: Enumeration[ParallelismMatrix], *, maps: bool) -> Document:
    """The JSON document: the matrices, and with `maps` both directions of every device map."""
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
    device_maps = [DeviceMap(matrix) for matrix in placements.items]
    return {
        **document,
        "coordinates_of_device": [list(device_map) for device_map in device_maps],
        "device_at_coordinates": [_by_coordinates(device_map) for device_map in device_maps],
    }


def print_placements(problem: Problem, placements: Enumeration[ParallelismMatrix], *, maps: bool) -> None:
    """Print the matrices with the names of their axes, and with `maps` where every device is."""
    names = sizes_text(problem.levels)
    axes = sizes_text(problem.axes, ", ")
    why = "" if placements.complete else f" ({placements.stop})"
    click.echo(f"{counted(len(placements.items), 'placement')} of {axes} on {names}{why}")
    for number, matrix in enumerate(placements.items):
        click.echo(f"\n[{number}] {matrix}")
        for axis, row in zip(problem.axes, matrix.rows, strict=True):
            click.echo(f"    {axis.name:>12}  {' '.join(f'{factor:>6}' for factor in row)}")
        if maps:
            _print_map([axis.name for axis in problem.axes], DeviceMap(matrix))


def _print_map(names: Sequence[str], device_map: DeviceMap) -> None:
    click.echo(f"    device -> ({', '.join(names)})")
    _print_packed([f"{device}->{_tuple(coordinates)}" for device, coordinates in enumerate(device_map)])
    click.echo(f"    ({', '.join(names)}) -> device")
    _print_packed([f"{place}->{device}" for place, device in _by_coordinates(device_map).items()])


def _print_packed(cells: Sequence[str]) -> None:
    width = max(map(len, cells))
    per_line = max(1, _LINE // (width + 2))
    for begin in range(0, len(cells), per_line):
        click.echo("      " + "  ".join(f"{cell:<{width}}" for cell in cells[begin : begin + per_line]).rstrip())


def _by_coordinates(device_map: DeviceMap) -> dict[str, int]:
    return {_tuple(coordinates): device_map.device(coordinates) for coordinates in sorted(device_map)}


def _tuple(coordinates: Sequence[int]) -> str:
    return f"({','.join(map(str, coordinates))})"
