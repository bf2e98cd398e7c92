"""`p2smt schedule`."""

import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from p2smt.cli.exit_code import ExitCode, of_search, of_verdict
from p2smt.cli.file_kind import PROGRAM, STEPS
from p2smt.cli.next_step import say_next
from p2smt.cli.options.help_page import HelpPage
from p2smt.cli.options.machine import PricingOptions, pricing_options
from p2smt.cli.options.paths import InputPath, OutputPath
from p2smt.cli.options.shared import FORCE, JSON, MAX_TIMEOUT_S
from p2smt.errors import ProgramError
from p2smt.problem.quantity import parse_memory, parse_seconds
from p2smt.schedule.tuner.request import DEEPEST

if TYPE_CHECKING:
    from p2smt.cli.output.schedule_answer import DisplayOptions
    from p2smt.report.content.schedule_content import ScheduleReport
    from p2smt.schedule.check import CheckedSchedule
    from p2smt.schedule.cost.machine import Machine
    from p2smt.schedule.measured import MeasuredSchedules
    from p2smt.schedule.sized import SizedSchedule
    from p2smt.schedule.tuner.result import PricedSchedule, TuningResult
    from p2smt.tensor.program import Program

TOP = 3
_MOST_IN_TIME = 50_000
"""The most schedules that a search with a time limit keeps in memory; each takes about 20 KB."""


@click.command("schedule", cls=HelpPage)
@click.argument("program_file", type=InputPath(PROGRAM), metavar="PROGRAM")
@click.option(
    "--steps",
    "steps_file",
    type=InputPath(STEPS),
    metavar="FILE",
    help="The schedule to prove: a step per line.",
)
@click.option("--ranks", type=int, metavar="N", help="On so many ranks [the mesh that the program says].")
@click.option("--check", is_flag=True, help="Say the verdict alone; else the resulting program is printed as well.")
@click.option("--bitwise", is_flag=True, help="Refuse steps that change the order of summing, or round.")
@click.option("--out", type=OutputPath(), metavar="FILE", help="Write the resulting program, of a search the fastest.")
@click.option(
    "--steps-out", type=OutputPath(), metavar="FILE", help="Write the fastest steps of a search, for --steps."
)
@pricing_options
@click.option("--depth", type=click.IntRange(0, DEEPEST), help="Search up to so many moves [as far as seconds go].")
@click.option("--budget", metavar="TIME", help="Search one move after the other for so long, such as 30s.")
@click.option("--memory", metavar="SIZE", help="Refuse what holds more on a rank, such as 40GB [no limit].")
@click.option("--measure", is_flag=True, help="With --system: run the fastest on processes of this machine as well.")
@click.option("--explain", is_flag=True, help="With --system: when what runs, what hides what, where it pays.")
@click.option("--report", type=OutputPath(), metavar="FILE", help="With --system: an HTML file.")
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
    steps_out: Path | None,
    pricing: PricingOptions,
    depth: int | None,
    budget: str | None,
    memory: str | None,
    measure: bool,
    explain: bool,
    report: Path | None,
    top: int,
    force: bool,
    as_json: bool,
) -> ExitCode:
    """Rewrite a distributed tensor program, communication and computation together, and prove every step.

    Steps split collectives, move computation before them, fuse, overlap in chunks, store states in slices, and remove
    what nobody reads. Each is proved for all sizes, slicings and numbers of ranks, or refused with the rule that it
    breaks and numbers that show it. With --system and no --steps schedules are searched, of one move, of two and so on:
    as far as seconds go, up to --depth moves, or for --budget; --out and --steps-out keep the fastest. --measure runs
    the fastest on processes of this machine; nothing else is run. --rates are what scripts/measure_rates.py measured.

    \b
    Example:
      p2smt schedule adam.tp --steps fused.steps --ranks 4 --out fused.tp
      p2smt schedule adam.tp --steps fused.steps --ranks 8 --system dgx-h100:1x8 --explain
      p2smt schedule adam.tp --system dgx-h100:1x8 --ranks 8 --out fused.tp --steps-out fused.steps
      p2smt schedule adam.tp --system node:1,gpu:4 --ranks 4 --backend gloo --measure

    Exit codes: 0 valid, 1 refused, or nothing fits into --memory, 2 bad input, 3 not proved, or the search was cut off
    (the end of --budget is 0).
    """  # noqa: D301
    from p2smt.cli.output.files import refuse_overwriting
    from p2smt.cli.output.schedule_answer import DisplayOptions
    from p2smt.tensor.text.file import read_program

    refuse_overwriting(out, steps_out, report, force=force)
    program = read_program(program_file)
    limit = None if memory is None else parse_memory(memory)
    machine = pricing.machine(program, ranks)
    _check_system(machine, report, explain=explain, measure=measure)
    explaining, measuring = machine if explain else None, machine if measure else None
    rates = None if steps_file is not None and explaining is measuring is None else pricing.by_rates(machine)
    shown = DisplayOptions(
        explaining=explaining, report=report, measuring=measuring, rates=rates, top=top, force=force, as_json=as_json
    )
    if steps_file is not None:
        _refuse_search(steps_out, budget, steps_file)
        sized = _sized(program, steps_file, ranks, limit, bitwise=bitwise)
        return _proved(sized, machine, shown, out, f"{program_file}", check=check or explain)
    if machine is None:
        raise ProgramError("there is nothing to do; give --steps FILE to prove, or --system SYSTEM to search one")
    tuned = _searched(program, ranks, machine, _Limits(depth, top, limit, _seconds(budget, depth)))
    return _tuned(tuned, machine, shown, _ScheduleFiles(program, ranks, program_file, out, steps_out))


def _check_system(machine: "Machine | None", report: Path | None, *, explain: bool, measure: bool) -> None:
    """Raise an error for options that need a system, if there is none."""
    if machine is None and (explain or report is not None):
        raise ProgramError("--explain and --report show a timeline on a system; add --system SYSTEM")
    if machine is None and measure:
        raise ProgramError("--measure compares measured times with those predicted for a system; add --system SYSTEM")


def _proved(
    sized: "SizedSchedule",
    machine: "Machine | None",
    shown: "DisplayOptions",
    out: Path | None,
    against: str,
    *,
    check: bool,
) -> ExitCode:
    """Write and print a schedule whose steps were checked."""
    from p2smt.cli.output.schedule_answer import print_proved
    from p2smt.report.content.schedule_content import schedule_report

    code = of_verdict(sized.verdict)
    if out is not None and code is ExitCode.FOUND:
        _write(sized.checked, out, against, shown.force)
    if shown.report is not None and machine is not None:
        _report(schedule_report(sized.checked, machine), shown.report, shown.force)
    ran = _measured_alone(sized, shown.measuring) if code is ExitCode.FOUND else None
    print_proved(sized, shown, ran, whole=out is None and not check and code is ExitCode.FOUND)
    return code


def _refuse_search(steps_out: Path | None, budget: str | None, steps_file: Path) -> None:
    """Raise an error for options of a search where the steps are given."""
    if budget is not None:
        raise ProgramError(f"--steps are proved and not searched; leave out --budget {budget}, or --steps")
    if steps_out is not None:
        raise ProgramError(
            "--steps-out writes the steps that a search finds, but the given steps are already in "
            f"{steps_file}; leave --steps-out out"
        )


def _tuned(tuned: "TuningResult", machine: "Machine", shown: "DisplayOptions", kept: "_ScheduleFiles") -> ExitCode:
    """Write and print the schedules that a search found."""
    from p2smt.cli.output.schedule_answer import print_tuned
    from p2smt.cli.output.screen import say
    from p2smt.problem.system.link_origin import links_text
    from p2smt.report.content.schedule_content import searched_report

    if shown.report is not None:
        _report(searched_report(tuned, machine), shown.report, shown.force)
    ran = None
    if shown.measuring is not None:
        tried = [each for each in tuned.found[: shown.top] if each.schedule]
        ran = _measured(tuned.untouched, tried, shown.measuring)
    if not shown.as_json:
        say(f"computing: {machine.computing}\nlinks: {links_text(machine.cost.system)}")
    print_tuned(tuned, shown, ran)
    if tuned.found:
        _keep(tuned.found[0], kept, force=shown.force)
        is_new = bool(tuned.found[0].schedule) and not shown.as_json
        say_next("--steps-out best.steps", when=is_new and kept.out is None and kept.steps_out is None)
    return of_search(found=bool(tuned.found), complete=not tuned.cut_off)


def _sized(program: "Program", steps: Path, ranks: int | None, limit: int | None, *, bitwise: bool) -> "SizedSchedule":
    from p2smt.cli.output.progress import working
    from p2smt.schedule.check import check_schedule, read_schedule
    from p2smt.schedule.sized import sized_schedule

    schedule = read_schedule(steps)
    with working("proving the steps"):
        return sized_schedule(check_schedule(program, schedule, ranks, bitwise=bitwise), limit)


@dataclass(frozen=True, slots=True)
class _Limits:
    """Limits of a search: number of moves, number of schedules printed, bytes per rank, and seconds."""

    depth: int | None
    top: int
    memory: int | None
    seconds: float | None


def _seconds(budget: str | None, depth: int | None) -> float | None:
    """Parse `--budget` into seconds; None if not given. Raises ProgramError if `--depth` limits the search as well."""
    if budget is None:
        return None
    if depth is not None:
        raise ProgramError(f"--budget {budget} and --depth {depth} both limit the search; give one of them")
    seconds = parse_seconds(budget)
    if not 0 < seconds <= MAX_TIMEOUT_S:
        raise ProgramError(f"--budget {budget} is out of range; give a time such as 30s, at most {MAX_TIMEOUT_S} s")
    return seconds


def _searched(program: "Program", ranks: int | None, machine: "Machine", limits: "_Limits") -> "TuningResult":
    from p2smt.cli.output.progress import working
    from p2smt.schedule.check import on_ranks
    from p2smt.schedule.tuner.search import tune

    asked = partial(tune, on_ranks(program, ranks), machine, limits.depth, top=limits.top, memory=limits.memory)
    with working("searching schedules"):
        if limits.seconds is None:
            return asked()
        return asked(most=_MOST_IN_TIME, deadline=time.monotonic() + limits.seconds, effort=None)


@dataclass(frozen=True, slots=True)
class _ScheduleFiles:
    """The searched program and its file, and the output files for the fastest schedule."""

    program: "Program"
    ranks: int | None
    source: Path
    out: Path | None
    steps_out: Path | None


def _keep(best: "PricedSchedule", kept: _ScheduleFiles, *, force: bool) -> None:
    """Write the fastest schedule as a transformed program (--out) and as a list of steps (--steps-out)."""
    from p2smt.cli.output.files import write_and_say
    from p2smt.cli.output.tuned import steps_text
    from p2smt.schedule.check import check_schedule

    if kept.out is not None:
        _write(check_schedule(kept.program, best.schedule, kept.ranks), kept.out, str(kept.source), force)
    if kept.steps_out is not None:
        on = "" if kept.ranks is None else f" --ranks {kept.ranks}"
        hint = f"p2smt emit {kept.source} --steps {kept.steps_out}{on} --out step.py"
        write_and_say(kept.steps_out, steps_text(best), "the steps of the fastest schedule", hint, force=force)


def _write(checked: "CheckedSchedule", out: Path, against: str, force: bool) -> None:
    from p2smt.cli.output.files import write_and_say
    from p2smt.cli.output.schedule import result_text

    hint = f"p2smt verify {out} --against {against}"
    write_and_say(out, result_text(checked), "the program after all steps", hint, force=force)


def _report(report: "ScheduleReport", out: Path, force: bool) -> None:
    from p2smt.cli.output.report_files import write
    from p2smt.report.page.schedule_page import schedule_page

    write(out, schedule_page(report), f"the schedule of {report.checked.program.name}", force=force)


def _measured_alone(sized: "SizedSchedule", machine: "Machine | None") -> "MeasuredSchedules | None":
    """Run the given schedule and the original program, and compare their times; None without a machine."""
    from p2smt.schedule.cost.estimate import estimate
    from p2smt.schedule.scheduled import ScheduledProgram
    from p2smt.schedule.tuner.result import PricedSchedule

    if machine is None:
        return None
    checked = sized.checked
    plain = ScheduledProgram(checked.start)
    untouched = PricedSchedule(schedule=(), scheduled=plain, estimate=estimate(plain, machine))
    given = PricedSchedule(
        schedule=checked.schedule, scheduled=checked.scheduled, estimate=estimate(checked.scheduled, machine)
    )
    return _measured(untouched, [given], machine)


def _measured(
    untouched: "PricedSchedule", schedules: "list[PricedSchedule]", machine: "Machine"
) -> "MeasuredSchedules":
    from p2smt.cli.output.progress import working
    from p2smt.schedule.measured import measured

    with working("running schedules on processes of this machine"):
        return measured(untouched, schedules, machine)
