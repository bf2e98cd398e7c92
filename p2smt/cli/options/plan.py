"""The options that select a placement and a program of a problem; by default the cheapest."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from p2smt.cli.options.values import Command

if TYPE_CHECKING:
    from p2smt.cost.cheapest import CheapestPlan
    from p2smt.cost.cheapest_chunks import CheapestChunks
    from p2smt.cost.network.cost import Cost
    from p2smt.problem.model import Problem


BEST = "auto"


def chunks_option(command: Command) -> Command:
    """Add `--chunks` to a command: a number, or None for the best number."""
    return click.option(
        "--chunks",
        callback=_chunks,
        default="1",
        show_default=True,
        metavar=f"N|{BEST}",
        help="Cut the payload into chunks; steps of different ones run at once.",
    )(command)


def _chunks(context: click.Context, option: click.Parameter, value: str) -> int | None:
    return parse_chunks(value)


def parse_chunks(value: str) -> int | None:
    """Parse --chunks: a number, or None for `auto`, the best number; raises BadParameter."""
    from p2smt.reduction.plan.model import MAX_CHUNKS

    if value == BEST:
        return None
    if not value.isascii() or not value.isdigit() or not 1 <= int(value[:9]) <= MAX_CHUNKS:
        raise click.BadParameter(f"{value[:40]!r} is neither a number from 1 to {MAX_CHUNKS} nor {BEST}")
    return int(value)


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """`--matrix` and `--program`, each None for the cheapest; `chunks` is None for the best number."""

    matrix: str | None
    program: str | None
    chunks: int | None = 1

    def plan(self, problem: "Problem", cost: "Cost", deadline: float | None) -> "CheapestPlan | CheapestChunks":
        """Return the plan of the given or cheapest program on the given or cheapest placement, and show progress."""
        from p2smt.cli.output.progress import progress
        from p2smt.cost.cheapest import CheapestPlan, cheapest_plan
        from p2smt.cost.cheapest_chunks import cheapest_chunked, in_chunks
        from p2smt.placement.matrix import parse_matrix
        from p2smt.reduction.plan.program_plan import program_plan

        matrix = None if self.matrix is None else parse_matrix(self.matrix)
        # A program is lowered without a search, so its answer is complete.
        if self.program is not None:
            plan = program_plan(problem, self.program, matrix)
            return CheapestPlan(in_chunks(plan, cost, self.chunks), complete=True)
        with progress("placements", note="{} programs", remaining=False) as on_progress:
            if self.chunks == 1:
                return cheapest_plan(problem, cost, matrix, deadline, on_progress)
            return cheapest_chunked(problem, cost, self.chunks, matrix, deadline, on_progress)
