"""Runs of sweeps and the loop in one process: workers that are gone, others' claims, what is said of it."""

from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager
from dataclasses import replace

import pytest
from study_support import FEW, expanded
from sweep.made_rows import job_row, problem_row

from p2smt.errors import InterruptedSearchError, StudyError
from p2smt.sweep import loop
from p2smt.sweep import run as run_module
from p2smt.sweep.environment import environment
from p2smt.sweep.loop import Study
from p2smt.sweep.pool import open_pool
from p2smt.sweep.process import Process, is_alive, this_process
from p2smt.sweep.rows import RowStatus, failed
from p2smt.sweep.run import run_sweep
from p2smt.sweep.solve import SolvedChunk
from p2smt.sweep.store import ClaimResult, ResultStore
from p2smt.sweep.store_file import open_to_read


class Here:
    """A pool without processes: rows are made up at once; errors come first, as they are listed."""

    workers = 2

    def __init__(self, *errors, refused=(), seconds=1.0, version=None):
        self.executor = self
        self.errors, self.refused = list(errors), list(refused)
        self.repairs, self.submitted = 0, []
        self.environment = environment() if version is None else replace(environment(), p2smt=version)
        self.seconds = seconds

    def submit(self, _function, tasks):
        if self.refused and (error := self.refused.pop(0)):
            raise error
        self.submitted.append(len(tasks))
        future = Future()
        if self.errors and (error := self.errors.pop(0)):
            future.set_exception(error)
        else:
            made = tuple(replace(failed(task, "", environment().id), status=RowStatus.OK) for task in tasks)
            future.set_result(SolvedChunk(made, self.environment, self.seconds))
        return future

    def lost(self, error):
        return isinstance(error, BrokenProcessPool)

    def repair(self):
        self.repairs += 1


@pytest.fixture
def tasks(tmp_path):
    return expanded(tmp_path, FEW + 'bytes = ["1MiB", "2MiB", "4MiB"]\n').tasks


@pytest.fixture
def store(tmp_path):
    with ResultStore(tmp_path / "store.sqlite", "local") as opened:
        opened.add((), environment())
        yield opened


@pytest.mark.parametrize(
    "pool",
    [
        Here(BrokenProcessPool()),
        Here(None, InterruptedSearchError()),
        Here(refused=[BrokenProcessPool()]),
        Here(refused=[None, BrokenProcessPool(), BrokenProcessPool()]),
    ],
)
def test_what_a_worker_was_given_that_is_gone_is_solved_once_more(tasks, store, pool):
    lost = len(pool.refused + pool.errors) - (pool.refused + pool.errors).count(None)
    summary = Study(tasks=tasks, store=store, pool=pool).run()
    assert (summary.solved, summary.left, summary.complete) == (len(tasks), 0, True)
    assert pool.repairs == lost


@pytest.mark.parametrize(
    ("pool", "error", "message"),
    [
        (Here(ValueError("a bug")), StudyError, "a worker failed: ValueError: a bug"),
        (Here(refused=[ValueError("a bug")]), ValueError, "a bug"),
        (Here(version="0"), StudyError, r"a worker has p2smt 0, this is .*; install the same for every worker"),
    ],
)
def test_what_no_repair_can_help_ends_the_run_and_adds_nothing(tasks, store, pool, error, message):
    with pytest.raises(error, match=message):
        Study(tasks=tasks, store=store, pool=pool).run()
    assert (store.statuses(), pool.repairs) == ({}, 0)


def test_a_run_that_is_to_stop_repairs_nothing(tasks, store):
    pool = Here(BrokenProcessPool())
    summary = Study(tasks=tasks, store=store, pool=pool, stopping=lambda: bool(pool.submitted)).run()
    assert (pool.repairs, summary.left > 0) == (0, True)


def test_problems_that_take_long_are_given_out_one_by_one(tasks, store, monkeypatch):
    claim, pool, asked = store.claim, Here(seconds=1e6), []

    def counted(keys, again):
        asked.append(len(keys))
        assert keys
        return claim(keys, again)

    monkeypatch.setattr(store, "claim", counted)
    assert Study(tasks=tasks, store=store, pool=pool).run().complete
    assert asked[-1] == 1


def test_what_another_run_had_is_waited_for(tasks, store, tmp_path, monkeypatch):
    """The other run gives its problems back when this one has nothing else to do."""
    monkeypatch.setattr(loop, "BEAT_S", -1.0)
    beats, beat = [], store.beat
    monkeypatch.setattr(store, "beat", lambda: beats.append(beat()))
    with ResultStore(tmp_path / "store.sqlite", "local") as other:
        mine = other.claim(list(tasks)[2:5]).taken
        monkeypatch.setattr(loop.time, "sleep", lambda _: other.release(mine))
        summary = Study(tasks=tasks, store=store, pool=Here()).run()
    assert len(mine) == 3
    assert (summary.solved, summary.left) == (len(tasks), 0)
    assert beats


def test_a_summary_is_of_the_tasks_of_its_own_sweep(tasks, store):
    first, second, *_ = tasks.values()
    bad = [failed(first, "why", environment().id), failed(second, "late", environment().id)]
    store.add([bad[0], replace(bad[1], status=RowStatus.STOPPED)], environment())
    mine = {"environment": environment().id}
    others = [
        replace(problem_row("x"), status=RowStatus.ERROR, **mine),
        replace(problem_row("y"), status=RowStatus.STOPPED, **mine),
        replace(job_row("z"), status=RowStatus.STOPPED, **mine),
    ]
    store.add(others, environment())
    study = {"store": store, "stopping": lambda: True, "pool": Here()}
    assert Study(tasks=tasks, **study).run() == loop.Summary(solved=0, known=2, left=7, stopped=1, errors=1)
    only = {key: task for key, task in tasks.items() if task is first}
    assert Study(tasks=only, **study).run() == loop.Summary(solved=0, known=1, left=0, stopped=0, errors=1)
    alike = Study(tasks=tasks, store=store, pool=Here(), again=True).run()
    assert alike == loop.Summary(solved=9, known=0, left=0, stopped=0, errors=0)


def test_a_sign_of_life_is_of_the_run_that_gives_it(tmp_path):
    path = tmp_path / "store.sqlite"

    def seen():
        with closing(open_to_read(path)) as connection:
            return dict(connection.execute("SELECT id, seen FROM runs"))

    with ResultStore(path, "local") as one:
        with ResultStore(path, "local") as other:
            before = seen()
            one.beat()
            after = seen()
            assert after[one.run] > before[one.run]
            assert after[other.run] == before[other.run]
        with closing(open_to_read(path)) as connection:
            assert connection.execute("SELECT id FROM runs WHERE ended IS NOT NULL").fetchall() == [(other.run,)]


def test_a_run_passes_on_what_it_is_asked(tmp_path, monkeypatch):
    pools = []

    @contextmanager
    def opened(_text):
        pools.append(Here())
        yield pools[-1]

    monkeypatch.setattr(run_module, "open_pool", opened)
    file = tmp_path / "few.toml"
    file.write_text(FEW, encoding="utf-8")
    stopped = run_sweep(file, stopping=lambda: True)
    assert (stopped.store, stopped.summary.left) == (tmp_path / "few.sqlite", 3)
    told = []
    first = run_sweep(file, on_progress=lambda *said: told.append(said))
    assert (first.summary.solved, told[-1]) == (3, (3, 3))
    with ResultStore(tmp_path / "other.sqlite", "local") as store:
        task = next(iter(first.expansion.tasks.values()))
        store.add([failed(task, "why", environment().id)], environment())
    kept = run_sweep(file, tmp_path / "other.sqlite")
    assert (kept.summary.solved, kept.summary.errors, kept.store) == (2, 1, tmp_path / "other.sqlite")
    again = run_sweep(file, tmp_path / "other.sqlite", again=True)
    assert (again.summary.solved, again.summary.errors) == (1, 0)


def test_a_result_is_claimed_by_nobody_and_what_failed_by_those_who_try_again(tasks, store, tmp_path):
    good, bad, new = list(tasks)[:3]
    assert store.claim([good, bad]).taken == (good, bad)
    whole = replace(failed(tasks[good], "", environment().id), status=RowStatus.OK)
    store.add([whole, failed(tasks[bad], "why", environment().id)], environment())
    with closing(open_to_read(tmp_path / "store.sqlite")) as connection:
        assert connection.execute("SELECT * FROM claims").fetchall() == []
    assert store.claim([good, bad, new]) == ClaimResult(taken=(new,), known=(good, bad))
    assert store.claim([good, bad], again=True) == ClaimResult(taken=(bad,), known=(good,))


@pytest.mark.parametrize("text", ["local:1", "local:256", "dask:tcp://10.0.0.1:8786", "dask:tls://host:1"])
def test_pools_of_every_size_and_protocol_have_a_name(text):
    pool = open_pool(text)
    kind, _, rest = text.partition(":")
    assert (pool.workers == int(rest)) if kind == "local" else (pool._address == rest)


def test_a_run_is_dead_after_five_minutes_without_a_word():
    for seen, alive in ((0.0, True), (299.9, True), (300.1, False)):
        assert is_alive(this_process(), seen) is alive
        assert is_alive(Process("elsewhere", "1"), seen) is alive
