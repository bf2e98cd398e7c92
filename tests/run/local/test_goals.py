"""Emitted reduce-scatters, all-gathers, reduces and broadcasts in real gloo processes, compared with torch's own.

The standard tier takes 2x2 where the full one takes 2x4: both have the same programs, on half as many processes.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from support import plans, problem
from tiers import is_full, sample

from p2smt.collective import Collective
from p2smt.emit.torch.source import emit_torch
from p2smt.problem.dtype import DTYPE_BYTES
from p2smt.problem.model import HierarchyKind
from p2smt.reduction.plan.model import PermuteStep, Plan
from p2smt.run.local.calls import CallRanks
from p2smt.run.local.cluster import LocalCluster
from p2smt.run.rank.message import Seat

RANK = str(Path(__file__).with_name("goal_rank.py"))
LIMIT_S = 120.0
REDUCING = (Collective.REDUCE_SCATTER, Collective.REDUCE)
MOVING = (Collective.ALL_GATHER, Collective.BROADCAST)
OTHERS = [goal for goal in Collective if goal is not Collective.ALL_REDUCE]
SIZES = (2, 4) if is_full() else (2, 2)
RANKS = SIZES[0] * SIZES[1]


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    """Without torch's own checks that ranks do the same, which take three times as long; one test has them."""
    with LocalCluster(RANKS, timeout_s=LIMIT_S, debug=False) as running:
        yield running


@pytest.fixture(scope="module")
def ranks() -> Iterator[CallRanks]:
    with CallRanks([Seat()] * RANKS, timeout_s=LIMIT_S) as running:
        yield running


def programs(goal: Collective) -> list[Plan]:
    """All programs of a goal on all ranks."""
    return plans(problem(SIZES, [RANKS], goal=goal))


def check(cluster: LocalCluster, plan: Plan, elements: int = 25, dtype: str = "float32") -> None:
    """As `Cluster.run` compares it, without the time of the plain collective."""
    text, groups = emit_torch(plan), tuple(plan.groups(plan.reduction))
    report = cluster.time(text, plan.goal, groups, elements, dtype=dtype, warmups=0, repeats=1, check=True)
    assert [rank.mismatches for rank in report.ranks] == [0] * plan.devices, (plan.program, dtype, elements, report)


@pytest.mark.parametrize(("goal", "count"), [(Collective.REDUCE_SCATTER, 3), (Collective.ALL_GATHER, 5)])
def test_all_programs_at_lengths_that_divide_and_do_not(cluster, goal, count):
    found = programs(goal)
    assert len(found) == count
    assert any(isinstance(step, PermuteStep) for plan in found for step in plan.steps)
    lengths = (25, 8, 1, 0)
    for number, plan in enumerate(found):
        for elements in lengths if is_full() else lengths[number % 4 :][:1]:
            check(cluster, plan, elements)


@pytest.mark.thorough  # test_run.py runs a plan with torch's checks on
@pytest.mark.slow
def test_torch_finds_that_ranks_do_the_same():
    with LocalCluster(RANKS, timeout_s=LIMIT_S) as running:
        assert running.debug
        for goal in OTHERS:
            check(running, programs(goal)[-1])


@pytest.mark.thorough  # all programs of one placement run above
@pytest.mark.slow
def test_a_spread_of_programs_on_many_placements():
    """Groups that interleave, axes that stay apart, three levels, rows of the matrix as the hierarchy.

    The standard tier takes each placement for one goal.
    """
    with LocalCluster(8, timeout_s=LIMIT_S, debug=False) as cluster:
        for number, goal in enumerate(OTHERS):
            placements = [
                problem([2, 4], [4, 2], [0], goal=goal),
                problem([2, 4], [2, 4], [1], goal=goal),
                problem([2, 2, 2], [2, 2, 2], [0, 2], goal=goal),
                problem([2, 4], [2, 4], [1], hierarchy=HierarchyKind.ROWS, goal=goal),
                problem([2, 2, 2], [8], goal=goal),
            ]
            kinds = set()
            for asked in placements if is_full() else placements[number :: len(OTHERS)]:
                found = plans(asked)
                permuting = [plan for plan in found if any(isinstance(step, PermuteStep) for step in plan.steps)]
                spread = [*permuting[:1], found[-1]]
                for plan in dict.fromkeys(spread if is_full() else spread[:1]):
                    check(cluster, plan)
                    kinds |= {type(step).__name__ for step in plan.steps}
            rooted = goal is Collective.BROADCAST  # nothing is cut into chunks, so nothing is reordered
            assert kinds == {"CollectiveStep"} | (set() if rooted else {"PermuteStep"}), goal


@pytest.mark.thorough  # types are tried in test_run.py
def test_every_data_type(cluster):
    """By a reduction, whose results of integers and of halves differ, and by one that only moves."""
    for number, dtype in enumerate(DTYPE_BYTES):
        check(cluster, programs(REDUCING[number % 2])[-1], 25, dtype)
    for number, dtype in enumerate(sample(DTYPE_BYTES, 2)):
        check(cluster, programs(MOVING[number % 2])[-1], 25, dtype)


def written(folder: Path, name: str, text: str) -> str:
    (folder / f"{name}.py").write_text(text, encoding="utf-8")
    return str(folder / f"{name}.py")


PLACEMENTS = (
    (([2, 4], [8], [0]), ([2, 4], [2, 4], [1]), ([2, 2, 2], [4, 2], [0]))
    if is_full()
    else (([2, 2], [4], [0]), ([2, 2], [2, 2], [1]))
)


@pytest.mark.slow
def test_shards_are_blocks_in_the_order_of_ranks_whatever_the_program(ranks):
    """By numpy, without any collective of torch: block i of the sum is on the i-th rank of a group, and back."""
    cases = [
        (goal, length, plan)
        for asked in PLACEMENTS
        for goal, length in ((Collective.REDUCE_SCATTER, 21), (Collective.ALL_GATHER, 3))
        for plan in plans(problem(*asked, goal=goal))
    ]
    assert {goal for goal, *_ in cases} == {Collective.REDUCE_SCATTER, Collective.ALL_GATHER}
    paths = [written(ranks.folder, f"shards{number}", emit_torch(plan)) for number, (*_, plan) in enumerate(cases)]
    lengths = [length for _, length, _ in cases]
    answers = ranks.call(RANK, "results", [*zip(paths, lengths, strict=True)], timeout_s=LIMIT_S)
    for (goal, length, plan), of_ranks in zip(cases, zip(*answers, strict=True), strict=True):
        given, found = (np.array(lists) for lists in zip(*of_ranks, strict=True))
        size = plan.groups(plan.reduction).size
        for group in plan.groups(plan.reduction):
            if goal is Collective.REDUCE_SCATTER:
                padded = np.concatenate([given[list(group)].sum(0), np.zeros(-length % size, int)])
                assert (found[list(group)] == padded.reshape(size, -1)).all()
            else:
                assert (found[list(group)] == given[list(group)].reshape(-1)).all()


SPOILED = {
    Collective.REDUCE_SCATTER: [
        ("shard = self._run(", "shard = 0 + self._run("),
        ("shard = self._run(", "shard = -self._run("),
        (".permute(1, 0, 2)", ".permute(0, 1, 2)"),
        ("buffer = self._flat(tensor)", "buffer = self._flat(tensor); tensor += 1  # noqa"),
        ("out.copy_(shard.view(out.shape))", "out"),
        ("tensor.new_zeros(padding)", "tensor.new_ones(padding)"),
    ],
    Collective.ALL_GATHER: [
        ("whole = self._run(", "whole = 0 + self._run("),
        ("whole = self._run(", "whole = self._run(buffer * 1, length * MULTIPLE).flip(0)  # "),
        (".permute(1, 0, 2)", ".permute(0, 1, 2)"),
        ("out.copy_(whole[: out.numel()].view(out.shape))", "out"),
        ("buffer = tensor.contiguous().view(-1)", "buffer = tensor.reshape(-1) + (self.rank == 3)"),
    ],
    Collective.REDUCE: [
        ("total = result[:length]", "total = 0 + result[:length]"),
        ("total = result[:length]", "total = 2 * result[:length]"),
        ("return tensor.new_empty(0)", "return tensor"),
        ("buffer = self._copied(tensor)", "buffer = self._copied(tensor); tensor += 1  # noqa"),
    ],
    Collective.BROADCAST: [
        ("result = self._run(", "result = 0 + self._run("),
        ("buffer if self.rank == self.root else buffer[:0]", "buffer.zero_()"),
        ("dist.broadcast(buffer, src=ranks[0]", "dist.broadcast(buffer, src=ranks[1]"),
        ("out.copy_(result", "tensor.copy_(result"),
    ],
}


def changed(goal: Collective) -> dict[str, str]:
    """Right emitted files with changes, the standard tier takes some; the first changes nothing that counts."""
    texts = [emit_torch(plan) for plan in programs(goal)]
    found = {}
    for old, new in SPOILED[goal]:
        text = next((text for text in texts if old in text), "")
        assert text, f"no emitted {goal} has {old}"
        found[f"{old} -> {new}"] = text.replace(old, new, 1)
    right, *wrong = found.items()
    return dict([right, *sample(wrong, 2)])


def test_spoiled_code_is_noticed_by_runs(cluster):
    groups = (tuple(range(RANKS)),)
    for goal in OTHERS:
        for number, (change, text) in enumerate(changed(goal).items()):
            report = cluster.time(text, goal, groups, 25, warmups=0, repeats=1, check=True)
            assert (report.wrong > 0) == (number > 0), (goal, change)


def test_spoiled_code_is_noticed_by_the_files_own_check(ranks):
    files = [
        (number, goal, change, text) for goal in OTHERS for number, (change, text) in enumerate(changed(goal).items())
    ]
    paths = [written(ranks.folder, f"spoiled{goal}{number}", text) for number, goal, _, text in files]
    answers = ranks.call(RANK, "checks", paths, timeout_s=LIMIT_S)
    for (number, goal, change, _), counts in zip(files, zip(*answers, strict=True), strict=True):
        assert any(counts) == (number > 0), (goal, change)


@pytest.mark.slow
def test_programs_check_themselves(ranks):
    chosen = []
    for goal in OTHERS:
        found = programs(goal)
        chosen += found[:: max(1, len(found) // 3)] if is_full() else [found[0], found[-1]]
    paths = [written(ranks.folder, f"own{number}", emit_torch(plan)) for number, plan in enumerate(chosen)]
    assert ranks.call(RANK, "checks", paths, timeout_s=LIMIT_S) == [[0] * len(paths)] * RANKS


def test_results_that_do_not_fit_are_refused(ranks):
    """Of 9 elements on 4 ranks, shards of 3; from shards of 9, 33 to 36 elements. On 8 ranks: of 2; 65 to 72."""
    said, shard, less = {}, -(-9 // RANKS), RANKS - 1
    for goal in OTHERS:
        path = written(ranks.folder, f"refuses{goal}", emit_torch(programs(goal)[0]))
        outs = [((shard,), "float64"), ((shard + 1,), "float32"), ((8 * RANKS,), "float32")]
        answers = ranks.call(RANK, "refusals", path, outs, timeout_s=LIMIT_S)
        assert answers == [answers[0]] * RANKS
        said[goal] = answers[0]
    given = [f"float64 with {shard}", f"float32 with {shard + 1}", f"float32 with {8 * RANKS}"]
    assert said[Collective.REDUCE_SCATTER] == [
        f"out is torch.{each} elements, not torch.float32 with {shard}" for each in given
    ]
    whole = f"for shards of 9 it is torch.float32 with {9 * RANKS} or up to {less} fewer"
    assert said[Collective.ALL_GATHER] == [f"out is torch.{each} elements; {whole}" for each in given]
    alike = [
        f"out is torch.float64 ({shard},), not torch.float32 (9,)",
        f"out is torch.float32 ({shard + 1},), not torch.float32 (9,)",
    ]
    for goal in (Collective.REDUCE, Collective.BROADCAST):
        assert said[goal][:2] == alike
