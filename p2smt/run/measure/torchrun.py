"""A timer on the ranks started by torchrun: rank 0 leads and the others follow its commands.

Imports torch; use it only in processes started by torchrun.
"""

import os
import tempfile
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from types import TracebackType
from typing import Any, Self  # Any: torch's values

import torch
import torch.distributed as dist

from p2smt.collective import Collective
from p2smt.errors import RunError
from p2smt.run.rank.message import Groups, RankTimes, Task
from p2smt.run.rank.rank import Rank
from p2smt.run.rank.report import TaskReport

TIMEOUT_S = 300.0


class TorchrunCluster:
    """The ranks of torchrun, joined on nccl if there are GPUs and on gloo otherwise; a context manager.

    On rank 0, `p2smt.run.measure.loop` calls `time`; every other rank calls `follow`, which returns when rank 0
    is done.
    """

    def __init__(self) -> None:
        """Choose the backend without joining. Raises RunError outside torchrun."""
        if not {"RANK", "WORLD_SIZE", "MASTER_ADDR"} <= os.environ.keys():
            raise RunError(
                "this process was not started by torchrun; start with torchrun --no-python ... p2smt COMMAND --torchrun"
            )
        self.backend = "nccl" if torch.cuda.is_available() else "gloo"
        self.torch_version = str(torch.__version__)

    def __enter__(self) -> Self:
        """Join the other ranks."""
        local = int(os.environ.get("LOCAL_RANK", "0"))
        self.device = torch.device("cuda", local) if self.backend == "nccl" else torch.device("cpu")
        if self.backend == "nccl":
            torch.cuda.set_device(self.device)
        else:
            torch.set_num_threads(1)
        # With its device, NCCL joins at once, and need not guess the device from the rank.
        own = self.device if self.backend == "nccl" else None
        dist.init_process_group(self.backend, timeout=timedelta(seconds=TIMEOUT_S), device_id=own)
        self.rank, self.ranks = dist.get_rank(), dist.get_world_size()
        self._worker = Rank(self.rank, self.device)
        self._folder = tempfile.TemporaryDirectory(prefix="p2smt-measure-")
        self._written: dict[str, str] = {}
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Release the other ranks, and leave the process group."""
        if self.rank == 0 and kind is None:
            self._from_first(None)
        self._folder.cleanup()
        if kind is None:
            dist.destroy_process_group()

    def follow(self) -> None:
        """Execute the tasks of rank 0 until it is done."""
        while (message := self._from_first(None)) is not None:
            self._gathered(self._times(message))

    def time(
        self,
        source: str | None,
        goal: Collective,
        groups: Groups,
        elements: int,
        *,
        warmups: int = 1,
        repeats: int = 3,
        check: bool = False,
    ) -> TaskReport:
        """Time an emitted module on all ranks or, if `source` is None, a collective; see `LocalCluster.time`."""
        task = Task(
            source=source,
            goal=goal,
            groups=tuple(map(tuple, groups)),
            elements=elements,
            dtype="float32",
            warmups=warmups,
            repeats=repeats,
            check=check,
            timeout_s=TIMEOUT_S,
        )
        self._from_first(task)
        return TaskReport(tuple(self._gathered(self._times(task))))

    def _times(self, task: Task) -> RankTimes:
        """Return this rank's times of a task whose `source` is the module's text, which is written to a local file."""
        if task.source is not None:
            if task.source not in self._written:
                path = Path(self._folder.name) / f"module{len(self._written)}.py"
                path.write_text(task.source, encoding="utf-8")
                self._written[task.source] = str(path)
            task = replace(task, source=self._written[task.source])
        return self._worker.times(task)

    def _from_first(self, message: Task | None) -> Task | None:
        """Return rank 0's message on all ranks."""
        box = [message]
        dist.broadcast_object_list(box, src=0, device=self.device)
        return box[0]

    def _gathered(self, times: RankTimes) -> list[RankTimes]:
        box: list[Any] = [None] * self.ranks
        dist.all_gather_object(box, times)
        return box
