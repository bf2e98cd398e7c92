"""Runs that are interrupted, killed, doubled, or lose their workers, against one that is left alone."""

import errno
import os
import signal
import time
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from itertools import repeat
from random import Random

import pytest
from study_support import (
    FEW,
    LIMIT_S,
    MANY,
    expanded,
    exported,
    finished,
    is_gone,
    rows,
    running,
    said_to_be_solved,
    wait_for_rows,
    written,
)
from tiers import is_full

from p2smt.errors import StudyError
from p2smt.sweep.local_pool import LocalPool
from p2smt.sweep.loop import DEATHS, Study, Summary
from p2smt.sweep.pool import open_pool
from p2smt.sweep.stopping import stopped_by_signals
from p2smt.sweep.store import ResultStore
from p2smt.sweep.store_file import open_to_read

KILLS = 2 if is_full() else 1
RUN = ("sweep.toml", "--executor", f"local:{2 if is_full() else 1}", "--store")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "sweep.toml").write_text(MANY, encoding="utf-8")
    return tmp_path


@pytest.mark.thorough  # one that is interrupted, and workers that die, are below
@pytest.mark.slow
def test_killed_again_and_again_the_store_is_the_same_in_the_end(folder, whole):
    count, tables = whole
    store, dice, between = folder / "killed.sqlite", Random(1), 0
    moments = (*([0] if is_full() else []), *repeat(count // 12, 6 if is_full() else 2))
    for most in moments:  # where others keep the machine busy, a run may end before it is killed
        if rows(store) == count:
            store.unlink()
        wanted = min(count, rows(store) + dice.randint(min(1, most), most))
        with running(folder, *RUN, store.name) as process:
            wait_for_rows(store, wanted, process)
            time.sleep(dice.uniform(0, 0.05))
            process.kill()
            process.wait()
            assert is_gone(process.pid)
        assert wanted <= rows(store)
        between += 0 < rows(store) < count
        if between == KILLS:
            break
    assert between
    said = finished(folder, *RUN, store.name)
    assert ", 0 left" in said
    assert exported(store, folder) == tables
    with closing(open_to_read(store)) as connection:
        assert connection.execute("SELECT count(*) FROM claims").fetchone() == (0,)
        assert connection.execute("SELECT count(ended) FROM runs").fetchone() == (1,)
        assert min(connection.execute("SELECT (SELECT count(*) FROM problems), (SELECT count(*) FROM jobs)").fetchone())
    assert sorted(path.name for path in folder.glob("killed.sqlite*")) == ["killed.sqlite"]


@pytest.mark.slow
@pytest.mark.thorough  # test_store says that a problem is claimed by one live run alone
def test_two_runs_at_once_share_the_work(folder, whole):
    count, tables = whole
    with running(folder, *RUN, "shared.sqlite") as one, running(folder, *RUN, "shared.sqlite") as other:
        said = [process.communicate(timeout=LIMIT_S) for process in (one, other)]
        assert [process.returncode for process in (one, other)] == [0, 0]
    assert [err for _, err in said] == 2 * [written("shared.sqlite")]
    solved = [said_to_be_solved(count, out) for out, _ in said]
    assert sum(solved) == count
    assert min(solved) > 0
    assert exported(folder / "shared.sqlite", folder) == tables


@pytest.mark.slow
@pytest.mark.parametrize(
    "number",
    [
        signal.SIGINT,
        pytest.param(signal.SIGTERM, marks=pytest.mark.thorough),  # how it is heard is tested without a run, below
    ],
)
def test_a_run_that_is_interrupted_says_how_to_go_on(folder, whole, number):
    count, _ = whole
    store = folder / "stopped.sqlite"
    for _ in range(5):  # where others keep the machine busy, a run may end before it hears of it
        store.unlink(missing_ok=True)
        with running(folder, *RUN, store.name) as process:
            wait_for_rows(store, 20, process)
            os.killpg(process.pid, number)  # as a terminal does: the workers hear it too
            out, err = process.communicate(timeout=LIMIT_S)
            assert is_gone(process.pid)
        if rows(store) < count:
            break
    if number == signal.SIGINT:  # the other may end the workers before this process sees that it came
        assert process.returncode == 3
        assert err == "p2smt: stopped early; stopped.sqlite is whole, the same command goes on from there\n"
        assert f"{count - rows(store)} left" in out
    assert 0 < rows(store) < count


class Poisoned(LocalPool):
    """A pool in which some problems kill their worker, as one does that takes all memory.

    With `here` they are solved in this process, and of a death there is what the executor says of one.
    """

    def __init__(self, workers, poison="", times=0, here=False):
        super().__init__(workers)
        self._poison, self._times, self._here = poison, times, here

    def _start(self):
        if not self._here:
            super()._start()

    @property
    def executor(self):
        return _SpikedHere(self) if self._here else _Spiked(super().executor, self)

    def spiked(self, tasks):
        """Whether this chunk's worker has to die."""
        if self._times and any(task.key == self._poison for task in tasks):
            self._times -= 1
            return True
        return False


class _Spiked:
    def __init__(self, executor, pool):
        self._executor, self._pool = executor, pool

    def submit(self, function, *arguments):
        assert isinstance(self._executor, ProcessPoolExecutor)
        return self._executor.submit(_die if self._pool.spiked(*arguments) else function, *arguments)


class _SpikedHere:
    def __init__(self, pool):
        self._pool = pool

    def submit(self, function, *arguments):
        future = Future()
        if self._pool.spiked(*arguments):
            future.set_exception(BrokenProcessPool("a process died"))
        else:
            future.set_result(function(*arguments))
        return future


def _die(tasks):
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize(
    ("workers", "times", "status", "here"),
    [
        (1, 100, "error", True),
        (1, 1, "ok", False),
        pytest.param(1, 100, "error", False, marks=pytest.mark.thorough),  # the two above are halves of it
        pytest.param(1, 2, "ok", False, marks=pytest.mark.thorough),  # once is tried above
        pytest.param(2, 100, "error", False, marks=pytest.mark.thorough),  # above, with one worker
    ],
)
def test_workers_that_die_are_replaced_and_only_the_problem_they_die_of_fails(
    tmp_path, monkeypatch, workers, times, status, here
):
    (tmp_path / "pickle.py").write_text("raise RuntimeError\n", encoding="utf-8")  # named like a standard module
    monkeypatch.chdir(tmp_path)
    tasks = expanded(tmp_path, FEW + 'bytes = ["1MiB", "2MiB", "4MiB"]\n').tasks
    poison = list(tasks)[4]
    with Poisoned(workers, poison, times, here) as pool, ResultStore(tmp_path / "store.sqlite", "local") as store:
        summary = Study(tasks=tasks, store=store, pool=pool).run()
        statuses = store.statuses()
        spent = times - pool._times
    assert len(tasks) == 9
    assert {key: found for key, found in statuses.items() if found != "ok"} == (
        {poison: "error"} if status == "error" else {}
    )
    assert (summary.solved, summary.left, summary.errors) == (9, 0, int(status == "error"))
    if status == "error":
        with closing(open_to_read(tmp_path / "store.sqlite")) as connection:
            (reason,) = connection.execute("SELECT reason FROM problems WHERE key = ?", (poison,)).fetchone()
        assert spent == 1 + DEATHS  # the first died of problems given out together
        assert reason == f"{DEATHS} worker processes died while they solved it; the memory may not be enough"
        with Poisoned(1, here=here) as pool, ResultStore(tmp_path / "store.sqlite", "local") as store:
            assert Study(tasks=tasks, store=store, pool=pool).run().errors == 1
            summary = Study(tasks=tasks, store=store, pool=pool, again=True).run()
        assert (summary.solved, summary.known, summary.errors, summary.complete) == (1, 8, 0, True)


class Breaking(LocalPool):
    """A pool in this process: the worker of the first chunk dies, and what waited behind it is cancelled."""

    def __init__(self):
        super().__init__(2)
        self.executor, self.waiting, self.repairs = self, [], 0

    executor = None

    def submit(self, function, *arguments):
        future = Future()
        if self.repairs:
            future.set_result(function(*arguments))
        elif self.waiting:
            self.waiting.append(future)
        else:
            self.waiting.append(future)
            future.set_exception(BrokenProcessPool("a process died"))
        return future

    def repair(self):
        self.repairs += 1
        for future in self.waiting[1:]:
            assert future.cancel()


def test_what_waited_when_a_worker_died_is_solved_again(tmp_path):
    tasks = expanded(tmp_path, FEW).tasks
    pool = Breaking()
    with ResultStore(tmp_path / "store.sqlite", "local") as store:
        summary = Study(tasks=tasks, store=store, pool=pool).run()
        assert set(store.statuses().values()) == {"ok"}
    assert len(pool.waiting) > 1
    assert (pool.repairs, summary.solved, summary.complete) == (1, len(tasks), True)


@pytest.mark.parametrize(
    ("error", "lost"),
    [(BrokenProcessPool(), True), (CancelledError(), True), (ValueError(), False), (MemoryError(), False)],
)
def test_a_worker_that_is_gone_is_no_work_that_failed(error, lost):
    assert LocalPool(1).lost(error) is lost


def test_workers_that_cannot_be_started_are_an_error(monkeypatch):
    """A pipe to a worker that breaks is not the output's, which ends a command in silence."""

    def broken(*_):
        raise BrokenPipeError(errno.EPIPE, "Broken pipe")

    monkeypatch.setattr(ProcessPoolExecutor, "submit", broken)
    with (
        pytest.raises(StudyError, match=r"^worker processes ended at once: .*Broken pipe; use fewer --workers"),
        LocalPool(1),
    ):
        pass


def test_what_is_done_is_told(tmp_path):
    tasks = expanded(tmp_path, FEW).tasks
    told = []
    with Poisoned(1, here=True) as pool, ResultStore(tmp_path / "store.sqlite", "local") as store:
        Study(tasks=tasks, store=store, pool=pool, on_progress=lambda *said: told.append(said)).run()
        assert told == sorted(told)
        assert told[-1] == (3, 3)
        other = expanded(tmp_path, FEW.replace("3", "2")).tasks
        stopped = Study(tasks=other, store=store, pool=pool, stopping=lambda: True).run()
    assert (stopped.solved, stopped.left) == (0, 3)


@pytest.mark.parametrize("text", ["", "local:0", "local:1000", "dask", "dask:127.0.0.1", "dask:http://a:1", "local:-1"])
def test_unknown_executors_are_refused(text):
    with pytest.raises(StudyError, match="executor"):
        open_pool(text)


def test_a_signal_that_was_ignored_before_stays_ignored():
    """As nohup and the background jobs of a shell leave it."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with stopped_by_signals() as stopping:
            os.kill(os.getpid(), signal.SIGHUP)
            assert not stopping()
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_the_first_signal_is_noted_and_the_second_ends_at_once():
    before = signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        with stopped_by_signals() as stopping:
            os.kill(os.getpid(), signal.SIGTERM)
            assert stopping()
            with pytest.raises(KeyboardInterrupt):
                os.kill(os.getpid(), signal.SIGTERM)
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    finally:
        signal.signal(signal.SIGTERM, before)


@pytest.mark.parametrize("lacking", ["left", "stopped", "errors"])
def test_a_study_is_complete_only_where_every_problem_has_its_full_result(lacking):
    counts = {"solved": 2, "known": 1, "left": 0, "stopped": 0, "errors": 0}
    assert Summary(**counts).complete
    assert not Summary(**counts | {lacking: 1}).complete
