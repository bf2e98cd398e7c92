"""Output of `p2smt optimize` for the placements of a job."""

from collections.abc import Iterator, Sequence

from p2smt.cli.output.document import VERSION, Document
from p2smt.cli.output.job import job_document, placement_document
from p2smt.cli.output.matrix import matrix_lines
from p2smt.cli.output.place import words_of
from p2smt.cli.output.program import names_over, print_in_full, short_cell
from p2smt.cli.output.screen import GLUE, say, show
from p2smt.cli.output.table import print_table
from p2smt.cost.above_wire import above_cell, above_text
from p2smt.cost.bus_bandwidth import HEAD, rate_cell, reduction_bus_bandwidth
from p2smt.cost.network.backend import Backend
from p2smt.job.job_pricer import PlacementTime, ReductionTime
from p2smt.job.optimize import Optimum
from p2smt.problem.condition import ProgramCondition
from p2smt.problem.quantity import format_bytes, format_seconds
from p2smt.problem.text import printable
from p2smt.problem.workload import Reduction, Workload
from p2smt.reduction.semantics.state_graph import MAX_LEVELS
from p2smt.wording import counted

MANY_COMMUNICATORS = 10
"""The number of communicators per device above which a note is printed: each takes about 2 s to create and 0.5 GB.

Measured by users on eight GPUs (NCCL issues 534, 964).
"""

_PLACEMENT_COLUMNS = ("", "matrix", "per step", "of the best", "overhead", "communicators", "in words")


def optimum_document(optimum: Optimum, backend: Backend, top: int) -> Document:
    """Return the JSON document: the job, the extent of the proof, and the `top` placements with their reductions."""
    return {
        "version": VERSION,
        "job": job_document(optimum.workload),
        "algorithm": str(backend),
        "proved": optimum.proved,
        "best_of_any_length": optimum.proved and optimum.limited.none,
        "up_to_limit_alone": {
            "too_many_levels": list(optimum.limited.deep),
            "overlapping": list(optimum.limited.overlapping),
        },
        "stopped": str(optimum.stop),
        "reason": optimum.reason,
        "found": optimum.found,
        "refused": optimum.refused,
        "priced": len(optimum.placements),
        "cost_s": optimum.best.seconds,
        "lower_bound_s": optimum.lower_bound_s,
        "gap": optimum.gap,
        "placements": [placement_document(optimum.workload, placement) for placement in optimum.placements[:top]],
    }


def print_optimum(optimum: Optimum, backend: Backend, top: int) -> None:
    """Print the extent of the proof, the best placement with its programs, and the `top` placements."""
    best = optimum.best
    say(f"{proof_text(optimum)}, algorithm {backend}\n")
    print_placement(optimum, best)
    rows = _placement_rows(optimum, top)
    title = f"the first {len(rows)} of {counted(len(optimum.placements), 'placement')}"
    print_table(title, _PLACEMENT_COLUMNS, rows, right=(0, 2, 3, 4, 5))
    print_in_full_of(optimum, best)


def print_placement(optimum: Optimum, placement: PlacementTime) -> None:
    """Print a placement and its reductions with their programs."""
    workload = optimum.workload
    say(f"{placement.matrix}: {words_of(placement.matrix, workload)}")
    above = above_text(placement.seconds, placement.wire_seconds)
    above = f", {above} above the lower bound of the links" if above else ""
    say(f"{format_seconds(placement.seconds)} of communication per step{above}\n")
    show([*matrix_lines(placement.matrix, workload, 5), ""])
    columns = ("reduction", "what", "times", "once", HEAD, "per step", "overlap", "program")
    print_table("each with its best program", columns, _reduction_rows(workload, placement), right=(2, 3, 4, 5))


def print_in_full_of(optimum: Optimum, placement: PlacementTime) -> None:
    """Print in full the programs that the tables abbreviate, and notes on program length and communicators."""
    workload = optimum.workload
    print_in_full((_short(workload, placement, time), time.candidate.text) for time in placement.reductions)
    for line in (*_length_lines(optimum), _many(placement)):
        if line:
            say(line)


def _reduction_rows(workload: Workload, best: PlacementTime) -> list[list[str]]:
    return [
        [
            printable(time.reduction.name),
            _communication(workload, time.reduction),
            f"{time.reduction.times:g}",
            format_seconds(time.candidate.seconds),
            rate_cell(reduction_bus_bandwidth(workload, time.reduction, time.candidate.seconds)),
            format_seconds(time.seconds),
            printable(time.reduction.overlap),
            _short(workload, best, time),
        ]
        for time in best.reductions
    ]


def _short(workload: Workload, placement: PlacementTime, time: ReductionTime) -> str:
    names = names_over(workload.search, workload.levels, placement.matrix, time.reduction.axes)
    return short_cell(time.candidate.text, names)


def _placement_rows(optimum: Optimum, top: int) -> list[list[str]]:
    best = optimum.best.seconds
    return [
        [
            str(number),
            str(placement.matrix),
            format_seconds(placement.seconds),
            f"{placement.seconds / best:.2f}x" if best else "",
            above_cell(placement.seconds, placement.wire_seconds),
            str(placement.communicators),
            words_of(placement.matrix, optimum.workload),
        ]
        for number, placement in enumerate(optimum.placements[:top], start=1)
    ]


def _many(best: PlacementTime) -> str:
    if best.communicators <= MANY_COMMUNICATORS:
        return ""
    return (
        f"every device is in {best.communicators} communicators, which take time to make and memory to keep; "
        f'--condition "at most {MANY_COMMUNICATORS} communicators" looks for programs with fewer'
    )


def proof_text(optimum: Optimum) -> str:
    """Return a sentence on whether the best placement is proved optimal, or its optimality gap."""
    search, placements = optimum.workload.search, _placements(optimum)
    programs = f"all programs of at most {search.limit} instructions of grammar {search.grammar}"
    programs += " and each reduction's best of any length"
    if any(isinstance(one, ProgramCondition) for one in optimum.workload.conditions):
        programs += " for every set of communicators"
    if optimum.proved:
        refused = f" ({optimum.refused} of them have no programs within the limits)" if optimum.refused else ""
        return f"proved best (gap 0 %): all of {placements} priced{refused}, with {programs}"
    return (
        f"not proved best, stopped ({optimum.stop}): {len(optimum.placements)} of {placements} found so far "
        f"were priced; any takes at least {format_seconds(optimum.lower_bound_s)}, gap {100 * optimum.gap:.0f} %"
    )


def _length_lines(optimum: Optimum) -> Iterator[str]:
    """Yield notes on the reductions for which a program longer than --limit may be faster."""
    limit, limited = optimum.workload.search.limit, optimum.limited
    if limited.deep:
        names = _names(optimum.workload, limited.deep)
        yield f"over more than {MAX_LEVELS} levels programs longer than --limit {limit} are not looked for: {names}"
    if limited.overlapping:
        names = _names(optimum.workload, limited.overlapping)
        yield f"of programs longer than --limit {limit} the fastest alone is weighed, for what overlaps: {names}"


def _names(workload: Workload, numbers: Sequence[int]) -> str:
    return ", ".join(printable(workload.reductions[number].name) for number in numbers)


def _placements(optimum: Optimum) -> str:
    """Count the placements and their conditions: `3 placements that keep 1 condition`."""
    kept = len(optimum.workload.conditions)
    placements = counted(optimum.found, "placement")
    if not kept:
        return placements
    return f"{placements} that {'keeps' if optimum.found == 1 else 'keep'} {counted(kept, 'condition')}"


def _communication(workload: Workload, reduction: Reduction) -> str:
    over = ", ".join(workload.axes[axis].name for axis in reduction.axes)
    return f"{reduction.goal.hyphenated} over{GLUE}{over}, {format_bytes(reduction.payload.bytes)}"
