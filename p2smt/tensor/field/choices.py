"""Operations that select by value, over a field without order: properties that hold whichever element is selected.

Whether an index i equals the class v is an unknown truth value: `truth("eq", i, v)` if i is an integer, else a
separate one, since the index 0.5 is truncated to class 0. Lookups, picks, one-hot rows and their gradients are sums
of products with these truth values. A selection `where(c, a, b)` is c a + (1 - c) b if c is a truth value;
otherwise the truth value "c is not 0" replaces c. A maximum is an unknown of the set of its elements.

    pick(x, i) = sum over v of [i = v] x[v],    where(c, a, b) = c a + (1 - c) b.

Complexity: one truth value for each different pair of an index and a class.
Reference: Bryant, "Graph-based algorithms for Boolean function manipulation", 1986 (Shannon expansion, of which the
sums here are the arithmetic form).

Example: row(table, i) of two rows is truth(i = 0) * table[0] + truth(i = 1) * table[1].
"""

from collections.abc import Callable, Sequence

import numpy as np

from p2smt.tensor.checks import some_dimensions
from p2smt.tensor.field.unknown import elements, flat, spread
from p2smt.tensor.frame import Frame, Interval
from p2smt.tensor.operation import Array

Truth = Callable[..., int]
"""Returns the unknown 0/1 element for a relation between elements."""
Hit = Callable[[int, int], int]
"""Returns the 0/1 element for the statement that an index equals a class."""

COMPARISONS = ("gt", "ge", "lt", "eq")
LARGEST = {"maximum": "max", "minimum": "min", "max": "max", "max_kept": "max", "min": "min", "min_kept": "min"}
"""The set function, maximum or minimum, that each operation on two operands or on a row computes."""


def compared(name: str, left: int, right: int, truth: Truth) -> int:
    """Return the truth value of a comparison; x < y is normalised to y > x."""
    match name:
        case "lt":
            return truth("gt", right, left)
        case "eq":
            return truth("eq", *sorted((left, right)))
        case _:
            return truth(name, left, right)


def hits(index: Array, classes: Interval, hit: Hit) -> Array:
    """Return the truth value of index == class for each index and class; classes are the last dimension."""
    values = [hit(each, of) for each in flat(index) for of in range(classes.start, classes.stop)]
    return elements((*index.shape, classes.length), values)


def embedding(arrays: Sequence[Array], frame: Frame, hit: Hit) -> Array:
    """Return the table rows at the indices."""
    table, index = arrays
    found = hits(index, frame.operands[0][0], hit)
    return np.asarray((found[..., :, None] * table).sum(axis=-2), dtype=object)


def pick(arrays: Sequence[Array], frame: Frame, hit: Hit) -> Array:
    """Return the element at the index of each row."""
    x, index = arrays
    return np.asarray((x * hits(index, frame.operands[0][-1], hit)).sum(axis=-1), dtype=object)


def one_hot(arrays: Sequence[Array], frame: Frame, hit: Hit) -> Array:
    """Return one-hot rows."""
    return hits(arrays[0], frame.result[-1], hit)


def pick_backward(arrays: Sequence[Array], frame: Frame, hit: Hit) -> Array:
    """Return rows with the gradient at the picked position, and 0 elsewhere."""
    gradient, index = arrays
    return np.asarray(gradient[..., None] * hits(index, frame.result[-1], hit), dtype=object)


def embedding_backward(arrays: Sequence[Array], frame: Frame, hit: Hit) -> Array:
    """Return the table gradient: for each row, the sum of the gradients of all indices that select it."""
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
    """Return, for each element of a reduction's result, the elements that it reduces."""
    axes = some_dimensions(frame.attributes[0], array.shape)
    kept = [number for number in range(array.ndim) if number not in axes]
    ordered = np.transpose(array, (*kept, *axes))
    count = int(np.prod([array.shape[number] for number in kept]))
    length = int(np.prod([array.shape[number] for number in axes]))
    elements_of = flat(ordered)
    return [elements_of[number * length : (number + 1) * length] for number in range(count)]


def chosen(arrays: Sequence[Array], shape: tuple[int, ...], truth_of: Callable[[int], int], prime: int) -> list[int]:
    """Return the elements that `where` selects, as linear combinations of both branches."""
    columns = zip(*spread(arrays, shape), strict=True)
    return [
        then if then == otherwise else (otherwise + truth_of(condition) * (then - otherwise)) % prime
        for condition, then, otherwise in columns
    ]
