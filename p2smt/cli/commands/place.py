"""`p2smt place`."""

from dataclasses import replace

import click

from p2smt.cli.exit_code import ExitCode, of_search
from p2smt.cli.options.help_page import HelpPage
from p2smt.cli.options.problem import ProblemOptions, problem_options
from p2smt.cli.options.shared import JSON, TIMEOUT, deadline_after
from p2smt.errors import ProblemError
from p2smt.problem.condition_text import parse_placement_conditions

MOST_MAPPED = 65_536


@click.command("place", cls=HelpPage)
@problem_options
@TIMEOUT
@click.option("--condition", "conditions", metavar="TEXT", multiple=True, help="List those that keep it; repeatable.")
@click.option("--maps/--no-maps", default=False, help="List the coordinates of every device, and devices by them.")
@JSON
def command(
    given: ProblemOptions, timeout: float | None, conditions: tuple[str, ...], maps: bool, as_json: bool
) -> ExitCode:
    """List all placements: the parallelism matrices, in words too, and where every device is on the axes and back.

    \b
    Example:
      p2smt place --system 4x16 --axes 8,2,4
      p2smt place --system 2x4 --axes 2,4 --maps
      p2smt place --system node:4,gpu:8 --axes dp:8,tp:4 --condition "tp inside node"

    Exit codes: 0 listed, 1 no placement keeps the conditions, 2 bad input, 3 stopped early.
    """  # noqa: D301
    from p2smt.cli.output.document import print_json
    from p2smt.cli.output.place import conditioned, placements_document, print_placements
    from p2smt.placement.enumeration import all_placements

    # What is reduced over does not bear on placements, so it may be left out.
    free = given.problem_file is None and given.reduce is None
    problem = (replace(given, reduce="0") if free else given).problem()
    if maps and problem.devices > MOST_MAPPED:
        raise ProblemError(
            f"--maps lists every device, and {problem.devices} are too many; the limit is "
            f"{MOST_MAPPED}, leave it out to list the matrices alone"
        )
    asked = parse_placement_conditions(conditions, problem.axes, problem.levels)
    found = conditioned(all_placements(problem, deadline_after(timeout)), asked)
    if as_json:
        print_json(placements_document(problem, found, maps=maps))
    else:
        print_placements(problem, found, maps=maps)
    return of_search(found=bool(found.kept), complete=found.all.complete)
