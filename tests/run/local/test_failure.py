"""What can go wrong in real processes: one clear error each, at once, and nothing is left behind."""

import multiprocessing
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from math import prod
from pathlib import Path

import pytest
from paths import ROOT, TESTS
from support import problem
from tiers import sample

from p2smt.collective import Collective
from p2smt.emit.torch.source import emit_torch
from p2smt.errors import RunError
from p2smt.placement.enumeration import all_placements
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import CollectiveStep, GroupRule, Plan, Portion
from p2smt.run.local import processes
from p2smt.run.local.cluster import LocalCluster, run_plan


def plan_of(*steps: CollectiveStep, sizes: tuple[int, ...] = (2,)) -> Plan:
    """A plan on two ranks or more: an all-reduce, or these steps."""
    asked = problem(sizes, [prod(sizes)])
    plan = Lowering(asked, all_placements(asked).items[0]).direct
    return replace(plan, steps=steps, multiple=prod(sizes)) if steps else plan


@pytest.fixture(scope="module")
def pair() -> Iterator[LocalCluster]:
    """Two ranks for the tests after which they still run."""
    with LocalCluster(2) as running:
        yield running


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
    text = emit_torch(plan_of()).replace("        return self._all", f"        {line}\n        return self._all", 1)
    assert line in text
    monkeypatch.setattr("p2smt.run.local.cluster.emit_torch", lambda _plan: text)


@pytest.mark.parametrize(
    "said", sample(["Connection closed by peer", "Connection reset by peer", "Timed out waiting 9ms"], 1)
)
def test_a_rank_that_fails_by_itself_comes_before_those_that_miss_it(monkeypatch, said):
    """Rank 1 says so a moment after the other has said that it misses it."""
    own = "__import__('time').sleep(0.2); print(undefined)"
    with_source(monkeypatch, f"if self.rank != 1: raise RuntimeError({said!r})\n        {own}")
    with pytest.raises(RunError) as caught:
        run_plan(plan_of())
    assert str(caught.value) == "rank 1 failed: NameError: name 'undefined' is not defined"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("assert self.rank != 1, 'one'", "rank 1 failed: AssertionError: one"),
        ("self.rank == 1 and os._exit(7)", "rank 1 ended with exit code 7"),
        ("self.rank == 1 and sys.exit('no more')", "rank 1 ended with exit code 1: no more"),
        ("self.rank == 0 and os.kill(os.getpid(), 9)", "rank 0 was ended by SIGKILL"),
        pytest.param(
            "self.rank == 1 and print(undefined)",
            "rank 1 failed: NameError: name 'undefined' is not defined",
            marks=pytest.mark.thorough,  # an exception as the first
        ),
    ],
)
def test_a_rank_that_fails_or_dies_is_named_at_once(monkeypatch, line, message):
    with_source(monkeypatch, line)
    before = multiprocessing.active_children()
    with LocalCluster(2) as cluster:
        with pytest.raises(RunError) as caught:
            cluster.run(plan_of(), elements=8)
        assert str(caught.value) == message
        assert multiprocessing.active_children() == before
        with pytest.raises(RunError, match="the cluster is not running"):
            cluster.run(plan_of(), elements=8)


def test_a_rank_that_hangs_is_given_up(monkeypatch):
    with_source(monkeypatch, "import time; self.rank == 1 and time.sleep(1000)  # noqa")
    with LocalCluster(2) as cluster, pytest.raises(RunError, match=r"rank .*1.* did not finish in time"):
        cluster.run(plan_of(), elements=8, timeout_s=3)


def test_a_rank_that_ignores_being_ended_is_killed(monkeypatch):
    monkeypatch.setattr(processes, "_END_S", 0.5)
    ignoring = "__import__('signal').signal(15, __import__('signal').SIG_IGN), __import__('time').sleep(30)"
    with_source(monkeypatch, f"self.rank == 1 and ({ignoring})")
    before = {process.pid for process in multiprocessing.active_children()}
    with LocalCluster(2, timeout_s=30) as cluster:
        ranks = {process.pid for process in multiprocessing.active_children()} - before
        with pytest.raises(RunError, match="did not finish in time"):
            cluster.run(plan_of(), elements=4, repeats=1, timeout_s=3)
    left = {process.pid for process in multiprocessing.active_children()} & ranks
    for number in left:
        os.kill(number, signal.SIGKILL)
    assert (len(ranks), left) == (2, set())


def test_ranks_that_disagree_are_found(monkeypatch):
    whole = GroupRule((0, 1))
    scatter = CollectiveStep(Collective.REDUCE_SCATTER, whole, (Portion(1),))
    broadcast = CollectiveStep(Collective.BROADCAST, whole, (Portion(4),))
    plan = plan_of(scatter, broadcast, sizes=(2, 2))
    text = emit_torch(plan).replace("padded // 4)", "padded // 2)")
    assert text != emit_torch(plan)
    monkeypatch.setattr("p2smt.run.local.cluster.emit_torch", lambda _plan: text)
    with pytest.raises(RunError, match=r"rank \d failed: RuntimeError: .*[Mm]ismatch"):
        run_plan(plan, elements=8)


def test_a_wrong_plan_is_reported():
    """Sums of two ranks that should be of four."""
    inner = CollectiveStep(Collective.ALL_REDUCE, GroupRule((1,)), (Portion(1),))
    report = run_plan(plan_of(inner, sizes=(2, 2)), elements=8, repeats=1)
    assert not report.ok
    assert report.mismatches > 0
    assert not any(rank.ok for rank in report.ranks)


def test_ranks_give_different_numbers(monkeypatch, pair):
    """Counting the first rank twice is no sum of two ranks."""
    text = emit_torch(plan_of()).replace("dist.all_reduce(buffer,", "dist.broadcast(buffer.mul_(2), src=0,", 1)
    assert "mul_(2)" in text
    monkeypatch.setattr("p2smt.run.local.cluster.emit_torch", lambda _plan: text)
    report = pair.run(plan_of(), elements=64, repeats=1)
    assert not any(rank.ok for rank in report.ranks)


def test_what_reduce_leaves_behind_is_spoiled(monkeypatch, pair):
    plan = plan_of(CollectiveStep(Collective.REDUCE, GroupRule((0,)), (Portion(1),)))
    keeping = emit_torch(plan).replace("buffer if self.rank == ranks[0] else buffer.new_empty(0)", "buffer")
    monkeypatch.setattr("p2smt.run.local.cluster.emit_torch", lambda _plan: keeping)
    spoiled = 2 * (8 + 3)  # into a new tensor and in place: the 8 elements, and one more than the padding's multiple
    for dtype in ("float32", "int32"):
        report = pair.run(plan, elements=8, repeats=1, dtype=dtype)
        assert [rank.mismatches for rank in report.ranks] == [0, spoiled]


def test_what_cannot_run_is_refused(monkeypatch, pair):
    asked = problem([4, 8], [32])
    with pytest.raises(RunError, match="32 ranks need 32 processes on this machine; the limit is 16"):
        run_plan(Lowering(asked, all_placements(asked).items[0]).direct)
    with pytest.raises(RunError, match="data type 'int16' is unknown; choose one of float16, "):
        run_plan(plan_of(), dtype="int16")
    with pytest.raises(RunError, match="elements is -1; give 0 or more"):
        run_plan(plan_of(), elements=-1)
    with pytest.raises(RunError, match="repeats is 0; give 1 or more"):
        run_plan(plan_of(), repeats=0)
    with pytest.raises(RunError, match="the plan needs 4 devices, but the cluster has 2"):
        pair.run(plan_of(sizes=(2, 2)))
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    with pytest.raises(RunError, match=r"needs torch, which is not installed: pip install torch"):
        run_plan(plan_of())


INTERRUPTED = """
import multiprocessing, sys, time
from support import problem
from p2smt.placement.enumeration import all_placements
from p2smt.reduction.plan.lower import Lowering
from p2smt.run.local.cluster import LocalCluster, run_plan
if __name__ == "__main__":
    asked = problem([2], [2])
    report = run_plan(Lowering(asked, all_placements(asked).items[0]).direct, elements=8)
    print(report.ok, "torch" in sys.modules, multiprocessing.active_children())
    with LocalCluster(2):
        print(*(process.pid for process in multiprocessing.active_children()), flush=True)
        time.sleep(1000)
"""


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").split()[2] != "Z"
    except FileNotFoundError:
        return False


def test_a_script_runs_plans_without_torch_and_ctrl_c_ends_all_its_processes(tmp_path):
    """In one process, as each that starts ranks has torch loaded for them."""
    (tmp_path / "interrupted.py").write_text(INTERRUPTED, encoding="utf-8")
    command = [sys.executable, str(tmp_path / "interrupted.py")]
    environment = os.environ | {"TMPDIR": str(tmp_path), "PYTHONPATH": f"{TESTS}{os.pathsep}{ROOT}"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, start_new_session=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "True False []\n"
        pids = [int(pid) for pid in process.stdout.readline().split()]
        assert len(pids) == 2
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(timeout=20) != 0
        assert re.fullmatch(r"Traceback [^\n]*\n( [^\n]*\n)+KeyboardInterrupt\n", process.stderr.read())
    assert not any(alive(pid) for pid in pids)


@pytest.mark.parametrize(
    "line",
    ["out is tensor or tensor.add_((1, -1)[self.rank % 2])", "out = out if out is tensor else out.double()"],
    ids=["input", "data type"],
)
def test_a_spoiled_input_and_a_result_of_another_type_are_wrong(line, monkeypatch, pair):
    """The sums are right, those of the spoiled inputs too."""
    before, returning, after = emit_torch(plan_of()).rpartition("        return out\n")
    spoiled = f"{before}        {line}\n{returning}{after}"
    monkeypatch.setattr("p2smt.run.local.cluster.emit_torch", lambda _plan: spoiled)
    report = pair.run(plan_of(), elements=8, repeats=1)
    assert not any(rank.ok for rank in report.ranks)
