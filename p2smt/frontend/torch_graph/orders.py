"""Order statistics and running extremes by sorting, comparing and choosing, which the tensor language has.

A running maximum joins pairs in log2(n) steps of distance 1, 2, 4, ... (Hillis and Steele, Communications of the ACM
29, 1986); of equal elements the later one counts, as in torch.

Example: of 2 5 3 5 the running maximum is 2 5 5 5, at 0 1 1 3; the median, the lower of the two, is 3, at 2.
"""

from collections.abc import Callable

import torch
from torch import Tensor

Found = tuple[Tensor, Tensor]


def kth_value(x: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> Found:
    """`torch.kthvalue`."""
    if not x.dim():
        return x.clone(), torch.zeros((), dtype=torch.int64)
    index = x.detach().sort(dim).indices.narrow(dim, k - 1, 1)
    found = x.gather(dim, index), index
    return found if keepdim else (found[0].squeeze(dim), found[1].squeeze(dim))


def median_of(x: Tensor, dim: int, keepdim: bool = False) -> Found:
    """`torch.median` along a dimension."""
    return kth_value(x, (x.shape[dim] + 1) // 2 if x.dim() else 1, dim, keepdim)


def median(x: Tensor) -> Tensor:
    """`torch.median` of all elements, whose gradient equal elements share."""
    flat = x.reshape(-1)
    found = flat.detach().sort(0).values[(flat.shape[0] - 1) // 2]
    equal = flat == found
    # The number itself, with the gradient of the mean of those that are equal to it.
    mean: Tensor = torch.where(equal, flat, 0).sum() / equal.sum()
    return found + (mean - mean.detach())


def running(wins: Callable[[Tensor, Tensor], Tensor]) -> Callable[[Tensor, int], Found]:
    """Return `torch.cummax` or `cummin`; `wins` compares a later element with an earlier one."""

    def scanned(x: Tensor, dim: int) -> Found:
        if not x.dim():
            return x.clone(), torch.zeros((), dtype=torch.int64)
        length, width = x.shape[dim], 1
        index = torch.arange(length).view(-1, *[1] * (x.dim() - 1 - dim % x.dim())).expand(x.shape)
        # Before a turn each place has the extreme of `width` elements up to it; a turn joins it with those before.
        while width < length:
            rest = length - width
            later = wins(x.detach().narrow(dim, width, rest), x.detach().narrow(dim, 0, rest))
            x, index = (
                torch.cat(
                    [
                        each.narrow(dim, 0, width),
                        torch.where(later, each.narrow(dim, width, rest), each.narrow(dim, 0, rest)),
                    ],
                    dim,
                )
                for each in (x, index)
            )
            width *= 2
        return x.clone(), index.clone()

    return scanned


def distances(x: Tensor, p: float = 2.0) -> Tensor:
    """`torch.pdist`: distances of all pairs of rows, each pair once."""
    one, other = torch.triu_indices(x.shape[0], x.shape[0], 1)
    found: Tensor = torch.linalg.vector_norm(x[one] - x[other], p, dim=-1)
    return found
