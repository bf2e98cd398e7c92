"""One rank of a cluster: joins the others, then runs emitted modules that it is told to run.

The only module of p2smt that imports torch; it is imported in the processes of a cluster alone.
"""

import importlib.util
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from multiprocessing.connection import Connection
from types import ModuleType
from typing import Any

import torch
import torch.distributed as dist

from p2smt.run.message import Failure, Joined, Start, Task
from p2smt.run.report import RankReport

# Largest integer up to which sums in a data type are exact; no larger sum is made.
_EXACT = {
    "int8": 127,
    "uint8": 255,
    "bfloat16": 256,
    "float16": 2048,
}
_PLENTY = 1_000_000

# The same module, for names that it has but does not declare.
_c10d: Any = dist

Groups = dict[tuple[int, ...], dist.ProcessGroup]
Act = Callable[[torch.Tensor], object]


def serve(start: Start, pipe: Connection) -> None:
    """Join the other ranks, then answer every task with a RankReport or a Failure until the pipe closes."""
    try:
        _join(start, pipe)
        groups: Groups = {}
        while True:
            pipe.send(_run(pipe.recv(), start.rank, groups))
    except EOFError:
        return
    except Exception as error:
        pipe.send(Failure(f"{type(error).__name__}: {error}"))


def _join(start: Start, pipe: Connection) -> None:
    """Rank 0 picks a free port and tells it; the others are told, so no port can be taken in between."""
    torch.set_num_threads(1)
    if start.debug:
        os.environ["TORCH_DISTRIBUTED_DEBUG"] = "DETAIL"
        _c10d.set_debug_level(_c10d.DebugLevel.DETAIL)
    timeout = timedelta(seconds=start.timeout_s)
    first = start.rank == 0
    port = 0 if first else pipe.recv()
    store = _c10d.TCPStore("127.0.0.1", port, start.ranks, first, timeout, wait_for_workers=False)
    if first:
        pipe.send(Joined(store.port, str(torch.__version__)))
    dist.init_process_group("gloo", store=store, rank=start.rank, world_size=start.ranks, timeout=timeout)
    pipe.send(Joined(store.port, str(torch.__version__)))


def _run(task: Task, rank: int, groups: Groups) -> RankReport:
    timeout = timedelta(seconds=task.timeout_s)
    module = _module(task.source)
    began = time.perf_counter()
    reduction = module.Reduction(timeout, groups)
    group_seconds = time.perf_counter() - began
    for ranks in task.reduction:
        if ranks not in groups:
            groups[ranks] = dist.new_group(list(ranks), timeout=timeout)
    mine = next(ranks for ranks in task.reduction if rank in ranks)

    def allreduce(tensor: torch.Tensor) -> None:
        dist.all_reduce(tensor, group=groups[mine])

    with _poisoned_reduce(rank) if task.poison else _as_it_is():
        mismatches = sum(_mismatches(reduction, allreduce, tensor) for tensor in _inputs(task, rank, len(mine)))
    timed = _data(task, rank, len(mine), task.elements)
    return RankReport(
        rank,
        mismatches,
        group_seconds,
        _seconds(lambda tensor: reduction(tensor, out=tensor), timed, task.repeats),
        _seconds(allreduce, timed, task.repeats),
    )


def _module(path: str) -> ModuleType:
    sys.dont_write_bytecode = True
    spec = importlib.util.spec_from_file_location("emitted_reduction", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _inputs(task: Task, rank: int, members: int) -> Iterator[torch.Tensor]:
    """A flat tensor, one of two dimensions with gaps in memory whose length does not divide, an empty one."""
    yield _data(task, rank, members, task.elements)
    yield _data(task, rank, members, 2 * task.odd).view(task.odd, 2)[:, :1]
    yield _data(task, rank, members, 0)


def _data(task: Task, rank: int, members: int, length: int) -> torch.Tensor:
    """Integers, other ones on every rank, so small that every sum of `members` of them is exact."""
    largest = max(1, min(1000, _EXACT.get(task.dtype, _PLENTY) // members))
    least = 0 if task.dtype == "uint8" else -largest
    random = torch.Generator().manual_seed(1000 * length + rank)
    return torch.randint(least, largest + 1, (length,), generator=random).to(getattr(torch, task.dtype))


def _mismatches(reduction: Any, allreduce: Act, tensor: torch.Tensor) -> int:
    """Elements that differ after the plan out of place, in its input, and after the plan in place."""
    expected = tensor.clone(memory_format=torch.contiguous_format)
    allreduce(expected)
    before = tensor.clone()
    wrong = _differing(reduction(tensor), expected) + _differing(tensor, before)
    reduction(tensor, out=tensor)
    return wrong + _differing(tensor, expected)


def _differing(found: torch.Tensor, expected: torch.Tensor) -> int:
    if found.shape != expected.shape or found.dtype != expected.dtype:
        return expected.numel()
    return int((found != expected).sum())


def _seconds(act: Act, tensor: torch.Tensor, repeats: int) -> tuple[float, ...]:
    found = []
    for _ in range(repeats):
        again = tensor.clone()
        dist.barrier()
        began = time.perf_counter()
        act(again)
        found.append(time.perf_counter() - began)
    return tuple(found)


@contextmanager
def _poisoned_reduce(rank: int) -> Iterator[None]:
    """Spoil what dist.reduce leaves on ranks that are not the root, so that no plan can profit from it."""
    plain = dist.reduce

    def spoiled(tensor: torch.Tensor, dst: int, group: dist.ProcessGroup) -> None:
        plain(tensor, dst=dst, group=group)
        if rank != dst:
            exact = not (tensor.is_floating_point() or tensor.is_complex())
            tensor.fill_(torch.iinfo(tensor.dtype).max if exact else float("nan"))

    _c10d.reduce = spoiled
    try:
        yield
    finally:
        _c10d.reduce = plain


@contextmanager
def _as_it_is() -> Iterator[None]:
    yield
