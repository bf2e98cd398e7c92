"""The ranks started by torchrun, for a problem."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from p2smt.errors import RunError
from p2smt.problem.model import Problem

if TYPE_CHECKING:
    from p2smt.run.measure.torchrun import TorchrunCluster


@contextmanager
def torchrun_ranks(problem: Problem) -> "Iterator[TorchrunCluster | None]":
    """Yield the cluster on rank 0; on other ranks follow rank 0 until it is done, then yield None.

    Raises RunError if the number of ranks is not the system's number of devices.
    """
    from p2smt.run.measure.torchrun import TorchrunCluster

    with TorchrunCluster() as ranks:
        if ranks.ranks != problem.system.devices:
            raise RunError(
                f"torchrun started {ranks.ranks} ranks, but the system has {problem.system.devices} devices; "
                "the two must be equal"
            )
        if ranks.rank:
            ranks.follow()
        yield None if ranks.rank else ranks
