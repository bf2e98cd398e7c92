"""`p2smt show`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from p2smt.cli.exit_code import ExitCode, of_check
from p2smt.cli.file_kind import PROGRAM
from p2smt.cli.options.help_page import HelpPage
from p2smt.cli.options.paths import InputPath, OutputPath
from p2smt.cli.options.shared import FORCE, JSON
from p2smt.errors import ProgramError

if TYPE_CHECKING:
    from p2smt.tensor.program import Program


@click.command("show", cls=HelpPage)
@click.argument("program_file", type=InputPath(PROGRAM), metavar="PROGRAM")
@click.option("--devices", type=int, help="On how many ranks, if the program is for any number of them.")
@click.option("--svg", type=OutputPath(), metavar="FILE", help="Draw its graph, layouts as colours.")
@FORCE
@JSON
def command(program_file: Path, devices: int | None, svg: Path | None, force: bool, as_json: bool) -> ExitCode:
    """Show what every value of a tensor program is on every device.

    Layouts are inferred from those of the sources; local shapes, operations on numbers and bytes are those of the
    device that has most. Memory is what is stored from step to step, and the most that is there at a time.

    \b
    Example:
      p2smt show step.tp
      p2smt show step.tp --json
      p2smt show step.tp --svg step.svg

    Exit codes: 0 shown, 1 a statement breaks a layout rule (what stands before it is shown), 2 bad input.
    """  # noqa: D301
    from p2smt.cli.output.document import print_json
    from p2smt.cli.output.files import write_and_say
    from p2smt.cli.output.footprint import footprint_document, footprint_text
    from p2smt.tensor.footprint import footprint
    from p2smt.tensor.text.file import read_program

    shown = footprint(_placed(read_program(program_file), devices))
    if svg is not None:
        from p2smt.report.figures.graph_drawing import graph_drawing
        from p2smt.report.figures.shapes import on_paper
        from p2smt.report.figures.svg import svg_text

        text = svg_text(on_paper(graph_drawing(shown)))
        write_and_say(svg, text, "the graph of the program", "open it in a browser", force=force)
    if as_json:
        print_json(footprint_document(shown))
    else:
        click.echo(footprint_text(shown))
    return of_check(right=shown.refused is None)


def _placed(program: "Program", devices: int | None) -> "Program":
    """Return the program on its own mesh, or on `devices` ranks if that is given."""
    from p2smt.tensor.expression import ProgramAxis
    from p2smt.tensor.placing import world
    from p2smt.tensor.text.layouts import MAX_RANKS

    if devices is not None and not 1 <= devices <= MAX_RANKS:
        raise ProgramError(f"--devices {devices} is out of range; give 1 to {MAX_RANKS}")
    if program.mesh or not program.is_distributed:
        if devices not in (None, world(program.mesh)):
            raise ProgramError(
                f"program {program.name} is for {world(program.mesh)} devices, not for {devices}; leave --devices out"
            )
        return program
    if devices is None:
        raise ProgramError(f"program {program.name} is for any number of ranks; choose one, such as --devices 4")
    return program.on(ProgramAxis("ranks", devices))
