"""Sets of numbers as bit masks, and bit matrices, whose rows are such sets."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

BitMatrix = npt.NDArray[np.uint8]
"""Zeros and ones: entry (i, j) is bit j of mask i."""


def bit_matrix(masks: Sequence[int], count: int) -> BitMatrix:
    """Return the matrix of masks of at most `count` bits, its columns."""
    wide = -(-count // 8)
    packed = np.frombuffer(b"".join([mask.to_bytes(wide, "little") for mask in masks]), dtype=np.uint8)
    return np.unpackbits(packed.reshape(len(masks), wide), axis=1, count=count, bitorder="little")


def masks_of(matrix: BitMatrix) -> tuple[int, ...]:
    """Return the masks of a matrix's rows."""
    packed = np.packbits(matrix, axis=1, bitorder="little")
    wide, joined = packed.shape[1], packed.tobytes()
    return tuple([int.from_bytes(joined[row * wide : (row + 1) * wide], "little") for row in range(len(packed))])


def transposed(masks: Sequence[int], count: int) -> tuple[int, ...]:
    """Return the transpose of a bit matrix: bit i of result j is bit j of `masks[i]`, for `count` results.

    >>> transposed((0b01, 0b11, 0b00), 2)
    (3, 2)
    """
    return masks_of(bit_matrix(masks, count).T)


def picked(masks: Sequence[int], positions: Sequence[int], count: int) -> tuple[int, ...]:
    """Return the bits of each mask at some ascending positions, packed together, the first one lowest.

    >>> picked((0b101, 0b110), (0, 2), 3)
    (3, 2)
    """
    return masks_of(bit_matrix(masks, count)[:, list(positions)])
