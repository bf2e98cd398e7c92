"""Lowers the cases on host devices and runs them; a process of its own, without p2smt.

`python jax_texts.py FOLDER [CASE ...]` writes, for every case, `CASE/single.mlir`, `CASE/right.mlir`,
`CASE/right.hlo` (compiled), `CASE/FAULT.mlir`, and to executed.json the largest difference between what the devices
gave, put together as the specs say, and the function for one device, on random values.
"""

import json
import os
import sys
from pathlib import Path

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh
from jax_cases import CASES, RIGHT

try:
    from jax import shard_map
except ImportError:
    from jax.experimental.shard_map import shard_map


def sharded(case, fault):
    """What all devices do, as a function of whole arrays."""
    sizes = [size for _, size in case.mesh]
    mesh = Mesh(np.array(jax.devices()[: int(np.prod(sizes))]).reshape(sizes), [name for name, _ in case.mesh])
    results = case.specs.get(fault, case.results)
    return jax.jit(
        shard_map(
            lambda *given: case.body(fault, *given),
            mesh=mesh,
            in_specs=case.given,
            out_specs=results,
            check_vma=False,
        )
    )


def difference(left, right) -> float:
    """The largest, relative to what there is; infinite where shapes differ."""
    pairs = list(zip(jax.tree.leaves(left), jax.tree.leaves(right), strict=True))
    if any(one.shape != other.shape for one, other in pairs):
        return float("inf")
    return max(float(jnp.max(jnp.abs(one - other)) / (1 + jnp.max(jnp.abs(other)))) for one, other in pairs)


def write(folder: Path, names: list[str]) -> None:
    executed = {}
    for name in names or CASES:
        case = CASES[name]
        (folder / name).mkdir(exist_ok=True)
        numbers = np.random.default_rng(len(name))
        given = [numbers.standard_normal(shape) for shape in case.shapes]
        shapes = [jax.ShapeDtypeStruct(shape, jnp.float64) for shape in case.shapes]
        single = jax.jit(case.single)
        (folder / name / "single.mlir").write_text(single.lower(*shapes).as_text(), encoding="utf-8")
        expected = single(*given)
        for fault in (RIGHT, *case.faults):
            lowered = sharded(case, fault).lower(*shapes)
            stem = fault.replace(" ", "_").replace("'", "") or "right"
            (folder / name / f"{stem}.mlir").write_text(lowered.as_text(), encoding="utf-8")
            compiled = lowered.compile()
            executed[f"{name}/{stem}"] = difference(compiled(*given), expected)
            if not fault:
                (folder / name / "right.hlo").write_text(plain(compiled.as_text()), encoding="utf-8")
    (folder / "executed.json").write_text(json.dumps(executed, indent=1) + "\n", encoding="utf-8")


def plain(text: str) -> str:
    """Without the tables of files and lines, which say where this folder is."""
    kept, inside = [], False
    for line in text.splitlines():
        inside = (inside or line in ("FileNames", "FunctionNames", "FileLocations", "StackFrames")) and line != ""
        if not inside:
            kept.append(line)
    return "\n".join(kept) + "\n"


if __name__ == "__main__":
    write(Path(sys.argv[1]), sys.argv[2:])
