"""A placement as a file for a target (a mesh or a mapping of ranks to hosts), and notes about the file."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import assert_never

from p2smt.argument_types import require
from p2smt.emit.mesh.device_mesh import emit_device_mesh
from p2smt.emit.mesh.jax_mesh import emit_jax_mesh
from p2smt.emit.mesh.rank_file import RankMapping, hostfile, rankfile
from p2smt.emit.target import MeshTarget
from p2smt.errors import ProblemError
from p2smt.placement.framework_call import framework_call
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.placement.mesh_reading import sorting_notes
from p2smt.placement.notation import Notation, order_text, parse_order, remarks, written_order
from p2smt.placement.rank_tensor import ascends
from p2smt.problem.workload import Workload


@dataclass(frozen=True, slots=True)
class PlacementFile:
    """The text of a file, and notes for its user."""

    text: str
    notes: tuple[str, ...] = ()


def placement_file(
    workload: Workload,
    matrix: ParallelismMatrix,
    target: MeshTarget,
    order: str | None = None,
    hosts: tuple[str, ...] | None = None,
) -> PlacementFile:
    """Return the file of a job's placement for a target.

    `order` is the order of a mesh's dimensions, or a framework's order of its ranks, such as `megatron:tp-cp-dp-pp`
    (None: the job's order of the axes). `hosts` are host names by device number. Raises ProblemError if a rank file
    cannot express the placement, or if no order of the axes gives the matrix.
    """
    require(workload, Workload, "workload", "build_workload makes one, read_job reads a file")
    require(matrix, ParallelismMatrix, "matrix", "optimize and all_placements give them")
    require(target, MeshTarget, "target", "write MeshTarget.RANKFILE")
    axes, levels = workload.axes, workload.levels
    listed = Notation.AXES, tuple(range(len(axes)))
    notation, dims = listed if order is None else parse_order(order, axes)
    match target:
        case MeshTarget.DEVICEMESH:
            notes = sorting_notes(workload, dims, partial(ascends, matrix))
            return PlacementFile(emit_device_mesh(axes, levels, matrix, dims), tuple(notes))
        case MeshTarget.JAX:
            return PlacementFile(emit_jax_mesh(axes, levels, matrix, dims))
        case MeshTarget.RANKFILE:
            mapping = RankMapping(workload.system, matrix, dims, hosts)
            return PlacementFile(rankfile(mapping), (*remarks(notation, dims, axes), *_slots(mapping)))
        case MeshTarget.HOSTFILE:
            mapping = RankMapping(workload.system, matrix, dims, hosts)
            return PlacementFile(hostfile(mapping), tuple(remarks(notation, dims, axes)))
        case MeshTarget.MEGATRON | MeshTarget.TORCHTITAN | MeshTarget.DEEPSPEED:
            return _order_file(workload, matrix, Notation(target.value))
        case _:
            assert_never(target)


def _order_file(workload: Workload, matrix: ParallelismMatrix, notation: Notation) -> PlacementFile:
    axes = workload.axes
    order = written_order(notation, matrix, axes)
    if order is None:
        raise ProblemError(f"no order of the mesh axes gives matrix {matrix}; use --to rankfile")
    text, call = order_text(notation, order, axes), framework_call(notation, order, axes)
    typed = [f"{notation} takes it as {call}"] if call else []
    return PlacementFile(text + "\n", (*remarks(notation, order, axes), *typed))


def _slots(mapping: RankMapping) -> Iterator[str]:
    if not mapping.by_local_rank:
        yield "on a host slots do not ascend with ranks; let a rank take the device of its slot, not of its local rank"
