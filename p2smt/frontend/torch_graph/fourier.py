"""Discrete Fourier transforms as products with matrices of cosines and sines.

    X[k] = sum over j of x[j] * (cos(2 pi j k / n) + sign * i * sin(2 pi j k / n)),   sign = -1 forward, 1 backward

dimension by dimension. Each element costs n products, instead of log2(n) in torch, because programs have no FFT.
For a real signal n // 2 + 1 values suffice: the others are their conjugates, so that in the inverse transform all
values but the first (and the middle one of an even length) count twice.
Complexity: O(n) products for each element of a dimension of n.
Reference: Cooley and Tukey, "An algorithm for the machine calculation of complex Fourier series", 1965 (the FFT, with
which this agrees).
"""

from collections.abc import Sequence
from math import pi, prod, sqrt

import torch
from torch import Tensor

_BY_ROOT, _BY_LENGTH = 1, 2


def real_to_complex(x: Tensor, dim: Sequence[int], normalization: int, onesided: bool) -> Tensor:
    """Return the transform of a real signal; if one-sided, only n // 2 + 1 values along the last of `dim`."""
    *others, last = [each % x.dim() for each in dim]
    rows = x.shape[last] // 2 + 1 if onesided else x.shape[last]
    real, imaginary = _turned((x, None), last, rows, -1)
    for each in others:
        real, imaginary = _turned((real, imaginary), each, x.shape[each], -1)
    return _scaled(torch.complex(real, imaginary), prod(x.shape[each] for each in dim), normalization)


def complex_to_complex(x: Tensor, dim: Sequence[int], normalization: int, forward: bool) -> Tensor:
    """The transform of complex numbers."""
    real, imaginary = x.real, x.imag
    for each in dim:
        real, imaginary = _turned((real, imaginary), each % x.dim(), x.shape[each], -1 if forward else 1)
    return _scaled(torch.complex(real, imaginary), prod(x.shape[each] for each in dim), normalization)


def complex_to_real(x: Tensor, dim: Sequence[int], normalization: int, last_dim_size: int) -> Tensor:
    """Return the real signal of a one-sided transform; its last dimension has length `last_dim_size`."""
    *others, last = [each % x.dim() for each in dim]
    real, imaginary = x.real, x.imag
    for each in others:
        real, imaginary = _turned((real, imaginary), each, x.shape[each], 1)
    cosines, sines = (each.to(real.dtype) for each in _matrix(last_dim_size, x.shape[last]))
    twice = torch.full((x.shape[last],), 2.0, dtype=real.dtype)
    index = torch.arange(x.shape[last])
    twice = torch.where((index == 0) | (index * 2 == last_dim_size), 1.0, twice)
    pair = [each.movedim(last, -1) * twice for each in (real, imaginary)]
    made: Tensor = (pair[0] @ cosines.T - pair[1] @ sines.T).movedim(-1, last)
    return _scaled(made, last_dim_size * prod(x.shape[each] for each in others), normalization)


def _matrix(length: int, rows: int) -> tuple[Tensor, Tensor]:
    """Return cosines and sines of 2 pi j k / length for j < length and k < rows."""
    turns = torch.arange(length)[:, None] * torch.arange(rows) % length
    angles = turns.to(torch.float64) * (2 * pi / length)
    return torch.cos(angles), torch.sin(angles)


def _turned(pair: tuple[Tensor, Tensor | None], dim: int, rows: int, sign: int) -> tuple[Tensor, Tensor]:
    """Return the transform along one dimension, as real and imaginary part."""
    real, imaginary = pair[0].movedim(dim, -1), None if pair[1] is None else pair[1].movedim(dim, -1)
    cosines, sines = (each.to(real.dtype) for each in _matrix(real.shape[-1], rows))
    sines = sines * sign
    made = real @ cosines, real @ sines
    if imaginary is not None:
        made = made[0] - imaginary @ sines, made[1] + imaginary @ cosines
    return made[0].movedim(-1, dim), made[1].movedim(-1, dim)


def _scaled(x: Tensor, count: int, normalization: int) -> Tensor:
    if normalization == _BY_ROOT:
        return x * (1 / sqrt(count))
    return x * (1 / count) if normalization == _BY_LENGTH else x
