"""Ordered factorisations of a number.

Recursion on the first factor d, a divisor:
    F(n, k) = { (d, *rest) : d divides n, d >= 2, rest in F(n / d, k - 1) },   F(n, 1) = {(n)} for n >= 2.
A first factor that leaves less than 2^(k - 1) is skipped.
Complexity: O(divisors) for each list of first factors that is tried; finding the divisors takes sqrt(n) steps.
Reference: Hille, "A problem in factorisatio numerorum", 1936, counts them.

>>> list(factorisations(8, 2)), list(factorisations(8, 3))
([(2, 4), (4, 2)], [(2, 2, 2)])
"""

from collections.abc import Iterator

from p2smt.problem.divisors import divisors


def factorisations(number: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Yield every ordered product of `parts` factors >= 2 that equals `number`, in ascending order.

    >>> list(factorisations(12, 2))
    [(2, 6), (3, 4), (4, 3), (6, 2)]
    """
    yield from _with(divisors(number), number, parts)


def _with(firsts: list[int], number: int, parts: int) -> Iterator[tuple[int, ...]]:
    if parts == 1:
        if number > 1:
            yield (number,)
        return
    for first in firsts:
        # The remaining factors are at least 2 each, which prunes first factors that are too large.
        if first > 1 and number % first == 0 and number // first >= 2 ** (parts - 1):
            for rest in _with(firsts, number // first, parts - 1):
                yield (first, *rest)
