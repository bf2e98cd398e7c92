"""A placement as a file for a target: a mesh, or which rank runs where; and what is to be said of it."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal, TypeAlias, assert_never

from p2smt.emit.jax.mesh import emit_jax_mesh
from p2smt.emit.mesh.device_mesh import emit_device_mesh
from p2smt.emit.mesh.rank_file import Seating, hostfile, rankfile
from p2smt.emit.target import MeshTarget
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.placement.mesh_reading import sorting_notes
from p2smt.placement.notation import Notation, remarks
from p2smt.placement.order import Order
from p2smt.placement.rank_tensor import ascends
from p2smt.problem.workload import Workload

FileTarget: TypeAlias = Literal[MeshTarget.DEVICEMESH, MeshTarget.JAX, MeshTarget.RANKFILE, MeshTarget.HOSTFILE]
"""What is no order of the axes."""


@dataclass(frozen=True, slots=True)
class PlacementFile:
    """The text of a file, and sentences for whoever uses it."""

    text: str
    notes: tuple[str, ...] = ()


def placement_file(
    workload: Workload,
    matrix: ParallelismMatrix,
    target: FileTarget,
    order: tuple[Notation, Order] | None = None,
    hosts: tuple[str, ...] | None = None,
) -> PlacementFile:
    """A placement of a job for a target.

    `order` is the sequence of the mesh's dimensions, or the order by which a framework counts its ranks, with its
    notation (None: the axes as the job lists them). `hosts` are the names of hosts by device number. Raises
    ProblemError for what a file of ranks cannot say.
    """
    axes, levels = workload.axes, workload.levels
    notation, dims = (Notation.AXES, tuple(range(len(axes)))) if order is None else order
    match target:
        case MeshTarget.DEVICEMESH:
            notes = sorting_notes(workload, dims, partial(ascends, matrix))
            return PlacementFile(emit_device_mesh(axes, levels, matrix, dims), tuple(notes))
        case MeshTarget.JAX:
            return PlacementFile(emit_jax_mesh(axes, levels, matrix, dims))
        case MeshTarget.RANKFILE:
            seating = Seating(workload.system, matrix, dims, hosts)
            return PlacementFile(rankfile(seating), (*remarks(notation, dims, axes), *_slots(seating)))
        case MeshTarget.HOSTFILE:
            seating = Seating(workload.system, matrix, dims, hosts)
            return PlacementFile(hostfile(seating), tuple(remarks(notation, dims, axes)))
        case _:
            assert_never(target)


def _slots(seating: Seating) -> Iterator[str]:
    if not seating.by_local_rank:
        yield "on a host slots do not ascend with ranks; let a rank take the device of its slot, not of its local rank"
