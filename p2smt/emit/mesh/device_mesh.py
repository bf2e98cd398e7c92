"""One placement as a `torch.distributed` DeviceMesh."""

from collections.abc import Sequence
from math import prod

from p2smt.emit.mesh.parts import MEMBERS, mesh_constants
from p2smt.emit.torch.parts import MAIN
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.placement.order import Order
from p2smt.problem.model import Axis
from p2smt.problem.system.network import Level

_DOCSTRING = '''"""One placement of {devices} devices as a DeviceMesh of torch.distributed.

Written by p2smt; needs torch alone. The rank of a process is the number of its device: ranks fill the innermost level
first, as torchrun and mpirun number them.

Use, on every rank, once dist.init_process_group() has been called:

    mesh = device_mesh("cuda")
    group = mesh.get_group(NAMES[0])

Check its groups on one machine: torchrun --standalone --nproc-per-node {devices} FILE
(on several machines: the usual torchrun arguments, {devices} processes in all).
"""

import os
import sys
from datetime import timedelta

import torch
import torch.distributed as dist
from torch.distributed.device_mesh import DeviceMesh

'''

_MESH = '''

def ranks() -> torch.Tensor:
    """The rank at every place of the mesh."""
    return torch.arange(WORLD).reshape(FACTORS).permute(PLACES).reshape(SHAPE)


def device_mesh(device_type: str) -> DeviceMesh:
    """The mesh; every rank must make it, at the same point."""
    return DeviceMesh(device_type, ranks(), mesh_dim_names=NAMES)
'''

_CHECK = '''

def check(device: torch.device) -> int:
    """How many dimensions have a place or a group on this rank that is not the matrix's."""
    mesh, rank = device_mesh(device.type), dist.get_rank()
    place = dict(zip(NAMES, mesh.get_coordinate() or (), strict=True))
    wrong = 0
    for name in NAMES:
        expected = members(name, rank)
        mine = torch.tensor([rank], device=device)
        found = [torch.empty_like(mine) for _ in expected]
        if dist.get_world_size(mesh.get_group(name)) == len(expected):
            dist.all_gather(found, mine, group=mesh.get_group(name))
        wrong += [int(other) for other in found] != expected or place[name] != coordinates(rank)[name]
    return wrong
'''


def emit_device_mesh(axes: Sequence[Axis], levels: Sequence[Level], matrix: ParallelismMatrix, dims: Order) -> str:
    """A file that makes the DeviceMesh of a placement, with a dimension per axis in the order `dims`.

    The rank tensor is p2smt's own numbering, whatever `dims` is: rank `r` runs on device `r`. Group members are those
    of every plan on this placement, and ascend along each dimension, so that torch's sorting of ranks changes
    nothing; along several dimensions flattened it may (`placement.rank_tensor.ascends`). The text grows with the
    number of axes and levels, not of devices.
    """
    head = _DOCSTRING.format(devices=prod(level.size for level in levels))
    main = MAIN.substitute(subject="mesh", verb="has", reference="the groups of the matrix", results="groups")
    return head + mesh_constants(axes, levels, matrix, dims) + _MESH + MEMBERS + _CHECK + main
