"""What `p2smt explain` prints of a job."""

import sys
from pathlib import Path
from typing import Any

from p2smt.cli.output.optimize import job_document, placement_document
from p2smt.cli.output.progress import VERSION, placement_progress, print_json, print_table
from p2smt.cost.network.backend import Backend
from p2smt.job.comparison import Column, bottleneck, compared
from p2smt.job.job_pricer import ReductionTime
from p2smt.job.optimize import Optimum
from p2smt.problem.quantity import format_seconds
from p2smt.problem.text import printable


def explain_job(
    path: Path, system: str | None, backend: Backend, search: dict[str, Any], matrices: tuple[str, ...], as_json: bool
) -> int:
    """Explain why the best placement of a job's file is the best; the exit code comes back."""
    from p2smt.cli.main import NEGATIVE, PARTIAL
    from p2smt.cli.options.job import read_job
    from p2smt.cli.output.optimize import infeasible_document, print_infeasible
    from p2smt.cost.network.backend import cost_of
    from p2smt.job.infeasible import Infeasible
    from p2smt.job.optimize import optimize
    from p2smt.placement.matrix import check_matrix, parse_matrix

    flags = {"bandwidth": None, "latency": None, "engine": None, "hierarchy": None, "collapse": None}
    workload = read_job({"job_file": path, "system": system, "conditions": (), **flags, **search})
    also = [parse_matrix(text) for text in matrices]
    for matrix in also:
        check_matrix(matrix, workload.problem(workload.reductions[0]))
    cost = cost_of(workload.system, backend)
    with placement_progress() as progress:
        found = optimize(workload, cost, None, progress)
    if isinstance(found, Infeasible):
        if as_json:
            print_json(infeasible_document(found))
        else:
            print_infeasible(found)
        return NEGATIVE
    if isinstance(found, Optimum):
        return _explained(found, backend, compared(found, also), as_json)
    print(f"p2smt: stopped ({found.stop}) before any placement was priced", file=sys.stderr)
    return PARTIAL


def _explained(found: Optimum, backend: Backend, columns: tuple[Column, ...], as_json: bool) -> int:
    from p2smt.cli.main import FOUND, PARTIAL

    if as_json:
        print_json(_document(found, backend, columns))
    else:
        _print(found, backend, columns)
    return FOUND if found.proved else PARTIAL


def _document(found: Optimum, backend: Backend, columns: tuple[Column, ...]) -> dict[str, Any]:
    return {
        "version": VERSION,
        "job": job_document(found.workload),
        "algorithm": str(backend),
        "proved": found.proved,
        "compared": [
            {
                "labels": column.labels,
                **placement_document(found.workload, column.placement),
                "bottlenecks": [bottleneck(found.workload.system, time) for time in column.placement.reductions],
            }
            for column in columns
        ],
    }


def _print(found: Optimum, backend: Backend, columns: tuple[Column, ...]) -> None:
    system = found.workload.system
    best, *others = columns
    names = [f"{column.placement.matrix}\n{', '.join(column.labels)}" for column in columns]
    of_best = best.placement.reductions
    rows = [
        [
            printable(one.reduction.name),
            *(f"{format_seconds(time.seconds)} {bottleneck(system, time)}" for time in _same(number, columns)),
        ]
        for number, one in enumerate(of_best)
    ]
    rows.append(["all, per step", *(format_seconds(column.placement.seconds) for column in columns)])
    where = printable(system.name) or "these links"
    title = f"time per step, and the link that is busiest, on {where}, algorithm {backend}"
    print_table(title, ("", *names), rows, right=tuple(range(1, len(names) + 1)))
    for column in others:
        print(_difference(best, column))


def _same(number: int, columns: tuple[Column, ...]) -> list[ReductionTime]:
    return [column.placement.reductions[number] for column in columns]


def _difference(best: Column, other: Column) -> str:
    """Where another placement wins and where it loses, the largest first."""
    pairs = zip(best.placement.reductions, other.placement.reductions, strict=True)
    changes = sorted(
        ((there.seconds - here.seconds, printable(here.reduction.name)) for here, there in pairs),
        key=lambda change: (-abs(change[0]), change[1]),
    )
    small = 1e-9 * best.placement.seconds
    parts = [
        f"{name} {'+' if change > 0 else '-'}{format_seconds(abs(change))}"
        for change, name in changes
        if abs(change) > small
    ]
    slower = other.placement.seconds / best.placement.seconds if best.placement.seconds else 1.0
    label = ", ".join(other.labels)
    return f"{label} ({other.placement.matrix}): {slower:.2f}x; {', '.join(parts) or 'the same in everything'}"
