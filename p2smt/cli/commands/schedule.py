"""`p2smt schedule`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from p2smt.cli.exit_code import ExitCode
from p2smt.cli.options.shared import FORCE, JSON, backend_options
from p2smt.errors import ProgramError
from p2smt.problem.system.text import SYSTEM_FORMS

if TYPE_CHECKING:
    from p2smt.cost.network.backend import Backend
    from p2smt.schedule.check import CheckedSchedule
    from p2smt.schedule.cost.machine import Machine
    from p2smt.schedule.sized import SizedSchedule
    from p2smt.schedule.tuner.search import Tuned
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
@click.option("--explain", is_flag=True, help="With --system: when what runs, what hides what, where it pays.")
@click.option("--top", type=click.IntRange(1, 100), default=TOP, help=f"Print so many of the fastest [{TOP}].")
@FORCE
@backend_options
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
    explain: bool,
    top: int,
    force: bool,
    backend: "Backend",
    as_json: bool,
) -> ExitCode:
    """Rewrite a distributed tensor program, communication and computation together, and prove every step.

    PROGRAM is a tensor program. Steps split collectives, move computation before them, fuse, overlap in chunks, store
    states in slices, and remove what nobody reads. Each is proved for all sizes, slicings and numbers of ranks, or
    refused with the rule that it breaks and numbers that show it. Nothing is run. With --system and no --steps all
    schedules up to --depth moves are searched, and the fastest by prediction are printed beside the program as it is.
    --memory keeps those that fit, with the chunks and copies that are in flight in loops. --explain draws a time line,
    and says what each step buys, what hides what, and for which lengths, bandwidths and speeds the schedule pays.

    \b
    Example:
      p2smt schedule adam.tp --steps fused.steps --ranks 4 --check
      p2smt schedule adam.tp --steps fused.steps --ranks 4 --out fused.tp
      p2smt schedule adam.tp --steps fused.steps --ranks 8 --system dgx-h100:1x8 --explain
      p2smt schedule adam.tp --system dgx-h100:1x8 --ranks 8 --top 5 --memory 40GB

    Exit codes: 0 valid, 1 refused, or nothing fits into --memory, 2 bad input, 3 not proved, or the search was cut off.
    """  # noqa: D301
    from p2smt.cli.output.files import refuse_overwriting
    from p2smt.problem.quantity import parse_bytes
    from p2smt.tensor.text.file import read_program

    refuse_overwriting(out, force=force)
    program = read_program(program_file)
    limit = None if memory is None else parse_bytes(memory)
    machine = None if system is None else _machine(system, flops, backend)
    if explain and machine is None:
        raise ProgramError("--explain says when what runs on a system; add --system SYSTEM")
    explaining = machine if explain else None
    if steps_file is not None:
        sized = _sized(program, steps_file, ranks, limit, bitwise=bitwise)
        if out is not None and _exit_code(sized) is ExitCode.FOUND:
            _write(sized.checked, out, program_file, force)
        _print(sized, explaining, whole=out is None and not check and not explain, as_json=as_json)
        return _exit_code(sized)
    if machine is None:
        raise ProgramError("there is nothing to do; give --steps FILE to prove, or --system SYSTEM to search for")
    tuned = _searched(program, ranks, machine, depth, top, limit)
    _print_tuned(tuned, explaining, top, as_json=as_json)
    if tuned.cut_off:
        return ExitCode.PARTIAL
    return ExitCode.FOUND if tuned.found else ExitCode.NEGATIVE


def _sized(program: "Program", steps: Path, ranks: int | None, limit: int | None, *, bitwise: bool) -> "SizedSchedule":
    from p2smt.schedule.check import check_schedule, read_schedule
    from p2smt.schedule.sized import sized_schedule

    return sized_schedule(check_schedule(program, read_schedule(steps), ranks, bitwise=bitwise), limit)


def _searched(
    program: "Program", ranks: int | None, machine: "Machine", depth: int, top: int, memory: int | None
) -> "Tuned":
    from p2smt.schedule.check import on_ranks
    from p2smt.schedule.tuner.search import tune

    return tune(on_ranks(program, ranks), machine, depth, top=top, memory=memory)


def _write(checked: "CheckedSchedule", out: Path, program_file: Path, force: bool) -> None:
    from p2smt.cli.output.files import write_and_say
    from p2smt.cli.output.schedule import result_text

    hint = f"p2smt verify {out} --against {program_file}"
    write_and_say(out, result_text(checked), "the program after all steps", hint, force=force)


def _print(sized: "SizedSchedule", machine: "Machine | None", *, whole: bool, as_json: bool) -> None:
    from p2smt.cli.output.document import print_json
    from p2smt.cli.output.schedule import result_text, schedule_document, schedule_text
    from p2smt.cli.output.schedule_explained import explained_document, explained_text
    from p2smt.schedule.explained import explained

    why = None if machine is None else explained(sized.checked, machine)
    if as_json:
        more = {} if why is None else {"explained": explained_document(why)}
        print_json({**schedule_document(sized), **more})
        return
    click.echo(schedule_text(sized), nl=False)
    if whole and _exit_code(sized) is ExitCode.FOUND:
        click.echo("\n" + result_text(sized.checked), nl=False)
    if why is not None:
        click.echo("\n" + explained_text(why), nl=False)


def _print_tuned(tuned: "Tuned", machine: "Machine | None", top: int, *, as_json: bool) -> None:
    """With the machine the fastest schedule is explained that is not the program as it is."""
    from p2smt.cli.output.document import print_json
    from p2smt.cli.output.schedule_explained import explained_document, explained_text
    from p2smt.cli.output.tuned import tuned_document, tuned_text
    from p2smt.schedule.explained import explained_tuned

    why = None if machine is None else explained_tuned(tuned, machine)
    if as_json:
        more = {} if why is None else {"explained": explained_document(why)}
        print_json({**tuned_document(tuned, top), **more})
        return
    click.echo(tuned_text(tuned, top), nl=False)
    if why is not None:
        click.echo("\n" + explained_text(why), nl=False)


def _machine(system: str, flops: float, backend: "Backend") -> "Machine":
    from p2smt.problem.system.text import find_system
    from p2smt.schedule.cost.machine import Machine

    if not 0 < flops < 1e30:
        raise ProgramError(f"--flops {flops} is out of range; give the operations that a device does in a second")
    return Machine.of(find_system(system), flops, backend)


def _exit_code(sized: "SizedSchedule") -> ExitCode:
    from p2smt.schedule.check import Verdict

    match sized.verdict:
        case Verdict.VALID:
            return ExitCode.FOUND
        case Verdict.REFUSED:
            return ExitCode.NEGATIVE
        case Verdict.NOT_PROVED:
            return ExitCode.PARTIAL
