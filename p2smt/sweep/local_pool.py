"""Worker processes on this machine that never outlive this process."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, ProcessPoolExecutor, wait
from contextlib import contextmanager
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Self

from p2smt.errors import StudyError
from p2smt.run.local.safe_path import safe_path
from p2smt.sweep.environment import environment


class LocalPool:
    """A `ProcessPoolExecutor` whose workers watch a pipe from this process, and exit when it closes.

    The pipe closes on `__exit__`, and also if this process is killed, so that no worker is left behind.
    """

    def __init__(self, workers: int | None = None) -> None:
        """Store the number of workers, by default the available CPUs; processes start on entering the context."""
        self._workers = workers or _cpus()
        self._executor: ProcessPoolExecutor | None = None
        self._ends: tuple[Connection, ...] = ()

    def __enter__(self) -> Self:
        """Start the workers."""
        try:
            self._start()
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the workers, interrupting their work if necessary."""
        self._stop()

    @property
    def executor(self) -> Executor:
        """The current executor."""
        assert self._executor is not None
        return self._executor

    @property
    def workers(self) -> int:
        """The number of worker processes."""
        return self._workers

    def lost(self, error: BaseException) -> bool:
        """True if a process died; all work in flight is lost with it."""
        return isinstance(error, BrokenExecutor | CancelledError)

    def repair(self) -> None:
        """Replace the executor by a new one."""
        self._stop()
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")  # a fork server would leave a folder behind when we are killed
        theirs, ours = context.Pipe(duplex=False)
        self._ends = (ours, theirs)  # theirs stays open here, for workers that start later
        try:
            with safe_path():  # it starts the process that tracks semaphores
                self._executor = ProcessPoolExecutor(self._workers, context, initializer=_begin, initargs=(theirs,))
            with safe_path(), _ctrl_c_ignored():  # what starts here inherits it: Ctrl-C is for this process alone
                first = [self._executor.submit(environment) for _ in range(self._workers)]
                wait(first)
                first[0].result()
        # A pipe that breaks here leads to a worker, as where its user may not run this Python; it is not stdout's.
        except (BrokenExecutor, BrokenPipeError) as cause:
            raise StudyError(
                f"worker processes ended at once: {cause}; use fewer --workers, or check that p2smt can be imported"
            ) from cause

    def _stop(self) -> None:
        for end in self._ends:
            end.close()
        if self._executor is not None:
            self._executor.shutdown(wait=True, cancel_futures=True)
        self._ends, self._executor = (), None


def _begin(pipe: Connection) -> None:
    """Initialise a worker: ignore Ctrl-C, which z3 would handle itself, and exit when the pipe closes."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(pipe,), daemon=True).start()


def _end_with(pipe: Connection) -> None:
    try:
        pipe.recv_bytes()
    except (EOFError, OSError):
        os._exit(1)


def _cpus() -> int:
    """Return the number of CPUs that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def _ctrl_c_ignored() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
