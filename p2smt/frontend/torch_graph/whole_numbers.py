"""Bitwise operations of whole numbers with known ones, by dividing and by remainders.

In two's complement x >> k is floor(x / 2^k), and x & (2^k - 1) is the remainder of x by 2^k, of negative x too. Other
masks are sums of runs of bits; then x | m = x + m - (x & m), and x ^ m = x + m - 2 (x & m).

Example: 13 & 6 = ((13 >> 1) mod 4) * 2 = 4, so that 13 | 6 = 15 and 13 ^ 6 = 11.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from p2smt.errors import CaptureError

_Number = bool | int | float


def shifted(sign: int) -> Callable[[Tensor, Tensor | int], Tensor]:
    """Return a shift to the left (1) or right (-1)."""

    def moved(x: Tensor, by: Tensor | int) -> Tensor:
        if isinstance(by, int) and by < 0:
            raise CaptureError(f"a shift by {by} bits is not defined; shift by 0 or more, in the other direction")
        factor = torch.pow(2, by) if isinstance(by, Tensor) else 2**by
        return x * factor if sign > 0 else torch.div(x, factor, rounding_mode="floor")

    return moved


def masked(x: Tensor, mask: _Number) -> Tensor:
    """`torch.bitwise_and` with a number."""
    if x.dtype is torch.bool:
        return torch.logical_and(x, torch.tensor(bool(mask)))
    if not isinstance(mask, int) or mask < 0:
        raise CaptureError(f"bitwise operations with {mask} are not supported; only those with numbers from 0 on are")
    # For each run of set bits low, ..., high - 1 of the mask: shift it down, keep that many bits, shift it back.
    found, low = torch.zeros_like(x), 0
    while mask >> low:
        if not (mask >> low) & 1:
            low += 1
            continue
        high = low
        while (mask >> high) & 1:
            high += 1
        run = x if low == 0 else shifted(-1)(x, low)
        run = torch.remainder(run, 1 << (high - low))
        found = found + (run if low == 0 else run * (1 << low))
        low = high
    return found


def either(x: Tensor, mask: _Number) -> Tensor:
    """`torch.bitwise_or` with a number."""
    return torch.logical_or(x, torch.tensor(bool(mask))) if x.dtype is torch.bool else x + mask - masked(x, mask)


def differing(x: Tensor, mask: _Number) -> Tensor:
    """`torch.bitwise_xor` with a number."""
    return torch.logical_xor(x, torch.tensor(bool(mask))) if x.dtype is torch.bool else x + mask - 2 * masked(x, mask)
