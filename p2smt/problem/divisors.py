"""The divisors of a number, in pairs around its square root: sqrt(number) divisions."""


def divisors(number: int) -> list[int]:
    """Return the divisors of a number, ascending.

    >>> divisors(12)
    [1, 2, 3, 4, 6, 12]
    """
    small = [part for part in range(1, int(number**0.5) + 1) if number % part == 0]
    return sorted({*small, *(number // part for part in small)})
