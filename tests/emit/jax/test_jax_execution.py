"""Emitted JAX files on host devices: equal to jax.lax.psum and to the plan on numpy buffers, bit for bit."""

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
from emit.emitted import no_steps
from emit.jax.jax_plans import permuting, rare, refused, three_levels
from support import plans, problem

from p2smt.collective import Collective
from p2smt.emit.jax.source import emit_jax
from p2smt.errors import PlanError
from p2smt.placement.enumeration import all_placements
from p2smt.problem.model import HierarchyKind
from p2smt.reduction.plan.execute import execute
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import CollectiveStep, GroupRule, PermuteStep, Plan, Portion


def wrong(folder: Path, asked: Iterable[tuple[Plan, str, int]], devices: int) -> list[str]:
    """What the emitted files of plans do wrong on rows of some data type and length, all in one process."""
    reduced = []
    for number, (plan, dtype, length) in enumerate(asked):
        values = np.random.default_rng(number).integers(-50, 50, (plan.devices, length)).astype(dtype)
        groups = list(plan.groups(plan.reduction))
        expected = np.stack(execute(plan, list(values)))
        sums = np.empty_like(values)
        for group in groups:
            sums[list(group)] = values[list(group)].sum(axis=0, dtype=values.dtype)
        right = np.array_equal(sums, expected)
        np.savez(folder / f"{number}.npz", values=values, expected=expected, groups=groups if right else [])
        (folder / f"{number}.py").write_text(emit_jax(plan), encoding="utf-8")
        reduced.append(right)
    found = json.loads(python([str(Path(__file__).with_name("jax_devices.py")), str(folder)], devices, folder).stdout)
    assert len(found) == len(reduced)
    return [f"{number}: {text}" for number, text in enumerate(found) if text]


def python(arguments: Sequence[str], devices: int, folder: Path, code: int = 0) -> subprocess.CompletedProcess[str]:
    """Run a Python file on so many host devices, where p2smt cannot be imported; 0 devices: as the file wants it."""
    (folder / "p2smt.py").write_text("raise ImportError('the emitted file imports p2smt')\n", encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "XLA_FLAGS")}
    environment |= {"JAX_PLATFORMS": "cpu", "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    if devices:
        environment["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={devices}"
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True, timeout=300,
        check=False,
    )  # fmt: skip
    assert done.returncode == code, done.stdout + done.stderr
    return done


@pytest.mark.slow
def test_all_93_programs_of_2x4(tmp_path):
    found = plans(problem([2, 4], [8]))
    assert len(found) == 93
    tasks = [(plan, ("float32", "int32")[number % 2], 24) for number, plan in enumerate(found)]
    assert wrong(tmp_path, tasks, 8) == []


@pytest.mark.slow
def test_a_spread_of_the_1635_programs_of_2x2x2_and_every_rare_kind(tmp_path):
    assert len(three_levels()) == 1635
    found = list(dict.fromkeys((*rare(), *three_levels()[::60])))
    text = "\n".join(map(emit_jax, found))
    for call in ("spread", "packed", "permuted", "belongs", "either", "reduce", "broadcast"):
        assert f"def {call}(" in text
    tasks = [(plan, ("float32", "int32")[number % 2], 24) for number, plan in enumerate(found)]
    assert wrong(tmp_path, tasks, 8) == []


@pytest.mark.slow
def test_other_axes_lengths_types_and_sizes(tmp_path):
    """Groups that interleave, axes that stay apart, rests behind the padding, 32 devices, sizes that are no powers."""
    tasks = []
    for asked in (
        problem([2, 4], [4, 2], [0]),
        problem([2, 4], [2, 4], [1]),
        problem([2, 2, 2], [2, 2, 2], [0, 2]),
        problem([2, 4], [2, 4], [1], hierarchy=HierarchyKind.ROWS),
        problem([3, 2], [6]),
    ):
        tasks += [(plan, "float32", 25) for plan in plans(asked)[::29]]
    tasks += [(plan, "int32", 67) for plan in plans(problem([4, 8], [32]))[3::23]]
    some = plans(problem([2, 4], [8]))[7::31]
    tasks += [(plan, "float16", length) for plan in some for length in (0, 1, 1001)]
    tasks += [(plan, "uint8", 24) for plan in some]
    tasks.append((no_steps(), "float32", 7))
    assert len({plan.devices for plan, _, _ in tasks}) == 4
    assert wrong(tmp_path, tasks, 32) == []


def random_step(random: Random, kinds: Sequence[Collective | None]) -> CollectiveStep | PermuteStep:
    """A step of one of these kinds (None: a permutation) over the digits and classes of 2x3x2 devices."""
    kind = random.choice(kinds)
    if kind is None:
        classes = tuple(sorted(random.sample(range(8), random.choice([0, 3, 6]))))
        dimensions = random.choice([(2,), (3,), (2, 3), (2, 2), (3, 2, 2)])
        return PermuteStep(
            dimensions, tuple(random.sample(range(len(dimensions)), len(dimensions))), Portion(1, classes)
        )
    chosen = random.sample(range(3), 3)
    cut = random.randint(1, 2)
    return CollectiveStep(
        kind, GroupRule(tuple(chosen[:cut]), tuple(chosen[cut : random.choice([cut, 2, 3])])), (Portion(1),)
    )


def random_steps(random: Random, plan: Plan) -> tuple[CollectiveStep | PermuteStep, ...]:
    """Up to 6 steps, each drawn until devices can do it after those before; then gathers, and a broadcast to all."""
    values = [np.zeros(plan.multiple)] * plan.devices
    found: tuple[CollectiveStep | PermuteStep, ...] = ()
    gather = [Collective.ALL_GATHER]
    for kinds in (*[[*Collective, *gather, Collective.REDUCE_SCATTER, None]] * random.randint(5, 30), *[gather] * 20):
        longer = replace(plan, steps=(*found, random_step(random, kinds)))
        possible = "step" not in refusal(longer, values) and "more than the payload" not in refused(longer)
        if possible and (len(found) < 6 or kinds is gather):
            found = longer.steps
    return (*found, CollectiveStep(Collective.BROADCAST, GroupRule((0, 1, 2)), (Portion(1),)))


def refusal(plan: Plan, values: Sequence[np.ndarray]) -> str:
    """What running the plan says when it cannot; empty when it can."""
    try:
        execute(plan, values)
    except PlanError as error:
        return str(error)
    except ValueError:
        return "step: dimensions do not divide"
    return ""


def random_plans(count: int) -> Iterator[Plan]:
    """Plans of any steps over the digits of 2x3x2 devices, most of them no reductions."""
    asked = problem([2, 3, 2], [12])
    plan = replace(Lowering(asked, all_placements(asked).items[0]).direct, multiple=12)
    random = Random(7)
    return (replace(plan, steps=random_steps(random, plan)) for _ in range(count))


@pytest.mark.slow
def test_random_plans_do_what_they_do_on_numpy_buffers_or_are_refused_as_there(tmp_path):
    spoken: dict[Plan, str] = {}
    for plan in random_plans(200):
        if refusal(plan, [np.zeros(plan.multiple)] * plan.devices):
            assert refused(plan)
        else:
            spoken[plan] = emit_jax(plan)
    chosen = list(spoken)[::15]
    for call in ("spread", "packed", "moved"):
        found = [plan for plan, text in spoken.items() if f" {call}" in text]
        assert len(found) >= 5
        chosen += found[:5]
    tasks = [(plan, "int32", 24) for plan in dict.fromkeys(chosen)]
    assert wrong(tmp_path, tasks, 12) == []


def test_the_file_alone_checks_itself(tmp_path):
    text = emit_jax(permuting())
    assert "permuted(buffer, (2, 4), (1, 0))" in text
    (tmp_path / "right.py").write_text(text, encoding="utf-8")
    (tmp_path / "wrong.py").write_text(text.replace("permuted(buffer, (2, 4), (1, 0))", "buffer"), encoding="utf-8")
    done = python(["right.py"], 0, tmp_path)
    assert done.stdout.startswith("reduction on 8 devices (cpu, jax ")
    assert done.stdout.endswith("): equals jax.lax.psum\n")
    assert "): WRONG: " in python(["wrong.py"], 0, tmp_path, code=1).stdout
    few = python(["right.py"], 4, tmp_path, code=2)
    asked = "8 devices are needed, there are 4; start it with XLA_FLAGS=--xla_force_host_platform_device_count=8"
    assert few.stderr.splitlines()[-1] == asked


def test_the_function_serves_in_a_shard_map_of_ones_own(tmp_path):
    """Over devices in an order of one's own, with a second axis, on arrays of any shape."""
    (tmp_path / "emitted.py").write_text(emit_jax(permuting()), encoding="utf-8")
    (tmp_path / "own.py").write_text(
        "import emitted, jax, numpy as np\n"
        "from jax.sharding import Mesh, PartitionSpec as P\n"
        "devices = np.array(jax.devices()[::-1]).reshape(2, 8)\n"
        "mesh, spec = Mesh(devices, ('other', 'device')), P('other', 'device')\n"
        "parts = np.arange(2 * 8 * 3 * 5, dtype=np.int32).reshape(2, 8, 3, 5)\n"
        "few = Mesh(devices[0, :4], ('device',))\n"
        "own = jax.shard_map(emitted.reduction, mesh=mesh, in_specs=spec, out_specs=spec, check_vma=False)\n"
        "print(np.array_equal(jax.jit(own)(parts), np.broadcast_to(parts.sum(1, keepdims=True), parts.shape)))\n"
        "for wrong in (lambda: emitted.make_mesh(jax.devices()), lambda: jax.jit(emitted.over(few))(parts[0])):\n"
        "    try:\n"
        "        wrong()\n"
        "    except ValueError as error:\n"
        "        print(error)\n",
        encoding="utf-8",
    )
    assert python(["own.py"], 16, tmp_path).stdout.splitlines() == [
        "True",
        "this reduction is made for 8 devices, not for 16",
        "this reduction is made for 8 devices, not for 4",
    ]
