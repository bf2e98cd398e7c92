"""Collect the contents of the report on one reduction from a synthesis."""

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from math import inf

from p2smt.cost.any_length import Reach
from p2smt.cost.crossovers import Crossover, cheapest_of, crossovers
from p2smt.cost.network.backend import Backend, cost_of
from p2smt.cost.network.cost import Cost
from p2smt.cost.ranking import RankedPlacement, RankedProgram, Ranker, best_placement, competition_ranks
from p2smt.emit.torch.source import emit_torch
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.reduction.plan.model import Plan
from p2smt.reduction.synth.session import Synthesis
from p2smt.report.content.collect_chunks import chunks_content
from p2smt.report.content.content import ChunksContent, PlacementContent, PlacementResult, ProgramContent, Report
from p2smt.report.content.program_content import program_content, steps_of
from p2smt.report.content.selection import AnySelection, selection_of
from p2smt.report.content.versions import versions

MOST_PLACEMENTS = 32
"""Maximum number of placements in a report; the fastest are kept."""
MOST_PROGRAMS = 3
"""Maximum number of programs per placement whose steps a report shows."""


Progress = Callable[[int, int, int], None]


@dataclass(frozen=True, slots=True)
class _Outcome:
    """Results for one placement: its ranked programs, and the crossovers between programs over the payload size.

    `crossovers` is None if the deadline passed before they were computed.
    """

    best: RankedPlacement
    crossovers: tuple[Crossover, ...] | None

    @property
    def seconds(self) -> float:
        return self.best.programs[0].seconds if self.best.programs else inf


def collect(
    synthesis: Synthesis,
    backend: Backend,
    also: ParallelismMatrix | None = None,
    on_progress: Progress | None = None,
    deadline: float | None = None,
    plan: Plan | None = None,
) -> Report:
    """Return the report of one reduction, with placements sorted by the time of their best program.

    `also` is a placement that is always shown and selected when the page opens. `plan`, a plan on that
    placement, is shown chunk by chunk. `on_progress` is called with the number of placements ranked, the total
    number of placements and the number of programs found. After the deadline (a time of `time.monotonic`),
    neither programs longer than the limit nor other payload sizes are examined, and the report says so.
    """
    problem = synthesis.problem
    cost = cost_of(problem.system, backend)
    ranker = Ranker(cost)
    outcomes = _outcomes(synthesis, ranker, cost, on_progress, deadline)
    shown = _shown(outcomes, also)
    tree = problem.system.tree
    placements = tuple(PlacementContent(selection_of(matrix, problem.reduce, tree)) for matrix in shown)
    opened = shown.index(also) if also in shown else 0
    others = [found.seconds for matrix, found in outcomes.items() if matrix not in shown and found.seconds < inf]
    return Report(
        problem.system,
        problem.axes,
        problem.search,
        backend,
        len(outcomes),
        placements,
        opened,
        problem.reduce[0],
        versions(),
        problem,
        synthesis.total_programs,
        "" if synthesis.complete else f"{synthesis.stop}{f': {synthesis.reason}' if synthesis.reason else ''}",
        sum(found.best.reach is Reach.LATE for found in outcomes.values()),
        tuple(_result(synthesis, ranker, outcomes[one.matrix], cost, one.selection) for one in placements),
        (min(others), max(others)) if others else None,
        _of_all_placements(outcomes.values()),
        _code(outcomes.values()),
        _chunked(synthesis, ranker, outcomes[shown[opened]], cost, plan, deadline) if shown else None,
    )


def _of_all_placements(outcomes: Collection[_Outcome]) -> tuple[Crossover, ...] | None:
    """Return the crossovers between the best programs of all placements; None if any placement lacks them."""
    known = [found.crossovers for found in outcomes if found.crossovers is not None]
    return cheapest_of(known) if len(known) == len(outcomes) else None


def _code(outcomes: Collection[_Outcome]) -> str:
    """Return the Python source of the fastest program on any placement; empty if there is none or it has no steps."""
    best = best_placement([found.best for found in outcomes])
    plan = None if best is None else best.programs[0].plan
    return emit_torch(plan) if plan is not None and plan.steps else ""


def _outcomes(
    synthesis: Synthesis, ranker: Ranker, cost: Cost, on_progress: Progress | None, deadline: float | None
) -> dict[ParallelismMatrix, _Outcome]:
    found = {}
    for number, placed in enumerate(synthesis.placements):
        if on_progress is not None:
            on_progress(number, len(synthesis.placements), synthesis.total_programs)
        best = ranker.placement(synthesis.problem, placed, top=1, deadline=deadline)
        found[placed.matrix] = _Outcome(best, crossovers(ranker, cost, synthesis.problem, placed, deadline))
    return found


def _shown(outcomes: dict[ParallelismMatrix, _Outcome], also: ParallelismMatrix | None) -> list[ParallelismMatrix]:
    """Return the fastest placements, and `also` if it was searched."""
    matrices = list(outcomes)
    order, _ = competition_ranks([found.seconds for found in outcomes.values()])
    first = [matrices[place] for place in order][:MOST_PLACEMENTS]
    return first if also is None or also in first or also not in outcomes else [*first[:-1], also]


def _result(
    synthesis: Synthesis, ranker: Ranker, outcome: _Outcome, cost: Cost, selection: AnySelection
) -> PlacementResult:
    placed = outcome.best.placed
    ranked = ranker.placement(synthesis.problem, placed, known=outcome.best.cheaper)
    first = ranked.programs[:MOST_PROGRAMS]
    return PlacementResult(
        placed.matrix,
        placed.hierarchy.sizes,
        len(placed.programs),
        ranked.allreduce_seconds,
        ranked.wire_seconds,
        tuple(one.rank for one in first),
        tuple(_program(one, cost, selection) for one in first),
        # Times that are equal to four digits count once, which keeps the page small.
        tuple(sorted({float(f"{one.seconds:.4g}") for one in ranked.programs})),
        outcome.crossovers,
        any(one.beyond_limit for one in first[:1]),
    )


def _chunked(
    synthesis: Synthesis, ranker: Ranker, outcome: _Outcome, cost: Cost, plan: Plan | None, deadline: float | None
) -> ChunksContent | None:
    if plan is None and deadline is not None and time.monotonic() >= deadline:
        return None
    known = outcome.best.cheaper
    return chunks_content(ranker.placement(synthesis.problem, outcome.best.placed, known=known), cost, plan)


def _program(ranked: RankedProgram, cost: Cost, selection: AnySelection) -> ProgramContent:
    plan = ranked.plan
    steps = steps_of(plan, cost, selection.devices)
    return program_content(f"{ranked.rank}.", ranked.text, ranked.seconds, plan.payload.bytes, steps)
