"""`p2smt plan`."""

from pathlib import Path
from typing import Any

import click

from p2smt.cli.options.problem import TIMEOUT, backend_options, deadline_after, problem_options, read_problem
from p2smt.cost.network.backend import Backend


@click.command("plan")
@problem_options
@backend_options
@TIMEOUT
@click.option("--matrix", metavar="ROWS", help="Placement to use, such as 1x4/4x4 [the cheapest].")
@click.option("--program", metavar="TEXT", help="Program to lower, as `p2smt synth` prints it [the cheapest].")
@click.option("--out", type=click.Path(path_type=Path), help="File to write instead of stdout.")
def command(
    backend: Backend, timeout: float | None, matrix: str | None, program: str | None, out: Path | None, **given: Any
) -> int:
    """Lower the best program, or a given one, to a plan: steps with groups and buffer layout, as JSON.

    \b
    Example:
      p2smt plan --system 2x4 --axes 8 --reduce 0 --out plan.json
      p2smt plan --system node:2,gpu:4 --axes 8 --reduce 0 --matrix 2x4 \\
          --program "(node, InsideGroup, AllReduce); (node, Parallel(root), AllReduce)"
    """  # noqa: D301
    from p2smt.cli.main import FOUND, NEGATIVE, PARTIAL
    from p2smt.cli.output.files import write_result
    from p2smt.reduction.plan.file import plan_text

    problem = read_problem(given)
    if program is not None:
        write_result(out, plan_text(given_plan(problem, matrix, program)))
        return FOUND
    plan, complete = cheapest_plan(problem, backend, matrix, deadline_after(timeout))
    if plan is None:
        click.echo("p2smt: no program does this reduction on this hierarchy within the limit", err=True)
        return NEGATIVE if complete else PARTIAL
    write_result(out, plan_text(plan))
    return FOUND if complete else PARTIAL


def given_plan(problem: Any, matrix: str | None, program: str) -> Any:
    """The plan of a program on a placement; raises ProblemError when it is not said which of several placements."""
    from p2smt.errors import ProblemError
    from p2smt.placement.enumeration import all_placements
    from p2smt.placement.matrix import check_matrix, parse_matrix
    from p2smt.reduction.language.hierarchy import read_program
    from p2smt.reduction.plan.lower import Lowering

    if matrix is None:
        matrices = all_placements(problem).items
        if len(matrices) > 1:
            some = ", ".join(map(str, matrices[:5]))
            raise ProblemError(f"--program needs --matrix, because there are {len(matrices)} placements: {some}")
        chosen = matrices[0]
    else:
        chosen = parse_matrix(matrix)
        check_matrix(chosen, problem)
    lowering = Lowering(problem, chosen)
    return lowering.plan(read_program(lowering.hierarchy, program))


def cheapest_plan(problem: Any, backend: Backend, matrix: str | None, deadline: float | None) -> tuple[Any, bool]:
    """The plan of the cheapest program, on one placement or any, None if there is none; whether all were compared."""
    from p2smt.cli.output.progress import search_progress
    from p2smt.cost.network.backend import cost_of
    from p2smt.cost.ranking import best_placement, rank
    from p2smt.placement.matrix import check_matrix, parse_matrix
    from p2smt.reduction.synth.session import Synthesizer

    only = None if matrix is None else parse_matrix(matrix)
    if only is not None:
        check_matrix(only, problem)
    with search_progress() as progress:
        synthesis = Synthesizer().synthesize(problem, deadline, progress, only=only)
    best = best_placement(rank(synthesis, cost_of(problem.system, backend), top=1))
    return (None if best is None else best.programs[0].plan), synthesis.complete
