"""A placement as a `torch.distributed` DeviceMesh."""

from collections.abc import Sequence
from math import prod

from p2smt.emit.mesh.constants import mesh_constants
from p2smt.emit.template import filled
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.placement.order import Order
from p2smt.problem.model import Axis
from p2smt.problem.system.network import Level


def emit_device_mesh(axes: Sequence[Axis], levels: Sequence[Level], matrix: ParallelismMatrix, dims: Order) -> str:
    """Return a file that creates the DeviceMesh of a placement, with one dimension per axis in the order `dims`.

    The rank tensor uses p2smt's device numbers for any `dims`: rank `r` runs on device `r`. Groups equal those of every
    plan on this placement. Their members ascend along each dimension, so torch's sorting of ranks changes nothing;
    along several flattened dimensions it may (`placement.rank_tensor.ascends`). The text grows with the number of axes
    and levels, not of devices.
    """
    return filled(
        "mesh/templates/device_mesh.py.in",
        devices=str(prod(level.size for level in levels)),
        constants=mesh_constants(axes, levels, matrix, dims),
        members=filled("mesh/templates/members.py.in"),
        main=filled(
            "torch/templates/main.py.in",
            subject="mesh",
            verb="has",
            reference="the groups of the matrix",
            results="groups",
        ),
    )
