"""Selections in code that PyTorch runs only if there are rows (`skipping/`): their writes, and what is refused."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import torch

from p2smt.frontend.torch_graph.refusals import WITHOUT_CONDITION
from p2smt.frontend.torch_graph.selections import names
from p2smt.frontend.torch_graph.selections.masks import inner
from p2smt.frontend.torch_graph.selections.rows import Mask, MaskedRows, SelectionError, refused
from p2smt.frontend.torch_graph.skipping.conditions import SkippedCode

_ITERATION = torch.Tensor.__iter__.__code__
_BELOW = (str(Path(torch.__file__).parent), str(Path(__file__).parents[1]))
"""Folders of the code that may stand between a loop and the call that asks for its rows."""


@contextmanager
def merging(skipping: SkippedCode, name: str, masks: Sequence[Mask], into: torch.Tensor) -> Iterator[None]:
    """A context for a write by masks, which are refused if they may select rows where the running block is skipped."""
    for each in masks:
        if each.block != skipping.running() and not skipping.takes(each.count):
            raise refused(
                name,
                "code that runs only under a condition writes rows by a mask that this condition does not count; "
                "select the rows in that code",
            )
    with skipping.merging():
        yield
        inner(into)  # so that writes into what it is a view of belong to no block either


def of_block(value: object) -> object:
    """A view of what a block writes, so that autograd has a node of the block between a parameter and the write."""
    if isinstance(value, MaskedRows):
        view = value.value.view_as(value.value)
        return MaskedRows(view, value.mask, value.after, dim_of_mask=value.dim_of_mask, finite=value.finite)
    return value.view_as(value) if isinstance(value, torch.Tensor) else value


def refuse_joined(name: str, made: object) -> None:
    """Refuse what joins the selected rows into a number that is none if there are none, such as a mean."""
    is_number = isinstance(made, torch.Tensor) and not isinstance(made, MaskedRows) and made.is_floating_point()
    if is_number and name not in ("sum", *names.ADDING):
        raise _singular(name)


def refuse_singular(
    name: str,
    args: Sequence[object],
    kwargs: Mapping[str, object],
    is_unknown: Callable[[torch.Tensor], bool],
) -> None:
    """Refuse functions of whole tensors that may be infinite, or have infinite derivatives."""
    asked = [*(args[1:] if name in names.DIVISIONS else args), *kwargs.values()]
    if name in names.SINGULAR and any(isinstance(each, torch.Tensor) and is_unknown(each) for each in asked):
        raise _singular(name)


def _singular(name: str) -> SelectionError:
    return SelectionError(
        f"{name} is called there in code that runs only if a mask selects rows, and may give no number if it selects "
        f"none; compute it outside of that code, or {WITHOUT_CONDITION}"
    )


def is_iterated() -> bool:
    """True if `Tensor.__iter__` waits for the call, which asks no mode itself."""
    frame: FrameType | None = sys._getframe()
    while frame is not None and frame.f_code is not _ITERATION:
        frame = frame.f_back if frame.f_code.co_filename.startswith(_BELOW) else None
    return frame is not None
