"""`p2smt run`."""

from pathlib import Path

import click

from p2smt.cli.exit_code import ExitCode, of_check, of_search
from p2smt.cli.file_kind import JOB, PLAN, ending_of
from p2smt.cli.options.help_page import HelpPage
from p2smt.cli.options.paths import InputPath
from p2smt.cli.options.plan_file import UNCHECKED, given_any_plan
from p2smt.cli.options.shared import JSON
from p2smt.cli.training_step import JOB_SUFFIX, StepFile, emitted_exchange, emitted_job
from p2smt.cost.network.backend import Nccl
from p2smt.errors import RunError

_REPEATS = 5


@click.command("run", cls=HelpPage)
@click.argument("plan_file", type=InputPath(PLAN, JOB), metavar="FILE")
@click.option(
    "--elements", type=click.IntRange(1, 2**28), help="Elements to time with [the plan's payload, at most 1 MiB]."
)
@click.option("--dtype", metavar="TYPE", help="Element type [that of the plan's payload].")
@click.option("--repeats", type=click.IntRange(1, 1000), help=f"Timed repetitions [{_REPEATS}].")
@click.option(
    "--timeout",
    type=click.FloatRange(1, 3600),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="For starting the processes, and again for running.",
)
@click.option(
    "--debug/--no-debug",
    default=True,
    show_default=True,
    help="Let torch compare every collective among the ranks; times are truer without.",
)
@UNCHECKED
@JSON
def command(
    plan_file: Path,
    elements: int | None,
    dtype: str | None,
    repeats: int | None,
    timeout: float,
    debug: bool,
    unchecked: bool,
    as_json: bool,
) -> ExitCode:
    """Run a plan in local processes (gloo), compare every rank with the plain collective, and time both.

    The processes run what `p2smt emit` writes. Data are integers, so equal means equal; what Reduce leaves on
    ranks that are not the root is spoiled first. Up to 16 ranks. Of an all-to-all or send, and of all communication of
    a job (JOB.toml) on its best placement, the numbers alone are compared: with whole and odd lengths, all goals with
    torch's own collectives.

    \b
    Example:
      p2smt plan --system 2x4 --axes 8 --reduce 0 --out plan.json
      p2smt run plan.json
      p2smt run job.toml
    """  # noqa: D301
    from p2smt.cli.output.document import print_json
    from p2smt.cli.output.run import print_run, run_document
    from p2smt.cli.output.screen import say
    from p2smt.reduction.plan.exchange import ExchangePlan
    from p2smt.run.local.cluster import run_plan

    untimed = elements is None and dtype is None and repeats is None
    if ending_of(plan_file) == JOB_SUFFIX:
        _refuse_times(plan_file, untimed=untimed)
        return _stepped(emitted_job(plan_file, None, Nccl()), timeout, debug=debug, as_json=as_json)
    plan = given_any_plan(plan_file, unchecked=unchecked)
    if isinstance(plan, ExchangePlan):
        _refuse_times(plan_file, untimed=untimed)
        return _stepped(emitted_exchange(plan), timeout, debug=debug, as_json=as_json)
    report = run_plan(
        plan,
        elements=elements,
        dtype=dtype or plan.payload.dtype,
        repeats=repeats or _REPEATS,
        timeout_s=timeout,
        debug=debug,
    )
    if as_json:
        print_json(run_document(report))
    else:
        print_run(report)
        say("these are processes on one machine: the numbers are checked, the times say nothing about a cluster")
    return of_check(right=report.ok)


def _refuse_times(path: Path, *, untimed: bool) -> None:
    if not untimed:
        raise RunError(f"--elements, --dtype and --repeats are for plans of reductions; {path} is compared, not timed")


def _stepped(step: StepFile | ExitCode, timeout: float, *, debug: bool, as_json: bool) -> ExitCode:
    """Run emitted communication on local processes, and compare the results with torch's own collectives."""
    from p2smt.cli.output.document import print_json
    from p2smt.cli.output.run import print_step, step_document
    from p2smt.run.local.step import run_step

    if isinstance(step, ExitCode):
        return step
    report = run_step(step.text, step.ranks, timeout_s=timeout, debug=debug)
    if as_json:
        print_json(step_document(report))
    else:
        print_step(report, step.what)
    return of_search(complete=step.proved) if report.ok else of_check(right=False)
