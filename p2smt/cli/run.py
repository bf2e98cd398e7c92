"""`p2smt run`."""

from pathlib import Path
from statistics import median
from typing import Any

import click

from p2smt.cli.problem_options import JSON


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
@JSON
def command(
    plan_file: Path, elements: int | None, dtype: str | None, repeats: int, timeout: float, debug: bool, as_json: bool
) -> int:
    """Run a plan in local processes (gloo), compare every rank with a plain all-reduce, and time both.

    The processes run what `p2smt emit` writes. Data are integers, so equal means equal; what Reduce leaves on
    ranks that are not the root is spoiled first. Up to 16 ranks.

    \b
    Example:
      p2smt plan --system 2x4 --axes 8 --reduce 0 --out plan.json
      p2smt run plan.json
    """  # noqa: D301
    from p2smt.cli.main import FOUND, NEGATIVE
    from p2smt.cli.report import print_json
    from p2smt.plan.file import read_plan
    from p2smt.run.cluster import run_plan

    plan = read_plan(plan_file)
    report = run_plan(
        plan, elements=elements, dtype=dtype or plan.payload.dtype, repeats=repeats, timeout_s=timeout, debug=debug
    )
    if as_json:
        print_json(_document(report))
    else:
        _print(report)
    return FOUND if report.ok else NEGATIVE


def _document(report: Any) -> dict[str, Any]:
    from p2smt.cli.report import VERSION

    return {
        "version": VERSION,
        "program": report.program,
        "ok": report.ok,
        "mismatches": report.mismatches,
        "backend": report.backend,
        "debug": report.debug,
        "torch": report.torch_version,
        "elements": report.elements,
        "dtype": report.dtype,
        "repeats": report.repeats,
        "plan_s": report.plan_seconds,
        "allreduce_s": report.allreduce_seconds,
        "groups_s": report.group_seconds,
        "ranks": [
            {
                "rank": rank.rank,
                "mismatches": rank.mismatches,
                "plan_s": list(rank.plan_seconds),
                "allreduce_s": list(rank.allreduce_seconds),
            }
            for rank in report.ranks
        ],
    }


def _print(report: Any) -> None:
    from p2smt.cli.report import print_table
    from p2smt.problem.quantity import format_seconds

    verdict = "every rank equals a plain all-reduce" if report.ok else f"WRONG: {report.mismatches} elements differ"
    click.echo(
        f"{report.program}\n{verdict} ({len(report.ranks)} ranks, {report.backend}, torch {report.torch_version})\n"
    )
    rows = [
        [
            str(rank.rank),
            "ok" if rank.ok else f"{rank.mismatches} differ",
            format_seconds(median(rank.plan_seconds)),
            format_seconds(median(rank.allreduce_seconds)),
        ]
        for rank in report.ranks
    ]
    title = f"{report.elements} x {report.dtype}, {report.repeats} repeats, median per rank"
    title += ", torch compares every collective (--no-debug: not)" if report.debug else ""
    print_table(title, ("rank", "numbers", "plan", "all-reduce"), rows, right=(0, 2, 3))
    ratio = report.allreduce_seconds / report.plan_seconds if report.plan_seconds else 1.0
    plan_time, plain_time = format_seconds(report.plan_seconds), format_seconds(report.allreduce_seconds)
    made = format_seconds(report.group_seconds)
    click.echo(f"slowest rank: plan {plan_time}, all-reduce {plain_time}, {ratio:.2f}x; groups made in {made}")
