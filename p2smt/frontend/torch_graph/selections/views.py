"""Other shapes of selections, and parts of their rows."""

from collections.abc import Sequence
from types import EllipsisType

import torch

from p2smt.frontend.torch_graph.selections.by_row import Arguments, Called, Keywords
from p2smt.frontend.torch_graph.selections.rows import Item, Mask, MaskedRows, flattened, refused


class Views:
    """Views of selections; the same mask becomes the same mask of elements each time."""

    def __init__(self) -> None:
        self._flattened: dict[tuple[Mask, int], Mask] = {}

    def view(self, name: str, func: Called, args: Arguments, kwargs: Keywords) -> object:
        """Return a view of the first argument, with the rows where PyTorch has them."""
        of, *others = args
        if not isinstance(of, MaskedRows):
            raise refused(name)
        of.written()
        match name:
            case "view" | "reshape":
                return self._reshaped(name, of, _shape(others, kwargs.get("shape", kwargs.get("size"))))
            case "flatten":
                return self._joined(name, of, others, kwargs)
            case "unsqueeze":
                (dim,) = (*others, *kwargs.values())
                assert isinstance(dim, int)
                return MaskedRows(of.value.unsqueeze(dim), of.mask, of.after + (dim % (of.value.dim() + 1) > of.at))
            case "squeeze":
                return _squeezed(name, of, [*others, *kwargs.values()])
            case "chunk" | "split" | "unbind" | "__iter__":
                return _parts(name, func, of, others, kwargs)
            case _:
                return _permuted(func, of, others, kwargs)

    def _reshaped(self, name: str, of: MaskedRows, shape: Sequence[object]) -> MaskedRows:
        """Rows of another shape, or all their elements as rows."""
        # `x.view(n, ...)` with n from `x.shape[0]`, which is the count of the mask, is the same as -1.
        first, *others = (-1 if each is of.mask.count else each for each in shape)
        lengths = [each for each in others if isinstance(each, int)]
        if of.value.shape[: of.at].numel() != 1 or first != -1 or len(lengths) != len(others) or -1 in lengths:
            raise refused(name)
        value, count = of.value.reshape(-1, of.row_length), torch.Size(lengths).numel()
        if count == of.row_length:
            return MaskedRows(value.reshape(-1, *lengths), of.mask, len(lengths))
        if lengths:
            raise refused(name)
        mask = self._flattened.setdefault((of.mask, of.row_length), flattened(of.mask, of.row_length))
        return MaskedRows(value.reshape(-1), mask, 0)

    def _joined(self, name: str, of: MaskedRows, others: Arguments, kwargs: Keywords) -> MaskedRows:
        """Flatten: all elements into rows, or some dimensions behind the rows into one."""
        dims = dict(zip(("start_dim", "end_dim"), others, strict=False), **kwargs)
        first, last = dims.get("start_dim", 0), dims.get("end_dim", -1)
        assert isinstance(first, int)
        assert isinstance(last, int)
        rank = of.value.dim()
        if first % rank > of.at:
            made = of.value.flatten(first, last)
            return MaskedRows(made, of.mask, made.dim() - 1 - of.at)
        if (first % rank, last % rank) != (0, rank - 1):
            raise refused(name)
        return self._reshaped(name, of, (-1,))


def _squeezed(name: str, of: MaskedRows, given: Sequence[object]) -> MaskedRows:
    rank, at = of.value.dim(), of.at
    asked = [one for each in given for one in (each if isinstance(each, list | tuple) else [each])]
    dims = [each % rank for each in asked if isinstance(each, int)]
    if not dims or at in dims:
        raise refused(name, "squeeze(dim) drops other dimensions; without dim it would drop a single row's")
    gone = [each for each in dims if of.value.shape[each] == 1]
    return MaskedRows(of.value.squeeze(gone), of.mask, of.after - sum(each > at for each in gone))


def _parts(name: str, func: Called, of: MaskedRows, others: Arguments, kwargs: Keywords) -> object:
    """Return the pieces of `chunk`, `split`, `unbind` or iteration along a dimension other than the selected rows."""
    is_split = name in ("chunk", "split")
    size, rest = (others[:1], others[1:]) if is_split else ((), others)
    dim, rank = rest[0] if rest else kwargs.get("dim", 0), of.value.dim()
    if not isinstance(dim, int) or dim % rank == of.at or (is_split and not size):
        raise refused(name)
    parts = func(of.value, *size, dim) if is_split else of.value.unbind(dim)
    assert isinstance(parts, list | tuple)
    after = of.after - (not is_split and dim % rank > of.at)
    made = tuple(MaskedRows(each, of.mask, after) for each in parts)
    return iter(made) if name == "__iter__" else made


def _permuted(func: Called, of: MaskedRows, others: Arguments, kwargs: Keywords) -> MaskedRows:
    """Dimensions in another order; that of the rows is found by its length in a tensor that is moved the same way."""
    made, rank = func(of.value, *others, **kwargs), of.value.dim()
    moved = func(torch.empty([2 if dim == of.at else 1 for dim in range(rank)], device="meta"), *others, **kwargs)
    assert isinstance(made, torch.Tensor)
    assert isinstance(moved, torch.Tensor)
    return MaskedRows(made, of.mask, rank - 1 - list(moved.shape).index(2))


def part(of: MaskedRows, items: Sequence[Item]) -> MaskedRows:
    """Parts of the rows: slices and numbers along their other dimensions."""
    listed: list[Item] = list(items)
    given = sum(each is not None and not isinstance(each, EllipsisType) for each in items)
    hidden = [slice(None)] * (of.value.dim() - given)
    place = next((number for number, each in enumerate(items) if isinstance(each, EllipsisType)), len(items))
    listed[place : place + 1] = hidden
    dim, position = 0, 0
    for each in listed:
        if each is not None:
            is_whole = isinstance(each, slice) and each == slice(None)
            if not isinstance(each, slice | int) or (dim == of.at and not is_whole):
                raise refused("[]")
            if dim == of.at:
                break
            dim += 1
        position += not isinstance(each, int)
    of.written()
    made = of.value[tuple(listed)]
    return MaskedRows(made, of.mask, made.dim() - 1 - position)


def _shape(given: Sequence[object], named: object) -> Sequence[object]:
    if not given and isinstance(named, list | tuple):
        return named
    match given:
        case [list() | tuple() as shape]:
            return shape
        case _:
            return given
