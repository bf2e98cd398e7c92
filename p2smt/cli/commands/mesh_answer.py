"""What `p2smt mesh` was asked, answered for one job."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

import click

from p2smt.cli.commands.mesh_reading import read_given, sorting_notes
from p2smt.cli.main import FOUND, NEGATIVE, PARTIAL
from p2smt.cli.output.files import write_result
from p2smt.cli.output.mesh import orders_document, print_orders, print_reading, reading_document
from p2smt.cli.output.progress import placement_progress, print_json
from p2smt.cost.network.backend import Cost
from p2smt.emit.jax.mesh import emit_jax_mesh
from p2smt.emit.mesh.device_mesh import emit_device_mesh
from p2smt.emit.mesh.rank_file import Seating, hostfile, rankfile
from p2smt.job.infeasible import Infeasible
from p2smt.job.optimize import Optimum, optimize
from p2smt.job.orders import best_order
from p2smt.placement.hosts import read_hosts
from p2smt.placement.matrix import ParallelismMatrix, check_matrix, parse_matrix
from p2smt.placement.notation import Notation, order_text, own_order, parse_order, remarks
from p2smt.placement.order import Order, matrix_of_order, orders_of
from p2smt.placement.rank_tensor import ascends
from p2smt.problem.quantity import format_seconds
from p2smt.problem.workload import Workload

_MESHES = {"devicemesh": emit_device_mesh, "jax": emit_jax_mesh}


@dataclass(frozen=True)
class MeshAnswer:
    """Answers for a job; every method prints or writes, and gives the exit code."""

    workload: Workload
    cost: Cost
    deadline: float | None

    def write(self, to: str, matrix: str | None, order: str | None, hosts: Path | None, out: Path | None) -> int:
        """Write a placement, the fastest if no matrix is given, for a target."""
        axes = self.workload.axes
        listed = Notation.AXES, tuple(range(len(axes)))
        notation, dims = listed if order is None else parse_order(order, axes)
        names = None if hosts is None else read_hosts(hosts, self.workload.system)
        code, chosen = (FOUND, _checked(matrix, self.workload)) if matrix is not None else self._fastest()
        if chosen is None:
            return code
        if to in set(Notation):
            return max(code, self._write_order(Notation(to), chosen, out))
        if to in _MESHES:
            write_result(out, _MESHES[to](axes, self.workload.levels, chosen, dims))
            _say(sorting_notes(self.workload, dims, partial(ascends, chosen)) if to == "devicemesh" else ())
            return code
        seating = Seating(self.workload.system, chosen, dims, names)
        write_result(out, rankfile(seating) if to == "rankfile" else hostfile(seating))
        _say([*remarks(notation, dims, axes), *(_slots(seating) if to == "rankfile" else ())])
        return code

    def read(self, given: str, as_json: bool) -> int:
        """Say what an order or a mesh is, takes and loses."""
        reading = read_given(given, self.workload)
        solved = self.solved
        if not isinstance(solved, Optimum):
            return solved
        orders = best_order(solved, self.cost, self.deadline, reading.order)
        document = reading_document(reading, solved, orders, self.cost)
        if as_json:
            print_json(document)
        else:
            print_reading(document, self.workload)
        if reading.matrix is None:
            return NEGATIVE
        return FOUND if orders.complete else PARTIAL

    def orders(self, as_json: bool) -> int:
        """Say how many matrices are orders, and what the best of them loses."""
        solved = self.solved
        if not isinstance(solved, Optimum):
            return solved
        orders = best_order(solved, self.cost, self.deadline)
        document = orders_document(solved, orders)
        if as_json:
            print_json(document)
        else:
            print_orders(document, self.workload)
        return FOUND if orders.complete else PARTIAL

    @cached_property
    def solved(self) -> Optimum | int:
        """The job's placements, or the exit code after saying why there is none."""
        with placement_progress() as progress:
            found = optimize(self.workload, self.cost, self.deadline, progress)
        if isinstance(found, Optimum):
            return found
        if isinstance(found, Infeasible):
            click.echo("p2smt: no placement keeps the job's conditions; `p2smt optimize` says which clash", err=True)
            return NEGATIVE
        click.echo("p2smt: stopped before any placement was priced; allow a longer --timeout", err=True)
        return PARTIAL

    def _fastest(self) -> tuple[int, ParallelismMatrix | None]:
        solved = self.solved
        if not isinstance(solved, Optimum):
            return solved, None
        return FOUND if solved.proved else PARTIAL, solved.best.matrix

    def _write_order(self, notation: Notation, matrix: ParallelismMatrix, out: Path | None) -> int:
        """Write the order of a matrix, the framework's own if it is one; else the best order that there is."""
        axes = self.workload.axes
        order = _order_for(notation, matrix, self.workload)
        if order is not None:
            write_result(out, order_text(notation, order, axes) + "\n")
            _say(remarks(notation, order, axes))
            return FOUND
        click.echo(f"p2smt: no order of the axes is matrix {matrix}; --to rankfile reaches it", err=True)
        solved = self.solved
        if not isinstance(solved, Optimum):
            return solved
        best = best_order(solved, self.cost, self.deadline, own_order(notation, axes)).best
        if best is None:
            click.echo("p2smt: no order of the axes keeps the job's conditions either", err=True)
            return NEGATIVE
        write_result(out, order_text(notation, best.order, axes) + "\n")
        lost = best.seconds / solved.best.seconds - 1 if solved.best.seconds else 0.0
        took = f"{format_seconds(best.seconds)} per step, {lost:.1%} more than the best of all"
        _say(
            [f"written is the best order there is: matrix {best.matrix}, {took}", *remarks(notation, best.order, axes)]
        )
        return NEGATIVE


def _checked(text: str, workload: Workload) -> ParallelismMatrix:
    matrix = parse_matrix(text)
    check_matrix(matrix, workload.problem(workload.reductions[0]))
    return matrix


def _order_for(notation: Notation, matrix: ParallelismMatrix, workload: Workload) -> Order | None:
    """An order that gives a matrix, the framework's own if it does."""
    own, axes = own_order(notation, workload.axes), workload.axes
    sizes = [level.size for level in workload.levels]
    if own is not None and matrix_of_order(own, [axis.size for axis in axes], sizes) == matrix:
        return own
    return next(orders_of(matrix), None)


def _slots(seating: Seating) -> Iterator[str]:
    if not seating.by_local_rank:
        yield "on a host slots do not ascend with ranks; let a rank take the device of its slot, not of its local rank"


def _say(notes: Iterable[str]) -> None:
    for note in notes:
        click.echo(f"p2smt: note: {note}", err=True)
