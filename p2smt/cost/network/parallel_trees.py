"""Parallel aggregated trees (NCCL's PAT): an AllGather or a ReduceScatter by binomial trees, one from every member.

With n members, the share of member r reaches member r + s (mod n) by the hops 2^k that add up to s, largest first; its
last hop is 2^c, where c is the number of trailing zeros of s. So over the hop of length 2^k, each member sends
    #{s in 1 .. n-1 with k trailing zeros}  of n - 1 shares:
about a half to its neighbour, a quarter two further, and one to the far end. That is as many bytes as a ring sends,
with fewer bytes on longer hops. A ReduceScatter uses the same hops backwards. (Jeaugey, "PAT: a new algorithm for
all-gather and reduce-scatter operations at scale", 2025; NCCL 2.30.7 `src/include/collectives.h`.) NCCL offers it for
groups with one device per machine.

NCCL's own model (`src/graph/tuning.cc`) grants it 0.75 of a ring's bandwidth, and replaces n - 1 latencies of a hop by
    log2(n) / 3.5  +  0.2 n.
Complexity: O(n log n) hops, as numpy arrays.

Example: 8 members; 4 of 7 shares go to the neighbour, 2 two further, 1 four further; 2.5 latencies instead of a ring's
7.
"""

from math import prod

import numpy as np
from numpy.typing import NDArray

BANDWIDTH_SHARE = 0.75
"""The fraction of a ring's bandwidth that NCCL's model grants these trees."""

_PER_DOUBLING = 1 / 3.5
_PER_MEMBER = 2.8 / 14
"""Latency per member, in hops: NCCL adds 2.8 us per member, and a hop between machines takes 14 us."""


def tree_shares(size: int) -> tuple[float, ...]:
    """Return the fractions of a member's bytes on its hops of length 1, 2, 4 ...; they add up to 1.

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
    """Return the latencies that a member pays, divided by its number of hops.

    >>> round(tree_rounds(8), 3)
    0.819
    """
    doublings = len(tree_shares(size))
    return _PER_DOUBLING + _PER_MEMBER * size / doublings if doublings else 0.0


def tree_ends(members: tuple[int, ...]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return source and target of every hop, shape (2, hops), and the fraction of a member's bytes on each."""
    size = prod(members)
    own = np.arange(size)
    shares = tree_shares(size)
    ends = np.concatenate([np.stack([own, (own + 2**k) % size]) for k in range(len(shares))], axis=1)
    return ends, np.repeat(np.array(shares), size)
