"""Traces emitted JAX files and says which of their collectives wait for each other; run in a process of its own.

`python jax_chunks.py FILE...`: writes each one's StableHLO beside it, and prints a JSON list: of every file, how many
collectives each set has in which one waits for another, directly or through others.
"""

import json
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
from jax_devices import loaded

COLLECTIVES = ("psum", "psum_invariant", "psum2", "reduce_scatter", "all_gather")


def sets_of(eqns: list) -> list[int]:
    """Sizes of the sets of collectives that depend on one another, by following every value."""
    behind: dict[object, frozenset[int]] = {}
    sets: list[set[int]] = []
    for number, eqn in enumerate(eqns):
        before = frozenset().union(*(behind.get(var, frozenset()) for var in eqn.invars if not hasattr(var, "val")))
        if eqn.primitive.name in COLLECTIVES:
            joined = [one for one in sets if one & before]
            sets = [one for one in sets if not one & before] + [set().union({number}, *joined)]
            before = frozenset({number})
        for var in eqn.outvars:
            behind[var] = before
    return sorted(map(len, sets))


def main() -> None:
    found = []
    for path in map(Path, sys.argv[1:]):
        module = loaded(path)
        function = module.over(module.make_mesh())
        row = jax.ShapeDtypeStruct((module.WORLD, 11 * module.MULTIPLE), jnp.float32)
        (mapped,) = jax.make_jaxpr(function)(row).eqns
        found.append(sets_of(mapped.params["jaxpr"].eqns))
        path.with_suffix(".mlir").write_text(jax.jit(function).lower(row).as_text(), encoding="utf-8")
    print(json.dumps(found))


if __name__ == "__main__":
    main()
