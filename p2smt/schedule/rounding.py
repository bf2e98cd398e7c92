"""Effects of rounding casts on values, measured in numpy."""

from collections.abc import Sequence

import numpy as np

from p2smt.schedule.replay import observed_values, pairs
from p2smt.schedule.shrink import sizes_text
from p2smt.tensor.dtype import DType
from p2smt.tensor.frame import Frame
from p2smt.tensor.meaning import DoesNotRunError
from p2smt.tensor.operation import Array
from p2smt.tensor.placing import world
from p2smt.tensor.program import Program
from p2smt.tensor.reals import Reals

SEEDS = 8


class RoundedReals(Reals):
    """Arithmetic in float64, except that casts to 16 or 32 bits round to the nearest number of that type."""

    def call(self, operation: str, arrays: Sequence[Array], frame: Frame) -> Array:
        """Return the result of an operation on one rank's arrays."""
        result = super().call(operation, arrays, frame)
        return rounded(result, DType(str(frame.attributes[0]))) if operation == "cast" else result


def rounded(array: Array, dtype: DType) -> Array:
    """Round to the nearest numbers of a type, ties to even.

    >>> float(rounded(np.array(1 / 3), DType.BF16))
    0.333984375
    """
    match dtype:
        case DType.F16:
            return array.astype(np.float16).astype(np.float64)
        case DType.F32:
            return array.astype(np.float32).astype(np.float64)
        case DType.BF16:
            # bfloat16 is the upper half of a float32. Adding 0x7FFF, and one more if the kept half is odd, rounds to
            # nearest even.
            words = array.astype(np.float32).view(np.uint32)
            even = (words >> np.uint32(16)) & np.uint32(1)
            kept = (words + np.uint32(0x7FFF) + even) & np.uint32(0xFFFF0000)
            return kept.view(np.float32).astype(np.float64)
        case DType.F64 | DType.I32 | DType.I64 | DType.BOOL:
            return array


def error_text(before: Program, after: Program) -> str:
    """Return a sentence with the largest relative change of observed values.

    It is measured on a few random inputs of small tensors.
    """
    for one, other in pairs(before, after):
        worst = 0.0
        try:
            for seed in range(SEEDS):
                pairs_of_arrays = observed_values(one, other, RoundedReals(seed))
                worst = max([worst, *(_relative(old, new) for old, new in pairs_of_arrays)])
        except DoesNotRunError:
            continue
        return f"results change by up to {worst:.1e} of their size ({world(one.mesh)} ranks, {sizes_text(one)})"
    return "how much results change is not known: no small program of this kind runs"


def _relative(old: Array, new: Array) -> float:
    if not old.size:
        return 0.0
    # An array of zeros has no scale; the absolute change is reported.
    scale = float(np.max(np.abs(old))) or 1.0
    return float(np.max(np.abs(new - old))) / scale
