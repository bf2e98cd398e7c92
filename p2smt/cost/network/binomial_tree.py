"""The binomial tree that gloo uses for a broadcast."""

from math import ceil, log2


def binomial_tree(size: int) -> list[tuple[int, int]]:
    """Return the sender and receiver of every message: in round i, each rank below 2^i sends to the rank 2^i higher.

    >>> binomial_tree(6)
    [(0, 1), (0, 2), (1, 3), (0, 4), (1, 5)]
    """
    return [
        (place, place + (1 << turn))
        for turn in range(ceil(log2(size)))
        # In the last round only receivers below `size` exist.
        for place in range(min(1 << turn, size - (1 << turn)))
    ]
