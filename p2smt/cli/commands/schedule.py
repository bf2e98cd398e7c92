"""`p2smt schedule`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from p2smt.cli.exit_code import ExitCode
from p2smt.cli.options.shared import FORCE, JSON
from p2smt.errors import ProgramError
from p2smt.problem.system.text import SYSTEM_FORMS

if TYPE_CHECKING:
    from p2smt.schedule.check import CheckedSchedule
    from p2smt.schedule.cost.machine import Machine
    from p2smt.schedule.sized import SizedSchedule
    from p2smt.tensor.program import Program

DEPTH, TOP = 3, 3


@click.command("schedule")
@click.argument("program_file", type=click.Path(path_type=Path), metavar="PROGRAM")
@click.option(
    "--steps",
    "steps_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The schedule to prove: a step per line.",
)
@click.option("--ranks", type=int, metavar="N", help="On so many ranks [the mesh that the program says].")
@click.option("--check", is_flag=True, help="Say the verdict alone; else the resulting program is printed as well.")
@click.option("--bitwise", is_flag=True, help="Refuse steps that change the order of summing, or round.")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Write the resulting program there.")
@click.option("--system", metavar="SYSTEM", help=f"Without --steps, search schedules for it. {SYSTEM_FORMS}.")
@click.option("--flops", type=float, default=1e14, metavar="RATE", help="Operations a device does in a second [1e14].")
@click.option("--depth", type=click.IntRange(0, 8), default=DEPTH, help=f"Search up to so many moves [{DEPTH}].")
@click.option("--memory", metavar="SIZE", help="Refuse what holds more on a rank, such as 40GB [no limit].")
@click.option("--top", type=click.IntRange(1, 100), default=TOP, help=f"Print so many of the fastest [{TOP}].")
@FORCE
@JSON
def command(
    program_file: Path,
    steps_file: Path | None,
    ranks: int | None,
    check: bool,
    bitwise: bool,
    out: Path | None,
    system: str | None,
    flops: float,
    depth: int,
    memory: str | None,
    top: int,
    force: bool,
    as_json: bool,
) -> ExitCode:
    """Rewrite a distributed tensor program, communication and computation together, and prove every step.

    PROGRAM is a tensor program. Steps split collectives, move computation before them, fuse, overlap in chunks, store
    states in slices, and remove what nobody reads. Each is proved for all sizes, slicings and numbers of ranks, or
    refused with the rule that it breaks and numbers that show it. Nothing is run. With --system and no --steps all
    schedules up to --depth moves are searched, and the fastest by prediction are printed beside the program as it is.
    --memory keeps those that fit, with the chunks and copies that are in flight in loops.

    \b
    Example:
      p2smt schedule adam.tp --steps fused.steps --ranks 4 --check
      p2smt schedule adam.tp --steps fused.steps --ranks 4 --out fused.tp
      p2smt schedule adam.tp --system dgx-h100:1x8 --ranks 8 --top 5 --memory 40GB

    Exit codes: 0 valid, 1 refused, or nothing fits into --memory, 2 bad input, 3 not proved, or the search was cut off.
    """  # noqa: D301
    from p2smt.cli.output.files import refuse_overwriting
    from p2smt.problem.quantity import parse_bytes
    from p2smt.schedule.sized import sized_schedule
    from p2smt.tensor.text.file import read_program

    refuse_overwriting(out, force=force)
    program = read_program(program_file)
    limit = None if memory is None else parse_bytes(memory)
    if steps_file is not None:
        checked = _checked(program, steps_file, ranks, bitwise)
        sized = sized_schedule(checked, limit)
        code = _exit_code(sized)
        if out is not None and code is ExitCode.FOUND:
            _write(checked, out, program_file, force)
        _print(sized, whole=code is ExitCode.FOUND and out is None and not check, as_json=as_json)
        return code
    if system is None:
        raise ProgramError("there is nothing to do; give --steps FILE to prove, or --system SYSTEM to search for")
    return _search(program, ranks, _machine(system, flops), depth, top, limit, as_json)


def _checked(program: "Program", steps: Path, ranks: int | None, bitwise: bool) -> "CheckedSchedule":
    from p2smt.schedule.check import check_schedule, read_schedule

    return check_schedule(program, read_schedule(steps), ranks, bitwise=bitwise)


def _write(checked: "CheckedSchedule", out: Path, program_file: Path, force: bool) -> None:
    from p2smt.cli.output.files import write_and_say
    from p2smt.cli.output.schedule import result_text

    hint = f"p2smt verify {out} --against {program_file}"
    write_and_say(out, result_text(checked), "the program after all steps", hint, force=force)


def _print(sized: "SizedSchedule", *, whole: bool, as_json: bool) -> None:
    from p2smt.cli.output.document import print_json
    from p2smt.cli.output.schedule import result_text, schedule_document, schedule_text

    if as_json:
        print_json(schedule_document(sized))
        return
    click.echo(schedule_text(sized), nl=False)
    if whole:
        click.echo("\n" + result_text(sized.checked), nl=False)


def _machine(system: str, flops: float) -> "Machine":
    from p2smt.cost.network.backend import cost_of
    from p2smt.problem.system.text import find_system
    from p2smt.schedule.cost.machine import Machine

    if not 0 < flops < 1e30:
        raise ProgramError(f"--flops {flops} is out of range; give the operations that a device does in a second")
    return Machine(cost_of(find_system(system)), flops)


def _search(
    program: "Program", ranks: int | None, machine: "Machine", depth: int, top: int, memory: int | None, as_json: bool
) -> ExitCode:
    from p2smt.cli.output.document import print_json
    from p2smt.cli.output.tuned import tuned_document, tuned_text
    from p2smt.schedule.check import on_ranks
    from p2smt.schedule.tuner.search import tune

    tuned = tune(on_ranks(program, ranks), machine, depth, top=top, memory=memory)
    if as_json:
        print_json(tuned_document(tuned, top))
    else:
        click.echo(tuned_text(tuned, top), nl=False)
    if tuned.cut_off:
        return ExitCode.PARTIAL
    return ExitCode.FOUND if tuned.found else ExitCode.NEGATIVE


def _exit_code(sized: "SizedSchedule") -> ExitCode:
    from p2smt.schedule.check import Verdict

    match sized.verdict:
        case Verdict.VALID:
            return ExitCode.FOUND
        case Verdict.REFUSED:
            return ExitCode.NEGATIVE
        case Verdict.NOT_PROVED:
            return ExitCode.PARTIAL
