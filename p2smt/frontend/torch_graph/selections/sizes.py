"""Attributes and lengths of selected rows; the number of rows is a tensor."""

import torch

from p2smt.frontend.torch_graph.selections.by_row import Arguments, Called, Keywords
from p2smt.frontend.torch_graph.selections.rows import MaskedRows, refused


def of_value(name: str, func: Called, args: Arguments, kwargs: Keywords) -> object:
    """An attribute that a selection has in common with its value."""
    (of,) = args
    assert isinstance(of, MaskedRows)
    return func(of.value)


def size(name: str, func: Called, args: Arguments, kwargs: Keywords) -> object:
    """Lengths; that of the rows is a tensor."""
    of, *others = args
    assert isinstance(of, MaskedRows)
    lengths: list[int] = list(of.value.shape)
    if name in ("dim", "ndim", "ndimension"):
        return len(lengths)
    if name == "__len__":
        return lengths[0] if of.at else int(of.mask.count)
    if name in ("numel", "nelement"):
        del lengths[of.at]
        return of.mask.count * torch.Size(lengths).numel()
    shape = tuple(of.mask.count if dim == of.at else length for dim, length in enumerate(lengths))
    match [*others, *kwargs.values()]:
        case []:
            return shape
        case [int() as dim]:
            return shape[dim]
        case _:
            raise refused(name)
