"""`p2smt complete`."""

from pathlib import Path
from typing import Any

import click

from p2smt.cli.options.problem import JSON, TIMEOUT, backend_options, deadline_after, problem_options, read_problem
from p2smt.cost.network.backend import Backend


@click.command("complete")
@click.argument("sketch", metavar="SKETCH")
@problem_options
@backend_options
@TIMEOUT
@click.option("--matrix", metavar="ROWS", help="The one placement to use, such as 1x4/4x4 [all].")
@click.option(
    "--top", type=click.IntRange(min=1), default=3, show_default=True, help="Programs to print per placement."
)
@click.option("--all", "show_all", is_flag=True, help="Print every program (in JSON: as `all`).")
@click.option("--plan", "plan_out", type=click.Path(path_type=Path), help="Write the cheapest one's plan to this file.")
@JSON
def command(
    sketch: str,
    backend: Backend,
    timeout: float | None,
    matrix: str | None,
    top: int,
    show_all: bool,
    plan_out: Path | None,
    as_json: bool,
    **given: Any,
) -> int:
    """Fill a program with holes in every way that makes it valid, cheapest first, or say which parts of it clash.

    SKETCH is pieces separated by `;`, or @FILE with one (there newlines separate too, and # begins a comment):

    \b
      (node, InsideGroup, ReduceScatter)   a step as p2smt prints it; (node, InsideGroup, ??) with any collective
      ReduceScatter local                  along the innermost level of the reduction; `global`: along all of them
      AllReduce along node                 along neighbouring levels, `along node,gpu`; `among masters` may follow
      AllReduce ??, ?? local, ??           any grouping, any collective, any one step
      ??*3, ...                            up to three steps, any number of steps

    \b
    Example:
      p2smt complete "ReduceScatter local; ??; AllGather local" --system 4x16 --axes 64 --reduce 0
      p2smt complete "ReduceScatter local; ...; AllGather ??" problem.toml --all --json
      p2smt complete @sketch.txt problem.toml --matrix 2x2/2x8 --plan plan.json

    Without --limit it is 5, or what the sketch with its bounded gaps needs.

    Exit codes: 0 found, 1 no program fits, 2 bad input, 3 stopped early.
    """  # noqa: D301
    from dataclasses import replace

    from p2smt.cli.main import FOUND, NEGATIVE, PARTIAL
    from p2smt.cli.output.complete import completion_document, explanations, print_completion
    from p2smt.cli.output.files import write_result
    from p2smt.cli.output.progress import print_json, search_progress
    from p2smt.cost.network.backend import cost_of
    from p2smt.cost.ranking import best_placement, rank
    from p2smt.reduction.plan.file import plan_text
    from p2smt.reduction.synth.completion import Completer, limit_for

    wanted, limited = _sketch(sketch), given["limit"] is not None
    problem = read_problem(given)
    limit = limit_for(wanted, problem.search.limit, limited)
    problem = replace(problem, search=replace(problem.search, limit=limit))
    deadline = deadline_after(timeout)
    with search_progress() as progress:
        completion = Completer().complete(problem, wanted, deadline, progress, only=_only(matrix, problem))
    synthesis = completion.synthesis
    ranked = rank(synthesis, cost_of(problem.system, backend))
    best = best_placement(ranked)
    if plan_out is not None and best is not None:
        write_result(plan_out, plan_text(best.programs[0].plan))
    why = explanations(completion, deadline) if best is None and synthesis.complete else ()
    if as_json:
        print_json(completion_document(completion, ranked, why, top, show_all))
    else:
        print_completion(completion, ranked, why, top, show_all)
    if not synthesis.complete:
        return PARTIAL
    return FOUND if best is not None else NEGATIVE


def _sketch(text: str) -> Any:
    from p2smt.errors import ProgramError
    from p2smt.problem.typed import read_bounded
    from p2smt.reduction.language.sketch import MAX_SKETCH_CHARACTERS, parse_sketch, parse_sketch_lines

    if not text.startswith("@"):
        return parse_sketch(text)
    data = read_bounded(Path(text[1:]), MAX_SKETCH_CHARACTERS, ProgramError)
    try:
        return parse_sketch_lines(data.decode("utf-8"))
    except UnicodeDecodeError as cause:
        raise ProgramError(f"{text[1:]} is no UTF-8 text; write one sketch into it") from cause


def _only(matrix: str | None, problem: Any) -> Any:
    from p2smt.placement.matrix import check_matrix, parse_matrix

    if matrix is None:
        return None
    only = parse_matrix(matrix)
    check_matrix(only, problem)
    return only
