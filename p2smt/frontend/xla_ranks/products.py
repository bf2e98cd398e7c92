"""Products of tensors; dimensions along which an operand is repeated are factored out of the product."""

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from p2smt.errors import VerifyError
from p2smt.frontend.torch_graph.emission import LETTERS, Emission
from p2smt.frontend.torch_graph.lowering.formula import Formula
from p2smt.frontend.torch_graph.view import View, permuted, with_one
from p2smt.frontend.xla.ssa import HloShape, Product

Labels = list[str]


def multiplied(emission: Emission, views: Sequence[View], product: Product, result: HloShape) -> View:
    """Return a dot_general: batch dimensions, then the kept ones of the first, then of the second operand."""
    left, right = views
    labels = _labels(left, right, product)
    summed = {labels[0][dim] for dim in product.summed[0]}
    batch = [labels[0][dim] for dim in product.batch[0]]
    kept = [name for names in labels for name in names if name not in summed and name not in batch]
    lengths = {
        name: size
        for view, names in zip(views, labels, strict=True)
        for name, size in zip(names, view.shape, strict=True)
    }
    target = [*batch, *kept]
    if tuple(lengths[name] for name in target) != result.dims:
        raise VerifyError(f"a dot of {list(left.shape)} and {list(right.shape)} does not give {result}")
    own = [_without_repeats(emission, view, names) for view, names in zip(views, labels, strict=True)]
    there = {name for _, names in own for name in names}
    made = _contracted(emission, own, [name for name in target if name in there])
    # A label that both operands only repeat is summed over as many equal terms: one multiplication.
    times = prod(lengths[name] for name in summed - there)
    if times > 1:
        assert made.dtype is not None
        made = Formula(emission, made.dtype, made.shape).of("mul", made, times)
    for position, name in enumerate(target):
        if name not in there:
            made = with_one(made, position)
    return made.repeated(result.dims)


def _labels(left: View, right: View, product: Product) -> tuple[Labels, Labels]:
    pairs = [*zip(*product.batch, strict=False), *zip(*product.summed, strict=False)]
    sides = ([*product.batch[0], *product.summed[0]], [*product.batch[1], *product.summed[1]])
    for side, view in zip(sides, (left, right), strict=True):
        if len(set(side)) < len(side) or any(dim >= len(view.shape) for dim in side) or len(side) != len(pairs):
            raise VerifyError(
                "contracting or batch dimensions repeat, do not exist, or differ in number between the operands"
            )
    if any(left.shape[first] != right.shape[second] for first, second in pairs):
        raise VerifyError(
            f"contracting or batch dimensions of {list(left.shape)} and {list(right.shape)} have different lengths"
        )
    if len(left.shape) + len(right.shape) > len(LETTERS):
        raise VerifyError(f"a dot of more than {len(LETTERS)} dimensions is not supported")
    letters = iter(LETTERS)
    first = [next(letters) for _ in left.shape]
    of = {second: first[one] for one, second in pairs}
    return first, [of.get(dim) or next(letters) for dim in range(len(right.shape))]


def _without_repeats(emission: Emission, view: View, names: Labels) -> tuple[View, Labels]:
    """The view without the dimensions along which it is repeated."""
    missing = len(view.shape) - len(view.groups)
    packed = (1,) * missing + view.packed
    kept = [dim for dim, length in enumerate(view.shape) if packed[dim] == length]
    if len(kept) == len(names):
        return replace(view, expanded=None), names
    if not kept:
        return emission.reshaped(replace(view, expanded=None), ()), []
    groups = ((),) * missing + view.groups
    gone = tuple(number for dim in range(len(names)) if dim not in kept for number in groups[dim])
    left = [groups[dim] for dim in kept]
    left[0] = (*left[0], *gone)
    return View(view.expression, view.sizes, tuple(left), view.dtype), [names[dim] for dim in kept]


def _contracted(emission: Emission, own: Sequence[tuple[View, Labels]], target: Labels) -> View:
    arrays = [(view, names) for view, names in own if view.sizes]
    scalars = [view for view, _ in own if not view.sizes]
    if len(arrays) == 2:
        return emission.contracted([view for view, _ in arrays], [names for _, names in arrays], target)
    if not arrays:
        assert scalars[0].dtype is not None
        return Formula(emission, scalars[0].dtype, ()).of("mul", *scalars)
    ((view, names),) = arrays
    gone = tuple(dim for dim, name in enumerate(names) if name not in target)
    made = emission.reduced("sum", view, gone, False) if gone else view
    left = [name for name in names if name in target]
    made = permuted(made, tuple(left.index(name) for name in target))
    assert made.dtype is not None
    return Formula(emission, made.dtype, made.shape).of("mul", made, scalars[0])
