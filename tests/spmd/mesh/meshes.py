"""Meshes whose figures are round, and searches on them."""

from spmd.joint_problems import RoundNetwork, cluster

from p2smt.spmd.classes import classes_of
from p2smt.spmd.graph import graph_of
from p2smt.spmd.mesh.mesh import Mesh, MeshAxis
from p2smt.spmd.mesh.options import PairOptions
from p2smt.spmd.mesh.pricing import MeshPricing
from p2smt.spmd.network import NoNetwork


def mesh(sizes, speed=10**7, units=(10, 1), memory=None):
    """Devices of one speed, or each of its own; picoseconds per byte of the first axis' network, and the second's."""
    axes = tuple(
        MeshAxis(name, size, RoundNetwork(unit, size) if size > 1 else NoNetwork())
        for name, size, unit in zip(("rows", "columns"), sizes, units, strict=True)
    )
    speeds = speed if isinstance(speed, tuple) else (speed,) * (sizes[0] * sizes[1])
    return Mesh(cluster(speeds, memory=memory), axes)


def options(single, where):
    graph = graph_of(single)
    return PairOptions(MeshPricing(graph, classes_of(graph), where))
