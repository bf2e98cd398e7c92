"""Runs emitted JAX files on host devices, in a process of its own: jax is never imported where tests are collected.

`python jax_devices.py FOLDER`: every N.npz there has the `values` that devices give, the results `expected` of the
devices `rows`, and the `goal` and `groups` of the plain collective to compare with, if any; N.py is the emitted file.
Prints a JSON list with what is wrong.
XLA_FLAGS says how many devices there are.
"""

import importlib.util
import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


def loaded(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("emitted", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["emitted"] = module
    spec.loader.exec_module(module)
    return module


def poison(dtype: jnp.dtype) -> jax.Array:
    """What no sum of small integers is."""
    return jnp.asarray(jnp.nan if jnp.issubdtype(dtype, jnp.floating) else jnp.iinfo(dtype).max, dtype)


def poison_what_is_undefined(module: ModuleType) -> None:
    """Spoil what Reduce leaves on devices that are not the root, and what lies behind a device's own amount."""
    if hasattr(module, "reduce"):
        plain_reduce = module.reduce

        def reduce(buffer: jax.Array, rule: object) -> jax.Array:
            roots = jnp.array([group[0] for group in module.groups_of(rule)])
            mine = jnp.isin(lax.axis_index(module.AXIS), roots)
            return jnp.where(mine, plain_reduce(buffer, rule), poison(buffer.dtype))

        module.reduce = reduce
    if hasattr(module, "either"):

        def either(condition: jax.Array, yes: jax.Array, no: jax.Array) -> jax.Array:
            length = max(yes.size, no.size)
            filled = [
                jnp.pad(buffer, (0, length - buffer.size), constant_values=poison(buffer.dtype)) for buffer in (yes, no)
            ]
            return jnp.where(condition, *filled)

        module.either = either


PLAIN: dict[tuple[str, str], Callable[[np.ndarray], jax.Array]] = {}


def plain(module: ModuleType, goal: str, groups: list[list[int]]) -> Callable[[np.ndarray], jax.Array]:
    """The collective of JAX that does the goal in these groups, compiled once; rows stay rows."""
    key = (goal, json.dumps(groups))
    if key not in PLAIN:
        among = {"axis_name": module.AXIS, "axis_index_groups": groups}
        roots = jnp.array([group[0] for group in groups])

        def scattered(row: jax.Array) -> jax.Array:
            return lax.psum_scatter(jnp.pad(row, (0, -row.size % len(groups[0]))), **among, tiled=True)

        def of_roots(row: jax.Array) -> jax.Array:
            return lax.psum(jnp.where(jnp.isin(lax.axis_index(module.AXIS), roots), row, 0), **among)

        act = {
            "AllReduce": lambda row: lax.psum(row, **among),
            "Reduce": lambda row: lax.psum(row, **among),
            "ReduceScatter": scattered,
            "AllGather": lambda row: lax.all_gather(row, **among, tiled=True),
            "Broadcast": of_roots,
        }[goal]
        PLAIN[key] = jax.jit(module.mapped(lambda rows: act(rows[0])[None], module.make_mesh()))
    return PLAIN[key]


def wrong(folder: Path, number: int) -> str:
    """How a file errs; empty when each bit is right."""
    module = loaded(folder / f"{number}.py")
    mesh = module.make_mesh()
    task = np.load(folder / f"{number}.npz")
    values, expected, rows = task["values"], task["expected"], task["rows"]
    groups = task["groups"].tolist()
    if groups and values.size:
        ours = np.asarray(plain(module, str(task["goal"]), groups)(values))[rows]
        if ours.tobytes() != expected.tobytes():
            return "the plain collective gives something else than was expected"
    for poisoned in (False, True) if hasattr(module, "reduce") or hasattr(module, "either") else (False,):
        if poisoned:
            poison_what_is_undefined(module)
        found = np.asarray(jax.jit(module.over(mesh))(values))[rows]
        if (found.shape, found.dtype) != (expected.shape, expected.dtype):
            return f"{found.dtype} {found.shape} instead of {expected.dtype} {expected.shape}"
        if found.tobytes() != expected.tobytes():
            return f"{int((found != expected).sum())} numbers differ{' when poisoned' if poisoned else ''}"
    return ""


def main() -> None:
    folder = Path(sys.argv[1])
    print(json.dumps([wrong(folder, number) for number in range(len(list(folder.glob("*.npz"))))]))


if __name__ == "__main__":
    main()
