"""Executors for problems, with the `concurrent.futures.Executor` protocol and recovery from lost workers."""

import re
from concurrent.futures import Executor
from contextlib import AbstractContextManager
from typing import Protocol

from p2smt.errors import StudyError
from p2smt.sweep.dask_pool import DaskPool
from p2smt.sweep.local_pool import LocalPool

MOST_WORKERS = 256

_LOCAL = re.compile(r"local(?::(\d{1,4}))?")
_DASK = re.compile(r"dask:((?:tcp|tls)://[^\s/]+:\d{1,5})")


class Pool(Protocol):
    """Workers behind an executor that can be replaced when it breaks."""

    @property
    def executor(self) -> Executor:
        """The current executor."""
        ...

    @property
    def workers(self) -> int:
        """The current number of workers."""
        ...

    def lost(self, error: BaseException) -> bool:
        """True if a future's error means that its worker is gone, not that the work failed."""
        ...

    def repair(self) -> None:
        """Restore the workers after a loss. Raises StudyError if that is impossible."""
        ...


def open_pool(text: str) -> AbstractContextManager[Pool]:
    """Return the pool named by `local`, `local:4` or `dask:tcp://10.0.0.1:8786`; entering it starts the workers.

    Raises StudyError for other texts.
    """
    if local := _LOCAL.fullmatch(text):
        count = None if local[1] is None else int(local[1])
        if count is not None and not 1 <= count <= MOST_WORKERS:
            raise StudyError(f"executor {text}: {count} processes are out of range; give 1 to {MOST_WORKERS}")
        return LocalPool(count)
    if dask := _DASK.fullmatch(text):
        return DaskPool(dask[1])
    raise StudyError(f"executor {text[:80]!r} is unknown; write local, local:4 or dask:tcp://HOST:PORT")
