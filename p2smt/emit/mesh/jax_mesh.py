"""A placement as a JAX Mesh."""

from collections.abc import Sequence
from math import prod

from p2smt.emit.mesh.constants import mesh_constants
from p2smt.emit.template import filled
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.placement.order import Order
from p2smt.problem.model import Axis
from p2smt.problem.system.network import Level


def emit_jax_mesh(axes: Sequence[Axis], levels: Sequence[Level], matrix: ParallelismMatrix, dims: Order) -> str:
    """Return a file that creates the JAX Mesh of a placement, with one mesh axis per axis in the order `dims`.

    Device numbers are p2smt's for any `dims`: the groups equal those of every plan on this placement. JAX keeps the
    order of the mesh inside a group. The text grows with the number of axes and levels, not of devices.
    """
    devices = prod(level.size for level in levels)
    return filled(
        "mesh/templates/jax_mesh.py.in",
        devices=str(devices),
        constants=mesh_constants(axes, levels, matrix, dims),
        members=filled("mesh/templates/members.py.in"),
    )
