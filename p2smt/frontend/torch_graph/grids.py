"""Sampling of images between pixels: `grid_sample` and `affine_grid` in operations of programs.

A point is (x, y) in -1 to 1. Its value is the bilinear interpolation of the four pixels around it,

    sum over corners (i, j) of (1 - |x - i|) * (1 - |y - j|) * image[j, i]

where corners outside are 0, or the pixels at the edge (`padding_mode="border"`).
Complexity: four look-ups for each point.
Reference: Jaderberg et al., "Spatial transformer networks", 2015.
"""

from collections.abc import Sequence
from itertools import product

import torch
from torch import Tensor

from p2smt.errors import CaptureError

_BILINEAR, _NEAREST = 0, 1
_ZEROS, _BORDER = 0, 1


def sampled(image: Tensor, grid: Tensor, mode: int, padding: int, align_corners: bool) -> Tensor:
    """Sample an image [n, c, h, w] at points [n, oh, ow, 2].

    CaptureError for bicubic sampling and reflection padding.
    """
    if mode not in (_BILINEAR, _NEAREST) or padding not in (_ZEROS, _BORDER):
        raise CaptureError(
            'grid_sample is supported with mode "bilinear" or "nearest" and padding_mode "zeros" or "border"'
        )
    height, width = image.shape[-2:]
    x, y = (_pixel(grid[..., at], length, align_corners) for at, length in enumerate((width, height)))
    if padding == _BORDER:
        x, y = x.clamp(0, width - 1), y.clamp(0, height - 1)
    if mode == _NEAREST:
        return _looked_up(image, torch.round(x.detach()), torch.round(y.detach()))
    left, above = torch.floor(x.detach()), torch.floor(y.detach())
    made = torch.zeros(())
    for right, below in product((0, 1), (0, 1)):
        column, row = left + right, above + below
        near = (1 - (x - column).abs()) * (1 - (y - row).abs())
        made = made + _looked_up(image, column, row) * near[:, None]
    return made


def _pixel(place: Tensor, length: int, align_corners: bool) -> Tensor:
    return (place + 1) * ((length - 1) / 2) if align_corners else (place + 1) * (length / 2) - 0.5


def _looked_up(image: Tensor, column: Tensor, row: Tensor) -> Tensor:
    """Return the pixels at integer coordinates [n, oh, ow]; pixels outside the image are 0."""
    (count, channels, height, width), space = image.shape, column.shape[1:]
    inside = (column >= 0) & (column < width) & (row >= 0) & (row < height)
    place = (row * width + column).clamp(0, height * width - 1).to(torch.int64)
    places = place.reshape(count, 1, -1).expand(count, channels, -1)
    found = image.reshape(count, channels, -1).gather(2, places).reshape(count, channels, *space)
    return found * inside[:, None]


def affine_grid(theta: Tensor, size: Sequence[int], align_corners: bool) -> Tensor:
    """Return the grid of points [n, h, w, 2] or [n, d, h, w, 3] after affine maps [n, 2, 3] or [n, 3, 4]."""
    axes = [_places(length, align_corners).to(theta.dtype) for length in reversed(size[2:])]
    shape = tuple(size[2:])
    rank = len(shape)
    whole = [
        each.reshape([-1 if at == rank - 1 - number else 1 for at in range(rank)]).expand(shape)
        for number, each in enumerate(axes)
    ]
    base = torch.stack([*whole, torch.ones(shape, dtype=theta.dtype)], -1).reshape(1, -1, rank + 1)
    return (base @ theta.transpose(1, 2)).reshape(size[0], *shape, rank)


def _places(length: int, align_corners: bool) -> Tensor:
    if align_corners:
        return torch.arange(length) * (2 / max(length - 1, 1)) - 1
    return (torch.arange(length) * 2 + 1) * (1 / length) - 1
