"""`p2smt complete`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from p2smt.cli.exit_code import ExitCode, of_search
from p2smt.cli.next_step import say_next
from p2smt.cli.options.help_page import HelpPage
from p2smt.cli.options.paths import OutputPath
from p2smt.cli.options.problem import ProblemOptions, problem_options
from p2smt.cli.options.shared import FORCE, JSON, TIMEOUT, backend_options, deadline_after
from p2smt.cli.output.document import print_json
from p2smt.cli.output.files import refuse_overwriting
from p2smt.cli.output.progress import progress
from p2smt.cost.network.backend import Backend, asked_cost
from p2smt.placement.matrix import parse_matrix

if TYPE_CHECKING:
    from p2smt.placement.matrix import ParallelismMatrix
    from p2smt.problem.model import Problem
    from p2smt.reduction.language.sketch import Sketch


@click.command("complete", cls=HelpPage)
@click.argument("sketch", metavar="SKETCH")
@problem_options
@backend_options
@TIMEOUT
@click.option("--matrix", metavar="ROWS", help="The one placement to use, such as 1x4/4x4 [all].")
@click.option(
    "--top", type=click.IntRange(min=1), default=3, show_default=True, help="Programs to print per placement."
)
@click.option("--all", "show_all", is_flag=True, help="Print every placement and program (in JSON: as `all`).")
@click.option("--plan", "plan_out", type=OutputPath(), help="Write the cheapest one's plan to this file.")
@FORCE
@JSON
def command(
    sketch: str,
    given: ProblemOptions,
    backend: Backend,
    timeout: float | None,
    matrix: str | None,
    top: int,
    show_all: bool,
    plan_out: Path | None,
    force: bool,
    as_json: bool,
) -> ExitCode:
    """Fill a program with holes in every way that makes it valid, cheapest first, or say which parts of it clash.

    SKETCH is pieces separated by `;`, or @FILE with one (there newlines separate too, and # begins a comment):

    \b
      (node, InsideGroup, AllReduce)  a step as p2smt prints it
      (node, InsideGroup, ??)         with any collective
      AllReduce local                 along the reduction's innermost level
      AllReduce global                along all of its levels
      AllReduce along node,gpu        along these neighbouring levels
      AllReduce along node among masters
      AllReduce ??, ?? local, ??      any grouping, collective, one step
      ??*3, ...                       up to three steps, any number of them

    \b
    Example:
      p2smt complete "ReduceScatter local; ??; AllGather local" --system 4x16 --axes 64 --reduce 0
      p2smt complete "ReduceScatter local; ...; AllGather ??" problem.toml --all --json
      p2smt complete @sketch.txt problem.toml --matrix 2x2/2x8 --plan plan.json

    Without --limit it is 5, or what the sketch with its bounded gaps needs.

    Exit codes: 0 found, 1 no program fits, 2 bad input, 3 stopped early.
    """  # noqa: D301
    from p2smt.cli.output.complete import completion_document, print_completion
    from p2smt.cli.output.plan import write_ranked
    from p2smt.cost.ranking import best_placement, rank
    from p2smt.reduction.synth.completion import complete, problem_for
    from p2smt.reduction.synth.conflicts import conflicts

    refuse_overwriting(plan_out, force=force)
    pieces = _sketch(sketch)
    problem = problem_for(pieces, given.problem(), limited=given.search.limit is not None)
    deadline = deadline_after(timeout)
    with progress("placements", note="{} programs", remaining=False) as on_progress:
        completion = complete(problem, pieces, deadline, on_progress, _matrix(matrix, problem))
    synthesis = completion.synthesis
    ranked = rank(synthesis, asked_cost(problem.system, backend), any_length=False)
    best = best_placement(ranked)
    if plan_out is not None and best is not None:
        write_ranked(plan_out, best, best.programs[0], force=force)
    why = conflicts(completion, deadline) if best is None and synthesis.complete else ()
    if as_json:
        print_json(completion_document(completion, ranked, why, top, show_all))
    else:
        print_completion(completion, ranked, why, None if show_all else top)
        say_next("--plan plan.json", when=plan_out is None and best is not None)
    return of_search(found=best is not None, complete=synthesis.complete)


def _sketch(text: str) -> "Sketch":
    from p2smt.reduction.language.sketch import parse_sketch, read_sketch

    return read_sketch(Path(text[1:])) if text.startswith("@") else parse_sketch(text)


def _matrix(text: str | None, problem: "Problem") -> "ParallelismMatrix | None":
    """Parse --matrix; None if it is not given. Raises an error if it is not a placement of the problem."""
    if text is None:
        return None
    from p2smt.placement.matrix_check import check_matrix

    matrix = parse_matrix(text)
    check_matrix(matrix, problem)
    return matrix
