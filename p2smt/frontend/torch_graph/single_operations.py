"""Special cases in recording: reasons to refuse some operations, and results for which torch has no fake kernel."""

from collections.abc import Callable, Sequence

import torch
from torch._ops import HigherOrderOperator, OpOverload

from p2smt.errors import CaptureError

COMMUNICATES = "it communicates; a step is captured as one device runs it"
WRITES = (
    "it writes into a tensor that is neither parameter nor buffer of the module nor made in the step, which is not "
    "supported; register it as a buffer"
)
UNKNOWN = (
    "the loss uses a tensor that is neither parameter nor buffer of the module, nor in the batch; register it as a "
    "buffer, or make it where it is used"
)


def lying(operation: str, args: Sequence[object]) -> dict[str, object]:
    """Return the operand's strides and offset, for operations whose result depends on them."""
    match args:
        case (torch.Tensor() as first, *_) if operation.startswith("aten.as_strided"):
            return {"strides_of_operand": list(first.stride()), "offset_of_operand": first.storage_offset()}
        case _:
            return {}


def grouped_product(
    left: torch.Tensor,
    right: torch.Tensor,
    offs: torch.Tensor | None = None,
    bias: torch.Tensor | None = None,
    out_dtype: torch.dtype | None = None,
) -> torch.Tensor:
    """Return a fake result of a grouped product; torch's own rule covers a single element type only."""
    if offs is None or bias is not None or left.dim() + right.dim() not in (4, 5):
        raise CaptureError(
            "torch._grouped_mm is supported with offsets, for two matrices, or for a matrix and one per group"
        )
    groups = (offs.shape[0],) if left.dim() == right.dim() == 2 else ()
    shape = (*groups, left.shape[-2], right.shape[-1])
    return torch.empty(shape, dtype=out_dtype or left.dtype)


def stand_in(operation: str, x: object) -> object:
    """Return a stand-in for a result that depends on values: one number, or as many elements as possible."""
    if not isinstance(x, torch.Tensor):
        return None
    match operation:
        case "aten._local_scalar_dense.default":
            return True if x.dtype is torch.bool else 1.0 if x.is_floating_point() else 1
        case "aten.nonzero.default":
            return x.new_zeros((x.numel(), x.dim()), dtype=torch.int64)
        case "aten.masked_select.default":
            return x.new_zeros(x.numel())
        case "aten.equal.default" | "aten.is_nonzero.default":
            return True
        case _:
            return None


def ordered_assertion(
    func: HigherOrderOperator, args: Sequence[object], refused: Callable[[str, str], CaptureError] | None
) -> object:
    """Return the result of the higher-order operation that orders assertions; all others are refused."""
    match args:
        case (token, OpOverload() as called, *_) if str(func) == "with_effects" and not called._schema.returns:
            return token, None
    why = "it takes functions, and the language of tensor programs has none"
    raise CaptureError(f"{func} is called: {why}") if refused is None else refused(str(func), why)
