"""Sums and means of selected rows, and losses."""

import inspect
from math import inf

import torch

from p2smt.frontend.torch_graph.selections.by_row import (
    Arguments,
    Called,
    Keywords,
    pointwise,
    selections,
    shared_mask,
)
from p2smt.frontend.torch_graph.selections.rows import MaskedRows, kept, numbers, refused


def joined(name: str, of: MaskedRows, dims: list[int], keepdim: bool) -> torch.Tensor:
    """Reduce along several dimensions; one of them is the dimension of the rows."""
    match name:
        case "sum":
            return numbers(of, 0).sum(dims, keepdim)
        case "mean" if of.value.is_floating_point():
            others = [of.value.shape[dim] for dim in dims if dim != of.at]
            count = of.mask.count.to(of.value.dtype) * torch.Size(others).numel()
            return numbers(of, 0).sum(dims, keepdim) / count
        case "any":
            # Counted, since sums of truth values along several dimensions are what programs have.
            return kept(of.value != 0, of.mask, of.after, 0).sum(dims, keepdim) > 0
        case "all":
            return kept(of.value == 0, of.mask, of.after, 0).sum(dims, keepdim) == 0
        case "amax" | "max":
            return numbers(of, -inf).amax(dims, keepdim)
        case "amin" | "min":
            return numbers(of, inf).amin(dims, keepdim)
        case _:
            raise refused(name)


def reduced(name: str, func: Called, args: Arguments, kwargs: Keywords) -> object:
    """A sum or the like along all dimensions, or some; by row, if the rows are not among them."""
    of, *others = args
    if name in ("max", "min") and any(isinstance(each, torch.Tensor) for each in (*others, *kwargs.values())):
        return pointwise(name, func, args, kwargs)
    if not isinstance(of, MaskedRows) or "out" in kwargs:
        raise refused(name)
    dtype = kwargs.get("dtype")
    asked = dict(zip(("dim", "keepdim"), others, strict=False)) | {k: v for k, v in kwargs.items() if k != "dtype"}
    dim, keepdim = asked.pop("dim", asked.pop("axis", None)), bool(asked.pop("keepdim", False))
    rank = of.value.dim()
    listed = list(range(rank)) if dim is None or dim in ([], ()) else dim if isinstance(dim, list | tuple) else [dim]
    dims = [each % rank for each in listed if isinstance(each, int)]
    if asked or len(dims) != len(listed):
        raise refused(name)
    if of.at not in dims:
        after = of.after - (0 if keepdim else sum(each > of.at for each in dims))
        made = func(of.value, dim, keepdim, **({} if dtype is None else {"dtype": dtype}))
        if isinstance(made, torch.Tensor):
            return MaskedRows(made, of.mask, after)
        assert isinstance(made, tuple)
        return type(made)([MaskedRows(each, of.mask, after) for each in made])
    by_extremum = name in ("amax", "amin", "max", "min")
    if (by_extremum and not of.value.is_floating_point()) or (name in ("max", "min") and dim is not None):
        raise refused(name)
    if isinstance(dtype, torch.dtype):
        of = MaskedRows(of.value.to(dtype), of.mask, of.after)
    return joined(name, of, dims, keepdim)


def loss(name: str, func: Called, args: Arguments, kwargs: Keywords) -> object:
    """A loss of single elements, by its reduction."""
    bound = inspect.signature(func).bind(*args, **kwargs)
    reduction = _reduction(name, bound.arguments)
    made = pointwise(name, func, bound.args, bound.kwargs)
    if reduction == "batchmean":
        return joined("sum", made, list(range(made.value.dim())), keepdim=False) / made.mask.count.to(made.value.dtype)
    return made if reduction == "none" else joined(reduction, made, list(range(made.value.dim())), keepdim=False)


def class_loss(name: str, func: Called, args: Arguments, kwargs: Keywords) -> object:
    """A loss of classes by row: rows that are left out have the class that is ignored."""
    bound = inspect.signature(func).bind(*args, **kwargs)
    bound.apply_defaults()
    given, rows, target = bound.arguments, bound.arguments["input"], bound.arguments["target"]
    if not isinstance(rows, MaskedRows) or not isinstance(target, MaskedRows) or rows.at != 0 or target.at != 0:
        raise refused(name)
    mask = shared_mask(name, selections((rows, target)))
    ignored = given["ignore_index"]
    given["input"] = numbers(rows)
    if target.value.is_floating_point():
        reduction = _reduction(name, given)
        given["target"] = numbers(target)
        made = func(*bound.args, **bound.kwargs)
        assert isinstance(made, torch.Tensor)
        whole = MaskedRows(made, mask, made.dim() - 1)
        if reduction == "mean":  # a mean of rows: torch divides by their number
            return joined("sum", whole, list(range(made.dim())), keepdim=False) / _rows(whole)
        return whole if reduction == "none" else joined("sum", whole, list(range(made.dim())), keepdim=False)
    given["target"] = kept(target.value, mask, target.after, ignored)
    made = func(*bound.args, **bound.kwargs)
    assert isinstance(made, torch.Tensor)
    return MaskedRows(made, mask, made.dim() - 1) if given["reduction"] == "none" else made


def _rows(of: MaskedRows) -> torch.Tensor:
    return of.mask.count.to(of.value.dtype) * of.row_length


def _reduction(name: str, given: dict[str, object]) -> str:
    """Return the reduction that is asked for, and ask for none."""
    if given.get("size_average") is not None or given.get("reduce") is not None:
        raise refused(name, "its reduction is given by arguments that PyTorch no longer has")
    reduction = str(given.get("reduction", "mean"))
    given["reduction"] = "none"
    return reduction
