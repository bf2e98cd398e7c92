"""Call functions of a Python file on all ranks, wherever their processes run."""

from typing import Any, Self  # Any: torch's values

from p2smt.run.local.processes import Processes
from p2smt.run.rank.message import CallTask, ReturnMessage


class CallRanks(Processes):
    """Ranks joined by torch.distributed on gloo that execute function calls. Use as a context manager.

    After a RunError, because a rank failed, died or timed out, all processes have ended.
    """

    def __enter__(self) -> Self:
        """Return the ranks, which have joined already."""
        return self

    def __exit__(self, *_: object) -> None:
        """End all processes."""
        self.close()

    def call(self, path: str, function: str, *arguments: Any, timeout_s: float) -> list[Any]:
        """Return the function's result on every rank, in rank order; arguments and results are pickled."""
        answers = self.ask(CallTask(path, function, arguments), ReturnMessage, timeout_s)
        return [answer.value for answer in answers]
