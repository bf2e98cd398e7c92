"""Sets of numbers as bit masks, and the transposition of tables of such sets."""

from collections.abc import Sequence


def transposed(masks: Sequence[int], count: int) -> tuple[int, ...]:
    """For each of `count` bits the masks that have it, as bits: bit i of the result's j is bit j of the i-th mask.

    Made of binary texts, whose columns are joined in C.

    >>> transposed((0b01, 0b11, 0b00), 2)
    (3, 2)
    """
    if not masks or not count:
        return (0,) * count
    rows = [format(mask, f"0{count}b") for mask in reversed(masks)]
    return tuple([int("".join(column), 2) for column in zip(*rows, strict=True)][::-1])
