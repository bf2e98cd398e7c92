"""JAX programs of every kind that people write with collectives; needs jax and as many host devices as asked for.

A program is what one device does with its own arrays. `goal` is what it is for, along axes of its mesh.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh
from jax.sharding import PartitionSpec as P

try:
    from jax import shard_map
except ImportError:
    from jax.experimental.shard_map import shard_map


@dataclass(frozen=True)
class Program:
    """What one device does, the shapes of its arrays, the mesh, and the goal with the axes of its groups.

    `told`: the goal is not to be seen in shapes and words, and has to be said beside the text.
    """

    name: str
    body: Callable
    shapes: tuple[tuple[int, ...], ...]
    mesh: tuple[int, ...]
    along: tuple[int, ...]
    goal: str = "all-reduce"
    average: bool = False
    root: int = 0
    axis: int = 0
    kind: str = "float32"
    told: bool = False

    @property
    def groups(self):
        """The devices that differ along the goal's axes alone."""
        ids = np.arange(np.prod(self.mesh)).reshape(self.mesh)
        rest = [axis for axis in range(len(self.mesh)) if axis not in self.along]
        size = int(np.prod([self.mesh[axis] for axis in self.along]))
        return ids.transpose([*rest, *self.along]).reshape(-1, size).tolist()


AXES = "abcd"


def jitted(program):
    """The program over its mesh, for arrays whose first dimension the devices share out."""
    size = int(np.prod(program.mesh))
    mesh = Mesh(np.array(jax.devices()[:size]).reshape(program.mesh), tuple(AXES[: len(program.mesh)]))
    spec = P(tuple(AXES[: len(program.mesh)]))
    options = {"mesh": mesh, "in_specs": spec, "out_specs": spec}
    try:
        mapped = shard_map(program.body, **options, check_vma=False)
    except TypeError:
        mapped = shard_map(program.body, **options, check_rep=False)
    return jax.jit(mapped), jax.sharding.NamedSharding(mesh, spec)


def _ring_sum(x, size):
    total = x
    for _ in range(size - 1):
        x = lax.ppermute(x, "a", [(i, (i + 1) % size) for i in range(size)])
        total = total + x
    return total


def _ring_scan(x, size):
    def step(carry, _):
        moved, total = carry
        moved = lax.ppermute(moved, "a", [(i, (i + 1) % size) for i in range(size)])
        return (moved, total + moved), None

    (_, total), _ = lax.scan(step, (x, x), None, length=size - 1)
    return total


def _ring_fori(x, size):
    def step(_, carry):
        moved, total = carry
        moved = lax.ppermute(moved, "a", [(i, (i - 1) % size) for i in range(size)])
        return moved, total + moved

    return lax.fori_loop(0, size - 1, step, (x, x))[1]


def _ring_gather(x, size):
    me = lax.axis_index("a")
    out = jnp.zeros((size * x.shape[0], *x.shape[1:]), x.dtype)
    for step in range(size):
        out = lax.dynamic_update_slice_in_dim(out, x, (me - step) % size * x.shape[0], 0)
        x = lax.ppermute(x, "a", [(i, (i + 1) % size) for i in range(size)])
    return out


def _ring_reduce_scatter(x, size):
    me, block = lax.axis_index("a"), x.shape[0] // size
    total = lax.dynamic_slice_in_dim(x, (me - 1) % size * block, block, 0)
    for step in range(1, size):
        total = lax.ppermute(total, "a", [(i, (i + 1) % size) for i in range(size)])
        total = total + lax.dynamic_slice_in_dim(x, (me - 1 - step) % size * block, block, 0)
    return total


def _doubling(x, size):
    distance = 1
    while distance < size:
        x = x + lax.ppermute(x, "a", [(i, i ^ distance) for i in range(size)])
        distance *= 2
    return x


def _masked(x, root):
    return lax.psum(jnp.where(lax.axis_index("a") == root, x, jnp.zeros_like(x)), "a")


def _masked_product(x, root):
    return lax.psum(x * (lax.axis_index("a") == root).astype(x.dtype), "a")


def _masked_gather(x, size):
    out = jnp.zeros((size, *x.shape), x.dtype)
    return lax.psum(out.at[lax.axis_index("a")].set(x), "a").reshape(-1, *x.shape[1:])


def _own_block(x, size):
    whole = lax.psum(x, "a")
    block = x.shape[0] // size
    return lax.dynamic_slice_in_dim(whole, lax.axis_index("a") * block, block, 0)


def _buckets(*parts):
    flat = jnp.concatenate([part.ravel() for part in parts])
    flat = lax.psum(flat, "a")
    out, at = [], 0
    for part in parts:
        out.append(flat[at : at + part.size].reshape(part.shape))
        at += part.size
    return tuple(out)


def _padded(x, size):
    flat = jnp.pad(x.ravel(), (0, -x.size % size))
    shard = lax.psum_scatter(flat, "a", tiled=True)
    return lax.all_gather(shard, "a", tiled=True)[: x.size].reshape(x.shape)


def _scatter_gather(x, first, second):
    part = lax.psum_scatter(x, first, tiled=True)
    return lax.all_gather(lax.psum(part, second), first, tiled=True)


def _exchanged_sum(x, size):
    blocks = lax.all_to_all(x.reshape(size, -1), "a", 0, 0)
    return lax.all_gather(blocks.sum(0), "a", tiled=True).reshape(x.shape)


def _chunked(x):
    return lax.map(lambda row: lax.psum(row, "a"), x)


def _branch(x):
    return lax.psum(lax.cond(lax.axis_index("a") == 0, lambda v: v, jnp.zeros_like, x), "a")


def _mlp(x, y, w, v):
    def loss(w, v):
        return jnp.mean((jnp.tanh(x @ w) @ v - y) ** 2)

    return lax.pmean(jax.grad(loss, (0, 1))(w, v), "a")


def programs(size):
    """All programs for so many devices, a power of two of at least 8."""
    flat, half = (size,), (size // 2, 2)
    cube = (size // 4, 2, 2)
    block = (2 * size,)
    psum = partial(lax.psum, axis_name="a")
    both = partial(lax.psum, axis_name=("a", "b"))
    one = partial(Program, mesh=flat, along=(0,))
    two = partial(Program, mesh=half, along=(0, 1))
    pairs = [[i, i + 1] for i in range(0, size, 2)]
    odd_even = [list(range(0, size, 2)), list(range(1, size, 2))]
    return [
        one("psum", psum, (block,)),
        one("psum_matrix", psum, ((4, 6),)),
        one("psum_tree", lambda x, y, z: lax.psum((x, y, z), "a"), (block, (3, 4), (1,))),
        one("two_inputs", lambda x, y: (lax.psum(x, "a"), lax.psum(y, "a")), (block, (4, 3))),
        one("psum_integers", psum, (block,), kind="int32"),
        one("pmean", partial(lax.pmean, axis_name="a"), (block,), average=True),
        one("pmean_tree", lambda x, y: lax.pmean((x, y), "a"), (block, (2, 3)), average=True),
        one("mean_first", lambda x: lax.psum(x / size, "a"), (block,), average=True),
        one("mean_by_product", lambda x: lax.psum(x, "a") * (1 / size), (block,), average=True),
        one("mean_forgotten", lambda x: lax.psum(x, "a") / (size // 2), (block,), average=True),
        two("pmean_of_pmean", lambda x: lax.pmean(lax.pmean(x, "a"), "b"), (block,), average=True),
        one("psum_scatter", lambda x: lax.psum_scatter(x, "a", tiled=True), (block,), goal="reduce-scatter"),
        one(
            "psum_scatter_columns",
            lambda x: lax.psum_scatter(x, "a", scatter_dimension=1, tiled=True),
            ((3, 2 * size),),
            goal="reduce-scatter",
            axis=1,
        ),
        one("psum_scatter_untiled", lambda x: lax.psum_scatter(x, "a"), ((size, 3),), goal="reduce-scatter"),
        one("own_block", partial(_own_block, size=size), (block,), goal="reduce-scatter"),
        one("all_gather", lambda x: lax.all_gather(x, "a", tiled=True), ((3,),), goal="all-gather"),
        one("all_gather_untiled", lambda x: lax.all_gather(x, "a"), ((3,),), goal="all-gather"),
        one(
            "all_gather_columns",
            lambda x: lax.all_gather(x, "a", axis=1, tiled=True),
            ((3, 2),),
            goal="all-gather",
            axis=1,
        ),
        two(
            "all_gather_one_axis", lambda x: lax.all_gather(x, "b", tiled=True), ((3,),), goal="all-gather", along=(1,)
        ),
        one("masked_gather", partial(_masked_gather, size=size), ((3,),), goal="all-gather"),
        one("all_to_all", lambda x: lax.all_to_all(x, "a", 0, 0, tiled=True), (block,), goal="all-to-all"),
        one(
            "all_to_all_dims",
            lambda x: lax.all_to_all(x, "a", 0, 1, tiled=True),
            ((size, 3),),
            goal="all-to-all",
            axis=1,
        ),
        one("all_to_all_sum", partial(_exchanged_sum, size=size), (block,)),
        one(
            "scatter_gather", lambda x: lax.all_gather(lax.psum_scatter(x, "a", tiled=True), "a", tiled=True), (block,)
        ),
        one("padded", partial(_padded, size=size), ((3, 5),)),
        one("buckets", _buckets, ((5,), (2, 3), (1, 4))),
        one("ring", partial(_ring_sum, size=size), ((4,),)),
        one("ring_too_short", partial(_ring_sum, size=size - 1), ((4,),)),
        one("ring_scan", partial(_ring_scan, size=size), ((4,),)),
        one("ring_fori", partial(_ring_fori, size=size), ((4,),)),
        one("ring_gather", partial(_ring_gather, size=size), ((2,),), goal="all-gather"),
        one("ring_reduce_scatter", partial(_ring_reduce_scatter, size=size), (block,), goal="reduce-scatter"),
        one("doubling", partial(_doubling, size=size), ((4,),)),
        one("masked_broadcast", partial(_masked, root=2), ((4,),), goal="broadcast", root=2, told=True),
        one("masked_product", partial(_masked_product, root=0), ((4,),), goal="broadcast", told=True),
        one("broadcast_by_branch", _branch, ((4,),), goal="broadcast", told=True),
        one("transposed", lambda x: lax.psum(x.T, "a").T, ((3, 4),)),
        one("transposed_wrongly", lambda x: lax.psum(x.T, "a").reshape(x.shape), ((3, 4),)),
        one("reversed_twice", lambda x: lax.psum(x[::-1], "a")[::-1], (block,)),
        one("negative", lambda x: -lax.psum(x * -2, "a") / 2, (block,)),
        one("taken_out_and_in", lambda x: (lax.psum(x, "a") - x) + x, (block,)),
        one("all_but_own", lambda x: lax.psum(x, "a") - x, (block,)),
        one("halves", lambda x: jnp.concatenate([psum(x[:size]), psum(x[size:])]), (block,)),
        one("chunks_by_map", _chunked, ((3, 4),)),
        two("both_axes", both, (block,)),
        two("one_axis_of_two", lambda x: lax.psum(x, "b"), (block,), along=(1,)),
        two("one_axis_too_few", lambda x: lax.psum(x, "b"), (block,)),
        two("hierarchical", partial(_scatter_gather, first="b", second="a"), (block,)),
        Program("three_axes", lambda x: lax.psum(lax.psum(x, ("a", "c")), "b"), (block,), cube, (0, 1, 2)),
        Program(
            "three_levels",
            lambda x: lax.all_gather(_scatter_gather(lax.psum_scatter(x, "c", tiled=True), "b", "a"), "c", tiled=True),
            ((4 * size,),),
            cube,
            (0, 1, 2),
        ),
        one(
            "index_groups",
            lambda x: lax.psum(lax.psum(x, "a", axis_index_groups=pairs), "a", axis_index_groups=odd_even),
            (block,),
        ),
        one("bfloat16", lambda x: lax.psum(x.astype(jnp.bfloat16), "a").astype(jnp.float32), (block,)),
        one("mlp_gradient", _mlp, ((4, 3), (4, 2), (3, 5), (5, 2))),
    ]
