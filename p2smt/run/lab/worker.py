"""One rank in a laboratory: joins the others over its host's network card, then runs what it is told to.

Imports torch, in the processes of a cluster alone.
"""

import os
import time
from datetime import timedelta
from multiprocessing.connection import Connection
from typing import Any

import torch
import torch.distributed as dist

from p2smt.run.lab.message import Job, JobTimes, LabStart
from p2smt.run.local.checking import Act, data, inputs, mismatches, poisoned_reduce, seconds
from p2smt.run.local.joining import join
from p2smt.run.local.message import Failure, Task
from p2smt.run.local.modules import load_module
from p2smt.run.local.worker import Groups, run_task


class JobRank:
    """What a rank keeps from job to job: process groups by their ranks, reductions by the file they came from."""

    def __init__(self, rank: int, device: torch.device | None = None) -> None:
        """Nothing is kept yet; tensors live on `device`, the CPU where none is named."""
        self.rank = rank
        self.device = torch.device("cpu") if device is None else device
        self.groups: Groups = {}
        self.reductions: dict[str, Any] = {}

    def answer(self, message: object) -> object:
        """What a task or job comes to."""
        match message:
            case Task():
                return run_task(message, self.rank, self.groups)
            case Job():
                return self.times(message)
            case _:
                return Failure(f"{type(message).__name__} is no job")

    def times(self, job: Job) -> JobTimes:
        """What a job takes on this rank, and whether its numbers are right."""
        task = job.task
        began = time.perf_counter()
        plain = self._allreduce(task)
        reduction = None if job.plain else self._reduction(task)
        group_seconds = time.perf_counter() - began
        members = len(self._mine(task))
        wrong = None
        if job.check and reduction is not None:
            with poisoned_reduce(self.rank):
                tensors = inputs(task, self.rank, members, self.device)
                wrong = sum(mismatches(reduction, plain, tensor) for tensor in tensors)
        act = plain if reduction is None else lambda tensor: reduction(tensor, out=tensor)
        tensor = data(task, self.rank, members, task.elements, self.device)
        times = seconds(act, tensor, job.warmups + task.repeats)
        return JobTimes(self.rank, wrong, group_seconds, times[job.warmups :])

    def _reduction(self, task: Task) -> Any:
        if task.source not in self.reductions:
            made = load_module(task.source).Reduction(timedelta(seconds=task.timeout_s), self.groups)
            self.reductions[task.source] = made
        return self.reductions[task.source]

    def _allreduce(self, task: Task) -> Act:
        for ranks in task.reduction:
            if ranks not in self.groups:
                self.groups[ranks] = dist.new_group(list(ranks), timeout=timedelta(seconds=task.timeout_s))
        group = self.groups[self._mine(task)]
        return lambda tensor: dist.all_reduce(tensor, group=group)

    def _mine(self, task: Task) -> tuple[int, ...]:
        return next(ranks for ranks in task.reduction if self.rank in ranks)


def serve(start: LabStart, pipe: Connection) -> None:
    """Join the other ranks, then answer every task and job until the pipe closes."""
    try:
        os.environ["GLOO_SOCKET_IFNAME"] = start.interface
        join(start.start, pipe, start.first_address)
        rank = JobRank(start.start.rank)
        while True:
            pipe.send(rank.answer(pipe.recv()))
    except EOFError:
        return
    except Exception as error:
        pipe.send(Failure(f"{type(error).__name__}: {error}"))
