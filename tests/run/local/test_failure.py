"""What can go wrong in real processes: one clear error each, at once, and nothing is left behind."""

import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from support import problem

from p2smt.collective import Collective
from p2smt.emit.torch.source import emit_torch
from p2smt.errors import RunError
from p2smt.placement.enumeration import all_placements
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import CollectiveStep, GroupRule, Plan, Portion
from p2smt.run.local import processes
from p2smt.run.local.cluster import Cluster, run_plan


def plan_2x2(*steps: CollectiveStep) -> Plan:
    asked = problem([2, 2], [4])
    plan = Lowering(asked, all_placements(asked).items[0]).direct
    return replace(plan, steps=steps, multiple=4) if steps else plan


@pytest.fixture(autouse=True)
def _nothing_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    multiprocessing.util.get_temp_dir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = multiprocessing.active_children()
    yield
    assert multiprocessing.active_children() == before
    assert list(tmp_path.glob("p2smt-run-*")) == []


def with_source(monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    """Have every rank do this as the plan begins."""
    text = emit_torch(plan_2x2()).replace("        return self._all", f"        {line}\n        return self._all", 1)
    assert line in text
    monkeypatch.setattr("p2smt.run.local.cluster.emit_torch", lambda _plan: text)


@pytest.mark.parametrize("said", ["Connection closed by peer", "Connection reset by peer", "Timed out waiting 9ms"])
def test_a_rank_that_fails_by_itself_comes_before_those_that_miss_it(monkeypatch, said):
    """Rank 2 says so a moment after the others have said that they miss it."""
    own = "__import__('time').sleep(0.2); print(undefined)"
    with_source(monkeypatch, f"if self.rank != 2: raise RuntimeError({said!r})\n        {own}")
    with pytest.raises(RunError) as caught:
        run_plan(plan_2x2())
    assert str(caught.value) == "rank 2 failed: NameError: name 'undefined' is not defined"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("assert self.rank != 3, 'three'", "rank 3 failed: AssertionError: three"),
        ("self.rank == 2 and os._exit(7)", "rank 2 ended with exit code 7"),
        ("self.rank == 1 and sys.exit('no more')", "rank 1 ended with exit code 1: no more"),
        ("self.rank == 0 and os.kill(os.getpid(), 9)", "rank 0 was ended by SIGKILL"),
        pytest.param(
            "self.rank == 3 and print(undefined)",
            "rank 3 failed: NameError: name 'undefined' is not defined",
            marks=pytest.mark.thorough,  # an exception as the first
        ),
    ],
)
def test_a_rank_that_fails_or_dies_is_named_at_once(monkeypatch, line, message):
    with_source(monkeypatch, line)
    with Cluster(4) as cluster:
        with pytest.raises(RunError) as caught:
            cluster.run(plan_2x2(), elements=8)
        assert str(caught.value) == message
        assert multiprocessing.active_children() == []
        with pytest.raises(RunError, match="the cluster is not running"):
            cluster.run(plan_2x2(), elements=8)


def test_a_rank_that_hangs_is_given_up(monkeypatch):
    with_source(monkeypatch, "import time; self.rank == 1 and time.sleep(1000)  # noqa")
    with Cluster(4) as cluster, pytest.raises(RunError, match=r"rank .*1.* did not finish in time"):
        cluster.run(plan_2x2(), elements=8, timeout_s=3)


def test_a_rank_that_ignores_being_ended_is_killed(monkeypatch):
    monkeypatch.setattr(processes, "_END_S", 0.5)
    ignoring = "__import__('signal').signal(15, __import__('signal').SIG_IGN), __import__('time').sleep(30)"
    with_source(monkeypatch, f"self.rank == 2 and ({ignoring})")
    before = {process.pid for process in multiprocessing.active_children()}
    with Cluster(4, timeout_s=30) as cluster:
        ranks = {process.pid for process in multiprocessing.active_children()} - before
        with pytest.raises(RunError, match="did not finish in time"):
            cluster.run(plan_2x2(), elements=4, repeats=1, timeout_s=3)
    left = {process.pid for process in multiprocessing.active_children()} & ranks
    for number in left:
        os.kill(number, signal.SIGKILL)
    assert (len(ranks), left) == (4, set())


def test_ranks_that_disagree_are_found(monkeypatch):
    whole = GroupRule((0, 1))
    scatter = CollectiveStep(Collective.REDUCE_SCATTER, whole, (Portion(1),))
    broadcast = CollectiveStep(Collective.BROADCAST, whole, (Portion(4),))
    plan = plan_2x2(scatter, broadcast)
    text = emit_torch(plan).replace("padded // 4)", "padded // 2)")
    assert text != emit_torch(plan)
    monkeypatch.setattr("p2smt.run.local.cluster.emit_torch", lambda _plan: text)
    with pytest.raises(RunError, match=r"rank \d failed: RuntimeError: .*[Mm]ismatch"):
        run_plan(plan, elements=8)


def test_a_wrong_plan_is_reported():
    inner = CollectiveStep(Collective.ALL_REDUCE, GroupRule((1,)), (Portion(1),))
    report = run_plan(plan_2x2(inner), elements=8, repeats=1)
    assert not report.ok
    assert report.mismatches > 0
    assert not any(rank.ok for rank in report.ranks)


def test_ranks_give_different_numbers(monkeypatch):
    """Counting the first rank four times is no sum of four ranks."""
    text = emit_torch(plan_2x2()).replace("dist.all_reduce(buffer,", "dist.broadcast(buffer.mul_(4), src=0,", 1)
    assert "mul_(4)" in text
    monkeypatch.setattr("p2smt.run.local.cluster.emit_torch", lambda _plan: text)
    report = run_plan(plan_2x2(), elements=64, repeats=1)
    assert not any(rank.ok for rank in report.ranks)


def test_what_reduce_leaves_behind_is_spoiled(monkeypatch):
    reduce = CollectiveStep(Collective.REDUCE, GroupRule((0, 1)), (Portion(1),))
    plan = plan_2x2(reduce)
    keeping = emit_torch(plan).replace("buffer if self.rank == ranks[0] else buffer.new_empty(0)", "buffer")
    monkeypatch.setattr("p2smt.run.local.cluster.emit_torch", lambda _plan: keeping)
    spoiled = 2 * (8 + 5)  # into a new tensor and in place: the 8 elements, and one more than the padding's multiple
    for dtype in ("float32", "int32"):
        report = run_plan(plan, elements=8, repeats=1, dtype=dtype)
        assert [rank.mismatches for rank in report.ranks] == [0, spoiled, spoiled, spoiled]


def test_what_cannot_run_is_refused(monkeypatch):
    asked = problem([4, 8], [32])
    with pytest.raises(RunError, match="32 devices need 32 processes on this machine; the limit is 16"):
        run_plan(Lowering(asked, all_placements(asked).items[0]).direct)
    with pytest.raises(RunError, match="data type 'int16' is unknown; choose one of float16, "):
        run_plan(plan_2x2(), dtype="int16")
    with pytest.raises(RunError, match="-1 elements; there are 0 or more"):
        run_plan(plan_2x2(), elements=-1)
    with pytest.raises(RunError, match="0 repeats; there is 1 or more"):
        run_plan(plan_2x2(), repeats=0)
    with Cluster(2) as cluster, pytest.raises(RunError, match="the plan needs 4 devices, but the cluster has 2"):
        cluster.run(plan_2x2())
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    with pytest.raises(RunError, match=r"needs torch, which is not installed: pip install torch"):
        run_plan(plan_2x2())


INTERRUPTED = """
import multiprocessing, sys, time
from p2smt.run.local.cluster import Cluster
if __name__ == "__main__":
    with Cluster(2):
        print(*(process.pid for process in multiprocessing.active_children()), flush=True)
        time.sleep(1000)
"""


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").split()[2] != "Z"
    except FileNotFoundError:
        return False


def test_ctrl_c_ends_all_processes(tmp_path):
    (tmp_path / "interrupted.py").write_text(INTERRUPTED, encoding="utf-8")
    command = [sys.executable, str(tmp_path / "interrupted.py")]
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, start_new_session=True
    ) as process:
        assert process.stdout is not None
        pids = [int(pid) for pid in process.stdout.readline().split()]
        assert len(pids) == 2
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(timeout=20) != 0
    assert not any(alive(pid) for pid in pids)


@pytest.mark.parametrize(
    "line",
    ["out is tensor or tensor.add_((1, -1)[self.rank % 2])", "out = out if out is tensor else out.double()"],
    ids=["input", "data type"],
)
def test_a_spoiled_input_and_a_result_of_another_type_are_wrong(line, monkeypatch):
    """The sums are right, those of the spoiled inputs too."""
    before, returning, after = emit_torch(plan_2x2()).rpartition("        return out\n")
    spoiled = f"{before}        {line}\n{returning}{after}"
    monkeypatch.setattr("p2smt.run.local.cluster.emit_torch", lambda _plan: spoiled)
    report = run_plan(plan_2x2(), elements=8, repeats=1)
    assert not any(rank.ok for rank in report.ranks)
