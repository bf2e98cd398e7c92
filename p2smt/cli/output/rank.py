"""Output of `p2smt rank`."""

from collections.abc import Sequence

from p2smt.cli.output.document import VERSION, Document, problem_document
from p2smt.cli.output.place import print_placement_words
from p2smt.cli.output.plan import NOTHING_YET
from p2smt.cli.output.program import print_in_full, short_cell
from p2smt.cli.output.screen import say
from p2smt.cli.output.synth import beyond_limit_text, completeness, unsearched_lines
from p2smt.cli.output.table import print_table
from p2smt.cost.above_wire import above_cell, above_wire
from p2smt.cost.bus_bandwidth import HEAD, problem_bus_bandwidth, rate_cell
from p2smt.cost.cheapest import ListedProgram
from p2smt.cost.extrapolation import extrapolation_text, is_extrapolated
from p2smt.cost.network.backend import Backend
from p2smt.cost.ranking import RankedPlacement
from p2smt.problem.quantity import format_seconds
from p2smt.reduction.synth.session import Synthesis
from p2smt.wording import counted


def ranking_document(
    synthesis: Synthesis, backend: Backend, ranked: Sequence[RankedPlacement], listed: Sequence[ListedProgram]
) -> Document:
    """Return the JSON document: one ranked list of programs on all placements."""
    return {
        "version": VERSION,
        "problem": problem_document(synthesis.problem),
        "algorithm": str(backend),
        "extrapolated": is_extrapolated(synthesis.problem.system, synthesis.problem.payload.bytes),
        "complete": synthesis.complete,
        "stopped": str(synthesis.stop),
        "reason": synthesis.reason,
        "best_of_any_length": all(placement.any_length for placement in ranked),
        "placements": len(synthesis.placements),
        "total_programs": synthesis.total_programs,
        "programs": [
            {
                "rank": entry.rank,
                "cost_s": entry.program.seconds,
                "busbw_bytes_per_s": problem_bus_bandwidth(synthesis.problem, entry.program.seconds),
                "latency_s": entry.program.latency_s,
                "allreduce_cost_s": entry.placement.allreduce_seconds,
                "wire_s": entry.placement.wire_seconds,
                "above_wire": above_wire(entry.program.seconds, entry.placement.wire_seconds),
                "matrix": entry.placement.placed.matrix.rows,
                "text": entry.program.text,
                "beyond_limit": entry.program.beyond_limit,
            }
            for entry in listed
        ],
    }


def print_ranking(
    synthesis: Synthesis, backend: Backend, ranked: Sequence[RankedPlacement], listed: Sequence[ListedProgram]
) -> None:
    """Print programs on all placements in one table; `=` marks shared ranks."""
    problem = synthesis.problem
    claimed = not is_extrapolated(problem.system, problem.payload.bytes)
    ranks = [entry.rank for entry in listed]
    rows = [
        [
            f"{entry.rank}=" if ranks.count(entry.rank) > 1 else str(entry.rank),
            format_seconds(entry.program.seconds),
            rate_cell(problem_bus_bandwidth(problem, entry.program.seconds)),
            _gain_text(entry) if claimed else "",
            above_cell(entry.program.seconds, entry.placement.wire_seconds) if claimed else "",
            str(entry.placement.placed.matrix),
            _short(entry),
        ]
        for entry in listed
    ]
    title = (
        f"{len(listed)} of {counted(synthesis.total_programs, 'program')} on "
        f"{counted(len(synthesis.placements), 'placement')}, "
        f"{completeness(synthesis)} up to {problem.search.limit} instructions, algorithm {backend}"
    )
    if not listed and not synthesis.complete:
        say(f"{title}\n{NOTHING_YET}")
        return
    columns = ("rank", "time", HEAD, f"vs {problem.goal}", "overhead", "matrix", "program")
    print_table(title, columns, rows, right=(1, 2, 3, 4))
    print_placement_words(problem, [entry.placement.placed.matrix for entry in listed])
    print_in_full((_short(entry), entry.program.text) for entry in listed)
    if not claimed:
        say(extrapolation_text(problem.system))
    elif any(entry.placement.wire_seconds for entry in listed):
        say("overhead: over the lower bound from link capacity, the least time in which links carry the bytes")
    if longer := [entry.program for entry in listed if entry.program.beyond_limit]:
        placements = counted(len(synthesis.placements), "placement")
        say(beyond_limit_text(longer, problem.search.limit, placements))
    for line in unsearched_lines(ranked, problem.search.limit):
        say(line)


def _short(entry: ListedProgram) -> str:
    return short_cell(entry.program.text, entry.placement.placed.hierarchy.names)


def _gain_text(entry: ListedProgram) -> str:
    return f"{entry.placement.allreduce_seconds / entry.program.seconds:.2f}x" if entry.program.seconds else ""
