"""The tree along which gloo broadcasts."""

from math import ceil, log2


def binomial_tree(size: int) -> list[tuple[int, int]]:
    """Sender and receiver of every message: in round `i` each place below 2^i sends to the one 2^i further on.

    >>> binomial_tree(6)
    [(0, 1), (0, 2), (1, 3), (0, 4), (1, 5)]
    """
    return [
        (place, place + (1 << turn))
        for turn in range(ceil(log2(size)))
        # In the last round only receivers below `size` exist.
        for place in range(min(1 << turn, size - (1 << turn)))
    ]
