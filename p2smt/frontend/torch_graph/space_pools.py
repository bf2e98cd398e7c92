"""Pools in three dimensions as pools in two and in one, and adaptive ones as those with windows of one size.

Example: the maximum over 2 x 2 x 2 is, of two maxima over 2 x 2, the larger one.
"""

from collections.abc import Callable, Sequence
from math import prod

import torch
from torch import Tensor
from torch.nn import functional

from p2smt.errors import CaptureError


def adaptive_max_pool2d(x: Tensor, output_size: Sequence[int]) -> tuple[Tensor, Tensor]:
    """`torch.adaptive_max_pool2d`. CaptureError where windows differ."""
    space = x.shape[-2:]
    if any(length % size for length, size in zip(space, output_size, strict=True)):
        raise CaptureError(
            f"adaptive_max_pool2d of {list(space)} to {list(output_size)}: windows of different sizes "
            "are not in the language; take output sizes that divide the input's, or torch.amax"
        )
    kernel = [length // size for length, size in zip(space, output_size, strict=True)]
    found: tuple[Tensor, Tensor] = torch.ops.aten.max_pool2d_with_indices(x, kernel, kernel)
    return found


def _in_space(pool: Callable[[Tensor, int], Tensor], x: Tensor) -> Tensor:
    """Pool in three dimensions: over the last two (`pool(x, 1)`), then over the first (`pool(x, 0)`)."""
    lead = x.shape[:-3]
    flat = pool(x.reshape(1, -1, *x.shape[-2:]), 1)
    deep = flat.reshape(1, prod(lead), x.shape[-3], -1)
    made = pool(deep, 0)
    return made.reshape(*lead, made.shape[2], *flat.shape[-2:])


def _triple(given: Sequence[int] | int, otherwise: Sequence[int] = ()) -> tuple[int, ...]:
    numbers = tuple([given] if isinstance(given, int) else given) or tuple(otherwise)
    return numbers * 3 if len(numbers) == 1 else numbers


def _split(numbers: Sequence[int], call: int, without: int) -> list[int]:
    """Return the parameters of one of the two calls; `without` is the neutral value for dimensions it leaves out."""
    return list(numbers[1:]) if call else [numbers[0], without]


def max_pool3d(
    x: Tensor,
    kernel_size: Sequence[int],
    stride: Sequence[int] = (),
    padding: Sequence[int] = (0,),
    dilation: Sequence[int] = (1,),
    ceil_mode: bool = False,
) -> Tensor:
    """`torch.max_pool3d`."""
    kernel = _triple(kernel_size)
    steps, around, apart = _triple(stride, kernel), _triple(padding), _triple(dilation)

    def pool(x: Tensor, call: int) -> Tensor:
        numbers = (_split(kernel, call, 1), _split(steps, call, 1), _split(around, call, 0), _split(apart, call, 1))
        return functional.max_pool2d(x, *numbers, ceil_mode)

    return _in_space(pool, x)


def avg_pool3d(
    x: Tensor,
    kernel_size: Sequence[int],
    stride: Sequence[int] = (),
    padding: Sequence[int] = (0,),
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Tensor:
    """`torch.avg_pool3d`."""
    kernel = _triple(kernel_size)
    steps, around = _triple(stride, kernel), _triple(padding)

    def pool(x: Tensor, call: int) -> Tensor:
        numbers = (_split(kernel, call, 1), _split(steps, call, 1), _split(around, call, 0))
        return functional.avg_pool2d(x, *numbers, ceil_mode, count_include_pad)

    if divisor_override:
        return _in_space(pool, x) * (prod(kernel) / divisor_override)
    return _in_space(pool, x)


def adaptive_avg_pool3d(x: Tensor, output_size: Sequence[int]) -> Tensor:
    """`torch.adaptive_avg_pool3d`."""

    def pool(x: Tensor, call: int) -> Tensor:
        return functional.adaptive_avg_pool2d(x, output_size[1:] if call else [output_size[0], x.shape[-1]])  # type: ignore[arg-type]

    return _in_space(pool, x)
