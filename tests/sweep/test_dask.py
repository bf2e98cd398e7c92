"""The same sweep on a real scheduler with two real workers on loopback, of which one is killed in the middle."""

import signal
import subprocess
import sys
import time
from concurrent.futures import Future
from contextlib import contextmanager
from importlib.util import find_spec

import pytest
from study_support import FEW, MANY, expanded, exported, rows, running, said_to_be_solved, wait_for_rows, written

from p2smt.errors import StudyError
from p2smt.sweep import dask_pool
from p2smt.sweep.pool import open_pool

pytestmark = pytest.mark.skipif(find_spec("distributed") is None, reason="dask.distributed is not installed")

START_S = 60


class Ended:
    """A future of dask whose worker ends behind its result, or whose task fails."""

    def __init__(self, status, result):
        self.status, self.result = status, result

    async def _result(self, raiseit):
        assert not raiseit
        return self.result


def cascaded(ended):
    """What dask's executor makes of it."""
    from distributed.cfexecutor import _cascade_future
    from tornado.ioloop import IOLoop

    made, loop = Future(), IOLoop(make_current=False)
    loop.run_sync(lambda: _cascade_future(ended, made))
    loop.close()
    return made.exception(timeout=0)


def test_a_result_whose_worker_ends_is_lost_and_a_task_that_fails_is_not():
    pool = dask_pool.DaskPool("tcp://127.0.0.1:1")
    assert pool.lost(cascaded(Ended("lost", object())))
    try:
        len(5)
    except TypeError as error:
        failed = cascaded(Ended("error", (TypeError, error, error.__traceback__)))
    assert isinstance(failed, TypeError)
    assert not pool.lost(failed)
    assert not pool.lost(cascaded(Ended("error", (ValueError, ValueError("of a task"), None))))


@contextmanager
def process(folder, name, *arguments):
    with (folder / f"{name}.log").open("w", encoding="utf-8") as log:
        started = subprocess.Popen(
            [sys.executable, "-m", "distributed.cli.dask_" + name.rstrip("12"), *arguments, "--no-dashboard"],
            cwd=folder,
            stdout=log,
            stderr=log,
        )
    try:
        yield started
    finally:
        started.kill()
        started.wait(10)


@contextmanager
def cluster(folder, workers):
    """The scheduler's address, its process and the workers' processes."""
    with process(
        folder, "scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", "scheduler.json"
    ) as head:
        address = _address(folder)
        how = ("--nthreads", "1", "--no-nanny", "--local-directory", str(folder))
        if workers == 0:
            yield address, head, []
            return
        with process(folder, "worker1", address, *how) as one, process(folder, "worker2", address, *how) as other:
            yield address, head, [one, other]


def _address(folder):
    import json

    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        try:
            return json.loads((folder / "scheduler.json").read_text(encoding="utf-8"))["address"]
        except (OSError, ValueError):
            time.sleep(0.05)
    raise AssertionError((folder / "scheduler.log").read_text(encoding="utf-8"))


@pytest.mark.thorough  # local workers are killed in the standard tier
@pytest.mark.slow
def test_a_worker_is_killed_and_the_store_is_that_of_a_local_run(tmp_path, whole):
    count, tables = whole
    (tmp_path / "sweep.toml").write_text(MANY, encoding="utf-8")
    store = tmp_path / "dask.sqlite"
    with cluster(tmp_path, 2) as (address, _, workers):
        with running(tmp_path, "sweep.toml", "--store", store.name, "--executor", f"dask:{address}") as run:
            wait_for_rows(store, count // 5, run)
            workers[0].send_signal(signal.SIGKILL)
            workers[0].wait()
            assert rows(store) < count
            out, err = run.communicate(timeout=120)
        assert run.returncode == 0, err
        assert err == written(store.name)
        assert said_to_be_solved(count, out) == count
        assert workers[1].poll() is None
    assert exported(store, tmp_path) == tables


@pytest.mark.thorough  # its workers end in test_a_result_whose_worker_ends_is_lost_and_a_task_that_fails_is_not
@pytest.mark.slow
def test_without_workers_or_scheduler_one_line_says_so(tmp_path, monkeypatch):
    expanded(tmp_path, FEW)
    monkeypatch.setattr(dask_pool, "ANSWER_S", 1)
    with cluster(tmp_path, 0) as (address, head, _):
        with pytest.raises(StudyError, match=r"no worker of the dask scheduler at .* answers in 1 s"):
            open_pool(f"dask:{address}").__enter__()
        head.kill()
        head.wait()
        monkeypatch.setattr(dask_pool, "CONNECT_S", 1)
        with pytest.raises(StudyError, match="no dask scheduler answers at"):
            open_pool(f"dask:{address}").__enter__()
