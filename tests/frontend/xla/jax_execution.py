"""Lowers the JAX programs on host devices, and runs texts of programs with XLA; a process of its own, without p2smt.

`python jax_execution.py lower FOLDER [NAME ...]`: writes every program, or those that are named, in three forms, and
programs.json with what they are for.
`python jax_execution.py run FOLDER`: runs what jobs.json lists (file, form, shapes and kind of the parameters) with
random whole numbers, and writes what every device had and got to N.npz, or why XLA refused it to N.txt.
XLA_FLAGS says how many devices there are.
"""

import json
import re
import sys
from pathlib import Path

import jax
import numpy as np
from jax._src.lib import xla_client
from jax.sharding import Mesh, NamedSharding, PartitionSpec
from jax_programs import jitted, programs
from jaxlib import _hlo

TRIALS = 2
MOST = 16
"""Sums of so small numbers on 16 devices are whole in bfloat16."""


def lower(folder: Path, *chosen: str) -> None:
    found = []
    for program in programs(jax.device_count()):
        if chosen and program.name not in chosen:
            continue
        function, sharding = jitted(program)
        size = int(np.prod(program.mesh))
        given = [
            jax.ShapeDtypeStruct((size * shape[0], *shape[1:]), program.kind, sharding=sharding)
            for shape in program.shapes
        ]
        lowered = function.lower(*given)
        for form, text in (
            ("mlir", lowered.as_text()),
            ("lowered.hlo", lowered.as_text(dialect="hlo")),
            ("compiled.hlo", lowered.compile().as_text()),
        ):
            (folder / f"{program.name}.{form}").write_text(text, encoding="utf-8")
        kept = {}
        for trial in range(TRIALS):
            numbers = np.random.default_rng([len(found), trial])
            given = numbers_for(program.shapes, program.kind, numbers)
            results = jax.tree.leaves(function(*on_devices(given, sharding)))
            kept |= named(trial, given, [[shard.data for shard in by_device(one)] for one in results])
        np.savez(folder / f"{program.name}.npz", **kept)
        names = ("name", "shapes", "goal", "groups", "average", "root", "axis", "kind", "told")
        found.append({name: getattr(program, name) for name in names})
    (folder / "programs.json").write_text(json.dumps(found), encoding="utf-8")


def numbers_for(shapes, kind: str, numbers: np.random.Generator) -> list[np.ndarray]:
    """What every device has of every parameter."""
    return [numbers.integers(0, MOST, (jax.device_count(), *shape)).astype(kind) for shape in shapes]


def on_devices(given: list[np.ndarray], sharding: NamedSharding) -> list[jax.Array]:
    """The arrays with what each device has of them on it."""
    return [
        jax.make_array_from_single_device_arrays(
            (one.shape[0] * one.shape[1], *one.shape[2:]),
            sharding,
            [jax.device_put(own, device) for own, device in zip(one, jax.devices(), strict=True)],
        )
        for one in given
    ]


def by_device(array: jax.Array) -> list:
    """Its shards in the order of the devices."""
    return sorted(array.addressable_shards, key=lambda shard: shard.device.id)


def named(trial: int, given: list[np.ndarray], results: list[list[jax.Array]]) -> dict[str, np.ndarray]:
    """What is kept of a trial: all that devices had and got."""
    kept = {f"given{trial}_{place}": one for place, one in enumerate(given)}
    return kept | {
        f"result{trial}_{place}": np.stack([np.asarray(own) for own in one]) for place, one in enumerate(results)
    }


def by_replicas(text: str) -> str:
    """A partitioned program of which every device is a replica: the same, but XLA does not partition it once more."""
    text = re.sub(r", sharding=\{(?:[^{}]|\{[^{}]*\})*\}", "", text)
    text = re.sub(r", (?:channel_id=\d+|use_global_device_ids=true)", "", text)
    return text.replace("num_partitions=", "replica_count=").replace("partition-id(", "replica-id(")


def compiled(text: str, form: str) -> "xla_client.LoadedExecutable":
    count = jax.device_count()
    partitioned = form == "compiled.hlo"
    if form != "mlir":
        module = _hlo.hlo_module_from_text(by_replicas(text) if partitioned else text)
        computation = _hlo.XlaComputation(module.as_serialized_hlo_module_proto())
        text = xla_client._xla.mlir.xla_computation_to_mlir_module(computation)
    options = xla_client.CompileOptions()
    if partitioned:  # it went through all passes before, and not every one takes what another gave
        options.env_option_overrides = [("xla_disable_all_hlo_passes", True)]
    build = options.executable_build_options
    for settings in (options, build):
        settings.num_replicas = count if partitioned else 1
        settings.num_partitions = 1 if partitioned else count
    build.use_spmd_partitioning = build.use_shardy_partitioner = not partitioned
    ids = np.arange(count).reshape((count, 1) if partitioned else (1, count))
    build.device_assignment = xla_client.DeviceAssignment.create(ids)
    devices = jax.devices()
    return devices[0].client.compile_and_load(text, xla_client.DeviceList(tuple(devices)), options)


def run(folder: Path) -> None:
    mesh = Mesh(np.array(jax.devices()), ("device",))
    sharding = NamedSharding(mesh, PartitionSpec("device"))
    for number, job in enumerate(json.loads((folder / "jobs.json").read_text(encoding="utf-8"))):
        if list(folder.glob(f"{number}.*")):
            continue
        (folder / f"{number}.txt").write_text("XLA stopped", encoding="utf-8")
        try:
            program = compiled((folder / job["file"]).read_text(encoding="utf-8"), job["form"])
        except (jax.errors.JaxRuntimeError, ValueError, RuntimeError) as cause:
            (folder / f"{number}.txt").write_text(f"refused: {cause}"[:2000], encoding="utf-8")
            continue
        kept = {}
        for trial in range(TRIALS):
            numbers = np.random.default_rng([number, trial])
            given = numbers_for(job["shapes"], job["kind"], numbers)
            results = program.execute_sharded(on_devices(given, sharding)).disassemble_into_single_device_arrays()
            kept |= named(trial, given, results)
        np.savez(folder / f"{number}.npz", **kept)
        (folder / f"{number}.txt").unlink()


if __name__ == "__main__":
    {"lower": lower, "run": run}[sys.argv[1]](Path(sys.argv[2]), *sys.argv[3:])
