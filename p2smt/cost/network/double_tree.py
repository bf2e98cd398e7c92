"""The two binary trees over which NCCL reduces and broadcasts one half of the data each."""

import numpy as np
from numpy.typing import NDArray

from p2smt.errors import ProblemError

MOST_MACHINES = 2**20

Parents = NDArray[np.int64]


def double_tree(machines: int) -> tuple[Parents, Parents]:
    """The parent of every machine in both trees, -1 for the roots (Sanders et al. 2009; NCCL `trees.cc`).

    In the first tree a machine hangs as high as its number has trailing zeros; the second is its mirror image
    (even number of machines) or the same shifted by one (odd), so that almost every machine is a leaf in one of them.
    Raises ProblemError for more than 2^20 machines.

    >>> [tree.tolist() for tree in double_tree(4)]
    [[-1, 2, 0, 2], [1, 3, 1, -1]]
    """
    if machines > MOST_MACHINES:
        raise ProblemError(
            f"trees over {machines} machines are too large; they are drawn for at most {MOST_MACHINES}, use rings"
        )
    number = np.arange(machines, dtype=np.int64)
    lowest = number & -number
    above = (number ^ lowest) | (lowest << 1)
    first = np.where(above < machines, above, number ^ lowest)
    first[0] = -1
    if machines % 2 == 0:
        mirrored = first[::-1]
        return first, np.where(mirrored < 0, -1, machines - 1 - mirrored)
    shifted = np.roll(first, 1)
    return first, np.where(shifted < 0, -1, (shifted + 1) % machines)
