"""One placement as a JAX Mesh."""

from collections.abc import Sequence
from math import prod

from p2smt.emit.mesh.parts import MEMBERS, mesh_constants
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.placement.order import Order
from p2smt.problem.model import Axis
from p2smt.problem.system.network import Level

_DOCSTRING = '''"""One placement of {devices} devices as a Mesh of JAX.

Written by p2smt; needs jax alone. The number of a device is its place in `jax.devices()`, which lists process after
process; processes must fill the innermost level first.

Use: jax.sharding.NamedSharding(device_mesh(), jax.sharding.PartitionSpec(NAMES[0]))

Check its groups: python FILE, on this machine alone after
XLA_FLAGS=--xla_force_host_platform_device_count={devices} JAX_PLATFORMS=cpu
"""

import sys
from collections.abc import Sequence

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

try:
    from jax import shard_map
except ImportError:
    from jax.experimental.shard_map import shard_map

'''

_MESH = '''

def ranks() -> np.ndarray:
    """The number of the device at every place of the mesh."""
    return np.arange(WORLD).reshape(FACTORS).transpose(PLACES).reshape(SHAPE)


def device_mesh(devices: Sequence[jax.Device] | None = None) -> Mesh:
    """The mesh over devices in the order of their numbers; none: all of them."""
    found = np.asarray(jax.devices() if devices is None else devices, dtype=object)
    if len(found) != WORLD:
        raise RuntimeError(f"this mesh is made for {WORLD} devices, not for {len(found)}")
    return Mesh(found[ranks()], NAMES)
'''

_CHECK = '''

def gathered(mesh: Mesh, name: str) -> list[tuple[jax.Device, list[int]]]:
    """The devices of this process, and the numbers that an all-gather along one axis brings to each."""
    spec = PartitionSpec(*NAMES)
    own = jax.make_array_from_callback(SHAPE, NamedSharding(mesh, spec), lambda place: ranks()[place].astype(np.int32))
    gather = shard_map(
        lambda number: jax.lax.all_gather(number, name), mesh=mesh, in_specs=spec, out_specs=PartitionSpec(None, *NAMES)
    )
    return [(shard.device, np.ravel(shard.data).tolist()) for shard in jax.jit(gather)(own).addressable_shards]


def main() -> int:
    """Compare the groups of every axis with the matrix; 0 when they are the same."""
    if len(jax.devices()) != WORLD:
        flags = f"XLA_FLAGS=--xla_force_host_platform_device_count={WORLD} JAX_PLATFORMS=cpu"
        here = len(jax.devices())
        print(f"this mesh needs {WORLD} devices, here are {here}; on one machine: {flags}", file=sys.stderr)
        return 2
    mesh, numbers = device_mesh(), {device: number for number, device in enumerate(jax.devices())}
    found = [(name, numbers[device], group) for name in NAMES for device, group in gathered(mesh, name)]
    wrong = sum(group != members(name, number) for name, number, group in found)
    verdict = f"WRONG: {wrong} groups differ" if wrong else "has the groups of the matrix"
    print(f"mesh on {WORLD} devices (jax {jax.__version__}): {verdict}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
'''


def emit_jax_mesh(axes: Sequence[Axis], levels: Sequence[Level], matrix: ParallelismMatrix, dims: Order) -> str:
    """A file that makes the JAX Mesh of a placement, with an axis per axis in the order `dims`.

    Device numbers are p2smt's own, whatever `dims` is: the groups are those of every plan on this placement. JAX keeps
    the order of the mesh inside a group. The text grows with the number of axes and levels, not of devices.
    """
    devices = prod(level.size for level in levels)
    return _DOCSTRING.format(devices=devices) + mesh_constants(axes, levels, matrix, dims) + _MESH + MEMBERS + _CHECK
