"""Whether a reduction gives the numbers of a plain all-reduce, and how long it takes, on one rank; imports torch."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
import torch.distributed as dist

from p2smt.run.local.message import Task

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

CPU = torch.device("cpu")

Act = Callable[[torch.Tensor], object]


def inputs(task: Task, rank: int, members: int, device: torch.device = CPU) -> Iterator[torch.Tensor]:
    """A flat tensor, one of two dimensions with gaps in memory whose length does not divide, an empty one."""
    yield data(task, rank, members, task.elements, device)
    yield data(task, rank, members, 2 * task.odd, device).view(task.odd, 2)[:, :1]
    yield data(task, rank, members, 0, device)


def data(task: Task, rank: int, members: int, length: int, device: torch.device = CPU) -> torch.Tensor:
    """Integers, other ones on every rank, so small that every sum of `members` of them is exact."""
    largest = max(1, min(1000, _EXACT.get(task.dtype, _PLENTY) // members))
    least = 0 if task.dtype == "uint8" else -largest
    random = torch.Generator().manual_seed(1000 * length + rank)
    return torch.randint(least, largest + 1, (length,), generator=random).to(device, getattr(torch, task.dtype))


def mismatches(reduction: Any, allreduce: Act, tensor: torch.Tensor) -> int:
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


def seconds(act: Act, tensor: torch.Tensor, repeats: int) -> tuple[float, ...]:
    """Seconds that every repeat takes on this rank, begun together."""
    found = []
    for _ in range(repeats):
        again = tensor.clone()
        dist.barrier()
        began = time.perf_counter()
        act(again)
        if again.is_cuda:
            torch.cuda.synchronize(again.device)
        found.append(time.perf_counter() - began)
    return tuple(found)


@contextmanager
def poisoned_reduce(rank: int) -> Iterator[None]:
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
