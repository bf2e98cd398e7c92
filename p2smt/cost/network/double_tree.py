"""The two binary trees over which NCCL reduces and broadcasts one half of the data each."""

import numpy as np
from numpy.typing import NDArray

Parents = NDArray[np.int64]


def double_tree(nodes: int) -> tuple[Parents, Parents]:
    """The parent of every node in both trees, -1 for the roots (Sanders et al. 2009; NCCL `trees.cc`).

    In the first tree a node hangs as high as its number has trailing zeros; the second is its mirror image
    (even number of nodes) or the same shifted by one (odd), so that almost every node is a leaf in one of them.

    >>> [tree.tolist() for tree in double_tree(4)]
    [[-1, 2, 0, 2], [1, 3, 1, -1]]
    """
    number = np.arange(nodes, dtype=np.int64)
    lowest = number & -number
    above = (number ^ lowest) | (lowest << 1)
    first = np.where(above < nodes, above, number ^ lowest)
    first[0] = -1
    if nodes % 2 == 0:
        mirrored = first[::-1]
        return first, np.where(mirrored < 0, -1, nodes - 1 - mirrored)
    shifted = np.roll(first, 1)
    return first, np.where(shifted < 0, -1, (shifted + 1) % nodes)
