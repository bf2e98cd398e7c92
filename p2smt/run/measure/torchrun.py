"""The ranks that torchrun started, as a timer for measuring: rank 0 leads, the others do what it says.

Imports torch, in processes that torchrun started alone.
"""

import os
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import torch
import torch.distributed as dist

from p2smt.errors import RunError
from p2smt.run.lab.cluster import JobReport
from p2smt.run.lab.message import Job, JobTimes
from p2smt.run.lab.worker import JobRank
from p2smt.run.local.message import Task

TIMEOUT_S = 300.0


class TorchrunCluster:
    """Joins the ranks of torchrun on nccl where there are GPUs, else on gloo; a context manager.

    On rank 0 `time` is for `run.measure.loop`; every other rank calls `follow`, which returns when rank 0 is done.
    """

    def __init__(self) -> None:
        """Join nothing yet; raises RunError outside torchrun."""
        if not {"RANK", "WORLD_SIZE", "MASTER_ADDR"} <= os.environ.keys():
            raise RunError("there is no torchrun here; start with torchrun --no-python ... p2smt measure --torchrun")
        self.backend = "nccl" if torch.cuda.is_available() else "gloo"
        self.torch_version = str(torch.__version__)

    def __enter__(self) -> Self:
        """Join the other ranks."""
        local = int(os.environ.get("LOCAL_RANK", "0"))
        self._device = torch.device("cuda", local) if self.backend == "nccl" else torch.device("cpu")
        if self.backend == "nccl":
            torch.cuda.set_device(self._device)
        else:
            torch.set_num_threads(1)
        dist.init_process_group(self.backend, timeout=timedelta(seconds=TIMEOUT_S))
        self.rank, self.ranks = dist.get_rank(), dist.get_world_size()
        self._worker = JobRank(self.rank, self._device)
        self._folder = tempfile.TemporaryDirectory(prefix="p2smt-measure-")
        self._written: dict[str, str] = {}
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let the others go, and leave."""
        if self.rank == 0 and kind is None:
            self._told(None)
        self._folder.cleanup()
        if kind is None:
            dist.destroy_process_group()

    def follow(self) -> None:
        """Do what rank 0 says until it is done."""
        while (message := self._told(None)) is not None:
            self._gathered(self._done(*message))

    def time(
        self,
        source: str | None,
        reduction: Sequence[tuple[int, ...]],
        elements: int,
        *,
        warmups: int = 1,
        repeats: int = 3,
        check: bool = False,
        odd: int = 7,
    ) -> JobReport:
        """Time an emitted module on all ranks, or with None a plain all-reduce; see `LabCluster.time`."""
        task = Task("", tuple(map(tuple, reduction)), elements, odd, "float32", repeats, check, TIMEOUT_S)
        job = Job(task, source is None, warmups, check)
        self._told((job, source))
        return JobReport(tuple(self._gathered(self._done(job, source))))

    def _done(self, job: Job, source: str | None) -> JobTimes:
        if source is not None:
            if source not in self._written:
                path = Path(self._folder.name) / f"module{len(self._written)}.py"
                path.write_text(source, encoding="utf-8")
                self._written[source] = str(path)
            job = replace(job, task=replace(job.task, source=self._written[source]))
        return self._worker.times(job)

    def _told(self, message: Any) -> Any:
        """What rank 0 says, on all ranks."""
        box = [message]
        dist.broadcast_object_list(box, src=0, device=self._device)
        return box[0]

    def _gathered(self, times: JobTimes) -> list[JobTimes]:
        box: list[Any] = [None] * self.ranks
        dist.all_gather_object(box, times)
        return box
