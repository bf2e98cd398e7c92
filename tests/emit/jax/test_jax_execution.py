"""Emitted JAX files on host devices: equal to jax.lax.psum and to the plan on numpy buffers, bit for bit."""

import ast
import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random

import numpy as np
import pytest
from emit.emitted import no_steps
from emit.jax.jax_plans import permuting, rare, refused, three_levels
from emit.jax.jax_process import python
from support import plans, problem
from tiers import is_full, sample

from p2smt.collective import Collective
from p2smt.emit.jax.source import emit_jax
from p2smt.errors import PlanError
from p2smt.placement.enumeration import all_placements
from p2smt.problem.model import HierarchyKind
from p2smt.reduction.plan.execute import execute
from p2smt.reduction.plan.holdings import device_classes, holdings
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import CollectiveStep, GroupRule, PermuteStep, Plan, Portion

Task = tuple[Plan, str, int]
"""A plan, and the data type and length of the rows that devices give."""


def wrong(folder: Path, asked: Sequence[Task], devices: int) -> list[str]:
    """What the emitted file of every plan does wrong, all in one process; empty texts for nothing."""
    for number, (plan, dtype, length) in enumerate(asked):
        values = np.random.default_rng(number).integers(-50, 50, (plan.devices, length)).astype(dtype)
        groups = [list(group) for group in plan.groups(plan.reduction)]
        roots = sorted(group[0] for group in groups)
        if plan.goal is Collective.BROADCAST:
            values[np.setdiff1d(np.arange(plan.devices), roots)] = 111  # counts nowhere
        results = execute(plan, list(values))
        rows = roots if plan.goal is Collective.REDUCE else list(range(plan.devices))
        expected = np.stack([results[row] for row in rows])
        reduces = plan.goal is not Collective.ALL_REDUCE or (expected == summed(values, groups)).all()
        np.savez(
            folder / f"{number}.npz",
            values=values,
            expected=expected,
            rows=rows,
            goal=plan.goal.value,
            groups=groups if reduces else [],
        )
        (folder / f"{number}.py").write_text(emit_jax(plan), encoding="utf-8")
    found = json.loads(python([str(Path(__file__).with_name("jax_devices.py")), str(folder)], devices, folder).stdout)
    assert len(found) == len(asked)
    return found


def summed(values: np.ndarray, groups: Sequence[Sequence[int]]) -> np.ndarray:
    sums = np.empty_like(values)
    for group in groups:
        sums[list(group)] = values[list(group)].sum(axis=0, dtype=values.dtype)
    return sums


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What is wrong with the files of each kind of task; they share a process, which starts and compiles once."""
    found = iter(wrong(tmp_path_factory.mktemp("jax"), [task for kind in KINDS for task in tasks(kind)], 32))
    return {kind: list(islice(found, len(tasks(kind)))) for kind in KINDS}


def alternating(found: Iterable[Plan], length: int) -> list[Task]:
    return [(plan, ("float32", "int32")[number % 2], length) for number, plan in enumerate(found)]


def small() -> list[Task]:
    """Every eighth program of 2x4, in turn of both types; the numpy buffers of all are in tests/reduction/plan."""
    return alternating(sample(plans(problem([2, 4], [8]))[::8], 2), 24)


def deep() -> list[Task]:
    """A spread of the 1635 programs of 2x2x2, and every rare kind; in the standard tier every function of files."""
    chosen, known = [], set()
    for plan in rare():
        functions = {node.name for node in ast.parse(emit_jax(plan)).body if isinstance(node, ast.FunctionDef)}
        if is_full() or functions - known:
            chosen.append(plan)
        known |= functions
    return alternating(dict.fromkeys((*chosen, *sample(three_levels()[::400], 2))), 24)


def others() -> list[Task]:
    """Groups that interleave, axes that stay apart, rests behind the padding, 32 devices, sizes that are no powers."""
    tasks: list[Task] = []
    several = [
        problem([2, 4], [4, 2], [0]),
        problem([2, 4], [2, 4], [1]),
        problem([2, 2, 2], [2, 2, 2], [0, 2]),
        problem([2, 4], [2, 4], [1], hierarchy=HierarchyKind.ROWS),
        problem([3, 2], [6]),
    ]
    for asked in sample(several, 3):
        tasks += [(plan, "float32", 25) for plan in sample(reversed(plans(asked)[::62]), 1)]
    tasks += [(plan, "int32", 67) for plan in sample(plans(problem([4, 8], [32]))[3::31], 1)]
    some = plans(problem([2, 4], [8]))[7::31]
    tasks += [(plan, "float16", length) for plan, length in sample(zip(some, (0, 1, 1001), strict=True), 2)]
    tasks.append((some[0], "uint8", 24))
    tasks.append((no_steps(), "float32", 7))
    return tasks


def sharded() -> list[Task]:
    """All reduce-scatters and all-gathers of 2x4, of lengths that the devices divide and do not."""
    tasks: list[Task] = []
    for goal in (Collective.REDUCE_SCATTER, Collective.ALL_GATHER):
        found = plans(problem([2, 4], [8], goal=goal))
        tasks += alternating(sample(found, 1), 25)
        tasks.append((found[0], "int32", 24))
        ends = [(found[-1], "float16", 1), (found[-1], "float32", 0)]
        tasks += ends if is_full() else ends[len(tasks) > 3 :][:1]
    return tasks


def goals() -> list[Task]:
    """Goals but AllReduce on axes that stay apart, on three levels, on 6 devices; in the standard tier each once."""
    chosen: list[Plan] = []
    for number, goal in enumerate(goal for goal in Collective if goal is not Collective.ALL_REDUCE):
        several = [
            problem([2, 4], [2, 4], [1], goal=goal),
            problem([2, 2, 2], [2, 2, 2], [0, 2], goal=goal),
            problem([3, 2], [6], goal=goal),
            problem([2, 2, 2], [8], goal=goal),
        ]
        for asked in several if is_full() else several[number:][:1]:
            chosen.append(plans(asked)[-((number + len(chosen)) % 2)])
    return alternating(chosen, 25)


def chunked() -> list[Task]:
    """Every goal in chunks: with a rest, on six devices, more chunks than elements; what is rare on three levels.

    In the standard tier every goal with one of these.
    """
    tasks: list[Task] = []
    for number, goal in enumerate(Collective):
        one, other = (plans(problem(levels, [8 if levels[1] > 2 else 6], goal=goal)) for levels in ([2, 4], [3, 2]))
        several = [(replace(one[-1], chunks=3), "float32", 25), (replace(other[-1], chunks=2), "int32", 40)]
        several.append((replace(one[-1], chunks=4), "int32", 1))
        tasks += several if is_full() else several[number % 3 :][:1]
    return [*tasks, *((replace(plan, chunks=2), "int32", 33) for plan in sample(rare()[::9], 1))]


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
        possible = "step" not in refusal(longer, values) and not is_too_full(longer)
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


def is_too_full(plan: Plan) -> bool:
    """Whether the emitter refuses the plan because a device holds more than the payload on the way."""
    try:
        holdings(plan, device_classes(plan))
    except PlanError as error:
        return "members are together larger than the payload; check the plan with p2smt" in str(error)
    return False


PLANS, OF_EACH = (100, 3) if is_full() else (24, 1)


@cache
def random_plans() -> tuple[Plan, ...]:
    """Plans of any steps over the digits of 2x3x2 devices, most of them no reductions."""
    asked = problem([2, 3, 2], [12])
    plan = replace(Lowering(asked, all_placements(asked).items[0]).direct, multiple=12)
    random = Random(7)
    return tuple(replace(plan, steps=random_steps(random, plan)) for _ in range(PLANS))


@cache
def cannot_be_run() -> tuple[Plan, ...]:
    """Those of the random plans that numpy buffers refuse."""
    return tuple(plan for plan in random_plans() if refusal(plan, [np.zeros(plan.multiple)] * plan.devices))


def anything() -> list[Task]:
    """Of random plans that can be run some, and some of each kind that is rare."""
    spoken = {plan: emit_jax(plan) for plan in random_plans() if plan not in cannot_be_run()}
    chosen = sample(list(spoken)[::15], 2)
    for call in ("spread", "packed", "moved"):
        found = [plan for plan, text in spoken.items() if f" {call}" in text]
        assert len(found) >= 2 * OF_EACH - 1
        chosen += found[:OF_EACH]
    return [(plan, "int32", 24) for plan in dict.fromkeys(chosen)]


KINDS = {kind.__name__: kind for kind in (small, deep, others, sharded, goals, chunked, anything)}


@cache
def tasks(kind: str) -> list[Task]:
    return KINDS[kind]()


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_files_do_on_devices_what_plans_do_on_numpy_buffers_and_plain_collectives_do(answers, kind):
    assert [f"{number}: {text}" for number, text in enumerate(answers[kind]) if text] == []


def test_the_tasks_are_those_that_are_meant():
    assert len(tasks("small")) == (12 if is_full() else 2)
    assert len(three_levels()) == 1635
    text = "\n".join(emit_jax(plan) for plan, _, _ in tasks("deep"))
    for call in ("spread", "packed", "permuted", "belongs", "either", "reduce", "broadcast"):
        assert f"def {call}(" in text
    assert len({plan.devices for plan, _, _ in tasks("others")}) == 4
    assert len(tasks("sharded")) == (3 + 5 + 2 * 3 if is_full() else 2 + 2 * 2)
    assert {length for _, _, length in tasks("sharded")} == {25, 24, 1, 0}
    assert {plan.goal for plan, _, _ in tasks("goals")} == {*Collective} - {Collective.ALL_REDUCE}
    assert any("permuted(" in emit_jax(plan) for plan, _, _ in tasks("sharded"))


def test_random_plans_that_cannot_be_run_are_refused():
    assert cannot_be_run()
    assert all(map(refused, cannot_be_run()))


@pytest.mark.thorough  # the same function runs above
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
