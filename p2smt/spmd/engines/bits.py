"""Sets of numbers as bit masks, and the transposition of bit matrices."""

from collections.abc import Sequence


def transposed(masks: Sequence[int], count: int) -> tuple[int, ...]:
    """Return the transpose of a bit matrix: bit i of result j is bit j of `masks[i]`, for `count` results.

    The rows are joined as binary text, so that the columns are assembled in C.

    >>> transposed((0b01, 0b11, 0b00), 2)
    (3, 2)
    """
    if not masks or not count:
        return (0,) * count
    rows = [format(mask, f"0{count}b") for mask in reversed(masks)]
    return tuple([int("".join(column), 2) for column in zip(*rows, strict=True)][::-1])
