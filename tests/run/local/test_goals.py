"""Emitted reduce-scatters, all-gathers, reduces and broadcasts in real gloo processes, compared with torch's own."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from support import plans, problem

from p2smt.collective import Collective
from p2smt.emit.torch.source import emit_torch
from p2smt.problem.model import DTYPE_BYTES, HierarchyKind
from p2smt.reduction.plan.model import PermuteStep, Plan
from p2smt.run.local.calls import CallRanks
from p2smt.run.local.cluster import Cluster
from p2smt.run.rank.message import Seat

RANK = str(Path(__file__).with_name("goal_rank.py"))
LIMIT_S = 120.0
REDUCING = (Collective.REDUCE_SCATTER, Collective.REDUCE)
MOVING = (Collective.ALL_GATHER, Collective.BROADCAST)
OTHERS = [goal for goal in Collective if goal is not Collective.ALL_REDUCE]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """Without torch's own checks that ranks do the same, which take three times as long; one test has them."""
    with Cluster(8, timeout_s=LIMIT_S, debug=False) as running:
        yield running


@pytest.fixture(scope="module")
def ranks() -> Iterator[CallRanks]:
    with CallRanks([Seat()] * 8, timeout_s=LIMIT_S) as running:
        yield running


def check(cluster: Cluster, plan: Plan, elements: int = 25, dtype: str = "float32") -> None:
    """As `Cluster.run` compares it, without the time of the plain collective."""
    text, groups = emit_torch(plan), tuple(plan.groups(plan.reduction))
    report = cluster.time(text, plan.goal, groups, elements, dtype=dtype, warmups=0, repeats=1, check=True)
    assert [rank.mismatches for rank in report.ranks] == [0] * plan.devices, (plan.program, dtype, elements, report)


@pytest.mark.parametrize(("goal", "count"), [(Collective.REDUCE_SCATTER, 3), (Collective.ALL_GATHER, 5)])
def test_all_programs_of_2x4_at_lengths_that_divide_and_do_not(cluster, goal, count):
    found = plans(problem([2, 4], [8], goal=goal))
    assert len(found) == count
    assert any(isinstance(step, PermuteStep) for plan in found for step in plan.steps)
    for plan in found:
        for elements in (0, 1, 8, 25):
            check(cluster, plan, elements)


@pytest.mark.slow
def test_torch_finds_that_ranks_do_the_same():
    with Cluster(8, timeout_s=LIMIT_S) as running:
        assert running.debug
        for goal in OTHERS:
            check(running, plans(problem([2, 4], [8], goal=goal))[-1])


@pytest.mark.slow
@pytest.mark.parametrize("goal", OTHERS)
def test_a_spread_of_programs_on_many_placements(cluster, goal):
    """Groups that interleave, axes that stay apart, three levels, rows of the matrix as the hierarchy."""
    kinds = set()
    for asked in (
        problem([2, 4], [4, 2], [0], goal=goal),
        problem([2, 4], [2, 4], [1], goal=goal),
        problem([2, 2, 2], [2, 2, 2], [0, 2], goal=goal),
        problem([2, 4], [2, 4], [1], hierarchy=HierarchyKind.ROWS, goal=goal),
        problem([2, 2, 2], [8], goal=goal),
    ):
        found = plans(asked)
        permuting = [plan for plan in found if any(isinstance(step, PermuteStep) for step in plan.steps)]
        for plan in dict.fromkeys([found[-1], *permuting[:1]]):
            check(cluster, plan)
            kinds |= {type(step).__name__ for step in plan.steps}
    rooted = goal is Collective.BROADCAST  # nothing is cut into chunks, so nothing is reordered
    assert kinds == {"CollectiveStep"} | (set() if rooted else {"PermuteStep"})


@pytest.mark.parametrize("dtype", DTYPE_BYTES)
def test_every_data_type(cluster, dtype):
    """By a reduction, whose results of integers and of halves differ, and by one that only moves, in turn."""
    number = list(DTYPE_BYTES).index(dtype) % 2
    for goal in (REDUCING[number], MOVING[number]):
        check(cluster, plans(problem([2, 4], [8], goal=goal))[-1], 25, dtype)


def written(folder: Path, name: str, text: str) -> str:
    (folder / f"{name}.py").write_text(text, encoding="utf-8")
    return str(folder / f"{name}.py")


@pytest.mark.slow
def test_shards_are_blocks_in_the_order_of_ranks_whatever_the_program(ranks):
    """By numpy, without any collective of torch: block i of the sum is on the i-th rank of a group, and back."""
    cases = [
        (goal, length, plan)
        for asked in (([2, 4], [8], [0]), ([2, 4], [2, 4], [1]), ([2, 2, 2], [4, 2], [0]))
        for goal, length in ((Collective.REDUCE_SCATTER, 21), (Collective.ALL_GATHER, 3))
        for plan in plans(problem(*asked, goal=goal))
    ]
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
    """Right emitted files with changes; the first one changes nothing that counts, all others do."""
    texts = [emit_torch(plan) for plan in plans(problem([2, 4], [8], goal=goal))]
    found = {}
    for old, new in SPOILED[goal]:
        text = next((text for text in texts if old in text), "")
        assert text, f"no emitted {goal} has {old}"
        found[f"{old} -> {new}"] = text.replace(old, new, 1)
    return found


@pytest.mark.parametrize("goal", OTHERS)
def test_spoiled_code_is_noticed_by_runs(cluster, goal):
    groups = (tuple(range(8)),)
    wrong = {
        change: cluster.time(text, goal, groups, 25, warmups=0, repeats=1, check=True).wrong > 0
        for change, text in changed(goal).items()
    }
    assert wrong == {change: number > 0 for number, change in enumerate(wrong)}


@pytest.mark.parametrize("goal", OTHERS)
def test_spoiled_code_is_noticed_by_the_files_own_check(ranks, goal):
    files = changed(goal)
    paths = [written(ranks.folder, f"{goal}{number}", text) for number, text in enumerate(files.values())]
    answers = ranks.call(RANK, "checks", paths, timeout_s=LIMIT_S)
    wrong = {change: any(counts) for change, counts in zip(files, zip(*answers, strict=True), strict=True)}
    assert wrong == {change: number > 0 for number, change in enumerate(wrong)}


@pytest.mark.slow
@pytest.mark.parametrize("goal", OTHERS)
def test_programs_of_2x4_check_themselves(ranks, goal):
    found = plans(problem([2, 4], [8], goal=goal))
    chosen = found[:: max(1, len(found) // 3)]
    paths = [written(ranks.folder, f"own{goal}{number}", emit_torch(plan)) for number, plan in enumerate(chosen)]
    assert ranks.call(RANK, "checks", paths, timeout_s=LIMIT_S) == [[0] * len(paths)] * 8


def test_results_that_do_not_fit_are_refused(ranks):
    """Of 9 elements on 8 ranks: shards of 2, so 9 to 16 elements from shards of 2, or 65 to 72 from shards of 9."""
    said = {}
    for goal in OTHERS:
        path = written(ranks.folder, f"refuses{goal}", emit_torch(plans(problem([2, 4], [8], goal=goal))[0]))
        outs = [((2,), "float64"), ((3,), "float32"), ((64,), "float32")]
        answers = ranks.call(RANK, "refusals", path, outs, timeout_s=LIMIT_S)
        assert answers == [answers[0]] * 8
        said[goal] = answers[0]
    assert said[Collective.REDUCE_SCATTER] == [
        "out is torch.float64 with 2 elements, not torch.float32 with 2",
        "out is torch.float32 with 3 elements, not torch.float32 with 2",
        "out is torch.float32 with 64 elements, not torch.float32 with 2",
    ]
    whole = "for shards of 9 it is torch.float32 with 72 or up to 7 fewer"
    assert said[Collective.ALL_GATHER] == [
        f"out is torch.float64 with 2 elements; {whole}",
        f"out is torch.float32 with 3 elements; {whole}",
        f"out is torch.float32 with 64 elements; {whole}",
    ]
    alike = ["out is torch.float64 (2,), not torch.float32 (9,)", "out is torch.float32 (3,), not torch.float32 (9,)"]
    for goal in (Collective.REDUCE, Collective.BROADCAST):
        assert said[goal][:2] == alike
