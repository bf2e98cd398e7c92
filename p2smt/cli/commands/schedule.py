"""`p2smt schedule`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from p2smt.cli.exit_code import ExitCode
from p2smt.cli.options.shared import FORCE, JSON

if TYPE_CHECKING:
    from p2smt.schedule.check import CheckedSchedule


@click.command("schedule")
@click.argument("program_file", type=click.Path(path_type=Path), metavar="PROGRAM")
@click.option(
    "--steps",
    "steps_file",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FILE",
    help="The schedule: a step per line.",
)
@click.option("--ranks", type=int, metavar="N", help="On so many ranks [the mesh that the program says].")
@click.option("--check", is_flag=True, help="Say the verdict alone; else the resulting program is printed as well.")
@click.option("--bitwise", is_flag=True, help="Refuse steps that change the order of summing, or round.")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Write the resulting program there.")
@FORCE
@JSON
def command(
    program_file: Path,
    steps_file: Path,
    ranks: int | None,
    check: bool,
    bitwise: bool,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> ExitCode:
    """Rewrite a distributed tensor program, communication and computation together, and prove every step.

    PROGRAM is a tensor program. Steps split collectives, move computation before them, fuse, overlap in chunks, store
    states in slices, and remove what nobody reads. Each is proved for all sizes, slicings and numbers of ranks, or
    refused with the rule that it breaks and numbers that show it. Nothing is run.

    \b
    Example:
      p2smt schedule adam.tp --steps fused.steps --ranks 4 --check
      p2smt schedule adam.tp --steps fused.steps --ranks 4 --out fused.tp
      p2smt schedule tail.tp --steps overlapped.steps --ranks 4 --json

    Exit codes: 0 valid, 1 refused, 2 bad input, 3 not proved.
    """  # noqa: D301
    from p2smt.cli.output.document import print_json
    from p2smt.cli.output.files import write_and_say
    from p2smt.cli.output.schedule import result_text, schedule_document, schedule_text
    from p2smt.schedule.check import check_schedule, read_schedule
    from p2smt.tensor.text.file import read_program

    program, schedule = read_program(program_file), read_schedule(steps_file)
    checked = check_schedule(program, schedule, ranks, bitwise=bitwise)
    code = _exit_code(checked)
    if out is not None and code is ExitCode.FOUND:
        hint = f"p2smt verify {out} --against {program_file}"
        write_and_say(out, result_text(checked), "the program after all steps", hint, force=force)
    if as_json:
        print_json(schedule_document(checked))
    else:
        click.echo(schedule_text(checked), nl=False)
        if code is ExitCode.FOUND and out is None and not check:
            click.echo("\n" + result_text(checked), nl=False)
    return code


def _exit_code(checked: "CheckedSchedule") -> ExitCode:
    from p2smt.schedule.check import Verdict

    match checked.verdict:
        case Verdict.VALID:
            return ExitCode.FOUND
        case Verdict.REFUSED:
            return ExitCode.NEGATIVE
        case Verdict.NOT_PROVED:
            return ExitCode.PARTIAL
