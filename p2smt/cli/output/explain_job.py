"""Output of `p2smt explain` for a job."""

from collections.abc import Sequence

from p2smt.cli.output.document import VERSION, Document
from p2smt.cli.output.job import job_document, placement_document
from p2smt.cli.output.optimum import proof_text
from p2smt.cli.output.place import words_of
from p2smt.cli.output.screen import say
from p2smt.cli.output.table import print_panels, print_table
from p2smt.cost.bus_bandwidth import rate_cell, reduction_bus_bandwidth
from p2smt.cost.network.backend import Backend
from p2smt.job.comparison import Column, bottleneck
from p2smt.job.job_pricer import ReductionTime
from p2smt.job.optimize import Optimum
from p2smt.problem.quantity import format_seconds
from p2smt.problem.text import printable
from p2smt.problem.workload import Workload

_SAME = 1e-9
"""Times whose relative difference is below this count as equal."""


def comparison_document(optimum: Optimum, backend: Backend, columns: Sequence[Column]) -> Document:
    """Return the JSON document: the best placement and those that it is compared with."""
    workload = optimum.workload
    return {
        "version": VERSION,
        "job": job_document(workload),
        "algorithm": str(backend),
        "proved": optimum.proved,
        "stopped": str(optimum.stop),
        "reason": optimum.reason,
        "compared": [
            {
                "labels": column.labels,
                **placement_document(workload, column.placement),
                "bottlenecks": [bottleneck(workload.system, time) for time in column.placement.reductions],
            }
            for column in columns
        ],
    }


def print_comparison(optimum: Optimum, backend: Backend, columns: Sequence[Column]) -> None:
    """Print the placements compared, each reduction's time on each of them, and where they win or lose."""
    workload, system = optimum.workload, optimum.workload.system
    best, *others = columns
    rows = []
    for number, time in enumerate(best.placement.reductions):
        times = [column.placement.reductions[number] for column in columns]
        cells = [
            f"{format_seconds(other.seconds)} {bottleneck(system, other)}{_rate(workload, other)}" for other in times
        ]
        rows.append([printable(time.reduction.name), *cells])
    rows.append(["all, per step", *(format_seconds(column.placement.seconds) for column in columns)])
    names = [chr(ord("A") + number) for number in range(len(columns))]
    compared = [
        [name, ", ".join(column.labels), str(column.placement.matrix), words_of(column.placement.matrix, workload)]
        for name, column in zip(names, columns, strict=True)
    ]
    print_table("placements compared", ("", "what", "matrix", "in words"), compared)
    where = printable(system.name) or "these links"
    title = f"time per step, the link that is busiest, and busbw in GB/s, on {where}, algorithm {backend}"
    print_panels(title, ("", *names), rows, right=range(1, len(names) + 1))
    for name, column in zip(names[1:], others, strict=True):
        say(f"{name} {_difference(best, column)}")
    if not optimum.proved:
        say(proof_text(optimum))


def _rate(workload: Workload, time: ReductionTime) -> str:
    """Format the bus bandwidth of a call with a leading comma; empty if it has none."""
    cell = rate_cell(reduction_bus_bandwidth(workload, time.reduction, time.candidate.seconds))
    return f", {cell}" if cell else ""


def _difference(best: Column, other: Column) -> str:
    """List the reductions that are faster or slower on another placement, largest difference first."""
    pairs = zip(best.placement.reductions, other.placement.reductions, strict=True)
    changes = sorted(
        ((there.seconds - here.seconds, printable(here.reduction.name)) for here, there in pairs),
        key=lambda change: (-abs(change[0]), change[1]),
    )
    parts = [
        f"{name} {'+' if change > 0 else '-'}{format_seconds(abs(change))}"
        for change, name in changes
        if abs(change) > _SAME * best.placement.seconds
    ]
    slower = other.placement.seconds / best.placement.seconds if best.placement.seconds else 1.0
    return f"{slower:.2f}x: {', '.join(parts) or 'the same in everything'}"
