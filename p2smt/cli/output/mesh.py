"""Output of `p2smt mesh` for rank orders and meshes: the matrix, its time and its loss, and the best order."""

from dataclasses import dataclass
from pathlib import Path

from p2smt.cli.output.document import VERSION, Document
from p2smt.cli.output.groups import group_lines
from p2smt.cli.output.matrix import matrix_lines
from p2smt.cli.output.place import words_of
from p2smt.cli.output.screen import say, show
from p2smt.emit.target import MeshTarget
from p2smt.errors import ProblemError
from p2smt.job.mesh_price import MeshPrice
from p2smt.job.optimize import Optimum
from p2smt.job.orders import BestOrder, OrderTime
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.placement.mesh_reading import MeshReading
from p2smt.placement.notation import Notation, order_text
from p2smt.placement.order import order_of
from p2smt.problem.quantity import format_seconds
from p2smt.problem.text import printable


@dataclass(frozen=True, slots=True)
class Orders:
    """The best placement of a job and the best rank order, printed in `notation` if that can express it."""

    optimum: Optimum
    best_order: BestOrder
    notation: Notation = Notation.AXES

    @property
    def best_is_order(self) -> bool:
        """True if some rank order gives the best placement."""
        return order_of(self.optimum.best.matrix) is not None

    def text(self, best: OrderTime) -> str:
        """Return the order as text; in p2smt's own notation `axes:` if `notation` cannot express an axis name."""
        axes = self.optimum.workload.axes
        try:
            return f"{self.notation}:{order_text(self.notation, best.order, axes)}"
        except ProblemError:
            return f"{Notation.AXES}:{order_text(Notation.AXES, best.order, axes)}"


def reading_document(reading: MeshReading, price: MeshPrice, orders: Orders) -> Document:
    """Return the document of a given order or mesh, with the best placement and the best order."""
    return {
        "version": VERSION,
        "given": reading.text,
        "matrix": None if reading.matrix is None else reading.matrix.rows,
        "why_none": reading.why or None,
        "seconds": price.seconds,
        "loss": None if price.seconds is None else orders.optimum.loss(price.seconds),
        **_best_document(orders),
        "groups": reading.groups(orders.optimum.workload.axes),
        "notes": [*reading.notes, *price.notes],
        "complete": orders.best_order.complete,
    }


def orders_document(orders: Orders) -> Document:
    """Return the number of matrices that can be written as a rank order, and the loss of the best of these."""
    optimum = orders.optimum
    seconds = {placement.matrix: placement.seconds for placement in optimum.placements}
    axes = optimum.workload.axes
    expressible = []
    for matrix in orders.best_order.expressible:
        order = order_of(matrix)
        assert order is not None
        names = [axes[axis].name for axis in order]
        expressible.append({"matrix": matrix.rows, "order": names, "seconds": seconds[matrix]})
    return {
        "version": VERSION,
        "matrices": len(optimum.placements),
        "expressible": expressible,
        **_best_document(orders),
        "complete": orders.best_order.complete,
    }


def _best_document(orders: Orders) -> Document:
    optimum, best = orders.optimum, orders.best_order.best
    best_order = None
    if best is not None:
        best_order = {
            "order": orders.text(best),
            "matrix": best.matrix.rows,
            "seconds": best.seconds,
            "loss": optimum.loss(best.seconds),
        }
    return {
        "best": {"matrix": optimum.best.matrix.rows, "seconds": optimum.best.seconds},
        "best_is_order": orders.best_is_order,
        "best_order": best_order,
    }


def print_reading(reading: MeshReading, price: MeshPrice, orders: Orders) -> None:
    """Print a given order or mesh in comparison with the best placement and the best order."""
    given = printable(reading.text)
    if reading.matrix is None:
        say(f"{given} is not a parallelism matrix: {reading.why}")
    else:
        say(f"{given} is matrix {reading.matrix}\n")
        for line in matrix_lines(reading.matrix, orders.optimum.workload):
            show([line])
        show([words_of(reading.matrix, orders.optimum.workload), ""])
    if price.seconds is not None:
        say(f"  this one     {_time(price.seconds)}   {_loss(orders.optimum.loss(price.seconds))}")
    _print_best(orders)
    groups = reading.groups(orders.optimum.workload.axes)
    if groups:
        say("groups of ranks, as the order or mesh numbers them (--json prints all)")
        show(group_lines(groups))
    for note in (*reading.notes, *price.notes):
        say(f"note: {note}")


def print_orders(orders: Orders) -> None:
    """Print how many matrices can be written as a rank order, and the loss of the best of these."""
    expressible, matrices = len(orders.best_order.expressible), len(orders.optimum.placements)
    kept = " that keep the conditions" if orders.optimum.workload.conditions else ""
    say(f"{expressible} of {matrices} matrices{kept} are orders of the axes ({expressible / matrices:.1%})")
    _print_best(orders)


def _print_best(orders: Orders) -> None:
    best, order = orders.optimum.best, orders.best_order.best
    say(f"  best of all  {_time(best.seconds)}   matrix {best.matrix}")
    if order is None:
        say("  best order   none: no order of the axes is a matrix that keeps the conditions")
    else:
        lost = _loss(orders.optimum.loss(order.seconds))
        say(f"  best order   {_time(order.seconds)}   matrix {order.matrix}   {orders.text(order)}   {lost}")
        if not orders.best_is_order:
            say("no order of the axes is the best matrix; a rank tensor or a rankfile is (--to devicemesh, rankfile)")
    if not orders.best_order.complete:
        say("stopped early: not every placement, program or order was considered")


def said_of_file(target: MeshTarget, matrix: ParallelismMatrix, devices: int, path: Path | None) -> tuple[str, str]:
    """Return a description of the file written for a target, and how to use it."""
    match target:
        case MeshTarget.DEVICEMESH:
            hint = f"torchrun --standalone --nproc-per-node {devices} {path} checks it"
            return f"matrix {matrix} as a DeviceMesh of torch", hint
        case MeshTarget.JAX:
            return f"matrix {matrix} as a Mesh of JAX", "import device_mesh from it"
        case MeshTarget.MEGATRON | MeshTarget.TORCHTITAN | MeshTarget.DEEPSPEED:
            return f"matrix {matrix} as an order for {target}", "see the note for what takes it"
        case MeshTarget.RANKFILE:
            return f"matrix {matrix} as a rankfile", f"mpirun --rankfile {path}"
        case MeshTarget.HOSTFILE:
            return f"matrix {matrix} as a hostfile", f"mpirun --hostfile {path}, or deepspeed --hostfile {path}"


def _loss(loss: float) -> str:
    return f"loses {loss:.1%}" if loss else "loses nothing"


def _time(seconds: float) -> str:
    return f"{format_seconds(seconds):>9}"
