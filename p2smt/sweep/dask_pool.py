"""Workers of a dask.distributed cluster, possibly on many machines; each needs only p2smt installed."""

import logging
import time
from concurrent.futures import CancelledError, Executor
from contextlib import suppress
from traceback import walk_tb
from types import TracebackType
from typing import Any, Self  # Any: dask's values

from p2smt.errors import StudyError
from p2smt.sweep.environment import environment

CONNECT_S = 15
"""Seconds to wait for the scheduler."""

ANSWER_S = 60
"""Seconds to wait for a worker's first answer."""

COUNT_EVERY_S = 2.0
"""Seconds between counts of the workers, whose number may change."""


class DaskPool:
    """The workers of a scheduler; Dask itself reassigns the work of a worker that dies."""

    def __init__(self, address: str) -> None:
        """Store the address without connecting."""
        self._address = address
        self._client: Any = None
        self._executor: Any = None
        self._counted = (0.0, 1)

    def __enter__(self) -> Self:
        """Connect. Raises StudyError if there is no scheduler, no worker, or a worker without p2smt."""
        try:
            from distributed import Client
        except ImportError as cause:
            raise StudyError("distributed is missing; install it with: pip install distributed") from cause

        _hush()
        try:
            connect: Any = Client  # it has no types
            self._client = connect(self._address, timeout=CONNECT_S, set_as_default=False)
        except (OSError, ValueError) as cause:
            raise StudyError(
                f"no dask scheduler answers at {self._address}; start one with `dask scheduler`, "
                "and workers with `dask worker ADDRESS --nthreads 1`"
            ) from cause
        self._executor = self._client.get_executor(pure=False)
        try:
            self.repair()
        except BaseException:
            self._close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Cancel unfinished work and disconnect; the cluster keeps running."""
        self._close()

    @property
    def executor(self) -> Executor:
        """The client's executor."""
        assert isinstance(self._executor, Executor)
        return self._executor

    @property
    def workers(self) -> int:
        """The number of worker processes; the threads of a process solve one problem at a time."""
        counted, count = self._counted
        if time.monotonic() - counted > COUNT_EVERY_S:
            try:
                count = max(1, len(self._client.nthreads()))
            except (OSError, ValueError, TypeError) as cause:
                raise StudyError(self._gone()) from cause
            self._counted = (time.monotonic(), count)
        return count

    def lost(self, error: BaseException) -> bool:
        """True if the error means that a worker or the scheduler was lost, not that the task failed.

        If a worker ends while its result is transferred, dask's executor treats the result as an error and
        raises TypeError.
        """
        from distributed import cfexecutor
        from distributed.scheduler import KilledWorker

        if isinstance(error, TypeError):
            files = [frame.f_code.co_filename for frame, _ in walk_tb(error.__traceback__)]
            return files[-1:] == [cfexecutor.__file__]
        return isinstance(error, KilledWorker | CancelledError)

    def repair(self) -> None:
        """Raise StudyError if no worker answers any more; otherwise there is nothing to repair."""
        try:
            self.executor.submit(environment).result(timeout=ANSWER_S)
        except TimeoutError as cause:
            raise StudyError(
                f"no worker of the dask scheduler at {self._address} answers in {ANSWER_S} s; "
                f"start one with `dask worker {self._address} --nthreads 1`"
            ) from cause
        except ImportError as cause:
            raise StudyError(f"a dask worker cannot import p2smt ({cause}); install p2smt for every worker") from cause
        except Exception as cause:
            raise StudyError(self._gone()) from cause

    def _gone(self) -> str:
        return (
            f"the dask scheduler at {self._address} is gone; what was added to the store stays, "
            "the same command goes on from there"
        )

    def _close(self) -> None:
        with suppress(Exception):  # the cluster may be gone; then there is nothing to take back
            self._executor.shutdown(wait=False)
        self._client.close(timeout=5)


def _hush() -> None:
    """Silence distributed's loggers, as losses are reported here."""
    for name in logging.root.manager.loggerDict:
        if name.startswith("distributed"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
