"""What `p2smt mesh` says of orders and meshes: the matrix, its time, what it loses, and the best order."""

from collections.abc import Iterator
from typing import Any

import click

from p2smt.cli.commands.mesh_reading import Reading
from p2smt.cli.output.progress import VERSION
from p2smt.cost.network.backend import Cost
from p2smt.errors import ProblemError
from p2smt.job.job_pricer import JobPricer
from p2smt.job.optimize import Optimum
from p2smt.job.orders import BestOrder, numbering_matters, order_seconds
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.placement.notation import Notation, order_text
from p2smt.placement.order import order_of
from p2smt.problem.quantity import format_seconds
from p2smt.problem.workload import Workload


def reading_document(reading: Reading, optimum: Optimum, orders: BestOrder, cost: Cost) -> dict[str, Any]:
    """A given order or mesh beside the best placement and the best order."""
    seconds, notes = _priced(reading, optimum, cost)
    return {
        "version": VERSION,
        "given": reading.text,
        "matrix": None if reading.matrix is None else reading.matrix.rows,
        "why_none": reading.why or None,
        "seconds": seconds,
        "loss": None if seconds is None else _loss(seconds, optimum),
        "best": {"matrix": optimum.best.matrix.rows, "seconds": optimum.best.seconds},
        "best_is_order": order_of(optimum.best.matrix) is not None,
        "best_order": _order_document(orders, optimum, reading.notation),
        "notes": [*reading.notes, *notes],
        "complete": orders.complete,
    }


def orders_document(optimum: Optimum, orders: BestOrder) -> dict[str, Any]:
    """Which matrices are orders, and what the best of these loses."""
    seconds = {one.matrix: one.seconds for one in optimum.placements}
    axes = optimum.workload.axes
    expressible = []
    for matrix in orders.expressible:
        order = order_of(matrix)
        assert order is not None
        names = [axes[axis].name for axis in order]
        expressible.append({"matrix": matrix.rows, "order": names, "seconds": seconds[matrix]})
    return {
        "version": VERSION,
        "matrices": len(optimum.placements),
        "expressible": expressible,
        "best": {"matrix": optimum.best.matrix.rows, "seconds": optimum.best.seconds},
        "best_is_order": order_of(optimum.best.matrix) is not None,
        "best_order": _order_document(orders, optimum, Notation.AXES),
        "complete": orders.complete,
    }


def print_reading(document: dict[str, Any], workload: Workload) -> None:
    """Print a `reading_document` for people."""
    if document["matrix"] is None:
        click.echo(f"{_safe(document['given'])} is no parallelism matrix: {document['why_none']}")
    else:
        click.echo(f"{_safe(document['given'])} is matrix {_matrix(document)}\n")
        for line in matrix_lines(ParallelismMatrix(document["matrix"]), workload):
            click.echo(line)
        click.echo()
    if document["seconds"] is not None:
        click.echo(f"  this one     {_time(document)}   loses {document['loss']:.1%}")
    _print_best(document)
    for note in document["notes"]:
        click.echo(f"note: {note}")


def print_orders(document: dict[str, Any], workload: Workload) -> None:
    """Print an `orders_document` for people."""
    share = len(document["expressible"]) / document["matrices"]
    kept = " that keep the conditions" if workload.conditions else ""
    click.echo(
        f"{len(document['expressible'])} of {document['matrices']} matrices{kept} are orders of the axes ({share:.1%})"
    )
    _print_best(document)


def matrix_lines(matrix: ParallelismMatrix, workload: Workload) -> Iterator[str]:
    """A matrix as a table with the names of levels and axes."""
    widths = [max(len(level.name), 4) for level in workload.levels]
    left = max(len(axis.name) for axis in workload.axes)
    yield f"  {'':<{left}}  {'  '.join(f'{x.name:>{w}}' for x, w in zip(workload.levels, widths, strict=True))}"
    for axis, row in zip(workload.axes, matrix.rows, strict=True):
        yield f"  {axis.name:<{left}}  {'  '.join(f'{x:>{w}}' for x, w in zip(row, widths, strict=True))}"


def _print_best(document: dict[str, Any]) -> None:
    best, order = document["best"], document["best_order"]
    click.echo(f"  best of all  {_time(best)}   matrix {_matrix(best)}")
    if order is None:
        click.echo("  best order   none: no order of the axes is a matrix that keeps the conditions")
    else:
        lost = f"loses {order['loss']:.1%}" if order["loss"] else "loses nothing"
        click.echo(f"  best order   {_time(order)}   matrix {_matrix(order)}   {order['order']}   {lost}")
        if not document["best_is_order"]:
            click.echo(
                "no order of the axes is the best matrix; a rank tensor or a rankfile is (--to devicemesh, rankfile)"
            )
    if not document["complete"]:
        click.echo("stopped early: not every placement, program or order was considered")


def _order_document(orders: BestOrder, optimum: Optimum, notation: Notation) -> dict[str, Any] | None:
    best = orders.best
    if best is None:
        return None
    axes = optimum.workload.axes
    try:
        text = f"{notation}:{order_text(notation, best.order, axes)}"
    except ProblemError:  # a name that the notation cannot carry
        text = f"{Notation.AXES}:{order_text(Notation.AXES, best.order, axes)}"
    return {
        "order": text,
        "matrix": best.matrix.rows,
        "seconds": best.seconds,
        "loss": _loss(best.seconds, optimum),
    }


def _priced(reading: Reading, optimum: Optimum, cost: Cost) -> tuple[float | None, list[str]]:
    """Seconds per step of what was given, and what is to be said of the price."""
    if reading.matrix is None:
        return None, []
    workload, notes = optimum.workload, []
    known = {one.matrix: one.seconds for one in optimum.placements}
    if reading.matrix not in known:
        if optimum.proved:
            notes.append("this matrix does not keep the job's conditions")
        workload = workload.without_conditions()
        found = JobPricer(workload, cost).placement(reading.matrix)
        assert found is not None  # nothing is refused without conditions
        known[reading.matrix] = found.seconds
    seconds = known[reading.matrix]
    if reading.exact or not numbering_matters(cost.system):
        return seconds, notes
    if reading.order is None:
        notes.append("the time is that of p2smt's own device numbers inside units; on this system numbers can matter")
        return seconds, notes
    own = order_seconds(workload, cost, reading.order, reading.matrix)
    if own is not None and abs(own - seconds) > 1e-9 * seconds:
        notes.append(
            f"with p2smt's own device numbers inside units, matrix {reading.matrix} takes {format_seconds(seconds)}"
        )
    return own, notes


def _loss(seconds: float, optimum: Optimum) -> float:
    return seconds / optimum.best.seconds - 1 if optimum.best.seconds else 0.0


def _time(entry: dict[str, Any]) -> str:
    return f"{format_seconds(entry['seconds']):>9}"


def _matrix(entry: dict[str, Any]) -> str:
    return str(ParallelismMatrix(entry["matrix"]))


def _safe(text: str) -> str:
    return "".join(sign if sign.isprintable() else "?" for sign in text)
