"""`p2smt place`."""

from typing import Any

import click

from p2smt.cli.options.problem import JSON, TIMEOUT, deadline_after, problem_options, read_problem

MOST_LISTED = 64
MOST_MAPPED = 65_536


@click.command("place")
@problem_options
@TIMEOUT
@click.option("--maps/--no-maps", default=None, help="List the coordinates of every device [up to 64 devices].")
@JSON
def command(timeout: float | None, maps: bool | None, as_json: bool, **given: Any) -> int:
    """List all placements: the parallelism matrices, and where every device is on the axes and back.

    \b
    Example:
      p2smt place --system 4x16 --axes 8,2,4 --reduce 0
    """  # noqa: D301
    from p2smt.cli.main import FOUND, PARTIAL
    from p2smt.errors import ProblemError
    from p2smt.placement.digits import DeviceMap
    from p2smt.placement.enumeration import all_placements

    given["reduce"] = given["reduce"] or (None if given["problem_file"] else "0")
    problem = read_problem(given)
    if maps and problem.devices > MOST_MAPPED:
        raise ProblemError(
            f"--maps lists every device, and {problem.devices} are too many; "
            f"it goes up to {MOST_MAPPED}, leave it out to list the matrices alone"
        )
    found = all_placements(problem, deadline_after(timeout))
    few = problem.devices <= MOST_LISTED
    if as_json:
        _print_document(problem, found, maps=bool(maps))
    else:
        names = " x ".join(f"{level.name}={level.size}" for level in problem.levels)
        axes = ", ".join(f"{axis.name}={axis.size}" for axis in problem.axes)
        click.echo(f"{len(found.items)} placements of {axes} on {names}{'' if found.complete else f' ({found.stop})'}")
        for number, matrix in enumerate(found.items):
            click.echo(f"\n[{number}] {matrix}")
            for axis, row in zip(problem.axes, matrix.rows, strict=True):
                click.echo(f"    {axis.name:>12}  {' '.join(f'{factor:>6}' for factor in row)}")
            if maps or (maps is None and few):
                _print_maps([axis.name for axis in problem.axes], DeviceMap(matrix))
    return FOUND if found.complete else PARTIAL


def _print_document(problem: Any, found: Any, maps: bool) -> None:
    from p2smt.cli.output.progress import VERSION, print_json, problem_document
    from p2smt.placement.digits import DeviceMap

    document = {
        "version": VERSION,
        "problem": problem_document(problem),
        "complete": found.complete,
        "stopped": str(found.stop),
        "count": len(found.items),
        "matrices": [matrix.rows for matrix in found.items],
    }
    if maps:
        document["coordinates_of_device"] = [list(DeviceMap(matrix)) for matrix in found.items]
        document["device_at_coordinates"] = [_by_coordinates(DeviceMap(matrix)) for matrix in found.items]
    print_json(document)


def _print_maps(names: list[str], device_map: Any) -> None:
    click.echo(f"    device -> ({', '.join(names)})")
    _print_packed([f"{device}->{_tuple(coordinates)}" for device, coordinates in enumerate(device_map)])
    click.echo(f"    ({', '.join(names)}) -> device")
    ordered = sorted(device_map)
    _print_packed([f"{_tuple(coordinates)}->{device_map.device(coordinates)}" for coordinates in ordered])


def _print_packed(cells: list[str]) -> None:
    width = max(map(len, cells))
    per_line = max(1, 100 // (width + 2))
    for begin in range(0, len(cells), per_line):
        click.echo("      " + "  ".join(f"{cell:<{width}}" for cell in cells[begin : begin + per_line]).rstrip())


def _tuple(coordinates: tuple[int, ...]) -> str:
    return f"({','.join(map(str, coordinates))})"


def _by_coordinates(device_map: Any) -> dict[str, int]:
    return {_tuple(coordinates): device_map.device(coordinates) for coordinates in sorted(device_map)}
