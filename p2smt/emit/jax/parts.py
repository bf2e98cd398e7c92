"""The fixed text of the emitted JAX file, in the order in which it appears there."""

DOCSTRING = '''"""One reduction over {devices} devices, as JAX collectives under shard_map.

Written by p2smt; needs jax and numpy alone. Device i of the plan is device i of the mesh: the order of the devices is
the placement.

{facts}
Steps, each in all of its groups at once:

{steps}
Use, with an array of which device i has row i, on one process or on several:

    total = jax.jit(over(make_mesh()))(values)  # row i: the sum over the group of device i

or inside a shard_map of your own over a mesh with the axis {axis!r}, with check_vma=False (check_rep=False before
jax 0.6):

    total = reduction(part)

Check it against jax.lax.psum on one machine, on its accelerators or on host devices: python FILE
"""

'''

IMPORTS = """import os
import sys
from collections.abc import Callable, Sequence
from inspect import signature
from math import prod
from typing import NamedTuple

if __name__ == "__main__" and "host_platform_device_count" not in os.environ.get("XLA_FLAGS", ""):
    asked = "--xla_force_host_platform_device_count={devices}"  # read by jax when it starts
    os.environ["XLA_FLAGS"] = f"{{os.environ.get('XLA_FLAGS', '')}} {{asked}}".strip()

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, PartitionSpec

try:
    from jax import shard_map
except ImportError:  # before jax 0.6
    from jax.experimental.shard_map import shard_map
"""

AXIS = "device"

CONSTANTS = '''

class Rule(NamedTuple):
    """Groups of devices: places of the digits that differ inside a group, of digits that are 0 in all its devices."""

    varying: tuple[int, ...]
    zero: tuple[int, ...]


AXIS = "{axis}"
# The digits that a device's number spells, most significant first: one per level and axis.
{sizes}WORLD = prod(SIZES)
# Buffers are padded to a multiple of this many elements.
MULTIPLE = {multiple}
'''

REDUCTION = '''

def make_mesh(devices: Sequence[jax.Device] | None = None) -> Mesh:
    """A mesh of the devices in the order of the plan, or of the first that jax.devices() lists."""
    devices = jax.devices()[:WORLD] if devices is None else devices
    if len(devices) != WORLD:
        raise ValueError(f"this reduction is made for {{WORLD}} devices, not for {{len(devices)}}")
    return Mesh(np.array(devices), (AXIS,))


def over(mesh: Mesh) -> Callable[[jax.Array], jax.Array]:
    """The reduction of arrays with one row per device, laid out along the mesh."""
    return mapped(lambda values: reduction(values[0])[None], mesh)


def mapped(function: Callable[[jax.Array], jax.Array], mesh: Mesh) -> Callable[[jax.Array], jax.Array]:
    """The function on every device's row; JAX cannot check how groups of devices replicate, so it is told not to."""
    check = "check_vma" if "check_vma" in signature(shard_map).parameters else "check_rep"
    row = PartitionSpec(AXIS)
    return shard_map(function, mesh=mesh, in_specs=row, out_specs=row, **{{check: False}})


def reduction(part: jax.Array) -> jax.Array:
    """The sum of what the devices of this device's group give, on each of them; inside shard_map."""
    if lax.psum(1, AXIS) != WORLD:
        raise ValueError(f"this reduction is made for {{WORLD}} devices, not for {{lax.psum(1, AXIS)}}")
    if not part.size:
        return part
    buffer = jnp.pad(part.reshape(-1), (0, -part.size % MULTIPLE))
    return reduced(buffer)[: part.size].reshape(part.shape)


def reduced(buffer: jax.Array) -> jax.Array:
    """The steps of the plan, on a flat buffer whose length MULTIPLE divides."""
{statements}'''

GROUPS = '''

def groups_of(rule: Rule) -> list[list[int]]:
    """The groups of a rule in ascending order, members ascending; the first member is the root."""
    inside = sorted(rule.varying)
    outside = [place for place in range(len(SIZES)) if place not in inside]
    chosen = tuple(slice(1) if place in rule.zero else slice(None) for place in range(len(SIZES)))
    numbers = np.arange(WORLD).reshape(SIZES)[chosen].transpose(*outside, *inside)
    return numbers.reshape(-1, prod(SIZES[place] for place in inside)).tolist()
'''

PARTITION = '''

def partition(rule: Rule) -> list[list[int]]:
    """The groups of a rule, and all other devices in groups as large, because JAX wants every device in some group.

    This comes out even: without the digits that are 0, groups of the same size hold every device. What the others do
    among themselves, neighbours as far as possible, is thrown away.
    """
    groups = groups_of(rule)
    others = np.setdiff1d(np.arange(WORLD), groups)
    return groups + others.reshape(-1, len(groups[0])).tolist()
'''

ZERO_AT = '''

def zero_at(places: Sequence[int]) -> jax.Array:
    """Whether the digits of this device are 0 at all of these places."""
    index, zero = lax.axis_index(AXIS), jnp.bool_(True)
    for place in places:
        zero &= index // prod(SIZES[place + 1 :]) % SIZES[place] == 0
    return zero
'''

BELONGS = '''

def belongs(classes: Sequence[int]) -> jax.Array:
    """Whether this device is of one of these classes."""
    own = sum(jnp.where(zero_at(places), 0, 1 << i) for i, places in enumerate(LEVELS))
    return jnp.isin(own, jnp.array(classes))
'''

EITHER = '''

def either(condition: jax.Array, yes: jax.Array, no: jax.Array) -> jax.Array:
    """One of two buffers, the shorter one filled up; what lies behind a device's own part is not used."""
    yes, no = (jnp.pad(buffer, (0, max(yes.size, no.size) - buffer.size)) for buffer in (yes, no))
    return jnp.where(condition, yes, no)
'''

PERMUTED = '''

def permuted(buffer: jax.Array, sizes: Sequence[int], order: Sequence[int]) -> jax.Array:
    """The buffer, seen as a tensor with these dimensions and one for the rest, with its dimensions in this order."""
    return buffer.reshape(*sizes, -1).transpose(*order, len(order)).reshape(-1)
'''

SPREAD = '''

def spread(buffer: jax.Array, rows: int, gap: int) -> jax.Array:
    """The buffer cut into so many rows, with a gap behind each."""
    return jnp.pad(buffer.reshape(rows, -1), ((0, 0), (0, gap))).reshape(-1)
'''

PACKED = '''

def packed(buffer: jax.Array, rows: int, length: int) -> jax.Array:
    """The beginnings, of this length, of so many rows of a buffer."""
    return buffer.reshape(rows, -1)[:, :length].reshape(-1)
'''

ALL_REDUCE = '''

def all_reduce(buffer: jax.Array, rule: Rule) -> jax.Array:
    """The sum, on every member."""
    return lax.psum(buffer, AXIS, axis_index_groups=partition(rule))
'''

REDUCE_SCATTER = '''

def reduce_scatter(buffer: jax.Array, rule: Rule) -> jax.Array:
    """The i-th block of the sum, on the i-th member."""
    return lax.psum_scatter(buffer, AXIS, axis_index_groups=partition(rule), tiled=True)
'''

REDUCE = '''

def reduce(buffer: jax.Array, rule: Rule) -> jax.Array:
    """The sum, which the root alone needs; JAX has no collective for that, so all get it."""
    return lax.psum(buffer, AXIS, axis_index_groups=partition(rule))
'''

ALL_GATHER = '''

def all_gather(buffer: jax.Array, rule: Rule) -> jax.Array:
    """The buffers of all members behind one another, on every member."""
    return lax.all_gather(buffer, AXIS, axis_index_groups=partition(rule), tiled=True)
'''

BROADCAST = '''

def broadcast(buffer: jax.Array, rule: Rule) -> jax.Array:
    """The root's buffer, as a sum to which the others give 0: JAX has no broadcast in groups."""
    return lax.psum(jnp.where(zero_at(rule.varying), buffer, 0), AXIS, axis_index_groups=partition(rule))
'''

MAIN = '''

def check(mesh: Mesh) -> int:
    """How many numbers differ from those of one plain jax.lax.psum."""
    groups = groups_of(REDUCTION)
    plan = jax.jit(over(mesh))
    plain = jax.jit(mapped(lambda values: lax.psum(values, AXIS, axis_index_groups=groups), mesh))
    random = np.random.default_rng(0)
    wrong = 0
    for length in (8 * MULTIPLE, 8 * MULTIPLE + 1, 1, 0):
        values = random.integers(-50, 50, (WORLD, length))
        for dtype in (np.float32, np.int32):
            found, expected = (np.asarray(function(values.astype(dtype))) for function in (plan, plain))
            wrong += int((found != expected).sum())
    return wrong


def main() -> int:
    """Check this file; 0 when every device agrees with jax.lax.psum."""
    devices = jax.devices() if len(jax.devices()) >= WORLD else jax.devices("cpu")
    if len(devices) < WORLD:
        asked = f"XLA_FLAGS=--xla_force_host_platform_device_count={WORLD}"
        print(f"{WORLD} devices are needed, there are {len(devices)}; start it with {asked}", file=sys.stderr)
        return 2
    wrong = check(make_mesh(devices[:WORLD]))
    verdict = f"WRONG: {wrong} numbers differ" if wrong else "equals jax.lax.psum"
    print(f"reduction on {WORLD} devices ({devices[0].platform}, jax {jax.__version__}): {verdict}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
'''
