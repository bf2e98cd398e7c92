"""Scatters of elements to positions given by tensors: by index, with a reduction, or where a mask is true; counts.

A scatter with maximum forms an n x m table (n elements, m positions) in which elements for other positions are
masked, and reduces it; this takes more memory than torch's own kernels.

Example: scattering 5, 7, 2 to positions 0, 1, 0 by maximum reduces the rows 5 -inf 2 and -inf 7 -inf to 5 and 7.
"""

import torch
from torch import Tensor
from torch._subclasses.functional_tensor import FunctionalTensor
from torch.utils._python_dispatch import _disable_current_modes, _get_current_dispatch_mode_stack

from p2smt.errors import CaptureError
from p2smt.frontend.torch_graph.bounds import least_bound
from p2smt.frontend.torch_graph.elements import written_elements
from p2smt.frontend.torch_graph.recording import RecordingMode


def scattered(x: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, *, include_self: bool = True) -> Tensor:
    """`torch.scatter_reduce`. CaptureError for products."""
    if reduce in ("amax", "amin"):
        return _scattered_extreme(x, dim, index, src, reduce, include_self)
    if reduce not in ("sum", "mean"):
        raise CaptureError(
            f'scatter_reduce with reduce="{reduce}" is not in the language of tensor programs, which has "sum", '
            '"mean", "amax" and "amin"; use a mask and torch.prod'
        )
    counts = torch.zeros_like(x).scatter_add(dim, index, torch.ones_like(src))
    made = (x if include_self else torch.where(counts > 0, 0.0, x)).scatter_add(dim, index, src)
    return made if reduce == "sum" else made / (counts + include_self).clamp(min=1)


def _scattered_extreme(x: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, include_self: bool) -> Tensor:
    """Return the extreme of the elements scattered to each position; equal elements share the gradient."""
    dim = dim % x.dim()
    src = src[tuple(slice(0, length) for length in index.shape)]
    if any(one != other for at, (one, other) in enumerate(zip(x.shape, src.shape, strict=True)) if at != dim):
        raise CaptureError(
            f'scatter_reduce with reduce="{reduce}" needs an index of the shape of the result, except in dim'
        )
    places = torch.arange(x.shape[dim]).view(-1, *[1] * (x.dim() - dim))
    member = index.unsqueeze(dim) == places
    if not include_self:
        x = torch.where(member.any(dim + 1), -torch.inf if reduce == "amax" else torch.inf, x)
    none = -torch.inf if reduce == "amax" else torch.inf
    each = torch.cat([x.unsqueeze(dim + 1), src.unsqueeze(dim).masked_fill(~member, none)], dim + 1)
    made: Tensor = getattr(torch, reduce)(each, dim + 1)
    return made


def masked_scatter(x: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    """Return x with consecutive source elements where the mask is true."""
    x, mask = torch.broadcast_tensors(x, mask)  # type: ignore[no-untyped-call]
    place = (mask.reshape(-1).cumsum(0) - 1).clamp(0, source.numel() - 1)
    return torch.where(mask, source.reshape(-1)[place].reshape(x.shape), x)


def index_copied(x: Tensor, dim: int, index: Tensor, source: Tensor) -> Tensor:
    """Return x with slices of the source at indices along a dimension; of those at one index the last counts."""
    count = index.numel()
    hits = index.reshape(1, -1) == torch.arange(x.shape[dim])[:, None]
    # Numbered from 1, so that 0 means that nothing is written there; the largest number is the last write.
    last = (hits * torch.arange(1, count + 1)).amax(1) - 1
    placed = source.index_select(dim, last.clamp(min=0))
    written = (last >= 0).view(-1, *[1] * (x.dim() - 1 - dim % x.dim()))
    return torch.where(written, placed, x)


def counted(x: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    """`torch.bincount` of numbers below `minlength`. CaptureError where a number of x decides the result's length."""
    inner = x.from_functional() if isinstance(x, FunctionalTensor) else x
    with _disable_current_modes():  # decompositions run below torch's modes, which would wrap the numbers
        numbers = written_elements(inner)
    if numbers is not None:  # numbers that are known may be larger
        minlength = max(minlength, 1 + int(max(memoryview(numbers).cast("d"), default=-1)))
    elif minlength and not _is_below(inner, minlength):
        raise CaptureError(
            f"bincount(minlength={minlength}) has more than {minlength} elements where a number is {minlength} or "
            "larger, and that depends on the values of tensors, which have none while a step is captured; use "
            f"one_hot(x, {minlength}).sum(0), which takes no such number, or bincount of x.clamp(0, {minlength - 1})"
        )
    if minlength == 0:
        raise CaptureError(
            "bincount has as many elements as the largest number of its argument says, which has no value while a step "
            "is captured; pass minlength, with all numbers below it"
        )
    hits = x[:, None] == torch.arange(minlength)
    if weights is None:
        return hits.sum(0)
    return (hits * weights.to(torch.float32 if weights.dtype is torch.float32 else torch.float64)[:, None]).sum(0)


def _is_below(numbers: Tensor, length: int) -> bool:
    """True if the code that made the numbers keeps them below a length, or if nothing is recorded."""
    tapes = [each.tape for each in _get_current_dispatch_mode_stack() if isinstance(each, RecordingMode)]
    return all(each is None or least_bound(each.nodes, each.reference(numbers)) <= length for each in tapes)
