"""Measuring: everything once, nothing twice, again after a drift; with times from the simulator instead of ranks."""

from contextlib import contextmanager

import pytest
from support import problem
from tiers import is_full

from p2smt.cli.main import run
from p2smt.errors import RunError
from p2smt.run.measure.loop import REFERENCE_EVERY, MeasurementLoop, _algorithm
from p2smt.run.measure.pairs import pairs_of
from p2smt.run.measure.results import Results, read_results
from p2smt.run.measure.stable import Patience

PATIENCE = Patience(least=3, most=4)


class Report:
    def __init__(self, slowest, wrong):
        self.slowest, self.wrong = slowest, wrong


class Clock:
    """Says what it is told to: a second per job, times `slower` from job number `since` on."""

    backend, torch_version = "gloo", "2.13.0"

    def __init__(self, since=10**9, slower=1.0, fails_at=10**9, wrong=0):
        self.jobs, self.since, self.slower, self.fails_at, self.wrong = 0, since, slower, fails_at, wrong

    def time(self, source, goal, groups, elements, *, warmups=1, repeats=3, check=False):
        self.jobs += 1
        if self.jobs >= self.fails_at:
            raise RunError("rank 1 died")
        seconds = self.slower if self.jobs >= self.since else 1.0
        return Report((seconds,) * repeats, self.wrong if check else 0)


def measure(path, clock, pairs, **how):
    with Results(path) as results:
        asked = problem((2, 4), [8])
        measuring = MeasurementLoop(problem=asked, timer=clock, results=results, patience=PATIENCE, **how)
        return measuring.run(pairs)


@pytest.fixture(scope="module")
def pairs():
    """Enough for three references; in the full tier all 94."""
    found = list(pairs_of(problem((2, 4), [8])))
    assert len(found) == 94
    return found if is_full() else found[: 2 * REFERENCE_EVERY + 3]


def test_everything_is_measured_once(tmp_path, pairs):
    path = tmp_path / "table.csv"
    counts = measure(path, Clock(), pairs)
    assert (counts.pairs, counts.measured, counts.known, counts.wrong) == (len(pairs), len(pairs), 0, 0)
    rows = read_results(path)
    assert len(rows) == len(pairs)
    assert {(row.seconds, row.repeats, row.drift) for row in rows} == {(1.0, 3, 1.0)}
    clock = Clock()
    assert measure(path, clock, pairs).known == len(pairs)
    assert clock.jobs == 0


def test_a_failure_keeps_what_was_measured_and_the_next_run_goes_on(tmp_path, pairs):
    path = tmp_path / "table.csv"
    with pytest.raises(RunError, match="rank 1 died"):
        measure(path, Clock(fails_at=40), pairs)
    done = len(read_results(path))
    assert 0 < done < len(pairs)
    counts = measure(path, Clock(), pairs)
    assert (counts.measured, counts.known) == (len(pairs) - done, done)
    assert len(path.read_text(encoding="utf-8").splitlines()) == len(pairs) + 1


@pytest.mark.parametrize("slower", [2.0, 0.5])
def test_after_a_drift_the_programs_since_the_last_reference_are_measured_again(tmp_path, pairs, slower):
    path = tmp_path / "table.csv"
    counts = measure(path, Clock(since=20, slower=slower), pairs)
    assert (counts.pairs, counts.measured, counts.known) == (len(pairs), len(pairs), 0)
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) - 1 == len(pairs) + REFERENCE_EVERY
    rows = read_results(path)
    assert len(rows) == len(pairs)
    assert {(row.seconds, row.reference, row.drift) for row in rows} == {(slower, slower, slower)}


def test_wrong_numbers_are_counted_and_kept(tmp_path, pairs):
    counts = measure(tmp_path / "table.csv", Clock(wrong=5), pairs[:3])
    assert counts.wrong == 10
    assert [row.wrong for row in read_results(tmp_path / "table.csv")] == [0, 5, 5]


def test_wrong_numbers_are_kept_where_a_program_is_measured_again(tmp_path, pairs):
    """The last row of a program holds: after a drift it has another time, and differs in as much as before."""
    path = tmp_path / "table.csv"
    counts = measure(path, Clock(since=5, slower=2.0, wrong=5), pairs[:3])
    rows = read_results(path)
    assert len(path.read_text(encoding="utf-8").splitlines()) - 1 == 6
    assert ({row.seconds for row in rows}, [row.wrong for row in rows], counts.wrong) == ({2.0}, [0, 5, 5], 10)


def test_after_the_deadline_nothing_is_begun(tmp_path, pairs):
    counts = measure(tmp_path / "table.csv", Clock(), pairs, deadline=0.0)
    assert (counts.pairs, counts.measured) == (len(pairs), 0)
    assert read_results(tmp_path / "table.csv") == []


@pytest.mark.parametrize("wrong", [0, 5])
@pytest.mark.parametrize("more", [["--torchrun"], ["--torchrun", "--json"], [], ["--json"]])
def test_wrong_numbers_are_no_success(wrong, more, tmp_path, capsys, monkeypatch):
    @contextmanager
    def ranks(*_arguments):
        yield Clock(wrong=wrong)

    monkeypatch.setattr("p2smt.run.measure.ranks.torchrun_ranks", ranks)
    monkeypatch.setattr("p2smt.run.lab.cluster.laboratory_ranks", ranks)
    asked = ["measure", "--system", "2x2", "--axes", "4", "--reduce", "0", "--sample", "2"]
    assert run([*asked, "--out", str(tmp_path / "a.csv"), *more]) == (1 if wrong else 0)
    assert capsys.readouterr().out


def test_what_carries_all_reduces_is_named_where_it_is_known(monkeypatch):
    """For NCCL what NCCL_ALGO names, unless that is no one algorithm."""
    found = []
    for named in ("Ring", " tree ", "", "Ring,Tree", "NVLS", "^Tree"):
        monkeypatch.setenv("NCCL_ALGO", named)
        found.append(str(_algorithm("nccl")))
        assert _algorithm("gloo") == "gloo"
    assert found == ["ring", "tree", "auto", "auto", "nvls", "auto"]
