"""Emitted JAX meshes: golden text, and their groups on 32 host devices."""

import json
from importlib.util import find_spec

import pytest
from command_line import golden
from emit.emitted import HOSTILE, check_style
from emit.jax.jax_process import python
from emit.mesh.mesh_files import constants, hostile, many_axes
from support import problem

from p2smt.emit.mesh.jax_mesh import emit_jax_mesh
from p2smt.placement.matrix import parse_matrix
from p2smt.reduction.plan.lower import Lowering

NEEDS_JAX = pytest.mark.skipif(find_spec("jax") is None, reason="jax is not installed")
CASES = [
    ([4, 8], [8, 4], "4x2/1x4", (0, 1)),
    ([4, 8], [8, 4], "2x4/2x2", (1, 0)),
    ([4, 8], [2, 4, 4], "1x2/2x2/2x2", (2, 0, 1)),
    ([2, 4, 4], [4, 8], "1x2x2/2x2x2", (1, 0)),
    ([2, 4, 4], [1, 16, 2], "1x1x1/2x2x4/1x2x1", (0, 1, 2)),
]

# Every device adds a vector that is 1 at its own number; what the sum along an axis holds is who took part.
MEMBERS = """
import json, runpy, sys
import jax, numpy as np
from jax.sharding import NamedSharding, PartitionSpec as P
numbers = {device: number for number, device in enumerate(jax.devices())}
answers = []
for path in sys.argv[1:]:
    emitted = runpy.run_path(path)
    mesh = emitted["device_mesh"]()
    names = mesh.axis_names
    ids = np.vectorize(numbers.get)(mesh.devices)
    ones = jax.device_put(np.eye(32, dtype=np.int32)[ids], NamedSharding(mesh, P(*names)))
    found = {}
    for name in names:
        summed = jax.jit(jax.shard_map(
            lambda x: jax.lax.psum(x, name), mesh=mesh, in_specs=P(*names),
            out_specs=P(*(None if other == name else other for other in names))))(ones)
        found[name] = sorted({tuple(np.flatnonzero(row).tolist()) for row in np.asarray(summed).reshape(-1, 32)})
    answers.append(found)
print(json.dumps(answers))
"""


def text_of(case):
    sizes, shards, matrix, dims = case
    asked = problem(sizes, shards)
    return emit_jax_mesh(asked.axes, asked.levels, parse_matrix(matrix), dims)


# Runs files as programs, all in a process that imports JAX once.
PROGRAMS = """
import runpy, sys
import jax
known = jax.devices
for path in sys.argv[1:]:
    if path == "few.py":
        jax.devices = lambda *kinds: known(*kinds)[:4]
    try:
        runpy.run_path(path, run_name="__main__")
    except SystemExit as end:
        print(end.code)
"""


@pytest.mark.thorough  # fewer devices are compared
@NEEDS_JAX
@pytest.mark.slow
def test_groups_on_32_devices_are_those_of_the_plans(tmp_path):
    paths = []
    for number, case in enumerate(CASES):
        paths.append(f"mesh{number}.py")
        (tmp_path / paths[-1]).write_text(text_of(case), encoding="utf-8")
    done = python(["-c", MEMBERS, *paths], 32, tmp_path)
    for case, found in zip(CASES, json.loads(done.stdout), strict=True):
        for axis in range(len(case[1])):
            plan = Lowering(problem(case[0], case[1], (axis,)), parse_matrix(case[2])).direct
            assert [tuple(group) for group in found[f"axis{axis}"]] == sorted(plan.groups(plan.reduction))


@pytest.mark.thorough  # files check themselves in test_jax_execution.py
@NEEDS_JAX
def test_the_file_checks_itself_and_says_what_it_needs_on_other_devices(tmp_path):
    text = text_of(CASES[2])
    places = constants(text)["PLACES"]
    spoiled = text.replace(f"PLACES = {places}", f"PLACES = {places[::-1]}")
    (tmp_path / "right.py").write_text(text, encoding="utf-8")
    (tmp_path / "wrong.py").write_text(spoiled, encoding="utf-8")
    (tmp_path / "few.py").write_text(text, encoding="utf-8")
    done = python(["-c", PROGRAMS, "right.py", "wrong.py", "few.py"], 32, tmp_path)
    right, zero, *wrong, one, two = done.stdout.splitlines()
    assert right.startswith("mesh on 32 devices (jax ")
    assert right.endswith("has the groups of the matrix")
    assert "WRONG: " in "\n".join(wrong)
    assert (zero, one, two) == ("0", "1", "2")
    assert done.stderr.startswith("this mesh needs 32 devices, here are 4; on one machine: XLA_FLAGS=")
    assert len(done.stderr.splitlines()) == 1


def test_golden_text():
    golden("jax_mesh_4x8.py.txt", text_of(CASES[2]))


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_names_stay_names(name):
    assert constants(hostile(name, emit_jax_mesh))["NAMES"] == (f"{name}2", name)


def test_emitted_files_are_clean(tmp_path):
    texts = [*map(text_of, CASES), *(hostile(n, emit_jax_mesh) for n in HOSTILE if len(n) < 100)]
    check_style(tmp_path, [*texts, many_axes(emit_jax_mesh)])
