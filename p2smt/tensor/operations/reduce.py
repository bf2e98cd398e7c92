"""Sums, maxima and minima over dimensions. Means and norms are composed from them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from p2smt.tensor.checks import some_dimensions
from p2smt.tensor.frame import Attributes, Frame
from p2smt.tensor.layout import ReductionOp
from p2smt.tensor.operation import Array, Kind, Operation, Parameter, ParameterKind
from p2smt.tensor.reason import Reason
from p2smt.tensor.signature import (
    Blocked,
    Distributes,
    Label,
    ParallelLabel,
    Reduced,
    Shape,
    Signature,
    dims,
    linear,
)


@dataclass(frozen=True, slots=True)
class _ReduceRule:
    reduction: ReductionOp
    distributes: tuple[Distributes, ...]
    keep: bool

    def __call__(self, shapes: Sequence[Shape], attributes: Attributes) -> Signature:
        (shape,) = shapes
        reduced = some_dimensions(attributes[0], shape)
        # only: the sum of nothing is 0; others are refused
        if self.reduction is not ReductionOp.SUM and 0 in (shape[number] for number in reduced):
            raise ValueError("the maximum of no elements is undefined")
        kinds = [Reduced(self.reduction) if number in reduced else ParallelLabel() for number in range(len(shape))]
        labels = [Label(f"d{number}", shape[number], kind) for number, kind in enumerate(kinds)]
        names = [f"d{number}" for number in range(len(shape))]
        ones = [f"one{number}" if number in reduced else name for number, name in enumerate(names)]
        labels += [Label(f"one{number}", 1, Blocked(Reason.LENGTH_ONE)) for number in reduced if self.keep]
        kept = ones if self.keep else [name for number, name in enumerate(names) if number not in reduced]
        return Signature(tuple(labels), (dims(names),), dims(kept), self.distributes)


def _reduction(
    name: str, kind: ReductionOp, numpy: Callable[..., Array], distributes: tuple[Distributes, ...], keep: bool
) -> Operation:
    def meaning(arrays: Sequence[Array], frame: Frame) -> Array:
        (array,) = arrays
        result: Array = numpy(array, axis=some_dimensions(frame.attributes[0], array.shape), keepdims=keep)
        return np.asarray(result, dtype=array.dtype)

    return Operation(
        name=f"{name}_kept" if keep else name,
        kind=Kind.REDUCE,
        operands=1,
        signature=_ReduceRule(kind, distributes, keep),
        numpy=meaning,
        torch=_TORCH[kind],
        emitted=_EMITTED[kind].replace("{kept}", str(keep)),
        parameters=(Parameter("dims", ParameterKind.WHOLES, ()),),
        # only: a sum is a polynomial; products and extrema are not followed exactly
        exact=kind is ReductionOp.SUM,
        keeps_whole=True,
    )


_EMITTED = {
    ReductionOp.SUM: "{torch}({0}, {dims}, {kept})",
    ReductionOp.MAX: "largest({0}, {dims}, {kept})",
    ReductionOp.MIN: "smallest({0}, {dims}, {kept})",
}
_TORCH = {ReductionOp.SUM: "torch.sum", ReductionOp.MAX: "torch.amax", ReductionOp.MIN: "torch.amin"}


def _smallest(array: Array, axis: tuple[int, ...], keepdims: bool) -> Array:
    # The neutral element makes a rank's empty slice harmless in a reduction over ranks.
    result: Array = np.min(array, axis=axis, keepdims=keepdims, initial=np.inf)
    return result


def _largest(array: Array, axis: tuple[int, ...], keepdims: bool) -> Array:
    result: Array = np.max(array, axis=axis, keepdims=keepdims, initial=-np.inf)
    return result


def _of(kind: ReductionOp) -> tuple[Distributes, ...]:
    return (Distributes(frozenset({0}), kind, kind),)


REDUCTIONS = tuple(
    operation
    for keep in (False, True)
    for operation in (
        _reduction("sum", ReductionOp.SUM, np.sum, linear(0), keep),
        _reduction("max", ReductionOp.MAX, _largest, _of(ReductionOp.MAX), keep),
        _reduction("min", ReductionOp.MIN, _smallest, _of(ReductionOp.MIN), keep),
    )
)
"""Reductions over dimensions; `sum_kept` and the like keep them with length 1.

The maximum of an empty slice is -inf.
"""
