"""Work of an operation's kernel, derived from its declaration: kind, arithmetic operations, bytes and rows.

These are the two numbers of the roofline (Williams, Waterman and Patterson, "Roofline: an insightful visual performance
model for multicore architectures", 2009):
    flops = constant of the operation * product over counted labels of their sizes,
    bytes = operands, read once, + result, written once;  of a lookup table only the rows in use, for views 0.
Causal attention counts the part of the scores that is used, fused gradients of attention 10/16 of the three separate
ones. Work divides with the operation: splitting a counted label divides the arithmetic operations, and splitting an
operand or the result divides the bytes moved for it.
Complexity: O(labels + operands), once for each different call.

Example: f32 [128, 768] @ [768, 3072]: 2 * 128 * 768 * 3072 = 603,979,776 operations, 4 * (128 * 768 + 768 * 3072 + 128
* 3072) = 11,403,264 bytes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, prod

from p2smt.problem.system.device_model import STRIDED, OperationKind, causal_part
from p2smt.tensor.checks import whole_number
from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import Call
from p2smt.tensor.frame import Attributes
from p2smt.tensor.operation import Kind, Operation
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.shapes import Whole, flops, signature, whole_of_call
from p2smt.tensor.signature import ParallelLabel, Signature, needs_all

RESULT = -1
"""The result's number among the operands of an operation."""

# lacks BOOL, F32, F64, I32, I64: tensor cores take none of these as they are
_TENSOR_CORES = {DType.BF16: 8, DType.F16: 8}
"""Lengths of matrix products that run on tensor cores are multiples of this many 16-bit elements (16 bytes)."""

_FEWEST_CHANNELS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelWork:
    """The work of an operation that runs as one kernel.

    `moved` has pairs (side, bytes): an operand number or `RESULT`, and the bytes read or written for it.
    `rows` counts the rows of the side `row_side`.
    """

    kind: OperationKind
    dtype: DType
    flops: int
    moved: tuple[tuple[int, int], ...]
    rows: int
    row_side: int
    aligned: bool

    @property
    def bytes(self) -> int:
        """The bytes read and written."""
        return sum([size for _, size in self.moved])


def kernel_work(call: Call, operands: Sequence[Whole]) -> KernelWork:
    """Return the work of a call on unsharded operands.

    >>> from p2smt.tensor.expression import Read
    >>> x, w = Whole((128, 768), DType.F32), Whole((768, 3072), DType.F32)
    >>> work = kernel_work(Call("matmul", (Read("x"), Read("w"))), (x, w))
    >>> str(work.kind), work.flops, work.bytes
    ('matmul', 603979776, 11403264)
    """
    return _kernel_work(call.operation, call.attributes, tuple(operands))


@lru_cache(maxsize=4096)
def _kernel_work(name: str, attributes: Attributes, operands: tuple[Whole, ...]) -> KernelWork:
    call = Call(name, (), attributes)
    declared, shapes = OPERATIONS[name], tuple(each.shape for each in operands)
    signed, result = signature(call, shapes), whole_of_call(call, operands)
    count = flops(call, shapes)
    is_backward = declared.kernel is OperationKind.ATTENTION_BACKWARD
    if is_backward:
        count = count * _TOGETHER // _APART
    if declared.kernel in _ATTENTION and attributes and attributes[-1]:
        # The sequence of the keys: operand 1 of attention, operand 2 of its gradients.
        count = ceil(count * causal_part(shapes[2 if is_backward else 1][2]))
    kind = declared.kernel or _kind(declared, signed)
    if kind in STRIDED and _stride(declared, attributes) > 1:
        kind = STRIDED[kind]
    dtype = next((each.dtype for each in operands if each.dtype is not None and each.shape), DType.F32)
    rows, side = _rows(kind, signed, operands, result)
    return KernelWork(
        kind=kind,
        dtype=dtype,
        flops=count,
        moved=_moved(declared, operands, result),
        rows=rows,
        row_side=side,
        aligned=_is_aligned(declared, signed, dtype),
    )


_ATTENTION = (OperationKind.ATTENTION, OperationKind.ATTENTION_BACKWARD)
_TOGETHER, _APART = 10, 16
"""Matrix products in the three attention gradients, fused and separate.

One fused kernel computes the scores once and needs 10 units of work; three separate operations need 16.
"""


def _stride(declared: Operation, attributes: Attributes) -> int:
    """Return the stride of a convolution or pooling."""
    names = [parameter.name for parameter in declared.parameters]
    return whole_number(attributes[names.index("stride")])


def _kind(declared: Operation, signed: Signature) -> OperationKind:
    """Return the kernel kind of an operation that declares none."""
    found: OperationKind
    match declared.kind:
        case Kind.CONTRACT:
            found = OperationKind.BATCHED_MATMUL if _batches(signed) else OperationKind.MATMUL
        case Kind.MAP | Kind.RANDOM:
            found = OperationKind.BROADCAST if _broadcasts(signed) else OperationKind.ELEMENTWISE
        case Kind.REDUCE:
            found = _reduced(declared, signed)
        case Kind.ROW:
            found = OperationKind.SOFTMAX
        case Kind.RELABEL | Kind.VIEW | Kind.UPDATE:
            found = OperationKind.VIEW
        case Kind.JOIN:
            found = OperationKind.VIEW if declared.name == "slice" else OperationKind.ELEMENTWISE
        case Kind.TAKE:
            found = OperationKind.GATHER
        case Kind.PUT:
            found = OperationKind.SCATTER if len(signed.operands) > 1 else OperationKind.ELEMENTWISE
    return found


def _batches(signed: Signature) -> bool:
    """True if all operands and the result share a label with more than one index: a batch dimension."""
    sides = [{dimension.label for dimension in side} for side in (*signed.operands, signed.result)]
    shared = set.intersection(*sides) if sides else set()
    return len(signed.operands) > 1 and any(label.size > 1 for label in signed.labels if label.name in shared)


def _broadcasts(signed: Signature) -> bool:
    """True if an operand with dimensions has fewer dimensions than the result."""
    whole = len(signed.result)
    return any(0 < len(side) < whole for side in signed.operands)


def _reduced(declared: Operation, signed: Signature) -> OperationKind:
    """Return the kernel kind of a reduction: over everything, over rows, or over columns.

    It follows from the positions of the reduced dimensions.
    """
    # only ParallelLabel: all others are gone from the result
    kinds = {label.name: label.kind for label in signed.labels}
    gone = [not isinstance(kinds[dimension.label], ParallelLabel) for dimension in signed.operands[0]]
    if all(gone):
        return OperationKind.SUM
    if gone[-1]:
        return OperationKind.SUM_ROWS if declared.name.startswith("sum") else OperationKind.MAX_ROWS
    return OperationKind.SUM_COLUMNS


def _moved(declared: Operation, operands: Sequence[Whole], result: Whole) -> tuple[tuple[int, int], ...]:
    """Return the bytes moved per side.

    Operands are read once and the result is written; of a lookup table, only the rows in use are read.
    """
    match declared.kind:
        case Kind.RELABEL | Kind.VIEW | Kind.UPDATE:
            return ()
        case Kind.JOIN:
            return () if declared.name == "slice" else ((RESULT, 2 * result.bytes),)
        case Kind.TAKE:
            return (RESULT, 2 * result.bytes), (len(operands) - 1, operands[-1].bytes)
        case Kind.PUT if len(operands) == 2:
            return (RESULT, result.bytes), (0, 3 * operands[0].bytes), (len(operands) - 1, operands[-1].bytes)
        case _:
            reads = tuple((number, each.bytes) for number, each in enumerate(operands) if each.shape)
            return (*reads, (RESULT, result.bytes))


def _rows(kind: OperationKind, signed: Signature, operands: Sequence[Whole], result: Whole) -> tuple[int, int]:
    """Return the number of rows that a kernel iterates over, and the side they belong to."""
    first = operands[0].shape if operands else ()
    last = first[-1] if first else 1
    match kind:
        case OperationKind.GATHER | OperationKind.BROADCAST:
            shape = result.shape
            return (prod(shape[:-1]) if shape else 1), RESULT
        case OperationKind.LAYER_NORM:
            # Layer norm may span several last dimensions: a row is everything that is looked
            # across.
            across = [label.size for label in signed.labels if needs_all(label.kind)]
            return prod(first) // max(prod(across), 1), 0
        case OperationKind.SUM_COLUMNS:
            kept = {dimension.label for dimension in signed.result}
            lengths = [
                length
                for dimension, length in zip(signed.operands[0], first, strict=True)
                if dimension.label not in kept
            ]
            return prod(lengths), 0
        case (
            OperationKind.SUM_ROWS
            | OperationKind.MAX_ROWS
            | OperationKind.SOFTMAX
            | OperationKind.LOG_SOFTMAX
            | OperationKind.CROSS_ENTROPY
            | OperationKind.SCATTER
        ):
            return prod(first) // max(last, 1), 0
        case _:
            return 0, RESULT


def _is_aligned(declared: Operation, signed: Signature, dtype: DType) -> bool:
    """True if lengths suit tensor cores, or a convolution has enough channels for its fast kernels."""
    if declared.kind is not Kind.CONTRACT:  # only: others are bound by memory, whatever their lengths
        return True
    if declared.kernel is not None:
        return all(label.size >= _FEWEST_CHANNELS for label in signed.labels if label.name == "c")
    multiple = _TENSOR_CORES.get(dtype, 1)
    innermost = {side[-1].label for side in (*signed.operands, signed.result) if side}
    return all(label.size % multiple == 0 for label in signed.labels if label.name in innermost)
