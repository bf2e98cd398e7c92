"""Operations that choose by value, over a field that has no order: properties of a choice, whichever it is.

An index i hits the class v or not. That truth is the unknown `truth("eq", i, v)` if i is whole, else one of its own,
since 0.5 hits class 0. Looking up, picking, one-hot rows and their backwards are sums of products with it. A choice
`where(c, a, b)` is c a + (1 - c) b if c is a truth; else "c is not 0" stands in its place. A maximum is an unknown of
the set of its elements.
"""

from collections.abc import Callable, Sequence

import numpy as np

from p2smt.tensor.field.unknown import elements, flat, spread
from p2smt.tensor.frame import Frame, Interval
from p2smt.tensor.operation import Array
from p2smt.tensor.operations.checks import some_dimensions

Truth = Callable[..., int]
"""The unknown truth of a relation of elements."""
Hit = Callable[[int, int], int]
"""The truth that an index is a class."""

COMPARISONS = ("gt", "ge", "lt", "eq")
LARGEST = {"maximum": "max", "minimum": "min", "max": "max", "max_kept": "max", "min": "min", "min_kept": "min"}
"""The function of a set that each operation on two operands or on a row computes."""


def compared(name: str, left: int, right: int, truth: Truth) -> int:
    """The truth of a comparison; x < y is written as y > x."""
    match name:
        case "lt":
            return truth("gt", right, left)
        case "eq":
            return truth("eq", *sorted((left, right)))
        case _:
            return truth(name, left, right)


def hits(index: Array, classes: Interval, hit: Hit) -> Array:
    """For each index and each class, as the last dimension, whether the index is that class."""
    values = [hit(each, of) for each in flat(index) for of in range(classes.start, classes.stop)]
    return elements((*index.shape, classes.length), values)


def embedding(arrays: Sequence[Array], frame: Frame, hit: Hit) -> Array:
    """Rows of a table."""
    table, index = arrays
    found = hits(index, frame.operands[0][0], hit)
    return np.asarray((found[..., :, None] * table).sum(axis=-2), dtype=object)


def pick(arrays: Sequence[Array], frame: Frame, hit: Hit) -> Array:
    """An element of each row."""
    x, index = arrays
    return np.asarray((x * hits(index, frame.operands[0][-1], hit)).sum(axis=-1), dtype=object)


def one_hot(arrays: Sequence[Array], frame: Frame, hit: Hit) -> Array:
    """Rows of truths."""
    return hits(arrays[0], frame.result[-1], hit)


def pick_backward(arrays: Sequence[Array], frame: Frame, hit: Hit) -> Array:
    """The gradient where it was picked."""
    gradient, index = arrays
    return np.asarray(gradient[..., None] * hits(index, frame.result[-1], hit), dtype=object)


def embedding_backward(arrays: Sequence[Array], frame: Frame, hit: Hit) -> Array:
    """The sum of gradients of all indices that are a row."""
    gradient, index = arrays
    found = hits(index.reshape(-1), frame.result[0], hit)
    rows = gradient.reshape((found.shape[0], gradient.shape[-1]))
    return np.asarray((found[:, :, None] * rows[:, None, :]).sum(axis=0), dtype=object)


LOOKED_UP: dict[str, Callable[[Sequence[Array], Frame, Hit], Array]] = {
    "embedding": embedding,
    "pick": pick,
    "one_hot": one_hot,
    "pick_backward": pick_backward,
    "embedding_backward": embedding_backward,
}


def rows_reduced(array: Array, frame: Frame) -> list[list[int]]:
    """For each element of a reduction's result, the elements that it reduces."""
    axes = some_dimensions(frame.attributes[0], array.shape)
    kept = [number for number in range(array.ndim) if number not in axes]
    ordered = np.transpose(array, (*kept, *axes))
    count = int(np.prod([array.shape[number] for number in kept]))
    length = int(np.prod([array.shape[number] for number in axes]))
    elements_of = flat(ordered)
    return [elements_of[number * length : (number + 1) * length] for number in range(count)]


def chosen(arrays: Sequence[Array], shape: tuple[int, ...], truth_of: Callable[[int], int], prime: int) -> list[int]:
    """Elements of one branch or the other."""
    columns = zip(*spread(arrays, shape), strict=True)
    return [
        then if then == otherwise else (otherwise + truth_of(condition) * (then - otherwise)) % prime
        for condition, then, otherwise in columns
    ]
