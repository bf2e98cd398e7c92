"""`p2smt rank`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from p2smt.cli.options.problem import JSON, TIMEOUT, backend_options, deadline_after, problem_options, read_problem
from p2smt.cost.network.backend import Backend


@click.command("rank")
@problem_options
@backend_options
@TIMEOUT
@click.option("--top", type=click.IntRange(min=1), default=10, show_default=True, help="Programs to print.")
@click.option("--best", is_flag=True, help="Only the best program of every placement.")
@click.option("--plan", "plan_out", type=click.Path(path_type=Path), help="Write the winner's plan to this file.")
@JSON
def command(
    backend: Backend, timeout: float | None, top: int, best: bool, plan_out: Path | None, as_json: bool, **given: Any
) -> int:
    """Rank all programs on all placements in one list by predicted time; ties have the same rank.

    \b
    Example:
      p2smt rank --system dgx-h100:4x8 --axes data:4,model:8 --reduce model --bytes 1GiB
      p2smt rank --system 16x8x8 --axes 8,2,32,2 --reduce 0,2 --best --json
    """  # noqa: D301
    from p2smt.cli.main import FOUND, NEGATIVE, PARTIAL
    from p2smt.cli.output.files import write_result
    from p2smt.cli.output.progress import print_json, search_progress
    from p2smt.cost.network.backend import cost_of
    from p2smt.cost.ranking import rank
    from p2smt.reduction.plan.file import plan_text
    from p2smt.reduction.synth.session import Synthesizer

    problem = read_problem(given)
    deadline = deadline_after(timeout)
    with search_progress() as progress:
        synthesis = Synthesizer().synthesize(problem, deadline, progress)
    entries = _list(rank(synthesis, cost_of(problem.system, backend), 1 if best else top), top)
    if plan_out is not None and entries:
        write_result(plan_out, plan_text(entries[0][2].plan))
    if as_json:
        print_json(_document(synthesis, backend, entries))
    else:
        _print(synthesis, backend, entries)
    if not synthesis.complete:
        return PARTIAL
    return FOUND if entries else NEGATIVE


def _list(placements: Sequence[Any], top: int) -> list[tuple[int, Any, Any]]:
    """(rank, placement, program) of the `top` cheapest of all placements."""
    from p2smt.cost.ranking import competition_ranks

    pairs = [(placement, program) for placement in placements for program in placement.programs]
    order, numbers = competition_ranks([program.seconds for _, program in pairs])
    return [(number, *pairs[place]) for place, number in list(zip(order, numbers, strict=True))[:top]]


def _document(synthesis: Any, backend: Backend, entries: Sequence[tuple[int, Any, Any]]) -> dict[str, Any]:
    from p2smt.cli.output.progress import VERSION, problem_document

    return {
        "version": VERSION,
        "problem": problem_document(synthesis.problem),
        "algorithm": str(backend),
        "complete": synthesis.complete,
        "stopped": str(synthesis.stop),
        "reason": synthesis.reason,
        "placements": len(synthesis.placements),
        "total_programs": synthesis.total_programs,
        "programs": [
            {
                "rank": number,
                "cost_s": program.seconds,
                "latency_s": program.latency_s,
                "allreduce_cost_s": placement.allreduce_seconds,
                "matrix": placement.placed.matrix.rows,
                "text": program.text,
            }
            for number, placement, program in entries
        ],
    }


def _print(synthesis: Any, backend: Backend, entries: Sequence[tuple[int, Any, Any]]) -> None:
    from p2smt.cli.output.progress import print_table
    from p2smt.cli.output.synth import completeness
    from p2smt.problem.quantity import format_seconds

    numbers = [number for number, *_ in entries]
    rows = [
        [
            f"{number}{'=' if numbers.count(number) > 1 else ''}",
            format_seconds(program.seconds),
            f"{placement.allreduce_seconds / program.seconds:.2f}x" if program.seconds else "",
            str(placement.placed.matrix),
            program.text,
        ]
        for number, placement, program in entries
    ]
    title = (
        f"{len(entries)} of {synthesis.total_programs} programs on {len(synthesis.placements)} placements, "
        f"{completeness(synthesis)} up to {synthesis.problem.search.limit} instructions, algorithm {backend}"
    )
    print_table(title, ("rank", "time", "vs AllReduce", "matrix", "program"), rows, right=(1, 2))
