"""What `p2smt optimize` prints."""

from typing import Any

import click

from p2smt.cli.output.progress import VERSION, print_table
from p2smt.cost.network.backend import Backend
from p2smt.job.infeasible import Infeasible
from p2smt.job.job_pricer import PlacementTime
from p2smt.job.optimize import Optimum
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.condition import Condition
from p2smt.problem.condition_text import condition_text
from p2smt.problem.quantity import format_bytes, format_seconds
from p2smt.problem.text import printable
from p2smt.problem.workload import Reduction, Workload
from p2smt.smt.cores import Minimality

MANY_COMMUNICATORS = 10
"""More than so many per device are worth a word: about 2 s and 0.5 GB each on eight GPUs (NCCL issues 534, 964)."""


def optimum_document(found: Optimum, backend: Backend, top: int) -> dict[str, Any]:
    """The JSON document: the job, the proof, and the first placements with all their reductions."""
    return {
        "version": VERSION,
        "job": job_document(found.workload),
        "algorithm": str(backend),
        "proved": found.proved,
        "stopped": str(found.stop),
        "reason": found.reason,
        "found": found.found,
        "refused": found.refused,
        "priced": len(found.placements),
        "cost_s": found.best.seconds,
        "lower_bound_s": found.lower_bound_s,
        "gap": found.gap,
        "placements": [placement_document(found.workload, one) for one in found.placements[:top]],
    }


def placement_document(workload: Workload, one: PlacementTime) -> dict[str, Any]:
    """A placement, its phases, and in each phase the reductions with their programs."""
    return {
        "matrix": one.matrix.rows,
        "cost_s": one.seconds,
        "communicators": one.communicators,
        "phases": [
            {
                "cost_s": phase.seconds,
                "reductions": [
                    {
                        "reduction": workload.reductions.index(time.reduction),
                        "cost_s": time.seconds,
                        "program": time.candidate.text,
                    }
                    for time in phase.reductions
                ],
            }
            for phase in one.phases
        ],
    }


def job_document(workload: Workload) -> dict[str, Any]:
    """The resolved job."""
    return {
        "system": [{"name": level.name, "size": level.size} for level in workload.levels],
        "axes": [{"name": axis.name, "size": axis.size} for axis in workload.axes],
        "conditions": [_text(workload, condition) for condition in workload.conditions],
        "reductions": [
            {
                "name": reduction.name,
                "axes": [workload.axes[axis].name for axis in reduction.axes],
                "collective": reduction.goal.hyphenated,
                "bytes": reduction.payload.bytes,
                "dtype": reduction.payload.dtype,
                "times": reduction.times,
                "overlap": reduction.overlap,
            }
            for reduction in workload.reductions
        ],
        "limit": workload.search.limit,
        "grammar": str(workload.search.grammar),
        "note": workload.note,
    }


def print_optimum(found: Optimum, backend: Backend, top: int, written: list[str]) -> None:
    """Print how far the answer is proved, the best placement and its programs, and the next ones."""
    workload, best = found.workload, found.best
    click.echo(f"{_proof(found)}, algorithm {backend}\n")
    click.echo(f"{best.matrix}: {format_seconds(best.seconds)} of communication per step\n")
    _print_matrix(workload, best.matrix)
    rows = [
        [
            printable(time.reduction.name),
            _asked(workload, time.reduction),
            f"{time.reduction.times:g}",
            format_seconds(time.candidate.seconds),
            format_seconds(time.seconds),
            printable(time.reduction.overlap),
            time.candidate.text,
        ]
        for time in best.reductions
    ]
    columns = ("reduction", "what", "times", "once", "per step", "overlap", "program")
    print_table("\neach with its best program", columns, rows, right=(2, 3, 4))
    others = [
        [
            str(number),
            str(one.matrix),
            format_seconds(one.seconds),
            f"{one.seconds / best.seconds:.2f}x" if best.seconds else "",
            str(one.communicators),
        ]
        for number, one in enumerate(found.placements[:top], start=1)
    ]
    title = f"the first {len(others)} of {len(found.placements)} placements"
    print_table(title, ("", "matrix", "per step", "of the best", "communicators"), others, right=(0, 2, 3, 4))
    for line in (workload.note, _many(best), f"written: {', '.join(written)}" if written else ""):
        if line:
            click.echo(line)


def _many(best: PlacementTime) -> str:
    if best.communicators <= MANY_COMMUNICATORS:
        return ""
    return (
        f"every device is in {best.communicators} communicators, which take time to make and memory to keep; "
        f'--condition "at most {MANY_COMMUNICATORS} communicators" looks for programs with fewer'
    )


def _proof(found: Optimum) -> str:
    search, kept = found.workload.search, len(found.workload.conditions)
    single = found.found == 1
    conditions = f" that keep{'s' * single} {kept} condition{'s' * (kept != 1)}" if kept else ""
    placements = f"{found.found} placement{'s' * (not single)}{conditions}"
    programs = f"all programs of at most {search.limit} instructions of grammar {search.grammar}"
    if found.proved:
        refused = f" ({found.refused} of them have no programs within the limits)" if found.refused else ""
        return f"proved best (gap 0 %): all of {placements} priced{refused}, with {programs}"
    return (
        f"not proved best, stopped ({found.stop}): {len(found.placements)} of {placements} found so far "
        f"were priced; any takes at least {format_seconds(found.lower_bound_s)}, gap {100 * found.gap:.0f} %"
    )


def _print_matrix(workload: Workload, matrix: ParallelismMatrix) -> None:
    width = max(len(axis.name) for axis in workload.axes)
    wide = [max(len(level.name), 5) for level in workload.levels]
    pairs = list(zip(workload.levels, wide, strict=True))
    click.echo(f"  {'':{width}}  " + "  ".join(f"{level.name:>{room}}" for level, room in pairs))
    for axis, row in zip(workload.axes, matrix.rows, strict=True):
        click.echo(f"  {axis.name:{width}}  " + "  ".join(f"{f:>{room}}" for f, room in zip(row, wide, strict=True)))


def _asked(workload: Workload, reduction: Reduction) -> str:
    over = ", ".join(workload.axes[axis].name for axis in reduction.axes)
    return f"{reduction.goal.hyphenated} over {over}, {format_bytes(reduction.payload.bytes)}"


def infeasible_document(found: Infeasible) -> dict[str, Any]:
    """The JSON document: the core and what would have to give way."""
    workload = found.workload
    return {
        "version": VERSION,
        "job": job_document(workload),
        "placements": [],
        "core": [_text(workload, condition) for condition in found.core],
        "minimality": str(found.minimality),
        "without": [None if matrix is None else matrix.rows for matrix in found.without],
        "dropped": [[_text(workload, condition) for condition in some] for some in found.dropped],
        "looser": [[_text(workload, old), _text(workload, new)] for old, new in found.looser],
        "sizes": [{axis.name: axis.size for axis in axes} for axes in found.sizes],
    }


_MINIMALITY = {
    Minimality.SMALLEST: "the fewest that clash",
    Minimality.IRREDUCIBLE: "none of these can go",
    Minimality.UNREDUCED: "these clash",
}


def print_infeasible(found: Infeasible) -> None:
    """Print the core in the user's words, and the nearest jobs that have a placement."""
    workload = found.workload
    click.echo(f"nothing keeps all conditions; {_MINIMALITY[found.minimality]}:")
    for condition, matrix in zip(found.core, found.without, strict=True):
        without = "" if matrix is None else f"   (without it: {matrix})"
        click.echo(f"  {_text(workload, condition)}{without}")
    for some in found.dropped:
        click.echo(f"works without: {'; '.join(_text(workload, condition) for condition in some)}")
    for old, new in found.looser:
        click.echo(f"works with: {_text(workload, new)}, in place of {_text(workload, old)}")
    for axes in found.sizes:
        click.echo(f"works with sizes: {', '.join(f'{axis.name}={axis.size}' for axis in axes)}")


def _text(workload: Workload, condition: Condition) -> str:
    return condition_text(condition, workload.axes, workload.levels)
