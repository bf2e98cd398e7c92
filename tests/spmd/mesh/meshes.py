"""Meshes whose figures are round, and searches on them."""

from math import prod

from spmd.joint_problems import RoundNetwork, cluster

from p2smt.spmd.devices.device_mesh import Mesh, MeshAxis
from p2smt.spmd.devices.network import NoNetwork
from p2smt.spmd.model.classes import classes_of
from p2smt.spmd.model.graph import graph_of
from p2smt.spmd.model.options import OptionCache
from p2smt.spmd.model.pricing import in_even_shares


def mesh(sizes, speed=10**7, units=(10, 1), memory=None):
    """Two axes; devices of one speed, or each of its own; picoseconds per byte of each axis' network."""
    return mesh_of(sizes, speed, units, memory, ("rows", "columns"))


def mesh_of(sizes, speed, units, memory=None, names=("outer", "middle", "inner")):
    """The same of any number of axes."""
    axes = tuple(
        MeshAxis(name, size, RoundNetwork(unit, size) if size > 1 else NoNetwork())
        for name, size, unit in zip(names, sizes, units, strict=False)
    )
    speeds = speed if isinstance(speed, tuple) else (speed,) * prod(sizes)
    return Mesh(cluster(speeds, memory=memory), axes)


def options(single, where):
    graph = graph_of(single)
    return OptionCache(in_even_shares(graph, classes_of(graph), where))
