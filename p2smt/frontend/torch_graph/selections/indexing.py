"""Selecting rows of tensors by masks and by indices, and writing rows back."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from p2smt.frontend.torch_graph.selections.by_row import selections, shared_mask
from p2smt.frontend.torch_graph.selections.rows import Item, Mask, MaskedRows, entered, numbers, refused, spread


@dataclass(frozen=True, slots=True)
class MaskedPart:
    """A part of a tensor that is indexed by a mask over the dimensions from `at` on."""

    part: torch.Tensor
    at: int

    def after(self, mask: Mask) -> int:
        """The number of dimensions behind those of the mask."""
        return self.part.dim() - self.at - len(mask.shape)


def covered(x: torch.Tensor, items: Sequence[Item], place: int, mask: Mask) -> MaskedPart | None:
    """The part of x that slices and numbers beside a mask leave; None if the mask does not fit."""
    before, behind = list(items[:place]), items[place + 1 :]
    part = x[(*before, *[slice(None)] * len(mask.shape), *behind)]
    at = sum(each is None or isinstance(each, slice) for each in before)
    if Ellipsis in before:
        used = sum(each is not None and each is not Ellipsis for each in (*before, *behind)) + len(mask.shape)
        at += x.dim() - used
    found = MaskedPart(part, at)
    return found if tuple(part.shape[at : at + len(mask.shape)]) == mask.shape else None


def selected(found: MaskedPart, mask: Mask) -> MaskedRows:
    """The rows at which a mask is true."""
    part, at = found.part, found.at
    value = part.flatten(at, at + len(mask.shape) - 1) if mask.shape else part.unsqueeze(at)
    return entered(value, mask, found.after(mask))


def looked_up(x: torch.Tensor, items: Sequence[Item]) -> MaskedRows:
    """The rows of x at indices of selected rows."""
    given = selections(items)
    mask = shared_mask("[]", given)
    places = [number for number, each in enumerate(items) if isinstance(each, torch.Tensor)]
    is_plain = all(isinstance(each, MaskedRows) or each.dim() == 0 for each in items if isinstance(each, torch.Tensor))
    if not is_plain or any(each.value.dim() != 1 for each in given) or places[-1] - places[0] + 1 != len(places):
        raise refused("[]")
    before = items[: places[0]]
    if Ellipsis in before or any(isinstance(each, int) for each in before):
        raise refused("[]")
    behind = items[places[-1] + 1 :]
    if not before and is_whole_mask(items[: len(places)]) and tuple(x.shape[: len(mask.shape)]) == mask.shape:
        return selected(MaskedPart(x[(*[slice(None)] * len(mask.shape), *behind)], 0), mask)
    whole = _along(x, items, given)
    if whole is not None:
        return entered(whole, mask, whole.dim() - 1)
    first = sum(isinstance(each, slice) for each in before)
    new = [_index(each, x.shape[first + number]) for number, each in enumerate(items[places[0] : places[-1] + 1])]
    value = x[(*before, *new, *behind)]
    return entered(value, mask, value.dim() - 1 - len(before))


def _index(each: Item, length: int) -> Item:
    """Return the index with 0 for rows that its mask leaves out, unless all of its numbers are in range anyway."""
    if not isinstance(each, MaskedRows):
        return each
    dim = each.dim_of_mask
    return each.value if dim is not None and each.mask.shape[dim] <= length else numbers(each, 0)


def _along(x: torch.Tensor, items: Sequence[Item], given: Sequence[MaskedRows]) -> torch.Tensor | None:
    """All rows of x, repeated, if the index is that of a mask along one dimension; else None."""
    shape, dim = given[0].mask.shape, given[0].dim_of_mask
    if len(items) != 1 or dim is None or x.shape[0] != shape[dim]:
        return None
    repeated = x.reshape(*[1] * dim, x.shape[0], *[1] * (len(shape) - 1 - dim), *x.shape[1:])
    return repeated.expand(*shape, *x.shape[1:]).flatten(0, len(shape) - 1)


def is_whole_mask(items: Sequence[object]) -> bool:
    """True if indices are those of a mask, all and in order."""
    given = [each for each in items if isinstance(each, MaskedRows)]
    if len(given) != len(items) or any(each.mask is not given[0].mask for each in given):
        return False
    return [each.dim_of_mask for each in given] == list(range(len(given[0].mask.shape)))


def write(found: MaskedPart, mask: Mask, value: torch.Tensor) -> None:
    """Write rows, or one for all, where a mask is true."""
    after, dims = found.after(mask), len(mask.shape)
    if isinstance(value, MaskedRows):
        if value.mask is not mask or value.after != after:
            raise refused("[]=", "rows of one mask are written by another")
        new = value.value.reshape(*value.value.shape[: value.at], *mask.shape, *value.value.shape[value.at + 1 :])
        new = new.to(found.part.dtype)
    else:
        new, place = value.to(found.part.dtype), value.dim() - 1 - after
        if place >= 0:
            if value.shape[place] != 1:
                raise refused("[]=", "what is written has as many rows as are selected")
            new = new.reshape(*value.shape[:place], *[1] * dims, *value.shape[place + 1 :])
    truth = mask.rows.reshape(*mask.shape, *[1] * after)
    found.part.copy_(torch.where(truth, new, found.part))


def write_column(x: torch.Tensor, items: Sequence[Item], value: object) -> None:
    """Write a number, or one for each row, at one element of every row of a mask: `x[mask, columns] = value`."""
    given = selections(items)
    mask, column, dims = given[0].mask, given[-1], len(given[0].mask.shape)
    is_column = len(items) == x.dim() == dims + 1 and is_whole_mask(items[:-1]) and column.value.dim() == 1
    new: torch.Tensor | float | None = None
    if isinstance(value, MaskedRows):
        new = value.value[:, None].to(x.dtype) if value.mask is mask and value.after == 0 else None
    elif isinstance(value, int | float) or (isinstance(value, torch.Tensor) and value.numel() == 1):
        new = value
    if not is_column or new is None or column.mask is not mask or tuple(x.shape[:-1]) != mask.shape:
        raise refused("[]=", "rows are written by all indices of their mask, in their order, and one column of each")
    places, length = numbers(column, 0)[:, None], x.shape[-1]
    places = torch.where(places < 0, places + length, places)
    hit = (torch.arange(length, device=x.device) == places) & spread(mask, 1)
    x.copy_(torch.where(hit, new, x.reshape(-1, length)).reshape(x.shape))


def added(name: str, into: torch.Tensor, dim: object, index: object, rows: object, alpha: float = 1) -> torch.Tensor:
    """The tensor with selected rows added at indices."""
    if not isinstance(index, MaskedRows) or not isinstance(rows, MaskedRows) or isinstance(into, MaskedRows):
        raise refused(name)
    mask = shared_mask(name, (index, rows))
    if dim not in (0, -into.dim()) or index.value.dim() != 1 or rows.at != 0:
        raise refused(name)
    values = numbers(rows, 0)
    if alpha != 1:
        values = values * alpha
    along = index.dim_of_mask
    if along is not None and mask.shape[along] == into.shape[0]:
        others = [dim for dim in range(len(mask.shape)) if dim != along]
        whole = values.reshape(*mask.shape, *values.shape[1:])
        together: torch.Tensor = whole.sum(others) if others else whole
        return into + together.to(into.dtype)
    return into.index_add(0, numbers(index, 0), values)
