"""`p2smt rank`."""

from pathlib import Path

import click

from p2smt.cli.exit_code import ExitCode, of_search
from p2smt.cli.next_step import say_next
from p2smt.cli.options.help_page import HelpPage
from p2smt.cli.options.paths import OutputPath
from p2smt.cli.options.problem import ProblemOptions, problem_options
from p2smt.cli.options.shared import FORCE, JSON, TIMEOUT, backend_options, deadline_after
from p2smt.cost.network.backend import Backend, asked_cost


@click.command("rank", cls=HelpPage)
@problem_options
@backend_options
@TIMEOUT
@click.option("--top", type=click.IntRange(min=1), default=10, show_default=True, help="Programs to print.")
@click.option("--best", is_flag=True, help="Only the best program of every placement.")
@click.option("--plan", "plan_out", type=OutputPath(), help="Write the winner's plan to this file.")
@FORCE
@JSON
def command(
    given: ProblemOptions,
    backend: Backend,
    timeout: float | None,
    top: int,
    best: bool,
    plan_out: Path | None,
    force: bool,
    as_json: bool,
) -> ExitCode:
    """Rank all programs on all placements in one list by predicted time; ties have the same rank.

    \b
    Example:
      p2smt rank --system dgx-h100:4x8 --axes data:4,model:8 --reduce model --bytes 1GiB
      p2smt rank --system 16x8x8 --axes 8,2,32,2 --reduce 0,2 --best --json
    """  # noqa: D301
    from p2smt.cli.output.document import print_json
    from p2smt.cli.output.files import refuse_overwriting
    from p2smt.cli.output.plan import write_ranked
    from p2smt.cli.output.progress import progress
    from p2smt.cli.output.rank import print_ranking, ranking_document
    from p2smt.cost.cheapest import programs_in_one_list
    from p2smt.cost.ranking import rank, searched_in_time
    from p2smt.reduction.synth.session import synthesize

    refuse_overwriting(plan_out, force=force)
    problem = given.problem()
    deadline = deadline_after(timeout)
    with progress("placements", note="{} programs", remaining=False) as on_progress:
        synthesis = synthesize(problem, deadline, on_progress)
    ranked = rank(synthesis, asked_cost(problem.system, backend), 1 if best else top, deadline=deadline)
    listed = programs_in_one_list(ranked, top)
    if plan_out is not None and listed:
        write_ranked(plan_out, listed[0].placement, listed[0].program, force=force)
    if as_json:
        print_json(ranking_document(synthesis, backend, ranked, listed))
    else:
        print_ranking(synthesis, backend, ranked, listed)
        say_next("--plan plan.json", when=plan_out is None and bool(listed))
    return of_search(found=bool(listed), complete=synthesis.complete and searched_in_time(ranked))
