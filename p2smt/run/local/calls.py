"""Calls of functions in a Python file on all ranks of a group, wherever their processes run."""

from typing import Any, Self  # Any: torch's values

from p2smt.run.local.processes import Processes
from p2smt.run.rank.message import CallTask, ReturnMessage


class CallRanks(Processes):
    """Joined ranks, one per seat, that call functions; torch.distributed runs on gloo. Use as a context manager.

    After a RunError, for a rank that failed, died or did not answer in time, the processes have ended.
    """

    def __enter__(self) -> Self:
        """The ranks themselves, which have joined already."""
        return self

    def __exit__(self, *_: object) -> None:
        """End all processes."""
        self.close()

    def call(self, path: str, function: str, *arguments: Any, timeout_s: float) -> list[Any]:
        """Results of a function on every rank, in the order of ranks; arguments and results are pickled."""
        answers = self.ask(CallTask(path, function, arguments), ReturnMessage, timeout_s)
        return [answer.value for answer in answers]
