"""A tensor of torch's graph as an expression seen through deferred, free moves.

Transposing, joining dimensions, and adding or dropping dimensions of length 1 are deferred, so that `view -> mm
-> view` becomes one contraction whose labels are those of the model.

    view = (expression of shape `sizes`, groups of its dimensions, in order);   shape[i] = product of sizes in group i
Invariant: moves change the groups alone, so a chain of moves costs no statement. `joined` finds the groups of a reshape
greedily from the left, which is right because lengths are positive: a group ends where its product reaches the length.
A reshape that splits a dimension is no view, and is written as a statement.
Complexity: O(dimensions) for each move.
Reference: Harris et al., "Array programming with NumPy", 2020 (views instead of copies).

Example: [2, 3, 4] viewed as [6, 4] is ((0, 1), (2,)); transposed to [4, 6] it is ((2,), (0, 1)).
"""

from dataclasses import dataclass, replace
from math import prod

from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import Expression
from p2smt.tensor.signature import Shape

Groups = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class View:
    """A deferred view of `expression`, of shape `sizes`; dimension d joins the expression's dimensions `groups[d]`."""

    expression: Expression
    sizes: Shape
    groups: Groups
    dtype: DType | None
    expanded: Shape | None = None

    @property
    def packed(self) -> Shape:
        """The shape before repetition."""
        return tuple(prod(self.sizes[number] for number in group) for group in self.groups)

    @property
    def shape(self) -> Shape:
        """The shape as torch's graph has it."""
        return self.packed if self.expanded is None else self.expanded

    @property
    def order(self) -> tuple[int, ...]:
        """Return the dimensions of `sizes` in the order in which the view has them."""
        return tuple(number for group in self.groups for number in group)

    @property
    def is_plain(self) -> bool:
        """Return True if the expression itself has the view's shape, except for repetition."""
        return self.groups == tuple((number,) for number in range(len(self.sizes)))

    def repeated(self, shape: Shape) -> "View":
        """The view repeated to this shape."""
        return replace(self, expanded=None if shape == self.packed else shape)


def plain_view(expression: Expression, shape: Shape, dtype: DType | None) -> View:
    """Return the view that equals the expression."""
    return View(expression, shape, tuple((number,) for number in range(len(shape))), dtype)


def joined(sizes: Shape, target: Shape) -> Groups | None:
    """Return groups of consecutive dimensions whose products are the target's lengths; None if there are none.

    Dimensions of length 1 are assigned where they fit.

    >>> joined((2, 3, 4), (6, 1, 4)), joined((2, 1, 3), (2, 3)), joined((6,), (2, 3))
    (((0, 1), (), (2,)), ((0,), (1, 2)), None)
    """
    groups: list[tuple[int, ...]] = []
    position = 0
    for length in target:
        group: list[int] = []
        product = 1
        if length == 1 and position < len(sizes) and sizes[position] == 1:
            group.append(position)
            position += 1
        while product < length and position < len(sizes):
            group.append(position)
            product *= sizes[position]
            position += 1
        if product != length:
            return None
        groups.append(tuple(group))
    rest = range(position, len(sizes))
    if any(sizes[number] != 1 for number in rest) or (rest and not groups):
        return None
    if rest:
        groups[-1] = (*groups[-1], *rest)
    return tuple(groups)


def permuted(view: View, order: tuple[int, ...]) -> View:
    """The view with permuted dimensions; `order` lists all of them, counted from the first."""
    groups = _padded(view)
    shape = tuple(view.shape[number] for number in order)
    return replace(view, groups=tuple(groups[number] for number in order), expanded=None).repeated(shape)


def reshaped(view: View, shape: Shape) -> View | None:
    """The view in another shape, if that only joins and drops dimensions; None if it splits some."""
    if shape == view.shape:
        return view
    if view.expanded is not None and view.expanded != view.packed:
        return None
    order = view.order
    groups = joined(tuple(view.sizes[number] for number in order), shape)
    if groups is None:
        return None
    return replace(view, groups=tuple(tuple(order[number] for number in group) for group in groups), expanded=None)


def with_one(view: View, dim: int) -> View:
    """Return the view with a dimension of length 1 inserted before dimension `dim`."""
    padded = _padded(view)
    shape = (*view.shape[:dim], 1, *view.shape[dim:])
    return replace(view, groups=(*padded[:dim], (), *padded[dim:]), expanded=None).repeated(shape)


def _padded(view: View) -> Groups:
    return ((),) * (len(view.shape) - len(view.groups)) + view.groups
