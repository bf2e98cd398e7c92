"""Elements that go to places which other tensors name: to indices, with a reduction, or where a mask is true.

The largest that goes to each place is that of all elements which are not masked for the place, n x m for n elements and
m places: memory that grows with both, as torch's own kernels need it not.

Example: of 5, 7, 2 to places 0, 1, 0 the largest are 5 and 7, those of the rows 5 -inf 2 and -inf 7 -inf.
"""

import torch
from torch import Tensor

from p2smt.errors import CaptureError


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
    """The largest or smallest of what goes to each place, for each place among all; equal ones share the gradient."""
    dim = dim % x.dim()
    src = src[tuple(slice(0, length) for length in index.shape)]
    if any(one != other for at, (one, other) in enumerate(zip(x.shape, src.shape, strict=True)) if at != dim):
        raise CaptureError(
            f'scatter_reduce with reduce="{reduce}" has an index of the shape of the result, but for dim'
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
    """Elements of a source, in their order, where a mask is true."""
    x, mask = torch.broadcast_tensors(x, mask)  # type: ignore[no-untyped-call]
    place = (mask.reshape(-1).cumsum(0) - 1).clamp(0, source.numel() - 1)
    return torch.where(mask, source.reshape(-1)[place].reshape(x.shape), x)
