"""`p2smt plan`."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from p2smt.cli.exit_code import ExitCode, of_search
from p2smt.cli.options.help_page import HelpPage
from p2smt.cli.options.paths import OutputPath
from p2smt.cli.options.plan import PlanOptions, chunks_option
from p2smt.cli.options.problem import ProblemOptions, problem_options
from p2smt.cli.options.shared import FORCE, TIMEOUT, backend_options, deadline_after
from p2smt.cli.output.written import WRITTEN_JSON
from p2smt.cost.network.backend import Backend, asked_cost
from p2smt.errors import ProblemError
from p2smt.problem.quantity import format_seconds

if TYPE_CHECKING:
    from p2smt.problem.workload import Workload


@click.command("plan", cls=HelpPage)
@problem_options
@backend_options
@TIMEOUT
@click.option("--matrix", metavar="ROWS", help="Placement to use, such as 1x4/4x4 [the cheapest].")
@click.option("--program", metavar="TEXT", help="Program to lower, as `p2smt synth` prints it [the cheapest].")
@chunks_option
@click.option("--out", type=OutputPath(), help="File to write instead of stdout.")
@FORCE
@WRITTEN_JSON
def command(
    given: ProblemOptions,
    backend: Backend,
    timeout: float | None,
    matrix: str | None,
    program: str | None,
    chunks: int | None,
    out: Path | None,
    force: bool,
) -> ExitCode:
    """Lower the best program, or a given one, to a plan: steps with groups and buffer layout, as JSON.

    \b
    Example:
      p2smt plan --system 2x4 --axes 8 --reduce 0 --out plan.json
      p2smt plan --system 2x4 --axes 8 --reduce 0 --goal reduce-scatter --out shards.json
      p2smt plan --system 2x4 --axes 8 --reduce 0 --goal all-to-all --bytes 4KB --out exchange.json
      p2smt plan --system 2x4x8 --axes 64 --reduce 0 --bytes 1GiB --chunks auto --out plan.json
      p2smt plan --system node:2,gpu:4 --axes 8 --reduce 0 --matrix 2x4 \\
          --program "(node, InsideGroup, AllReduce); (node, Parallel(root), AllReduce)"
    """  # noqa: D301
    from p2smt.cli.output.files import refuse_overwriting
    from p2smt.cli.output.plan import chunks_claim, no_plan, write_plan

    # Before the search, which may take minutes, not after it.
    refuse_overwriting(out, force=force)
    exchange = given.exchange()
    if exchange is not None:
        if matrix is not None or program is not None or chunks != 1:
            raise ProblemError(
                "--matrix, --program and --chunks are for reductions; leave them out for all-to-alls and sends"
            )
        return _exchange(exchange, backend, deadline_after(timeout), out, force=force)
    problem = given.problem()
    cost = asked_cost(problem.system, backend)
    cheapest = PlanOptions(matrix, program, chunks).plan(problem, cost, deadline_after(timeout))
    if cheapest.plan is None:
        return no_plan(complete=cheapest.complete)
    write_plan(out, cheapest.plan, problem, cost, chunks_claim(cheapest), force=force)
    return of_search(complete=cheapest.complete)


def _exchange(job: "Workload", backend: Backend, deadline: float | None, out: Path | None, *, force: bool) -> ExitCode:
    """Write the plan of an all-to-all or a send on its fastest placement."""
    from p2smt.cli.output.files import write_and_say
    from p2smt.cli.output.solved import solved
    from p2smt.job.plans import best_plans
    from p2smt.reduction.plan.exchange_file import any_plan_text

    cost = asked_cost(job.system, backend)
    optimum = solved(job, cost, deadline, err=True)
    if isinstance(optimum, ExitCode):
        return optimum
    (plan,) = best_plans(optimum, cost)
    what = f"placement {plan.matrix}, {plan.program}, {format_seconds(optimum.best.seconds)}"
    text = any_plan_text(plan)
    facts = {"seconds": optimum.best.seconds, "plan": json.loads(text)}
    write_and_say(out, text, what, f"p2smt emit {out or 'FILE'} --out exchange.py", force=force, facts=facts)
    return of_search(complete=optimum.proved)
