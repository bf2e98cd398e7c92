"""Emission of statements for views: broadcasting, reductions, row operations and contractions by labels.

A view (`view.py`) is an expression and groups of its dimensions. Operands of a pointwise operation are aligned, result
dimension by result dimension:
    split(dimension) = the lengths of the group that each operand has for it, 1 where it is repeated,
if all operands that are not repeated have the same; where they differ, those are flattened there by a reshape. A sum
over elements that are repeated k times is k times the element. Contractions become einsums with a label for each
dimension, and linear or matmul where they have that form.
Complexity: O(dimensions) for each statement.
Reference: Harris et al., "Array programming with NumPy", 2020 (broadcasting).

Example: [2, 3, 4] viewed as [6, 4], plus a vector of [4]: the sum is written on [2, 3, 4], and viewed as [6, 4].
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import isnan, prod

from p2smt.errors import ProgramError
from p2smt.frontend.torch_graph.view import Groups, View, plain_view, reshaped
from p2smt.tensor.building import ProgramBuilder
from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import Call, Expression, Number, Read
from p2smt.tensor.frame import Attributes
from p2smt.tensor.signature import Shape

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def number(value: float) -> View:
    """Return a number literal; others than finite ones are divisions by zero, because texts have none of them."""
    if isnan(value):
        return View(Call("div", (Number(0), Number(0))), (), (), None)
    if value in (float("inf"), float("-inf")):
        return View(Call("div", (Number(1 if value > 0 else -1), Number(0))), (), (), None)
    return View(Number(value), (), (), None)


def _is_written(expression: Expression) -> bool:
    """True for a literal, or an expression of literals only."""
    match expression:
        case Number():
            return True
        case Call(_, given):
            return bool(given) and all(map(_is_written, given))
        case _:
            return False


@dataclass(frozen=True, slots=True)
class AlignedOperands:
    """Operands aligned for broadcasting; `groups` lists the expression dimensions that form each result dimension."""

    expressions: tuple[Expression, ...]
    sizes: Shape
    groups: Groups


class Emission:
    """A writer of statements, named after the node that is being lowered."""

    def __init__(self, builder: ProgramBuilder) -> None:
        self.builder = builder
        self.name = "value"
        self._made: dict[View, View] = {}
        self._flat: dict[tuple[View, int], View] = {}
        self._calls: dict[str, set[str]] = {}

    def statement(self, expression: Expression, dtype: DType | None, sizes: Shape, groups: Groups) -> View:
        """Return a statement with this element type; a cast is added if the language infers another."""
        found = self.builder.whole(expression)
        assert found.shape == sizes, (self.name, found.shape, sizes)
        if dtype is not None and found.dtype not in (dtype, None):
            expression = Call("cast", (expression,), (str(dtype),))
        read = self.builder.statement(self.name, expression)
        if isinstance(expression, Call):
            self._calls.setdefault(expression.operation, set()).add(read.name)
        return View(read, sizes, groups, dtype)

    def call(
        self, operation: str, views: Sequence[View], attributes: Attributes = (), dtype: DType | None = None
    ) -> View:
        """Return an operation of the language on whole tensors; the element type defaults to the first operand's."""
        dtype = dtype or views[0].dtype
        expression = Call(operation, tuple(self.whole(view).expression for view in views), attributes)
        shape = self.builder.whole(expression).shape
        made = self.statement(expression, dtype, shape, ())
        return plain_view(made.expression, shape, dtype)

    def comes_from(self, expression: Expression, operation: str) -> bool:
        """True if a statement is a call of this operation."""
        return isinstance(expression, Read) and expression.name in self._calls.get(operation, ())

    def plain(self, view: View) -> View:
        """Return the view as an expression of its own shape, except for repeated dimensions."""
        if view.is_plain:
            return view
        key = replace(view, expanded=None)
        if key not in self._made:
            kept, self.name = self.name, f"{_base_name(view.expression, self.name)}.view"
            made = self.statement(_moved(view, view.packed), view.dtype, view.packed, ())
            self._made[key] = plain_view(made.expression, view.packed, view.dtype)
            self.name = kept
        return self._made[key].repeated(view.shape)

    def flattened(self, view: View, dim: int) -> View:
        """Return the view with dimension `dim` as a single dimension of the expression; the others are unchanged."""
        if len(view.groups[dim]) == 1:
            return view
        key = (replace(view, expanded=None), dim)
        if key not in self._flat:
            kept, self.name = self.name, f"{_base_name(view.expression, self.name)}.view"
            lengths = [tuple(view.sizes[number] for number in group) for group in view.groups]
            lengths[dim] = (prod(lengths[dim]),)
            sizes = tuple(length for each in lengths for length in each)
            self._flat[key] = self.statement(_moved(view, sizes), view.dtype, sizes, _counted(lengths))
            self.name = kept
        return self._flat[key].repeated(view.shape)

    def whole(self, view: View) -> View:
        """Return the view as an expression of exactly its shape."""
        view = self.plain(view)
        if view.expanded is None or view.expanded == view.sizes:
            return replace(view, expanded=None)
        if view not in self._made:
            filled: Expression = Call("expand", (view.expression,), (view.expanded,))
            if _is_written(view.expression) and view.dtype not in (None, DType.F32):
                filled = Call("cast", (filled,), (str(view.dtype),))
            made = self.statement(filled, view.dtype, view.expanded, ())
            self._made[view] = plain_view(made.expression, view.expanded, view.dtype)
        return self._made[view]

    def reshaped(self, view: View, shape: Shape) -> View:
        """Return the elements in another shape; a statement is emitted if dimensions have to be split."""
        if not view.sizes:
            return View(view.expression, (), (), view.dtype).repeated(shape)
        found = reshaped(view, shape)
        if found is not None:
            return found
        view = view if view.expanded in (None, view.packed) else self.whole(view)
        if not shape:
            return self.reduced("sum", view, tuple(range(len(view.shape))), False)
        expression = Call("reshape", (_transposed(view),), (shape,))
        return plain_view(self.statement(expression, view.dtype, shape, ()).expression, shape, view.dtype)

    def aligned(self, views: Sequence[View]) -> AlignedOperands:
        """Return operands of a broadcasting operation, aligned so that its result has its shape up to repetition."""
        arrays = [view for view in views if view.sizes]
        if len({(view.sizes, view.groups) for view in arrays}) <= 1:
            first = arrays[0] if arrays else number(0)
            return AlignedOperands(tuple(view.expression for view in views), first.sizes, first.groups)
        rank = max(len(view.groups) for view in arrays)  # dimensions that no operand has come by repetition
        lengths = _refined(arrays, rank)
        if isinstance(lengths, int):
            return self.aligned([self._flattened_at(view, lengths, rank) for view in views])
        sizes = tuple(length for dimension in lengths for length in dimension)
        return AlignedOperands(tuple(_lined_up(view, lengths) for view in views), sizes, _counted(lengths))

    def _flattened_at(self, view: View, dim: int, rank: int) -> View:
        at = dim - (rank - len(view.groups))
        return self.flattened(view, at) if at >= 0 and view.packed[at] > 1 else view

    def map(self, operation: str, views: Sequence[View], shape: Shape, dtype: DType | None) -> View:
        """A pointwise operation with broadcasting; the result has this shape."""
        found = self.aligned(views)
        made = self.statement(Call(operation, found.expressions), dtype, found.sizes, found.groups)
        return made.repeated(shape)

    def reduced(self, operation: str, view: View, dims: tuple[int, ...], keep: bool) -> View:
        """Return a sum, maximum or minimum over dimensions; a sum over repeated elements becomes a product."""
        missing = len(view.shape) - len(view.groups)
        groups = ((),) * missing + view.groups
        packed = (1,) * missing + view.packed
        rest = tuple(group for position, group in enumerate(groups) if position not in dims)
        gone = tuple(each for position in dims for each in groups[position])
        times = prod(view.shape[position] for position in dims if packed[position] == 1)
        expression = Call(operation, (view.expression,), (tuple(sorted(gone)),)) if gone else view.expression
        if operation == "sum" and times > 1:
            expression = Call("mul", (expression, Number(times)))
        kept = [number for number in range(len(view.sizes)) if number not in gone]
        renamed = {number: position for position, number in enumerate(kept)}
        sizes = tuple(view.sizes[number] for number in kept)
        made = self.statement(expression, view.dtype, sizes, ())
        left = iter(tuple(renamed[number] for number in group) for group in rest)
        if keep:
            made = replace(made, groups=tuple(() if each in dims else next(left) for each in range(len(groups))))
        else:
            made = replace(made, groups=tuple(left))
        lengths = enumerate(view.shape)
        if keep:
            return made.repeated(tuple(1 if each in dims else length for each, length in lengths))
        return made.repeated(tuple(length for each, length in lengths if each not in dims))

    def row(self, operation: str, views: Sequence[View], dim: int, more: Attributes = ()) -> View:
        """An operation on rows along one dimension, on operands of the same shape."""
        views = [view if view.expanded in (None, view.packed) else self.whole(view) for view in views]
        found = self.aligned([self.flattened(view, dim) for view in views])
        if len({self.builder.whole(each).shape for each in found.expressions}) > 1:
            found = self.aligned([self.whole(view) for view in views])
        (at,) = found.groups[dim]
        return self.statement(
            Call(operation, found.expressions, (at, *more)), views[0].dtype, found.sizes, found.groups
        )

    def contracted(self, views: Sequence[View], labels: Sequence[Sequence[str]], result: Sequence[str]) -> View:
        """A sum of products, with a label per dimension of each operand; joined dimensions get derived labels."""
        views = [view if view.expanded in (None, view.packed) else self.whole(view) for view in views]
        lengths: dict[str, tuple[int, ...]] = {}
        for view, names in zip(views, labels, strict=True):
            for name, group in zip(names, view.groups, strict=True):
                own = tuple(view.sizes[number] for number in group)
                if lengths.setdefault(name, own) != own:
                    pairs = zip(views, labels, strict=True)
                    flat = [self.flattened(each, own.index(name)) if name in own else each for each, own in pairs]
                    return self.contracted(flat, labels, result)
        if sum(map(len, lengths.values())) > len(LETTERS):
            raise ProgramError(f"a product with more than {len(LETTERS)} dimensions is not in the language")
        letters = iter(LETTERS)
        words = {name: [next(letters) for _ in own] for name, own in lengths.items()}
        texts = [_labels_text(view, names, words) for view, names in zip(views, labels, strict=True)]
        target = [word for name in result for word in words[name]]
        sizes = tuple(length for name in result for length in lengths[name])
        groups = _counted([lengths[name] for name in result])
        expression = _contraction(tuple(view.expression for view in views), texts, target)
        return self.statement(expression, views[0].dtype, sizes, groups)


def _counted(lengths: Sequence[Sequence[int]]) -> Groups:
    """Consecutive numbers for the dimensions, in groups of these lengths."""
    starts = [sum(map(len, lengths[:position])) for position in range(len(lengths) + 1)]
    return tuple(tuple(range(*pair)) for pair in pairwise(starts))


def _base_name(expression: Expression, otherwise: str) -> str:
    name = getattr(expression, "name", otherwise)
    return str(name)


def _transposed(view: View) -> Expression:
    order = view.order
    if order == tuple(sorted(order)):
        return view.expression
    return Call("transpose", (view.expression,), (order,))


def _moved(view: View, shape: Shape) -> Expression:
    expression = _transposed(view)
    if tuple(view.sizes[number] for number in view.order) == shape:
        return expression
    if not shape:
        return Call("sum", (expression,), ((),))
    return Call("reshape", (expression,), (shape,))


def _refined(views: Sequence[View], rank: int) -> list[tuple[int, ...]] | int:
    """Return the split of each result dimension into expression dimensions, or one in which operands disagree."""
    found: list[tuple[int, ...]] = [()] * rank
    for view in views:
        for dimension, group in enumerate(view.groups, start=rank - len(view.groups)):
            own = tuple(view.sizes[number] for number in group)
            if prod(own) == 1:
                continue
            if found[dimension] not in ((), own):
                return dimension
            found[dimension] = own
    return [lengths or (1,) for lengths in found]


def _lined_up(view: View, lengths: Sequence[tuple[int, ...]]) -> Expression:
    """An operand with length-1 dimensions where it is repeated along some of several joined dimensions."""
    if not view.sizes:
        return view.expression
    own = lengths[len(lengths) - len(view.groups) :]
    shape: list[int] = []
    for packed, joint in zip(view.packed, own, strict=True):
        shape += [1] * len(joint) if packed == 1 else joint
    return _moved(view, tuple(shape))


def _labels_text(view: View, names: Sequence[str], words: dict[str, list[str]]) -> list[str]:
    found = [""] * len(view.sizes)
    for name, group in zip(names, view.groups, strict=True):
        for word, number in zip(words[name], group, strict=True):
            found[number] = word
    return found


def _contraction(operands: tuple[Expression, ...], texts: list[list[str]], target: list[str]) -> Expression:
    """A contraction as linear or matmul where it has that form, else as an einsum."""
    if len(texts) == 2 and len(texts[1]) == 2:
        left, (first, second) = texts
        if left and target == [*left[:-1], first] and left[-1] == second and first not in left:
            return Call("linear", operands)
        if len(left) > 1 and target == [*left[:-1], second] and left[-1] == first and second not in left:
            return Call("matmul", operands)
    text = ", ".join(" ".join(each) for each in texts) + " -> " + " ".join(target)
    return Call("einsum", operands, (text,))
