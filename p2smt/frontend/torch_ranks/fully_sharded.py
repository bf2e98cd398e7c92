"""The operations of `fully_shard` in terms of torch's own, without freeing memory.

They pack parameters into one buffer and unpack them. Here each tensor is copied separately, with the same result
as the fused kernels. Buffers are not freed, because torch never reads a freed one.
"""

from collections.abc import Callable, Mapping, Sequence

import torch
from torch._ops import OpOverload
from torch.distributed.fsdp._fully_shard import _fsdp_init, _fsdp_param

Tensor = torch.Tensor
NAMESPACE = "fsdp"


def _all_gather_copy_in(
    inputs: Sequence[Tensor], output: Tensor, sizes: Sequence[int], count: int, rank: int
) -> tuple[Tensor, Tensor]:
    own = output.narrow(0, count * rank, count)
    for target, source in zip(torch.split(own, list(sizes)), inputs, strict=True):
        target.copy_(source)
    return own, output


def _split_with_sizes_copy(source: Tensor, sizes: Sequence[int], dim: int = 0, *, out: Sequence[Tensor]) -> None:
    for target, part in zip(out, torch.split(source, list(sizes), dim), strict=True):
        target.copy_(part.reshape(target.shape))


def _chunk_cat(tensors: Sequence[Tensor], dim: int, count: int, *, out: Tensor) -> None:
    """Write the n-th chunks of all tensors, padded to equal length, as row n of `out`."""
    columns = []
    for each in tensors:
        rows = -(-each.shape[dim] // count) * count
        more = each.new_zeros((rows - each.shape[dim], *each.shape[1:]))
        columns.append((torch.cat([each, more]) if rows > each.shape[dim] else each).reshape(count, -1))
    out.copy_(torch.cat(columns, dim=1).reshape(out.shape))


_CALLS: Mapping[str, Callable[..., object]] = {
    "all_gather_copy_in": _all_gather_copy_in,
    "split_with_sizes_copy": _split_with_sizes_copy,
    "chunk_cat": _chunk_cat,
}


def packed(operation: OpOverload) -> Callable[..., object] | None:
    """Return the operation composed of torch's own; None if it is unknown."""
    return _CALLS.get(operation.overloadpacket.__name__)


def sharding_patches(
    real: Callable[[Callable[..., object]], Callable[..., object]],
) -> tuple[tuple[object, str, object], ...]:
    """Return replacements for functions of torch; `real` wraps functions that need tensors with real numbers."""

    def kept(tensor: Tensor) -> None:
        """Keep the memory, which `fully_shard` would free."""

    return (
        (_fsdp_init, "init_device_mesh", real(_fsdp_init.init_device_mesh)),
        (_fsdp_param, "free_storage", kept),
        (_fsdp_param, "alloc_storage", kept),
    )
