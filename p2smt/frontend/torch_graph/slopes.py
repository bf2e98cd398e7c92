"""Piecewise linear functions whose slopes or steps are drawn or rounded: randomised ReLU, fake quantisation.

Example: with steps of 0.1 from -8 to 7, 0.26 becomes 0.3 with slope 1, and 0.9 becomes 0.7 with slope 0.
"""

import torch
from torch import Tensor


def random_leaky(
    x: Tensor,
    lower: float = 1 / 8,
    upper: float = 1 / 3,
    training: bool = False,
    generator: torch.Generator | None = None,
) -> Tensor:
    """`torch.rrelu`: negative numbers times a random slope; times the mean one in evaluation."""
    slope: Tensor | float = torch.rand_like(x) * (upper - lower) + lower if training else (lower + upper) / 2
    return torch.where(x > 0, x, x * slope)


def quantized(x: Tensor, scale: float, zero_point: int, quant_min: int, quant_max: int) -> Tensor:
    """Return the nearest number that is kept; its derivative is 1 where x is in their range, and 0 elsewhere."""
    place = torch.round(x.detach() * (1 / scale)) + zero_point
    nearest = (place.clamp(quant_min, quant_max) - zero_point) * scale
    inside = (place >= quant_min) & (place <= quant_max)
    return nearest + torch.where(inside, x - x.detach(), 0.0)
