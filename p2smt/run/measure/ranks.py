"""The ranks that torchrun started, for a problem."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from p2smt.errors import RunError
from p2smt.problem.model import Problem

if TYPE_CHECKING:
    from p2smt.run.measure.torchrun import TorchrunCluster


@contextmanager
def torchrun_ranks(problem: Problem) -> "Iterator[TorchrunCluster | None]":
    """The ranks that torchrun started, on rank 0; None on the others, once they have followed it to its end.

    Raises RunError when there are not as many as the system has devices.
    """
    from p2smt.run.measure.torchrun import TorchrunCluster

    with TorchrunCluster() as ranks:
        if ranks.ranks != problem.system.devices:
            raise RunError(f"torchrun started {ranks.ranks} ranks, but the system has {problem.system.devices} devices")
        if ranks.rank:
            ranks.follow()
        yield None if ranks.rank else ranks
