"""From what synthesis found to what a report says."""

import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from math import inf

from p2smt.cost.algorithm import Algorithm
from p2smt.cost.backend import Cost, cost_of
from p2smt.cost.explanation import Turn, turns
from p2smt.cost.ranking import Ranker, competition_ranks
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.report.content import PlacementContent, PlacementResult, ReductionContent, Report
from p2smt.report.program_content import program_content
from p2smt.report.selection import Selection, select_devices
from p2smt.synth.session import PlacedPrograms, Synthesis

MOST_PLACEMENTS = 32
"""Placements that a report shows, the fastest ones."""
MOST_PROGRAMS = 3
"""Programs that a report shows step by step on every placement."""


Progress = Callable[[int, int, int], None]


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What is kept of every placement: its programs, the best time and who wins when."""

    placed: PlacedPrograms
    seconds: float
    turns: tuple[Turn, ...]


def collect(
    syntheses: Sequence[Synthesis],
    algorithm: Algorithm,
    also: ParallelismMatrix | None = None,
    progress: Progress | None = None,
) -> Report:
    """The report of one reduction, or of several of one job.

    All syntheses are of one system with the same axes. Placements are in the order of their best programs' seconds,
    summed over the reductions; `also` is shown whatever it takes, and opened. `progress` is told the
    placements ranked, their number and the programs found.
    """
    problem = syntheses[0].problem
    cost = cost_of(problem.system, algorithm)
    rankers = [Ranker(cost) for _ in syntheses]
    outcomes = [_outcomes(synthesis, ranker, progress) for synthesis, ranker in zip(syntheses, rankers, strict=True)]
    shown = _shown(outcomes, also)
    reduced = {axis for synthesis in syntheses for axis in synthesis.problem.reduce}
    placements = tuple(PlacementContent(select_devices(matrix, reduced)) for matrix in shown)
    reductions = tuple(
        _reduction(synthesis, ranker, found, cost, placements)
        for synthesis, ranker, found in zip(syntheses, rankers, outcomes, strict=True)
    )
    return Report(
        problem.system,
        problem.axes,
        problem.search,
        str(algorithm),
        len(outcomes[0]),
        placements,
        shown.index(also) if also in shown else 0,
        reductions,
        versions(),
    )


def versions() -> tuple[tuple[str, str], ...]:
    """What computed the report."""
    packages = (("p2smt", "p2smt"), ("Z3", "z3-solver"))
    return (*((name, _version(package)) for name, package in packages), ("Python", platform.python_version()))


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed as a package"


def _outcomes(synthesis: Synthesis, ranker: Ranker, progress: Progress | None) -> dict[ParallelismMatrix, _Outcome]:
    found = {}
    for number, placed in enumerate(synthesis.placements):
        if progress is not None:
            progress(number, len(synthesis.placements), synthesis.total_programs)
        found[placed.matrix] = _outcome(synthesis, placed, ranker)
    return found


def _outcome(synthesis: Synthesis, placed: PlacedPrograms, ranker: Ranker) -> _Outcome:
    programs = ranker.placement(synthesis.problem, placed).programs
    best = programs[0].seconds if programs else inf
    return _Outcome(placed, best, turns(programs, synthesis.problem.payload.bytes))


def _shown(
    outcomes: Sequence[dict[ParallelismMatrix, _Outcome]], also: ParallelismMatrix | None
) -> list[ParallelismMatrix]:
    """The fastest placements that every reduction has been searched on, and `also`, if it is one of them."""
    common = [matrix for matrix in outcomes[0] if all(matrix in found for found in outcomes)]
    order, _ = competition_ranks([sum(found[matrix].seconds for found in outcomes) for matrix in common])
    first = [common[place] for place in order][:MOST_PLACEMENTS]
    return first if also is None or also in first or also not in common else [*first[:-1], also]


def _reduction(
    synthesis: Synthesis,
    ranker: Ranker,
    outcomes: dict[ParallelismMatrix, _Outcome],
    cost: Cost,
    placements: Sequence[PlacementContent],
) -> ReductionContent:
    shown = {placement.matrix for placement in placements}
    others = [found.seconds for matrix, found in outcomes.items() if matrix not in shown and found.seconds < inf]
    winners = [turn.best for found in outcomes.values() for turn in found.turns]
    why = "" if synthesis.complete else f"{synthesis.stop}{f': {synthesis.reason}' if synthesis.reason else ''}"
    return ReductionContent(
        synthesis.problem,
        synthesis.total_programs,
        why,
        tuple(_result(synthesis, ranker, outcomes[one.matrix], cost, one.selection) for one in placements),
        (min(others), max(others)) if others else None,
        turns(winners, synthesis.problem.payload.bytes),
    )


def _result(
    synthesis: Synthesis, ranker: Ranker, outcome: _Outcome, cost: Cost, selection: Selection
) -> PlacementResult:
    ranked = ranker.placement(synthesis.problem, outcome.placed)
    return PlacementResult(
        outcome.placed.matrix,
        outcome.placed.hierarchy.sizes,
        len(ranked.programs),
        ranked.allreduce_seconds,
        tuple(program_content(one, cost, selection.devices) for one in ranked.programs[:MOST_PROGRAMS]),
        tuple(sorted({float(f"{one.seconds:.4g}") for one in ranked.programs})),
        outcome.turns,
    )
