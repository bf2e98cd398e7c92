"""`p2smt synth`."""

from pathlib import Path

import click

from p2smt.cli.exit_code import ExitCode, of_search
from p2smt.cli.next_step import say_next
from p2smt.cli.options.help_page import HelpPage
from p2smt.cli.options.paths import OutputPath
from p2smt.cli.options.problem import ProblemOptions, problem_options
from p2smt.cli.options.shared import FORCE, JSON, TIMEOUT, backend_options, deadline_after
from p2smt.cost.network.backend import Backend, asked_cost


@click.command("synth", cls=HelpPage)
@problem_options
@backend_options
@TIMEOUT
@click.option(
    "--top", type=click.IntRange(min=1), default=3, show_default=True, help="Programs to print per placement."
)
@click.option("--all", "show_all", is_flag=True, help="Print every placement and program (in JSON: as `all`).")
@click.option("--plan", "plan_out", type=OutputPath(), help="Write the winner's plan to this file.")
@FORCE
@click.option("--certify", is_flag=True, help="Prove with Z3 that nothing costs less (exit 3: only a lower bound).")
@click.option(
    "--obligation",
    type=OutputPath(),
    help="With --certify: write the proof obligation of the winner's placement to this SMT-LIB 2 file.",
)
@JSON
def command(
    given: ProblemOptions,
    backend: Backend,
    timeout: float | None,
    top: int,
    show_all: bool,
    plan_out: Path | None,
    force: bool,
    certify: bool,
    obligation: Path | None,
    as_json: bool,
) -> ExitCode:
    """Find all placements and all valid reduction programs, and rank them by predicted time.

    \b
    Example:
      p2smt synth --system node:4,gpu:16 --axes data:4,model:16 --reduce model --bytes 1GiB
      p2smt synth problem.toml --grammar paper --all --json
      p2smt synth --system "node:[5,3]" --axes 8 --reduce 0 --goal reduce-scatter
      p2smt synth problem.toml --certify --obligation winner.smt2
    """  # noqa: D301
    from p2smt.cli.output.certificate import certificate_document, print_certificate, write_obligation
    from p2smt.cli.output.document import print_json
    from p2smt.cli.output.files import refuse_overwriting
    from p2smt.cli.output.plan import write_ranked
    from p2smt.cli.output.progress import progress, working
    from p2smt.cli.output.synth import print_synthesis, synthesis_document
    from p2smt.cost.certificate import certify as prove
    from p2smt.cost.certificate import refuse_unlike
    from p2smt.cost.ranking import best_placement, rank, searched_in_time
    from p2smt.reduction.synth.session import synthesize

    if obligation is not None and not certify:
        raise click.UsageError("--obligation writes the obligation that --certify proves; give both")
    refuse_overwriting(plan_out, obligation, force=force)
    problem = given.problem()
    if certify:
        refuse_unlike(problem)
    deadline = deadline_after(timeout)
    with progress("placements", note="{} programs", remaining=False) as on_progress:
        synthesis = synthesize(problem, deadline, on_progress)
    cost = asked_cost(problem.system, backend)
    ranked = rank(synthesis, cost, deadline=deadline)
    best = best_placement(ranked)
    if plan_out is not None and best is not None:
        write_ranked(plan_out, best, best.programs[0], force=force)
    if not as_json:
        print_synthesis(synthesis, ranked, None if show_all else top)
    with working("proving that nothing costs less"):
        certificate = prove(synthesis, ranked, cost, deadline) if certify else None
    if as_json:
        print_json({**synthesis_document(synthesis, ranked, top, show_all), **certificate_document(certificate)})
    elif certificate is not None:
        print_certificate(certificate, problem)
    is_kept = plan_out is not None or obligation is not None
    say_next("--plan plan.json", when=best is not None and not is_kept and not as_json)
    if obligation is not None:
        write_obligation(certificate, obligation, force=force)
    certain = certificate is None or certificate.certain
    return of_search(found=best is not None, complete=synthesis.complete and searched_in_time(ranked) and certain)
