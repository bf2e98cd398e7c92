"""Runs emitted JAX files on host devices, in a process of its own: jax is never imported where tests are collected.

`python jax_devices.py FOLDER`: every N.npz there has the `values` that devices give, the results `expected` of the
devices `rows`, and the `goal` and `groups` of the plain collective to compare with, if any; N.py is the emitted file.
Prints a JSON list with what is wrong.
XLA_FLAGS says how many devices there are.
"""

import importlib.util
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
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


def plain(module: ModuleType, goal: str, groups: list[list[int]]) -> Callable[[np.ndarray], jax.Array]:
    """The collective of JAX that does the goal in these groups, traced once; rows stay rows."""
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


PLAIN: dict[tuple[str, str], Callable[[np.ndarray], jax.Array]] = {}


@dataclass(frozen=True, eq=False)
class Run:
    """A function of the rows that devices give, what it must give, and how it errs if it does not."""

    file: str
    devices: int
    function: Callable[[np.ndarray], jax.Array]
    values: np.ndarray
    expected: np.ndarray
    rows: np.ndarray
    wrong: str

    def traced(self, values: jax.Array) -> jax.Array:
        """The function; what it raises says of which file it is."""
        try:
            return self.function(values)
        except Exception as error:
            error.add_note(f"while {self.file} was traced")
            raise

    def error(self, result: np.ndarray) -> str:
        """How the result errs; empty when each bit is right."""
        found = result[self.rows]
        if (found.shape, found.dtype) != (self.expected.shape, self.expected.dtype):
            return f"{self.wrong}{found.dtype} {found.shape} instead of {self.expected.dtype} {self.expected.shape}"
        if found.tobytes() != self.expected.tobytes():
            return f"{self.wrong}{int((found != self.expected).sum())} numbers differ"
        return ""


def runs(folder: Path, number: int) -> Iterator[Run]:
    """The plain collective, the emitted file, and the same poisoned where something in it is undefined."""
    path = folder / f"{number}.py"
    module = loaded(path)
    mesh = module.make_mesh()
    task = np.load(path.with_suffix(".npz"))
    values, groups = task["values"], task["groups"].tolist()

    def run(function: Callable[[np.ndarray], jax.Array], wrong: str) -> Run:
        return Run(path.name, mesh.size, function, values, task["expected"], task["rows"], wrong)

    if groups and values.size:
        yield run(plain(module, str(task["goal"]), groups), "the plain collective gives something else: ")
    yield run(module.over(mesh), "")
    if hasattr(module, "reduce") or hasattr(module, "either"):
        poisoned = loaded(path)
        poison_what_is_undefined(poisoned)
        yield run(poisoned.over(poisoned.make_mesh()), "when poisoned, ")


def errors(some: Sequence[Run]) -> list[str]:
    """How each errs; they are compiled as one function, which takes half as long as each on its own."""
    results = jax.jit(lambda rows: [run.traced(row) for run, row in zip(some, rows, strict=True)])(
        [run.values for run in some]
    )
    return [run.error(np.asarray(result)) for run, result in zip(some, results, strict=True)]


TOGETHER = 32


def main() -> None:
    folder = Path(sys.argv[1])
    tasks = [list(runs(folder, number)) for number in range(len(list(folder.glob("*.npz"))))]
    wrong: dict[Run, str] = {}
    for devices in sorted({task[0].devices for task in tasks}):
        alike = [run for task in tasks for run in task if run.devices == devices]
        for begin in range(0, len(alike), TOGETHER):
            some = alike[begin : begin + TOGETHER]
            wrong |= dict(zip(some, errors(some), strict=True))
    print(json.dumps([next((wrong[run] for run in task if wrong[run]), "") for task in tasks]))


if __name__ == "__main__":
    main()
