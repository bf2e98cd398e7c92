"""`p2smt run`."""

from pathlib import Path

import click

from p2smt.cli.exit_code import ExitCode
from p2smt.cli.options.plan_file import UNCHECKED, given_plan
from p2smt.cli.options.shared import JSON


@click.command("run")
@click.argument("plan_file", type=click.Path(path_type=Path), metavar="PLAN.json")
@click.option(
    "--elements", type=click.IntRange(1, 2**28), help="Elements to time with [the plan's payload, at most 1 MiB]."
)
@click.option("--dtype", metavar="TYPE", help="Element type [that of the plan's payload].")
@click.option("--repeats", type=click.IntRange(1, 1000), default=5, show_default=True, help="Timed repetitions.")
@click.option("--timeout", type=click.FloatRange(1, 3600), default=60.0, show_default=True, metavar="SECONDS",
              help="For starting the processes, and again for running.")  # fmt: skip
@click.option("--debug/--no-debug", default=True, show_default=True,
              help="Let torch compare every collective among the ranks; times are truer without.")  # fmt: skip
@UNCHECKED
@JSON
def command(
    plan_file: Path,
    elements: int | None,
    dtype: str | None,
    repeats: int,
    timeout: float,
    debug: bool,
    unchecked: bool,
    as_json: bool,
) -> ExitCode:
    """Run a plan in local processes (gloo), compare every rank with the plain collective, and time both.

    The processes run what `p2smt emit` writes. Data are integers, so equal means equal; what Reduce leaves on
    ranks that are not the root is spoiled first. Up to 16 ranks.

    \b
    Example:
      p2smt plan --system 2x4 --axes 8 --reduce 0 --out plan.json
      p2smt run plan.json
    """  # noqa: D301
    from p2smt.cli.output.document import print_json
    from p2smt.cli.output.run import print_run, run_document
    from p2smt.cli.output.screen import say
    from p2smt.run.local.cluster import run_plan

    plan = given_plan(plan_file, unchecked=unchecked)
    report = run_plan(
        plan, elements=elements, dtype=dtype or plan.payload.dtype, repeats=repeats, timeout_s=timeout, debug=debug
    )
    if as_json:
        print_json(run_document(report))
    else:
        print_run(report)
        say("these are processes on one machine: the numbers are checked, the times say nothing about a cluster")
    return ExitCode.FOUND if report.ok else ExitCode.NEGATIVE
