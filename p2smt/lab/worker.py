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

from p2smt.lab.message import Job, JobTimes, LabStart
from p2smt.run import worker as local
from p2smt.run.message import Failure, Joined, Task

# The same module, for names that it has but does not declare.
_c10d: Any = dist


class _Rank:
    """What a rank keeps from job to job: process groups by their ranks, reductions by the file they came from."""

    def __init__(self, rank: int) -> None:
        self.rank = rank
        self.groups: local.Groups = {}
        self.reductions: dict[str, Any] = {}

    def answer(self, message: object) -> object:
        match message:
            case Task():
                return local._run(message, self.rank, self.groups)
            case Job():
                return self._times(message)
            case _:
                return Failure(f"{type(message).__name__} is no job")

    def _times(self, job: Job) -> JobTimes:
        task = job.task
        began = time.perf_counter()
        plain = self._allreduce(task)
        reduction = None if job.plain else self._reduction(task)
        group_seconds = time.perf_counter() - began
        members = len(self._mine(task))
        mismatches = None
        if job.check and reduction is not None:
            with local._poisoned_reduce(self.rank):
                inputs = local._inputs(task, self.rank, members)
                mismatches = sum(local._mismatches(reduction, plain, tensor) for tensor in inputs)
        act = plain if reduction is None else lambda tensor: reduction(tensor, out=tensor)
        data = local._data(task, self.rank, members, task.elements)
        seconds = local._seconds(act, data, job.warmups + task.repeats)
        return JobTimes(self.rank, mismatches, group_seconds, seconds[job.warmups :])

    def _reduction(self, task: Task) -> Any:
        if task.source not in self.reductions:
            made = local._module(task.source).Reduction(timedelta(seconds=task.timeout_s), self.groups)
            self.reductions[task.source] = made
        return self.reductions[task.source]

    def _allreduce(self, task: Task) -> local.Act:
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
        _join(start, pipe)
        rank = _Rank(start.start.rank)
        while True:
            pipe.send(rank.answer(pipe.recv()))
    except EOFError:
        return
    except Exception as error:
        pipe.send(Failure(f"{type(error).__name__}: {error}"))


def _join(start: LabStart, pipe: Connection) -> None:
    """Rank 0 listens at its host's address and tells the port; all else as on one machine."""
    torch.set_num_threads(1)
    os.environ["GLOO_SOCKET_IFNAME"] = start.interface
    own = start.start
    if own.debug:
        os.environ["TORCH_DISTRIBUTED_DEBUG"] = "DETAIL"
        _c10d.set_debug_level(_c10d.DebugLevel.DETAIL)
    timeout = timedelta(seconds=own.timeout_s)
    first = own.rank == 0
    port = 0 if first else pipe.recv()
    store = _c10d.TCPStore(start.first_address, port, own.ranks, first, timeout, wait_for_workers=False)
    if first:
        pipe.send(Joined(store.port, str(torch.__version__)))
    dist.init_process_group("gloo", store=store, rank=own.rank, world_size=own.ranks, timeout=timeout)
    pipe.send(Joined(store.port, str(torch.__version__)))
