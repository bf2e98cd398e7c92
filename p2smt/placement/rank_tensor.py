"""The device numbers of a placement as a tensor with one dimension per axis."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod

import numpy as np
from numpy.typing import NDArray

from p2smt.placement.digits import DeviceMap
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.placement.order import Order

Ranks = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class RankTensor:
    """The tensor `arange(N).reshape(factors).transpose(places).reshape(shape)`, in a form independent of its size.

    `factors` are the matrix's factors > 1, most significant first.
    """

    factors: tuple[int, ...]
    places: tuple[int, ...]
    shape: tuple[int, ...]

    def devices(self) -> Ranks:
        """The tensor as an array."""
        return np.arange(prod(self.factors)).reshape(self.factors).transpose(self.places).reshape(self.shape)


def rank_tensor(matrix: ParallelismMatrix, dims: Order) -> RankTensor:
    """Return the tensor whose dimension `i` is the coordinate on axis `dims[i]`; `dims` contains every axis once.

    `devices()[c]` is the device with coordinates `c` in a `DeviceMap`, in p2smt's own numbering. Flattened,
    entry `r` is the device on which rank `r` must run if the framework lays out ranks by the order `dims`.

    >>> rank_tensor(ParallelismMatrix(((1, 2), (2, 2))), (1, 0))
    RankTensor(factors=(2, 2, 2), places=(0, 2, 1), shape=(4, 2))
    """
    # Factors of 1 would be dimensions of length 1, which only make the expression longer.
    real = [digit for digit in DeviceMap(matrix).digits if digit.size > 1]
    return RankTensor(
        factors=tuple(digit.size for digit in real),
        places=tuple(place for axis in dims for place, digit in enumerate(real) if digit.axis == axis),
        shape=tuple(prod(matrix.rows[axis]) for axis in dims),
    )


def ascends(matrix: ParallelismMatrix, axes: Sequence[int]) -> bool:
    """True if device numbers ascend along these axes taken together, the first most significant.

    Along a single axis they always do, because its coordinate counts outer levels first, as the device number
    does. Along several axes they do exactly if every digit of an axis is more significant than those of later
    axes. If they do not, `torch.distributed` (`new_group`, `DeviceMesh`), which sorts the ranks of a group,
    assigns the blocks of ReduceScatter and AllGather by ascending rank instead of by coordinate.

    >>> matrix = ParallelismMatrix(((1, 2), (2, 2)))
    >>> ascends(matrix, (0,)), ascends(matrix, (1,)), ascends(matrix, (0, 1)), ascends(matrix, (1, 0))
    (True, True, False, False)
    """
    digits = DeviceMap(matrix).digits
    places = [place for axis in axes for place, d in enumerate(digits) if d.axis == axis and d.size > 1]
    return all(one < other for one, other in pairwise(places))
