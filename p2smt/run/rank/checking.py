"""Compare an emitted reduction with torch's collective of the same goal, on one rank; imports torch."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any  # Any: torch's values

import torch
import torch.distributed as dist

from p2smt.collective import Collective
from p2smt.run.rank.message import Task
from p2smt.run.rank.plain import Plain

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


@dataclass(frozen=True, slots=True)
class CheckCase:
    """The input of a rank, and the number of elements of the whole payload."""

    tensor: torch.Tensor
    elements: int


def cases(task: Task, plain: Plain, multiple: int, device: torch.device = CPU) -> Iterator[CheckCase]:
    """Yield a contiguous input, a non-contiguous one whose payload `multiple` does not divide, and an empty one."""
    odd = multiple + 1 if multiple > 1 else 7
    yield CheckCase(data(task, plain, task.elements, device), task.elements)
    spread = data(task, plain, odd, device)
    yield CheckCase(torch.stack([spread, spread], 1)[:, :1], odd)
    yield CheckCase(data(task, plain, 0, device), 0)


def data(task: Task, plain: Plain, elements: int, device: torch.device = CPU) -> torch.Tensor:
    """Return this rank's input for a payload: rank-dependent integers, small enough that every sum is exact.

    Inputs that must not affect the result, such as those of a broadcast's non-root ranks, are filled with
    poison values.
    """
    members = len(plain.ranks)
    # Small enough that a sum over all ranks is exact in the data type.
    largest = max(1, min(1000, _EXACT.get(task.dtype, _PLENTY) // members))
    least = 0 if task.dtype == "uint8" else -largest
    # Each rank draws other numbers, the same in every run.
    random = torch.Generator().manual_seed(1000 * elements + plain.rank)
    length = -(-elements // members) if plain.goal.gathers else elements
    values = torch.randint(least, largest + 1, (length,), generator=random).to(device, getattr(torch, task.dtype))
    return poisoned(values) if plain.goal.from_root and not plain.is_root else values


def poisoned(tensor: torch.Tensor) -> torch.Tensor:
    """Fill the tensor with a value that no sum of small integers yields: NaN, or the largest integer."""
    exact = not (tensor.is_floating_point() or tensor.is_complex())
    return tensor.fill_(torch.iinfo(tensor.dtype).max if exact else float("nan"))


def mismatches(reduction: Any, plain: Plain, case: CheckCase) -> int:
    """Return the number of wrong elements, with new and with given output tensors, and in the preserved input."""
    tensor = case.tensor
    expected = plain(tensor.clone(memory_format=torch.contiguous_format))
    before = tensor.clone()
    wrong = differing(reduction(tensor), expected) + differing(tensor, before)
    match plain.goal:
        case Collective.ALL_REDUCE | Collective.BROADCAST:
            reduction(tensor, out=tensor)
            return wrong + differing(tensor, expected)
        case Collective.REDUCE:
            result = reduction(tensor, out=tensor)
            return wrong + differing(tensor if plain.is_root else result, expected)
        case Collective.REDUCE_SCATTER:
            part = poisoned(torch.empty_like(expected))
            reduction(tensor, out=part)
            return wrong + differing(part, expected)
        case Collective.ALL_GATHER:
            return wrong + _gathered_wrong(reduction, plain, case, expected)


def _gathered_wrong(reduction: Any, plain: Plain, case: CheckCase, expected: torch.Tensor) -> int:
    """Return wrong elements of an all-gather into a tensor of the payload's length, and in place.

    In place means that this rank's shard already lies at its position in the padded output.
    """
    payload = poisoned(expected.new_empty(case.elements))
    reduction(case.tensor, out=payload)
    whole, position = poisoned(torch.empty_like(expected)), plain.ranks.index(plain.rank)
    shard = whole.view(len(plain.ranks), -1)[position] if whole.numel() else whole
    reduction(shard.copy_(case.tensor.reshape(-1)), out=whole)
    return differing(payload, expected[: case.elements]) + differing(whole, expected)


def differing(result: torch.Tensor, expected: torch.Tensor) -> int:
    """Return the number of elements that differ; NaN equals NaN."""
    if result.shape != expected.shape or result.dtype != expected.dtype:
        return max(result.numel(), expected.numel())
    return int(((result != expected) & ~(result.isnan() & expected.isnan())).sum())


@dataclass(frozen=True, slots=True)
class _PendingReduction:
    """An asynchronous reduction; after waiting, `undefined` is filled with poison values."""

    work: Any
    undefined: torch.Tensor | None

    def wait(self) -> None:
        self.work.wait()
        if self.undefined is not None:
            poisoned(self.undefined)


@contextmanager
def poisoned_reduce(rank: int) -> Iterator[None]:
    """Make dist.reduce poison the output on non-root ranks in the context, so that no plan can rely on it."""
    plain = dist.reduce

    def spoiled(
        tensor: torch.Tensor, dst: int, group: dist.ProcessGroup, async_op: bool = False
    ) -> "_PendingReduction | None":
        work = _PendingReduction(plain(tensor, dst=dst, group=group, async_op=True), None if rank == dst else tensor)
        if async_op:
            return work
        work.wait()
        return None

    _c10d.reduce = spoiled
    try:
        yield
    finally:
        _c10d.reduce = plain
