"""Parallel aggregated trees (NCCL's PAT): an AllGather or a ReduceScatter by binomial trees, one from every member.

With n members, the share of member r goes to member r + s (mod n) by the hops 2^k, largest first, that add up to s; its
last hop is 2^c, with c the trailing zeros of s. So out of every member go, over the hop of length 2^k,
    #{s in 1 .. n-1 with k trailing zeros}  of n - 1 shares,
about a half to the neighbour, a quarter two further, one to the far end: as many bytes as a ring, the fewer the further
they go. A ReduceScatter takes the same hops backwards. (Jeaugey, "PAT: a new algorithm for all-gather and
reduce-scatter operations at scale", 2025; NCCL 2.30.7 `src/include/collectives.h`.) NCCL has it for groups with one
device per machine.

Facts of NCCL's own model (`src/graph/tuning.cc`): 0.75 of a ring's bandwidth, and in place of n - 1 latencies of a hop
    log2(n) / 3.5  +  0.2 n.
Complexity: O(n log n) hops, as numpy arrays.

Example: 8 members; 4 of 7 shares go to the neighbour, 2 two further, 1 four further; 2.5 latencies, where a ring has 7.
"""

from math import prod

import numpy as np
from numpy.typing import NDArray

BANDWIDTH_SHARE = 0.75
"""The part of a ring's bandwidth that NCCL grants these trees."""

_PER_DOUBLING = 1 / 3.5
_PER_MEMBER = 2.8 / 14
"""NCCL adds 2.8 us a member, where a hop between machines takes 14."""


def tree_shares(size: int) -> tuple[float, ...]:
    """The parts of a member's bytes that go over its hops of length 1, 2, 4 ...; they add up to 1.

    >>> tree_shares(4), tree_shares(2)
    ((0.6666666666666666, 0.3333333333333333), (1.0,))
    """
    found = []
    step = 1
    while step < size:
        found.append(((size - 1) // step - (size - 1) // (2 * step)) / (size - 1))
        step *= 2
    return tuple(found)


def tree_rounds(size: int) -> float:
    """The latencies that a member pays, as a part of its hops.

    >>> round(tree_rounds(8), 3)
    0.819
    """
    doublings = len(tree_shares(size))
    return _PER_DOUBLING + _PER_MEMBER * size / doublings if doublings else 0.0


def tree_ends(members: tuple[int, ...]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Source and target of every hop among members in order, shape (2, hops), and the part that each carries."""
    size = prod(members)
    own = np.arange(size)
    shares = tree_shares(size)
    ends = np.concatenate([np.stack([own, (own + 2**k) % size]) for k in range(len(shares))], axis=1)
    return ends, np.repeat(np.array(shares), size)
