"""Emitted files in real gloo processes: every rank equals a plain all-reduce, bit for bit.

Torch's own checks that ranks do the same take three times as long: with them on, every step is run in some program.
The standard tier takes 2x2 where the full one takes 2x4, which has the same kinds of steps on twice as many processes.
"""

import json
from collections.abc import Iterator, Sequence

import pytest
from forked_ranks import on_ranks
from support import plans, problem
from tiers import is_full, sample

from p2smt.cli.main import run
from p2smt.emit.torch.source import emit_torch
from p2smt.placement.enumeration import all_placements
from p2smt.problem.dtype import DTYPE_BYTES
from p2smt.problem.model import HierarchyKind
from p2smt.reduction.language.hierarchy import read_program
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import CollectiveStep, PermuteStep, Plan, PlanStep
from p2smt.run.local.cluster import LocalCluster, run_plan

SIZES = (2, 4) if is_full() else (2, 2)
RANKS = SIZES[0] * SIZES[1]


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    with LocalCluster(RANKS, timeout_s=120, debug=False) as running:
        yield running


@pytest.fixture(scope="module")
def eight() -> Iterator[LocalCluster]:
    with LocalCluster(8, timeout_s=120, debug=False) as running:
        yield running


def programs() -> list[Plan]:
    """All programs on all ranks."""
    return plans(problem(SIZES, [RANKS]))


def check(cluster: LocalCluster, plan: Plan, dtype: str = "float32", elements: int = 24) -> None:
    """As `Cluster.run` compares it, without the time of the plain collective."""
    text, groups = emit_torch(plan), tuple(plan.groups(plan.reduction))
    report = cluster.time(text, plan.goal, groups, elements, dtype=dtype, warmups=0, repeats=1, check=True)
    assert [rank.mismatches for rank in report.ranks] == [0] * plan.devices, (plan.program, dtype, report)


def with_every_step(found: Sequence[Plan]) -> Iterator[Plan]:
    """Few plans that have all steps: each time the one, as short as any, with the most that those before lack."""
    lacking = {distinct(step) for plan in found for step in plan.steps}
    while lacking:
        plan = max(found, key=lambda plan: (len(lacking.intersection(map(distinct, plan.steps))), -len(plan.steps)))
        lacking.difference_update(map(distinct, plan.steps))
        yield plan


def distinct(step: PlanStep) -> object:
    """What tells steps apart: everything; in the standard tier the collective and its groups, not what they hold."""
    return step if is_full() or isinstance(step, PermuteStep) else (step.collective, step.groups)


@pytest.mark.slow
def test_some_of_the_93_programs(cluster):
    """All 93 run on numpy buffers in tests/reduction/plan/test_execution.py, and every step below."""
    found = programs()
    assert len(found) == 93
    for plan in found[::31]:
        check(cluster, plan)


@pytest.mark.thorough  # run_plan below has torch's checks on
@pytest.mark.slow
def test_torch_finds_that_ranks_do_the_same_in_every_step():
    found = programs()
    chosen = list(with_every_step(found))
    assert {distinct(each) for plan in chosen for each in plan.steps} == {
        distinct(each) for plan in found for each in plan.steps
    }
    with LocalCluster(RANKS, timeout_s=120) as running:
        assert running.debug
        for plan in chosen:
            check(running, plan)


def kind(plan: Plan) -> str:
    """What is rare about a plan: its permutations, and groups whose members hold other parts than other groups'."""
    permutes = [len(step.portion.classes) for step in plan.steps if isinstance(step, PermuteStep)]
    portions = max(len(step.portions) for step in plan.steps if isinstance(step, CollectiveStep))
    return f"{permutes} {portions}"


@pytest.mark.thorough  # such plans of every goal run on eight ranks in test_training_step.py
@pytest.mark.slow
def test_a_spread_of_the_1635_programs_of_2x2x2_and_every_rare_kind(eight):
    found = plans(problem([2, 2, 2], [8]))
    assert len(found) == 1635
    rare = {kind(plan): plan for plan in found}
    partial = [plan for plan in found if any(isinstance(s, PermuteStep) and s.portion.classes for s in plan.steps)]
    several = [plan for plan in found if plan.steps and kind(plan)[-1] != "1"]
    assert partial
    assert several
    spread = [*found[::163], *rare.values(), *partial[:2], *several[:2]]
    assert len(spread) >= 15
    assert len(rare) == 6
    for plan in dict.fromkeys(spread):
        check(eight, plan)


@pytest.mark.thorough  # other goals run on these placements in test_goals.py, one of two axes in test_ddp.py
def test_axes_that_are_not_reduced_stay_apart(eight):
    for asked in (
        problem([2, 4], [4, 2], [0]),
        problem([2, 4], [2, 4], [1]),
        problem([2, 2, 2], [2, 2, 2], [0, 2]),
        problem([2, 4], [2, 4], [1], hierarchy=HierarchyKind.ROWS),
    ):
        found = plans(asked)
        for plan in found[::45] if is_full() else found[-1:]:
            check(eight, plan)


def test_every_data_type(cluster):
    some = programs()[::31]
    for number, dtype in enumerate(DTYPE_BYTES):
        check(cluster, some[number % len(some)], dtype)


def test_every_length(cluster):
    for elements in (0, 1, 7, 1001):
        for plan in sample(programs()[5::45], 1):
            check(cluster, plan, elements=elements)


@pytest.mark.thorough  # six devices: numpy buffers in tests/reduction/plan, JAX in tests/emit/jax
def test_three_and_six_ranks():
    for sizes in ([3], [3, 2]):
        asked = problem(sizes, [len(sizes) * 3])
        with LocalCluster(asked.devices) as running:
            for plan in sample(plans(asked)[::23], 2):
                check(running, plan)


def test_run_plan_starts_and_ends_its_own_processes():
    asked = problem([2], [2])
    report = run_plan(Lowering(asked, all_placements(asked).items[0]).direct, repeats=2)
    assert report.ok
    assert (report.elements, report.dtype, report.repeats, report.backend) == (262144, "float32", 2, "gloo")
    assert report.plan_seconds > 0
    assert report.plain_seconds > 0
    assert report.torch_version
    assert report.debug
    assert [rank.rank for rank in report.ranks] == [0, 1]


def test_a_plan_without_steps_runs():
    asked = problem([2], [2, 1], [1])
    assert run_plan(Lowering(asked, all_placements(asked).items[0]).direct, repeats=1).ok


DETAIL = {"TORCH_DISTRIBUTED_DEBUG": "DETAIL"}
"""Ranks say which of them calls something else than the others."""


def permuting() -> Plan:
    """A plan of 2x2 with a permutation."""
    asked = problem([2, 2], [4])
    lowering = Lowering(asked, all_placements(asked).items[0])
    text = (
        "(level0, InsideGroup, ReduceScatter); (level0, Parallel(root), ReduceScatter); (root, InsideGroup, AllGather)"
    )
    return lowering.plan(read_program(lowering.hierarchy, text))


@pytest.mark.thorough  # files check themselves, right and spoiled, in test_goals.py
@pytest.mark.slow
def test_the_file_alone_checks_itself_and_tells_what_is_wrong(tmp_path):
    text, few = emit_torch(permuting()), emit_torch(two())
    assert "import p2smt" not in text
    assert "from p2smt" not in text
    assert ".permute(" in text
    wrong = few.replace("return self._all_reduce(buffer, G0)", "return buffer")
    right, count = (text, 4) if is_full() else (few, 2)  # permutations are run in test_goals.py
    said = on_ranks(tmp_path, {"reduction.py": (right, count), "wrong.py": (wrong, 2), "alone.py": (few, 0)}, **DETAIL)
    printed, codes = said["reduction.py"]
    assert codes == [0] * count
    assert printed.count(f"reduction on {count} ranks (gloo, torch ") == 1
    assert printed.strip().endswith("equals dist.all_reduce")
    printed, codes = said["wrong.py"]
    assert 0 not in codes
    assert "WRONG: 12 results differ" in printed
    printed, codes = said["alone.py"]
    assert codes == [2]
    assert "start 2 processes: torchrun --standalone --nproc-per-node 2 alone.py" in printed


def two() -> Plan:
    asked = problem([2], [2])
    return Lowering(asked, all_placements(asked).items[0]).direct


def test_the_command_prints_a_table_or_one_document(tmp_path, capsys):
    path = tmp_path / "plan.json"
    assert run(["plan", "--system", "2x1", "--axes", "2", "--reduce", "0", "--out", str(path)]) == 0
    assert run(["run", str(path), "--repeats", "2", "--no-debug", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["ok"], document["mismatches"], document["debug"]) == (True, 0, False)
    assert [len(rank["plan_s"]) for rank in document["ranks"]] == [2] * 2
    assert run(["run", str(path), "--repeats", "1"]) == 0
    assert "every rank equals a plain all-reduce (2 ranks, gloo, torch " in capsys.readouterr().out
