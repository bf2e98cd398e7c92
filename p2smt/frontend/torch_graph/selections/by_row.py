"""Functions of single elements and of single rows, computed on all rows.

With m a mask over rows, f a function that computes each row by itself commutes with the selection:
    f(x[m]) = f(x)[m],
so f runs on all rows, beside the mask (if-conversion; Allen et al., "Conversion of control dependence to data
dependence", 1983). Rows that are left out are replaced by numbers first where f could make them infinite or NaN.
Operands must have one mask, or none.
Complexity: that of f on all rows.

Example: `relu(x[m]) * 2` is relu(x) * 2 beside m.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import torch

from p2smt.frontend.torch_graph.elements import known
from p2smt.frontend.torch_graph.selections.masks import inner
from p2smt.frontend.torch_graph.selections.names import BY_ROW, DIM_BY_DEFAULT
from p2smt.frontend.torch_graph.selections.rows import Mask, MaskedRows, entered, kept, numbers, refused

Called: TypeAlias = Callable[..., object]
Arguments: TypeAlias = Sequence[object]
Keywords: TypeAlias = Mapping[str, object]


def selections(values: Arguments) -> list[MaskedRows]:
    """The selections among arguments, also those in lists."""
    found = []
    for each in values:
        if isinstance(each, MaskedRows):
            found.append(each)
        elif isinstance(each, list | tuple):
            found += selections(each)
    return found


def shared_mask(name: str, given: Sequence[MaskedRows]) -> Mask:
    """The mask that all selections have; refused if there are several."""
    if any(each.mask is not given[0].mask for each in given):
        raise refused(
            name,
            "the rows are of different masks; select all by one tensor, which nothing is written into between them",
        )
    return given[0].mask


def pointwise(name: str, func: Called, args: Arguments, kwargs: Keywords) -> MaskedRows:
    """A function of single elements; operands broadcast."""
    given = selections((*args, *kwargs.values()))
    mask, after = shared_mask(name, given), given[0].after
    if any(each.after != after for each in given) or "out" in kwargs:
        raise refused(name, "operands have different numbers of dimensions behind the rows")

    def operand(each: object) -> object:
        if isinstance(each, MaskedRows):
            each.written()
            return each.value
        if not isinstance(each, torch.Tensor):
            return each
        if each.dim() > after and each.shape[each.dim() - 1 - after] != 1:
            raise refused(name, "an operand has another number of rows")
        # Where nothing is selected, a number such as 1 / mask.sum() is infinite, and times 0 is none.
        if not each.is_floating_point() or (not each.requires_grad and known(inner(each)) is not None):
            return each
        shape = torch.broadcast_shapes(each.shape, given[0].value.shape)  # type: ignore[no-untyped-call]
        return kept(each.expand(shape), mask, after)

    made = func(*map(operand, args), **{key: operand(each) for key, each in kwargs.items()})
    assert isinstance(made, torch.Tensor)
    return MaskedRows(made, mask, after)


def in_place(name: str, func: Called, args: Arguments, kwargs: Keywords) -> MaskedRows:
    """A function that writes into its first operand, which has memory as PyTorch's has."""
    first = args[0]
    if not isinstance(first, MaskedRows):
        raise refused(name, "a tensor that has all rows is written there")
    pointwise(name, func, args, kwargs)
    return first.written()


def cast(name: str, func: Called, args: Arguments, kwargs: Keywords) -> torch.Tensor:
    """A cast of the first argument."""
    first, *others = (each.value if isinstance(each, MaskedRows) else each for each in args)
    made, of = func(first, *others, **kwargs), args[0]
    assert isinstance(made, torch.Tensor)
    if not isinstance(of, MaskedRows):
        return made
    of.finite = False  # the result may share its memory
    return MaskedRows(made, of.mask, of.after, dim_of_mask=of.dim_of_mask)


def by_row(name: str, func: Called, args: Arguments, kwargs: Keywords) -> object:
    """A function of single rows; its operands and results are numbers in the rows that are left out, too."""
    of, *others = given = selections((*args, *kwargs.values()))
    mask = shared_mask(name, given)
    if any(each.at != of.at or each.after != of.after for each in others):
        raise refused(name, "operands have their rows at different dimensions")
    after = _behind(name, of, args, kwargs)

    def operand(each: object) -> object:
        if isinstance(each, MaskedRows):
            return numbers(each)
        return type(each)(map(operand, each)) if isinstance(each, list | tuple) else each

    made = func(*map(operand, args), **{key: operand(each) for key, each in kwargs.items()})

    def result(each: object) -> object:
        if isinstance(each, torch.Tensor):
            return entered(each, mask, after(each)) if each.requires_grad else MaskedRows(each, mask, after(each))
        return type(each)([result(one) for one in each]) if isinstance(each, list | tuple) else each

    return result(made)


def _behind(name: str, of: MaskedRows, args: Arguments, kwargs: Keywords) -> Callable[[torch.Tensor], int]:
    """Return the number of dimensions behind the rows of results; refused if rows are not computed one by one."""
    rank, at = of.value.dim(), of.at
    match name:
        case "linear" | "layer_norm" | "rms_norm" | "matmul" | "__matmul__":
            shape = args[1] if len(args) > 1 else kwargs.get("normalized_shape", kwargs.get("other"))
            inner = len(shape) if isinstance(shape, list | tuple) else 1
            second = args[1] if len(args) > 1 else None
            is_matrix = not isinstance(second, torch.Tensor) or second.dim() <= 2
            if args[0] is not of or of.after < inner or not is_matrix:
                raise refused(name)
        case "embedding" | "one_hot":
            if args[0] is not of or kwargs.get("max_norm") is not None or len(args) > 3:
                raise refused(name)
        case _:
            position = BY_ROW[name]
            assert position is not None
            asked = args[position] if len(args) > position else kwargs.get("dim", DIM_BY_DEFAULT.get(name))
            listed = asked if isinstance(asked, list | tuple) else (asked,)
            dims = {each % rank for each in listed if isinstance(each, int)}
            if len(dims) != len(listed) or at in dims:
                raise refused(name)
            dropped = sum(each > at for each in dims)
            return lambda made: of.after - (dropped if made.dim() < rank else 0)
    return lambda made: made.dim() - 1 - at
