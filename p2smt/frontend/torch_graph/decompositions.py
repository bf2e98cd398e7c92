"""Decompositions of torch's operations into operations that are recorded, written as PyTorch functions.

Each is registered above autograd, so that its backward pass is derived from its parts. torch's own decompositions are
not used: they exist for some operations only, lack some gradients, and use lookups where moves suffice. Tests compare
each with the operation, values and gradients.

Scans along a dimension of length n run in log2(n) steps (Hillis and Steele, "Data parallel algorithms", 1986), products
by halving:
    x[i] := x[i - w] joined with x[i]   for all i >= w,   w = 1, 2, 4, ... < n.
Complexity: O(n log n) elements for a scan, O(n) for a product.

Example: reflection_pad1d of a b c d by 2 joins the reversed b c, then a b c d, then the reversed b c of the other end.
"""

from collections.abc import Callable, Mapping, Sequence

import torch
from torch import Tensor
from torch._ops import OpOverload

from p2smt.frontend.torch_graph.alignments import connectionist_loss
from p2smt.frontend.torch_graph.elimination import determinant, exponential, inverted, log_determinant, solved
from p2smt.frontend.torch_graph.fourier import complex_to_complex, complex_to_real, real_to_complex
from p2smt.frontend.torch_graph.grids import affine_grid, sampled
from p2smt.frontend.torch_graph.linear_algebra import cholesky, solved_by_factor, solved_triangular
from p2smt.frontend.torch_graph.orders import distances, kth_value, median, median_of, running
from p2smt.frontend.torch_graph.scattering import counted, index_copied, masked_scatter, scattered
from p2smt.frontend.torch_graph.slopes import quantized, random_leaky
from p2smt.frontend.torch_graph.space_pools import (
    adaptive_avg_pool3d,
    adaptive_max_pool2d,
    avg_pool3d,
    max_pool3d,
)
from p2smt.frontend.torch_graph.whole_numbers import differing, either, masked, shifted

_Border = Callable[[Tensor, int, int, bool], Tensor]
_SUM, _MEAN, _MAX = range(3)


def _bordered(border: _Border) -> Callable[[Tensor, Sequence[int]], Tensor]:
    """Padding with border elements, dimension by dimension from the last; negative widths crop."""

    def padded(x: Tensor, padding: Sequence[int]) -> Tensor:
        for number in range(len(padding) // 2):
            before, after = padding[2 * number : 2 * number + 2]
            dim = x.dim() - 1 - number
            start, length = max(-before, 0), x.shape[dim]
            parts = [x.narrow(dim, start, length - start - max(-after, 0))]
            if before > 0:
                parts = [border(x, dim, before, True), *parts]
            if after > 0:
                parts = [*parts, border(x, dim, after, False)]
            x = torch.cat(parts, dim)
        return x

    return padded


def _reflected(x: Tensor, dim: int, width: int, before: bool) -> Tensor:
    return x.narrow(dim, 1 if before else x.shape[dim] - 1 - width, width).flip(dim)


def _replicated(x: Tensor, dim: int, width: int, before: bool) -> Tensor:
    edge = x.narrow(dim, 0 if before else x.shape[dim] - 1, 1)
    return edge.expand([width if at == dim else -1 for at in range(x.dim())])


def _embedding_bag(
    weight: Tensor,
    indices: Tensor,
    offsets: Tensor,
    scale_grad_by_freq: bool = False,
    mode: int = _SUM,
    sparse: bool = False,
    per_sample_weights: Tensor | None = None,
    include_last_offset: bool = False,
    padding_idx: int = -1,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Rows of a table, summed over bags; element j is in bag b if offsets[b] <= j < offsets[b + 1]."""
    rows = torch.embedding(weight, indices, padding_idx, scale_grad_by_freq, sparse)
    count = offsets.shape[0] - include_last_offset
    place = torch.arange(indices.shape[0])
    ends = offsets if include_last_offset else torch.cat([offsets, offsets.new_full((1,), indices.shape[0])])
    member = (ends[:count, None] <= place) & (place < ends[1 : count + 1, None])
    if padding_idx >= 0:
        member = member & (indices != padding_idx)
    shares = member.to(rows.dtype)
    if mode == _MAX:
        made = rows.masked_fill(~member[:, :, None], -torch.inf).amax(1)
        made = torch.where(shares.sum(1, keepdim=True) > 0, made, 0.0)
    elif mode == _MEAN:
        made = shares @ rows / shares.sum(1, keepdim=True).clamp(min=1)
    else:
        made = (shares if per_sample_weights is None else shares * per_sample_weights) @ rows
    return made, indices.new_zeros(indices.shape), indices.new_zeros(count), indices.new_zeros(count)


def _distances(x: Tensor, y: Tensor, p: float, compute_mode: int | None = None) -> Tensor:
    found: Tensor = torch.linalg.vector_norm(x.unsqueeze(-2) - y.unsqueeze(-3), p, dim=-1)
    return found


def _euclidean_distances(x: Tensor, y: Tensor) -> Tensor:
    """Distances of all pairs of rows by one product; the derivative of a distance of 0 is 0, as torch has it."""
    lengths = x.square().sum(-1, keepdim=True), y.square().sum(-1).unsqueeze(-2)
    squares = lengths[0] + lengths[1] - 2 * (x @ y.mT)
    # Of two wheres, since the slope of sqrt at 0 is infinite, and 0 times that is no number.
    apart = squares > 0
    return torch.where(apart, torch.where(apart, squares, 1).sqrt(), 0)


def _doubled(joined: Callable[[Tensor, Tensor], Tensor]) -> Callable[..., Tensor]:
    """Return a scan along a dimension in log2(n) steps of distance 1, 2, 4, ... (Hillis and Steele 1986)."""

    def scanned(x: Tensor, dim: int, dtype: torch.dtype | None = None) -> Tensor:
        x, dim, width = x if dtype is None else x.to(dtype), dim % x.dim(), 1
        while width < x.shape[dim]:
            rest = x.shape[dim] - width
            x = torch.cat([x.narrow(dim, 0, width), joined(x.narrow(dim, width, rest), x.narrow(dim, 0, rest))], dim)
            width *= 2
        return x

    return scanned


def _nan_to_num(
    x: Tensor, nan: float | None = None, posinf: float | None = None, neginf: float | None = None
) -> Tensor:
    most = torch.finfo(x.dtype)
    x = torch.where(torch.isnan(x), 0.0 if nan is None else nan, x)
    return x.clamp(most.min if neginf is None else neginf, most.max if posinf is None else posinf)


def _bucketize(x: Tensor, boundaries: Tensor, *, out_int32: bool = False, right: bool = False) -> Tensor:
    places = x.unsqueeze(-1)
    found = (places >= boundaries if right else places > boundaries).sum(-1)
    return found.to(torch.int32) if out_int32 else found


def _searched(
    boundaries: Tensor,
    x: Tensor,
    *,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Tensor | None = None,
) -> Tensor:
    """Places in sorted rows: `x` has the rows' dimensions but for the last, or the boundaries are one row for all."""
    if sorter is not None:
        boundaries = boundaries.gather(-1, sorter)
    rows = boundaries if boundaries.dim() == 1 else boundaries.unsqueeze(-2)
    return _bucketize(x, rows, out_int32=out_int32, right=right or side == "right")


def _trace(x: Tensor) -> Tensor:
    return x.diagonal().sum()


def _product(x: Tensor, dim: int, keepdim: bool = False, *, dtype: torch.dtype | None = None) -> Tensor:
    """Return the product along a dimension, multiplying both halves repeatedly until one element is left."""
    x = x.to(dtype or (x.dtype if x.is_floating_point() else torch.int64))
    while (length := x.shape[dim]) > 1:
        half = length // 2
        made = x.narrow(dim, 0, half) * x.narrow(dim, half, half)
        x = made if length == 2 * half else torch.cat([made, x.narrow(dim, length - 1, 1)], dim)
    return x if keepdim else x.squeeze(dim)


def _whole_product(x: Tensor, *, dtype: torch.dtype | None = None) -> Tensor:
    return _product(x.reshape(-1), 0, dtype=dtype)


def _multi_margin_loss(
    x: Tensor, target: Tensor, p: int = 1, margin: float = 1, weight: Tensor | None = None, reduction: int = 1
) -> Tensor:
    rows, places = x.reshape(-1, x.shape[-1]), target.reshape(-1, 1)
    apart = (margin - rows.gather(1, places) + rows).clamp(min=0)
    # The target's own class is no violation: its term, margin to itself, is masked out.
    others = torch.arange(rows.shape[1]) != places
    each = apart**p * others if weight is None else apart**p * others * weight[places]
    made: Tensor = each.sum(1) / rows.shape[1]
    return (made.reshape(target.shape), made.mean(), made.sum())[reduction]


def _overloads() -> dict[OpOverload, Callable[..., object]]:
    aten = torch.ops.aten
    found: dict[OpOverload, Callable[..., object]] = {
        aten._embedding_bag.default: _embedding_bag,
        aten._embedding_bag_forward_only.default: _embedding_bag,
        aten._cdist_forward.default: _distances,
        aten._euclidean_dist.default: _euclidean_distances,
        aten.cumprod.default: _doubled(torch.mul),
        aten.logcumsumexp.default: _doubled(torch.logaddexp),
        aten.adaptive_max_pool2d.default: adaptive_max_pool2d,
        aten.max_pool3d.default: max_pool3d,
        aten.avg_pool3d.default: avg_pool3d,
        aten._adaptive_avg_pool3d.default: adaptive_avg_pool3d,
        aten.nan_to_num.default: _nan_to_num,
        aten.bucketize.Tensor: _bucketize,
        aten.searchsorted.Tensor: _searched,
        aten.bincount.default: counted,
        aten.trace.default: _trace,
        aten.scatter_reduce.two: scattered,
        aten.prod.dim_int: _product,
        aten.prod.default: _whole_product,
        aten.masked_scatter.default: masked_scatter,
        aten.index_copy.default: index_copied,
        aten.multi_margin_loss.default: _multi_margin_loss,
        aten.linalg_solve_triangular.default: solved_triangular,
        aten.linalg_cholesky.default: cholesky,
        aten.cholesky_solve.default: solved_by_factor,
        aten.grid_sampler_2d.default: sampled,
        aten.affine_grid_generator.default: affine_grid,
        aten.ctc_loss.Tensor: connectionist_loss,
        aten.ctc_loss.IntList: connectionist_loss,
        aten._linalg_solve_ex.default: solved,
        aten.linalg_inv_ex.default: inverted,
        aten._linalg_slogdet.default: log_determinant,
        aten._linalg_det.default: determinant,
        aten.linalg_matrix_exp.default: exponential,
        aten.kthvalue.default: kth_value,
        aten.median.dim: median_of,
        aten.median.default: median,
        aten.cummax.default: running(torch.ge),
        aten.cummin.default: running(torch.le),
        aten._pdist_forward.default: distances,
        aten.rrelu.default: random_leaky,
        aten.fake_quantize_per_tensor_affine.default: quantized,
        aten.bitwise_and.Scalar: masked,
        aten.bitwise_or.Scalar: either,
        aten.bitwise_xor.Scalar: differing,
        aten.__lshift__.Scalar: shifted(1),
        aten.__lshift__.Tensor: shifted(1),
        aten.__rshift__.Scalar: shifted(-1),
        aten.__rshift__.Tensor: shifted(-1),
        aten._fft_r2c.default: real_to_complex,
        aten._fft_c2c.default: complex_to_complex,
        aten._fft_c2r.default: complex_to_real,
    }
    for rank in (1, 2, 3):
        found[getattr(aten, f"reflection_pad{rank}d").default] = _bordered(_reflected)
        found[getattr(aten, f"replication_pad{rank}d").default] = _bordered(_replicated)
    return found


DECOMPOSED: Mapping[OpOverload, Callable[..., object]] = _overloads()
