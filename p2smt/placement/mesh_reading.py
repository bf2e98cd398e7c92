"""Interpret a user's order string or mesh file as a matrix, or explain why it is none."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from p2smt.placement.matrix import ParallelismMatrix
from p2smt.placement.mesh import MeshMatch, NoMatch, ascends_along, order_of_mesh, recognise
from p2smt.placement.mesh_file import MAX_RANKS, read_mesh
from p2smt.placement.notation import Notation, parse_order, remarks
from p2smt.placement.order import Order, SplitAxis, matrix_of_order
from p2smt.placement.rank_tensor import Ranks, ascends
from p2smt.problem.model import Axis
from p2smt.problem.workload import Workload
from p2smt.wording import first_few


@dataclass(frozen=True, slots=True, kw_only=True)
class MeshReading:
    """A user's text with its matrix (or the reason `why` there is none), its axis order, and notes.

    `exact`: devices have the numbers that p2smt gives them on this matrix. `notation` is the notation of the
    order. `devices` has the ranks with one dimension per axis, in axis order; None beyond `MAX_RANKS` ranks.
    """

    text: str
    notation: Notation
    matrix: ParallelismMatrix | None
    order: Order | None
    exact: bool
    why: str
    notes: tuple[str, ...]
    devices: Ranks | None

    def groups(self, axes: Sequence[Axis]) -> dict[str, list[list[int]]]:
        """Return the groups of ranks along each axis larger than 1, ascending; empty beyond `MAX_RANKS` ranks."""
        if self.devices is None:
            return {}
        return {axis.name: _along(self.devices, number) for number, axis in enumerate(axes) if axis.size > 1}


def read_given(text: str, workload: Workload) -> MeshReading:
    """Read `NOTATION:NAMES` or the path of a mesh file. Raises ProblemError for anything else."""
    return _read_file(text, workload) if text.endswith(".json") else _read_order(text, workload)


def _read_order(text: str, workload: Workload) -> MeshReading:
    notation, order = parse_order(text, workload.axes)
    sizes = [level.size for level in workload.levels]
    laid = matrix_of_order(order, [axis.size for axis in workload.axes], sizes)
    matrix, why, exact = (
        (None, _cut(laid, workload), False) if isinstance(laid, SplitAxis) else (laid, "", ascends(laid, order))
    )
    return MeshReading(
        text=text,
        notation=notation,
        matrix=matrix,
        order=order,
        exact=exact,
        why=why,
        notes=tuple(remarks(notation, order, workload.axes)),
        devices=_laid_out(order, workload),
    )


def _read_file(text: str, workload: Workload) -> MeshReading:
    devices, dims = read_mesh(Path(text), workload.axes)
    order = order_of_mesh(devices)
    match recognise(devices, [level.size for level in workload.levels]):
        case NoMatch() as mismatch:
            matrix, why, exact = None, _no_matrix(mismatch, workload), False
            notes: tuple[str, ...] = ()
        case MeshMatch() as mesh:
            matrix, why, exact = mesh.matrix, "", mesh.exact
            notes = (*_mixed(mesh, workload), *sorting_notes(workload, dims, partial(ascends_along, devices)))
    return MeshReading(
        text=text,
        notation=Notation.AXES,
        matrix=matrix,
        order=order,
        exact=exact,
        why=why,
        notes=notes,
        devices=devices,
    )


def _laid_out(order: Order, workload: Workload) -> Ranks | None:
    """Return the ranks that an order gives, with one dimension per axis in axis order."""
    if workload.devices > MAX_RANKS:
        return None
    # Ranks are counted in the order of the axes, outermost first; then dimensions go back to the axes' own places.
    laid = np.arange(workload.devices).reshape([workload.axes[axis].size for axis in order])
    return laid.transpose(np.argsort(order))


def _along(devices: Ranks, axis: int) -> list[list[int]]:
    """Return the groups of ranks that differ on one axis, each in the order of its coordinates.

    >>> _along(np.array([[0, 1], [2, 3]]), 0)
    [[0, 2], [1, 3]]
    """
    groups: list[list[int]] = np.moveaxis(devices, axis, -1).reshape(-1, devices.shape[axis]).tolist()
    return sorted(groups)


def sorting_notes(workload: Workload, dims: Order, ascends: Callable[[Sequence[int]], bool]) -> Iterator[str]:
    """Yield notes on torch's sorting of ranks, for single axes and the axes of each reduction, in the order `dims`."""
    alone = [(axis,) for axis in dims]
    together = [tuple(axis for axis in dims if axis in reduction.axes) for reduction in workload.reductions]
    for over in dict.fromkeys([*alone, *together]):
        if not ascends(over):
            names = ", ".join(workload.axes[axis].name for axis in over)
            as_one = " taken as one" if len(over) > 1 else ""
            yield (
                f"along {names}{as_one} ranks do not ascend: torch sorts the ranks of a group, so blocks of "
                "ReduceScatter and AllGather go by ascending rank, not by coordinate"
            )


def _mixed(found: MeshMatch, workload: Workload) -> Iterator[str]:
    if found.mixed:
        mixed = ", ".join(workload.axes[axis].name for axis in found.mixed)
        yield f"coordinates of {mixed} are not counted outermost level first; the groups are those of the matrix"


def _cut(cut: SplitAxis, workload: Workload) -> str:
    level, axis = workload.levels[cut.level].name, workload.axes[cut.axis].name
    uneven = (
        f"{cut.unit} is not a multiple of {cut.stride}"
        if cut.unit % cut.stride
        else f"{cut.span} is none of {cut.unit}"
    )
    return (
        f"a unit of level {level} has {cut.unit} devices and ends inside {axis}, whose neighbours are {cut.stride} "
        f"apart and which spans {cut.span}, but {uneven}: units hold no product of parts of the axes"
    )


def _no_matrix(found: NoMatch, workload: Workload) -> str:
    level = workload.levels[found.level].name
    names = [axis.name for axis in workload.axes]
    first, *more = found.coordinates
    if not more:
        held = [f"{_listed(part)} of {name}" for name, part in zip(names, first, strict=True)]
        return f"unit {found.units[0]} of level {level} has coordinates {', '.join(held)}, but not all combinations"
    axis = next(axis for axis, part in enumerate(first) if part != more[0][axis] and part & more[0][axis])
    return (
        f"units {found.units[0]} and {found.units[1]} of level {level} have coordinates {_listed(first[axis])} and "
        f"{_listed(more[0][axis])} of {names[axis]}, which are neither the same nor apart"
    )


def _listed(held: Collection[int]) -> str:
    return f"{{{first_few(sorted(held))}}}"
