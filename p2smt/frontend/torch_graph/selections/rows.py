"""Rows that a mask selects, as the whole tensor beside its mask.

How many rows `x[mask]` has depends on values, and shapes of a program may not. A selection keeps all rows of x and
computes each by itself; where rows meet, those that the mask leaves out do not count:

    x[mask].sum()             ->  where(mask, x, 0).sum()
    x[mask].mean()            ->  where(mask, x, 0).sum() / mask.sum()
    out.index_add_(0, i, y)   ->  out.index_add_(0, all indices, where(mask, y, 0))      i, j = torch.where(mask)

Shapes: the dimensions that the mask covers are one dimension of `value`, with N = mask.numel() rows where PyTorch has
`mask.sum()`. All other dimensions are those that PyTorch has, `after` of them behind the rows.

Invariant: rows left out reach neither a result nor a gradient, not even as 0 * inf. What joins rows replaces them by
numbers first, and so does every tensor with a gradient that enters (`kept`): the derivative of that choice is 0 there.
Complexity: that of the whole tensor in place of the selected rows.
Reference: Allen et al., "Conversion of control dependence to data dependence", 1983 (predication).
"""

from dataclasses import dataclass
from math import prod
from types import EllipsisType
from typing import TypeAlias

import torch

from p2smt.errors import CaptureError

Item: TypeAlias = int | slice | EllipsisType | torch.Tensor | None
"""An index along one dimension, or of several."""
_KNOWN = "known are operations by row, losses, sums and means, index_add_, and writing rows back by their mask"
_WAY_OUT = "use torch.where(mask, x, 0) in the place of x[mask], and divide sums by mask.sum()"


class SelectionError(CaptureError):
    """A call on selected rows is not known."""


@dataclass(frozen=True, slots=True, eq=False)
class Mask:
    """A mask as it was when it selected: its elements as one dimension, its shape, and how many are true.

    `block` is the number of the block of code that it selects in, if PyTorch may skip that; else 0.
    """

    rows: torch.Tensor
    shape: tuple[int, ...]
    count: torch.Tensor
    block: int = 0


def flattened(mask: Mask, length: int) -> Mask:
    """Return the mask of single elements, of rows of this length."""
    rows = mask.rows[:, None].expand(-1, length).reshape(-1)
    return Mask(rows, (*mask.shape, length), mask.count * length, mask.block)


class MaskedRows(torch.Tensor):
    """Rows of a tensor that a mask selects; only the calls of `calls.py` are known of it.

    `dim` is the dimension of the mask whose indices it holds, if it does; `finite` says that all rows that are left
    out hold numbers.
    """

    value: torch.Tensor
    mask: Mask
    after: int
    dim_of_mask: int | None
    finite: bool

    @staticmethod
    def __new__(
        cls, value: torch.Tensor, mask: Mask, after: int, *, dim_of_mask: int | None = None, finite: bool = False
    ) -> "MaskedRows":
        """Return a selection, which has no memory of its own."""
        # Without a shape, which is not known: whatever reads one without asking `calls.py` fails, and guesses nothing.
        made = torch.Tensor._make_wrapper_subclass(cls, (), dtype=value.dtype, device=value.device)
        assert isinstance(made, MaskedRows)
        made.value, made.mask, made.after, made.dim_of_mask, made.finite = value, mask, after, dim_of_mask, finite
        return made

    @classmethod
    def __torch_function__(cls, func: object, types: object, args: object = (), kwargs: object = None) -> object:
        """Refuse the call: what is known never gets here."""
        raise refused(getattr(func, "__name__", str(func)))

    @classmethod
    def __torch_dispatch__(  # type: ignore[override]
        cls, func: object, types: object, args: object = (), kwargs: object = None
    ) -> object:
        """Refuse the call: what is known never gets here."""
        raise refused(str(func))

    @property
    def at(self) -> int:
        """The position of the rows among the dimensions of the value."""
        return self.value.dim() - 1 - self.after

    @property
    def row_length(self) -> int:
        """The number of elements of a row, in the dimensions behind it."""
        return prod(self.value.shape[self.at + 1 :])

    def written(self) -> "MaskedRows":
        """Forget all that is known of the elements, as other tensors may share their memory."""
        self.finite, self.dim_of_mask = False, None
        return self


def refused(name: str, known: str = _KNOWN) -> SelectionError:
    """Return the refusal of a call on selected rows."""
    return SelectionError(
        f"{name} is called there on rows that a mask selects, and how many there are depends on the values of tensors, "
        f"which have none while a step is captured; {known}; {_WAY_OUT}"
    )


def spread(mask: Mask, after: int) -> torch.Tensor:
    """The mask with so many dimensions of length 1 behind it."""
    return mask.rows.reshape(-1, *[1] * after)


def kept(value: torch.Tensor, mask: Mask, after: int, number: float | None = None) -> torch.Tensor:
    """The value with a number in the rows that are left out: by default 1, which most functions take, or index 0."""
    if number is None:
        number = 1 if value.is_floating_point() else 0
    return value.masked_fill(~spread(mask, after), number)


def numbers(each: MaskedRows, number: float | None = None) -> torch.Tensor:
    """The value of a selection with a number in the rows that are left out."""
    if number is None and each.finite:
        return each.value
    return kept(each.value, each.mask, each.after, number)


def entered(value: torch.Tensor, mask: Mask, after: int) -> MaskedRows:
    """A tensor's rows as a selection; those that are left out get no gradient."""
    if not value.requires_grad:
        # A copy, as x[mask] is one in PyTorch: what is written into x later does not reach it.
        return MaskedRows(value.clone(), mask, after)
    return MaskedRows(kept(value, mask, after), mask, after, finite=True)


def indices(mask: Mask) -> tuple[MaskedRows, ...]:
    """The indices at which a mask is true, along each of its dimensions."""
    made = []
    for dim, length in enumerate(mask.shape):
        row = torch.arange(length, device=mask.rows.device).view(-1, *[1] * (len(mask.shape) - 1 - dim))
        made.append(MaskedRows(row.expand(mask.shape).reshape(-1), mask, 0, dim_of_mask=dim, finite=True))
    return tuple(made)
