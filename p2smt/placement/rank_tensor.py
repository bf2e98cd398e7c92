"""The device numbers of a placement as a tensor with one dimension per axis, by arithmetic on a range."""

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
    """`arange(N).reshape(factors).transpose(places).reshape(shape)`; as short for any number of devices.

    `factors` are the factors > 1 of the matrix, most significant first.
    """

    factors: tuple[int, ...]
    places: tuple[int, ...]
    shape: tuple[int, ...]

    def devices(self) -> Ranks:
        """The tensor itself."""
        return np.arange(prod(self.factors)).reshape(self.factors).transpose(self.places).reshape(self.shape)


def rank_tensor(matrix: ParallelismMatrix, dims: Order) -> RankTensor:
    """The tensor whose dimension `i` is the coordinate on axis `dims[i]`; `dims` has every axis once.

    Holds: `devices()[c]` is the device of a `DeviceMap` at the coordinates `c`, in p2smt's own numbering. Flattened,
    entry `r` is the device on which rank `r` of a job must run whose framework lays its ranks by the order `dims`.

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
    """True if device numbers ascend along these axes taken as one, the first most significant.

    Along one axis they always do: its coordinate counts its digits outermost level first, as the device number does.
    Along several they do exactly when every digit of an axis is more significant than those of the axes after it.
    Where they do not, `torch.distributed` (`new_group`, `DeviceMesh`), which sorts the ranks of a group, gives the
    blocks of ReduceScatter and AllGather out in the order of ranks, not in that of coordinates.

    >>> matrix = ParallelismMatrix(((1, 2), (2, 2)))
    >>> ascends(matrix, (0,)), ascends(matrix, (1,)), ascends(matrix, (0, 1)), ascends(matrix, (1, 0))
    (True, True, False, False)
    """
    digits = DeviceMap(matrix).digits
    places = [place for axis in axes for place, d in enumerate(digits) if d.axis == axis and d.size > 1]
    return all(one < other for one, other in pairwise(places))
