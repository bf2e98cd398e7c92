"""The two binary trees over which NCCL reduces and broadcasts one half of the data each.

The height of a machine in the first tree is the number of trailing zeros of its number n; with b = n & -n, the lowest
bit,
    parent(n) = (n with bit b cleared) with bit 2b set,   or n with bit b cleared, if there is no such machine.
Machines with odd numbers are leaves. The second tree is the mirror image or a shift by one, in which the others are
leaves, so every machine sends and receives about as much as any other (Sanders, Speck and Traeff, "Two-tree algorithms
for full bandwidth broadcast, reduction and scan", 2009; NCCL `trees.cc`).

Complexity: O(machines) at once with numpy; the depth is O(log machines).

Example: of 8 machines, 4 = 100b is below the root 0; 2 = 010b and 6 = 110b are below 4; 1, 3, 5, 7 are leaves.
"""

import numpy as np
from numpy.typing import NDArray

from p2smt.errors import ProblemError

MOST_MACHINES = 2**20

Parents = NDArray[np.int64]


def double_tree(machines: int) -> tuple[Parents, Parents]:
    """Return the parent of every machine in both trees, -1 for the roots.

    The height of a machine in the first tree is the number of trailing zeros of its number. The second tree is the
    mirror image (even number of machines) or the first tree shifted by one (odd), so that almost every machine is a
    leaf in one of them. Raises ProblemError for more than 2^20 machines.

    >>> [tree.tolist() for tree in double_tree(4)]
    [[-1, 2, 0, 2], [1, 3, 1, -1]]
    """
    if machines > MOST_MACHINES:
        raise ProblemError(
            f"trees over {machines} machines are too large; the limit is {MOST_MACHINES} machines, so choose rings"
        )
    number = np.arange(machines, dtype=np.int64)
    # The lowest bit that is set (two's complement).
    lowest = number & -number
    above = (number ^ lowest) | (lowest << 1)
    first = np.where(above < machines, above, number ^ lowest)
    # The formula leaves 0 as its own parent.
    first[0] = -1
    if machines % 2 == 0:
        mirrored = first[::-1]
        return first, np.where(mirrored < 0, -1, machines - 1 - mirrored)
    shifted = np.roll(first, 1)
    return first, np.where(shifted < 0, -1, (shifted + 1) % machines)
