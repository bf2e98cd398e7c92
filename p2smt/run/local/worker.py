"""One rank of a cluster: joins the others, then runs emitted modules that it is told to run.

Imports torch, in the processes of a cluster alone.
"""

import time
from contextlib import nullcontext
from datetime import timedelta
from multiprocessing.connection import Connection

import torch
import torch.distributed as dist

from p2smt.run.local.checking import data, inputs, mismatches, poisoned_reduce, seconds
from p2smt.run.local.joining import join
from p2smt.run.local.message import Failure, Start, Task
from p2smt.run.local.modules import load_module
from p2smt.run.local.report import RankReport

Groups = dict[tuple[int, ...], dist.ProcessGroup]


def serve(start: Start, pipe: Connection) -> None:
    """Join the other ranks, then answer every task with a RankReport or a Failure until the pipe closes."""
    try:
        join(start, pipe, "127.0.0.1")
        groups: Groups = {}
        while True:
            pipe.send(run_task(pipe.recv(), start.rank, groups))
    except EOFError:
        return
    except Exception as error:
        pipe.send(Failure(f"{type(error).__name__}: {error}"))


def run_task(task: Task, rank: int, groups: Groups) -> RankReport:
    """What a task comes to on this rank; `groups` are those that exist, by their ranks."""
    timeout = timedelta(seconds=task.timeout_s)
    module = load_module(task.source)
    began = time.perf_counter()
    reduction = module.Reduction(timeout, groups)
    group_seconds = time.perf_counter() - began
    for ranks in task.reduction:
        if ranks not in groups:
            groups[ranks] = dist.new_group(list(ranks), timeout=timeout)
    mine = next(ranks for ranks in task.reduction if rank in ranks)

    def allreduce(tensor: torch.Tensor) -> None:
        dist.all_reduce(tensor, group=groups[mine])

    with poisoned_reduce(rank) if task.poison else nullcontext():
        wrong = sum(mismatches(reduction, allreduce, tensor) for tensor in inputs(task, rank, len(mine)))
    timed = data(task, rank, len(mine), task.elements)
    return RankReport(
        rank,
        wrong,
        group_seconds,
        seconds(lambda tensor: reduction(tensor, out=tensor), timed, task.repeats),
        seconds(allreduce, timed, task.repeats),
    )
