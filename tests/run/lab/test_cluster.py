"""Plans on real ranks inside a laboratory: right numbers, times that follow the cards, and every way to fail."""

import json
import multiprocessing
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from lab_support import FLAT, left_of, marked
from support import problem
from tiers import is_full, sample

from p2smt.cli.main import run
from p2smt.collective import Collective
from p2smt.emit.torch.source import emit_torch
from p2smt.errors import LabError, RunError
from p2smt.placement.enumeration import all_placements
from p2smt.reduction.language.hierarchy import read_program
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import Plan
from p2smt.run.lab.cluster import LabCluster
from p2smt.run.lab.laboratory import Laboratory
from p2smt.run.lab.sweep import find_labs

pytest.importorskip("torch")

SUM = Collective.ALL_REDUCE
ALL = [(0, 1, 2, 3)]
BEST = "(level0, InsideGroup, ReduceScatter); (level0, Parallel(root), AllReduce); (level0, InsideGroup, AllGather)"


def plan_2x2(text: str | None = None) -> Plan:
    asked = problem([2, 2], [4])
    lowering = Lowering(asked, all_placements(asked).items[0])
    if text is None:
        return lowering.direct
    return lowering.plan(read_program(lowering.hierarchy, text))


def spoiled(line: str) -> str:
    """The all-reduce plan, but every rank does this first."""
    text = emit_torch(plan_2x2()).replace("        return self._all", f"        {line}\n        return self._all", 1)
    assert line in text
    return text


@pytest.mark.thorough  # several plans run on the same ranks in tests/run/local/test_run.py
def test_many_jobs_on_one_set_of_ranks(lab):
    def sent(source, **how):
        """What a job takes, and how many bytes each host sends in it."""
        before = laboratory.card_bytes()
        report = cluster.time(source, SUM, ALL, elements, warmups=1, repeats=3, **how)
        return report, [end[1] - start[1] for end, start in zip(laboratory.card_bytes(), before, strict=True)]

    elements = 100_000 if is_full() else 30_000
    with Laboratory(FLAT, lab) as laboratory, LabCluster(laboratory) as cluster:
        report = cluster.run(plan_2x2(BEST), elements=1000, repeats=1)
        assert report.ok
        assert len(report.ranks) == 4
        ring = 4 * 2 * 3 / 4 * elements * 4  # four runs; each host sends 2 (n-1)/n of the payload
        plain, by_hosts = sent(None)
        assert all(ring < count < 1.08 * ring for count in by_hosts)  # headers once for a piece of some frames
        assert plain.seconds * 12.5e6 > 0.8 * ring / 4
        best = f"{emit_torch(plan_2x2(BEST))}\nassert not hasattr(torch, 'seen'), 'loaded twice'\ntorch.seen = True\n"
        first, by_hosts = sent(best)
        assert all(count < 0.8 * ring for count in by_hosts)
        assert len(first.slowest) == 3
        again = cluster.time(best, SUM, ALL, 1000, check=True)
        assert again.ok
        assert [rank.mismatches for rank in again.ranks] == [0, 0, 0, 0]
        wrong = cluster.time(spoiled("buffer[0] += 1"), SUM, ALL, 10, check=True)
        assert not wrong.ok


@pytest.mark.thorough  # the refusals need no laboratory: tests/run/measure
def test_what_cannot_be_timed_is_refused(lab):
    with Laboratory(FLAT, lab) as laboratory:
        cluster = LabCluster(laboratory)
        with pytest.raises(RunError, match="the cluster is not running"):
            cluster.time(None, SUM, ALL, 1)
        with cluster:
            for arguments, message in (
                ((None, SUM, [(0, 1)], 1), "must contain each of the ranks 0 to 3 once"),
                ((None, SUM, ALL, -1), "elements -1, warm-ups 1 and repeats 3"),
            ):
                with pytest.raises(RunError, match=message):
                    cluster.time(*arguments)
            with pytest.raises(RunError, match="data type 'int16' is unknown"):
                cluster.time(None, SUM, ALL, 1, dtype="int16")
            assert cluster.time(None, SUM, ALL, 1).ok


@pytest.mark.thorough  # jobs run on laboratories above, and up and down are tried below
def test_lab_run(lab, tmp_path, capsys):
    plan = tmp_path / "plan.json"
    assert (
        run(["plan", "--system", "lab:2x2", "--axes", "4", "--reduce", "0", "--bytes", "1MB", "--out", str(plan)]) == 0
    )
    capsys.readouterr()
    assert run(["lab", "run", "lab:2x2", str(plan), "--repeats", "2", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["ok"]
    assert document["elements"] == 250_000
    assert left_of(document["laboratory"]["id"]) == []
    assert run(["lab", "up", "lab:2x2", "--id", lab, "--json"]) == 0
    assert run(["lab", "run", "lab:2x2", str(plan), "--id", lab]) == 0
    assert "every rank equals a plain all-reduce (4 ranks, gloo" in capsys.readouterr().out
    assert lab in {found.lab for found in find_labs()}
    assert run(["lab", "down", lab]) == 0


PULL = "import subprocess; self.rank == 0 and subprocess.run({command!r}.split(), check=True)  # noqa"


def full(*values: object) -> object:
    """A case of the full tier."""
    # the same failures without a laboratory are in tests/run/local; others are like those that stay
    return pytest.param(*values, marks=pytest.mark.thorough)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("assert self.rank != 3, 'three'", r"rank 3 failed: AssertionError: three"),
        full("self.rank == 2 and os._exit(7)", r"rank 2 ended with exit code 7"),
        full("self.rank == 1 and sys.exit('no more')", r"rank 1 ended with exit code 1: no more"),
        full("self.rank == 0 and os.kill(os.getpid(), 9)", r"rank 0 was ended by SIGKILL"),
        full("self.rank == 3 and os.kill(os.getpid(), 11)", r"rank 3 was ended by SIGSEGV"),
        full("self.rank == 1 and os.kill(os.getpid(), 19)", r"rank .*1.* did not finish in time"),
        full("import time; self.rank == 1 and time.sleep(1000)  # noqa", r"rank .*1.* did not finish in time"),
        full("import threading; self.rank == 2 and threading.Event().wait()", r"rank .*2.* did not finish in time"),
        full("syntax error", r"rank \d failed: SyntaxError: "),
        full(PULL.format(command="ip link del p2l-LAB-n0"), r"rank .* (failed|did not finish in time)"),
        full(PULL.format(command="ip link set p2l-LAB-n0 down"), r"rank .* (failed|did not finish in time)"),
        full(PULL.format(command="ip addr flush dev p2l-LAB-n0"), r"rank .* (failed|did not finish in time)"),
        full(PULL.format(command="ip -n p2l-LAB-net link del p2l-LAB-b0"), r"rank .* (failed|did not finish in time)"),
        full(
            PULL.format(command="tc qdisc replace dev p2l-LAB-n0 root tbf rate 8bit burst 15140b limit 151400b"),
            r"rank .* (failed|did not finish in time)",
        ),
        (PULL.format(command="ip netns del p2l-LAB-h1"), r"rank .* (failed|did not finish in time)|^none$"),
    ],
)
def test_a_failure_in_the_middle_leaves_nothing(lab, line, message):
    timeout = 1 if "did not finish in time" in message else 3  # what hangs is waited for
    before = multiprocessing.active_children()
    with Laboratory(FLAT, lab) as laboratory, LabCluster(laboratory, timeout_s=20) as cluster:
        try:
            cluster.time(spoiled(line.replace("LAB", lab)), SUM, ALL, 200_000, timeout_s=timeout)
        except RunError as error:
            found = str(error)
            assert multiprocessing.active_children() == before
        else:
            found = "none"
    assert re.search(message, found), found


@pytest.mark.thorough  # a failure in the middle takes the same path
@pytest.mark.parametrize(
    "command", sample(["link set lo down", "link set p2l-LAB-n1 down", "addr flush dev p2l-LAB-n1"], 1)
)
def test_ranks_that_cannot_join_leave_nothing(lab, command):
    with Laboratory(FLAT, lab) as laboratory:
        subprocess.run(["ip", "-n", f"p2l-{lab}-h1", *command.replace("LAB", lab).split()], check=True)
        with (
            pytest.raises(RunError, match=r"rank .* (failed|did not finish in time)"),
            LabCluster(laboratory, timeout_s=4),
        ):
            pass


@pytest.mark.thorough  # a failure in the middle leaves nothing either
def test_a_host_without_free_ports_leaves_nothing(lab):
    with Laboratory(FLAT, lab) as laboratory:
        full = "echo 40000 40001 > /proc/sys/net/ipv4/ip_local_port_range"
        subprocess.run([*laboratory.hosts[1].exec, "sh", "-c", full], check=True)
        failed = pytest.raises(RunError, match=r"rank .* (failed|did not finish in time)")
        with failed, LabCluster(laboratory, timeout_s=4) as cluster:
            cluster.time(emit_torch(plan_2x2(BEST)), SUM, ALL, 10, timeout_s=3)


@pytest.mark.thorough  # a rank that fails is named in test_a_failure_in_the_middle_leaves_nothing
def test_a_namespace_that_is_gone_is_named(lab):
    with Laboratory(FLAT, lab) as laboratory:
        subprocess.run(["ip", "netns", "del", laboratory.hosts[1].namespace], check=True)
        with pytest.raises(RunError, match=r"rank [23] ended with exit code 1: FileNotFoundError.*p2l-"):
            LabCluster(laboratory, timeout_s=4).__enter__()


LAUNCHER = """
import sys, time
from p2smt.collective import Collective
from p2smt.run.lab.cluster import LabCluster
from p2smt.run.lab.laboratory import Laboratory, ended_by_signals
from p2smt.run.lab.shape import LabShape, Tier
if __name__ == "__main__":
    with ended_by_signals(), Laboratory(LabShape((Tier("host", 2, 125e3),), 2), sys.argv[1]) as laboratory:
        if sys.argv[2:] == ["alone"]:
            print("running", flush=True)
            time.sleep(300)
        with LabCluster(laboratory) as cluster:
            print("running", flush=True)
            cluster.time(None, Collective.ALL_REDUCE, [(0, 1, 2, 3)], 10_000_000, timeout_s=300)
"""


def launched(lab: str, folder: Path, *how: str) -> "subprocess.Popen[str]":
    """A process in the middle of a long run; `alone` it starts no ranks, for which torch would be loaded."""
    (folder / "launcher.py").write_text(LAUNCHER, encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, str(folder / "launcher.py"), lab, *how],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=os.environ | {"P2SMT_TEST_LAB": lab},
        start_new_session=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "running\n"
    time.sleep(0.3)
    return process


@pytest.mark.parametrize(
    ("kill", "number", "how"),
    [
        (os.killpg, signal.SIGINT, "alone"),
        full(os.killpg, signal.SIGINT, "with ranks"),
        full(os.killpg, signal.SIGTERM, "with ranks"),
        full(os.killpg, signal.SIGHUP, "alone"),
        full(os.killpg, signal.SIGHUP, "with ranks"),
        full(os.kill, signal.SIGTERM, "alone"),
        full(os.kill, signal.SIGTERM, "with ranks"),
    ],
)
def test_signals_end_and_remove_everything(lab, tmp_path, kill: Callable[[int, int], None], number, how):
    """One way for all signals to come to the launcher alone: its ranks hear nothing, and have to be ended.

    In the standard tier SIGTERM comes to a launcher with ranks in test_measure.py.
    """
    with launched(lab, tmp_path, how) as process:
        kill(process.pid, number)
        assert process.wait(timeout=20) != 0
    assert gone(lab)


def test_a_launcher_that_is_killed_leaves_what_down_removes(lab, tmp_path, capsys):
    with launched(lab, tmp_path) as process:
        assert [found.in_use for found in find_labs() if found.lab == lab] == [True]
        process.kill()
        process.wait()
    assert any(f"p2l-{lab}-h0" in line for line in left_of(lab))
    until = time.monotonic() + 60  # the ranks notice by themselves, and take the temporary files with them
    while marked(lab) and time.monotonic() < until:
        time.sleep(0.05)
    assert marked(lab) == []
    assert run(["lab", "down", lab]) == 0
    assert capsys.readouterr().out == f"laboratory {lab}: removed\n"


def test_down_removes_what_is_left_in_folders_too(lab, tmp_path, capsys):
    assert run(["lab", "up", "lab:2x1", "--id", lab]) == 0
    folder = tmp_path / f"p2l-{lab}-run-left"
    folder.mkdir()
    (folder / "source.py").write_text("", encoding="utf-8")
    capsys.readouterr()
    assert run(["lab", "down", lab]) == 0
    assert capsys.readouterr().out == f"laboratory {lab}: removed\n"
    assert not folder.exists()


@pytest.mark.thorough  # folders that are left are above, and a launcher that is killed alone
def test_what_a_launcher_leaves_that_is_killed_with_all_its_ranks_goes_too(lab, tmp_path, capsys):
    with launched(lab, tmp_path) as process:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    until = time.monotonic() + 10
    while marked(lab) and time.monotonic() < until:
        time.sleep(0.05)
    folders = list(tmp_path.glob(f"p2l-{lab}-run-*"))
    assert len(folders) == 1
    assert run(["lab", "down", lab]) == 0
    assert capsys.readouterr().out == f"laboratory {lab}: removed\n"
    assert left_of(lab) == []
    assert not folders[0].exists()
    for folder in tmp_path.glob("pymp-*"):  # multiprocessing's own, which nobody is left to remove
        shutil.rmtree(folder)


@pytest.mark.thorough  # a launcher that is killed is the harder case
def test_down_ends_ranks_of_a_launcher_that_is_stopped(lab, tmp_path, capsys):
    with launched(lab, tmp_path) as process:
        process.send_signal(signal.SIGSTOP)
        assert run(["lab", "down", lab]) == 1
        assert run(["lab", "down", lab, "--force"]) == 0
        capsys.readouterr()
        assert not [line for line in left_of(lab) if line.startswith("p2l-")]
        process.send_signal(signal.SIGCONT)
        assert process.wait(timeout=20) == 1
    assert gone(lab)


@pytest.mark.thorough  # test_a_failure_in_the_middle_leaves_nothing ends in the same way
def test_an_error_of_the_user_removes_everything(lab):
    for error in sample([KeyboardInterrupt, ZeroDivisionError], 1):
        with pytest.raises(error), Laboratory(FLAT, lab) as laboratory, LabCluster(laboratory):
            raise error
    with pytest.raises(LabError), Laboratory(FLAT, lab) as laboratory, Laboratory(FLAT, lab):
        pass


def gone(lab: str) -> bool:
    """Whether nothing is left within two minutes: a launcher's helpers end after it, once they have torch loaded."""
    until = time.monotonic() + 120
    while left_of(lab) and time.monotonic() < until:
        time.sleep(0.05)
    return not left_of(lab)
