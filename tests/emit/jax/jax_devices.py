"""Runs emitted JAX files on host devices, in a process of its own: jax is never imported where tests are collected.

`python jax_devices.py FOLDER`: every N.npz there has the `values` that devices give, the result `expected` of each, and
the `groups` to compare with jax.lax.psum, if any; N.py is the emitted file. Prints a JSON list with what is wrong.
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


PLAIN: dict[str, Callable[[np.ndarray], jax.Array]] = {}


def plain_sum(module: ModuleType, groups: str) -> Callable[[np.ndarray], jax.Array]:
    """One jax.lax.psum over groups (JSON), compiled once."""
    if groups not in PLAIN:
        listed, axis = json.loads(groups), module.AXIS
        PLAIN[groups] = jax.jit(
            module.mapped(lambda part: lax.psum(part, axis, axis_index_groups=listed), module.make_mesh())
        )
    return PLAIN[groups]


def wrong(folder: Path, number: int) -> str:
    """How a file errs; empty when each bit is right."""
    module = loaded(folder / f"{number}.py")
    mesh = module.make_mesh()
    task = np.load(folder / f"{number}.npz")
    values, expected = task["values"], task["expected"]
    groups = task["groups"].tolist()
    if groups and np.asarray(plain_sum(module, json.dumps(groups))(values)).tobytes() != expected.tobytes():
        return "jax.lax.psum gives something else than was expected"
    for poisoned in (False, True) if hasattr(module, "reduce") or hasattr(module, "either") else (False,):
        if poisoned:
            poison_what_is_undefined(module)
        found = np.asarray(jax.jit(module.over(mesh))(values))
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
