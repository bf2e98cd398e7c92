"""All communication of jobs in real gloo processes: every rank equals torch's own collectives.

The jobs are the examples, dense and with experts, on 8 devices; theirs run under torch's checks that ranks do the
same, which take three times as long.
"""

import tomllib

import pytest
import tomli_w
from emit.torch.training_parts import all_to_alls, every_goal
from tiers import is_full

from p2smt.collective import NeighbourSend
from p2smt.cost.network.backend import Nccl, cost_of
from p2smt.emit.torch.training.source import Communication, emit_training
from p2smt.errors import RunError
from p2smt.job.optimize import Optimum, optimize
from p2smt.job.plans import best_plans
from p2smt.problem.file import job_example_text
from p2smt.problem.job_file import read_job
from p2smt.reduction.plan.exchange import ExchangePlan
from p2smt.run.local.calls import CallRanks
from p2smt.run.local.step import run_step
from p2smt.run.rank.message import Seat

pytestmark = pytest.mark.slow

LIMIT_S = 120.0
SPLITS = {
    "dense-70b": {"dp": 1, "cp": 2, "pp": 2, "tp": 2, "zero": 3},
    "moe": {"dp": 4, "ep": 4, "pp": 1, "tp": 2},
    "moe, dp, pp": {"dp": 4, "ep": 2, "pp": 2, "tp": 1, "sequence_parallel": False, "zero": 0, "chunks": 2},
}


@pytest.fixture(scope="module")
def ranks():
    with CallRanks([Seat()] * 8, timeout_s=LIMIT_S) as running:
        yield running


@pytest.fixture
def checked_ranks():
    with CallRanks([Seat()] * 8, timeout_s=LIMIT_S, debug=True) as running:
        yield running


def written(ranks, text):
    path = ranks.folder / f"step{len(list(ranks.folder.iterdir()))}.py"
    path.write_text(text, encoding="utf-8")
    return str(path)


def differing(ranks, text):
    """What differs, by name, over all ranks."""
    answers = ranks.call(written(ranks, text), "differing", "cpu", timeout_s=LIMIT_S)
    return {name: sum(answer[name] for answer in answers) for name in answers[0]}


def parts_of(folder, name):
    document = tomllib.loads(job_example_text(name.split(",")[0])) | {"system": "dgx-h100:2x4"}
    document["parallelism"] |= SPLITS[name]
    path = folder / "job.toml"
    path.write_text(tomli_w.dumps(document), encoding="utf-8")
    job = read_job(path)
    optimum = optimize(job, cost_of(job.system, Nccl()))
    assert isinstance(optimum, Optimum)
    plans = best_plans(optimum, cost_of(job.system, Nccl()))
    pairs = zip(job.reductions, plans, strict=True)
    return [Communication(name=one.name, plan=plan, times=one.times, overlap=one.overlap) for one, plan in pairs]


@pytest.mark.thorough  # every goal is compared beside it
def test_the_dense_and_the_expert_job_equal_torchs_own_collectives(checked_ranks, tmp_path):
    goals = set()
    for name in SPLITS:
        parts = parts_of(tmp_path, name)
        assert set(differing(checked_ranks, emit_training(parts)).values()) == {0}, name
        goals |= {part.plan.goal.value for part in parts}
    assert goals == {"AllReduce", "ReduceScatter", "AllGather", "AllToAll", "SendNext", "SendAround"}


def test_every_goal_and_every_program_of_an_all_to_all(ranks):
    again = [*all_to_alls()] if is_full() else []  # the same plans under one name
    parts = [*every_goal(), *(Communication(name="x", plan=plan) for plan in again)]
    assert max(len(part.plan.steps) for part in parts if isinstance(part.plan, ExchangePlan)) == 7
    found = differing(ranks, emit_training(parts))
    assert len(found) == len(parts)
    assert set(found.values()) == {0}


def test_what_is_wrong_is_counted_by_name(ranks):
    parts = [Communication(name=one.goal.underscored, plan=one) for one in all_to_alls((2, 4))]
    text = emit_training(parts)
    head, tail = text.split(".permute(1, 0, 2)", 1)
    assert sum(map(bool, differing(ranks, f"{head}{tail}").values())) == 1
    found = differing(ranks, text.replace("-1 if backward else 1", "1"))
    assert {name for name, count in found.items() if count} == {send.underscored for send in NeighbourSend}


def test_more_ranks_than_the_machine_takes_are_refused():
    with pytest.raises(RunError, match="17 ranks need 17 processes on this machine; the limit is 16"):
        run_step("", 17)


COUNTED = """
import torch.distributed as dist

def differing(device):
    rank = dist.get_rank()
    return {"first": 0, "second": 3 * rank, "third": 5 - rank}
"""


@pytest.mark.thorough  # what is wrong is counted by name above
def test_results_that_differ_are_counted_on_all_ranks():
    report = run_step(COUNTED, 2, debug=False)
    assert (report.differing, report.ranks, report.ok) == ((("first", 0), ("second", 3), ("third", 9)), 2, False)
    right = run_step(COUNTED.replace("3 * rank", "0").replace("5 - rank", "0"), 2, debug=False)
    assert (right.differing, right.ok) == ((("first", 0), ("second", 0), ("third", 0)), True)
