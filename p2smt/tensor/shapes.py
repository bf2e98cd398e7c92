"""Shapes and element types of unsharded tensors, which do not depend on the number of ranks.

Method: structural recursion over expressions, statement by statement (type inference without variables):
    shape(f(e1, ..., en)) = the shape of f's signature on shape(e1), ..., shape(en),
    flops(f(...)) = flops of one combination * product over counted labels l of size(l),
    dtype(f(...)) = the common type of the operands with dimensions, to which scalars adapt; bool of comparisons.
A conversion changes neither.
Complexity: O(size of the program); signatures are kept, as the layers of a model repeat calls.
Reference: Aho, Lam, Sethi and Ullman, "Compilers", 2006, section 6.5 (synthesis of types).

Example: [3, 4] @ [4, 5] has the labels m = 3, k = 4, n = 5: shape [3, 5], 2 * 3 * 4 * 5 = 120 operations.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod

from p2smt.errors import ProgramError
from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import Call, Convert, Expression, Number, Ranks, Read
from p2smt.tensor.frame import Attributes
from p2smt.tensor.operation import Kind
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.program import Program
from p2smt.tensor.signature import Shape, Signature

MAX_ELEMENTS = 2**62


@dataclass(frozen=True, slots=True)
class Whole:
    """The shape and element type of an unsharded tensor.

    The type is None for a literal, which adapts to any type.
    """

    shape: Shape = ()
    dtype: DType | None = None

    @property
    def element_bytes(self) -> int:
        """Bytes of one element; a literal counts as f32."""
        return (DType.F32 if self.dtype is None else self.dtype).bytes

    @property
    def bytes(self) -> int:
        """Bytes of the unsharded tensor; a literal counts as f32."""
        return prod(self.shape) * self.element_bytes


def signature(call: Call, shapes: tuple[Shape, ...]) -> Signature:
    """Return the signature of a call on operands of these shapes. ProgramError names the violated rule."""
    return _signature(call.operation, call.attributes, shapes)


@lru_cache(maxsize=4096)
def _signature(operation: str, attributes: Attributes, shapes: tuple[Shape, ...]) -> Signature:
    """Return the signature of a call.

    Results are cached, because the layers of captured programs repeat calls.
    """
    try:
        found = OPERATIONS[operation].signature(shapes, attributes)
    except ValueError as cause:
        raise ProgramError(f"{operation}: {cause}") from cause
    elements = 1
    for length in found.shape:
        elements *= length
    if elements > MAX_ELEMENTS:
        raise ProgramError(
            f"{operation}: a tensor of {len(found.shape)} dimensions has more than 2^62 elements, the limit"
        )
    return found


def flops(call: Call, shapes: tuple[Shape, ...]) -> int:
    """Return a call's arithmetic operations on unsharded operands: a constant per combination of label indices.

    >>> flops(Call("matmul", (Read("x"), Read("w"))), ((3, 4), (4, 5)))
    120
    """
    operation = OPERATIONS[call.operation]
    counted = (label.size for label in signature(call, shapes).labels if label.name not in operation.uncounted)
    return operation.flops * prod(counted)


def whole_of(expression: Expression, known: Mapping[str, Whole]) -> Whole:
    """Return the shape and type of an expression, given those of the names it reads.

    ProgramError if they do not fit.
    """
    match expression:
        case Read(name):
            return known[name]
        case Number():
            return Whole()
        case Ranks():
            return Whole()
        case Convert(_, operand):
            return whole_of(operand, known)
        case Call(_, operands):
            return whole_of_call(expression, tuple([whole_of(operand, known) for operand in operands]))


def whole_of_call(call: Call, operands: tuple[Whole, ...]) -> Whole:
    """Return the shape and type of a call, given those of its operands. ProgramError if they do not fit."""
    return _whole_of_call(call.operation, call.attributes, operands)


@lru_cache(maxsize=4096)
def _whole_of_call(name: str, attributes: Attributes, operands: tuple[Whole, ...]) -> Whole:
    shape = _signature(name, attributes, tuple(each.shape for each in operands)).shape
    if name == "cast":
        return Whole(shape, DType(str(attributes[0])))
    return Whole(shape, _element(name, operands))


def wholes(program: Program) -> dict[str, Whole]:
    """Return the shapes and types of all sources and statements."""
    known = {source.name: Whole(source.shape, source.dtype) for source in program.sources}
    for statement in program.statements:
        try:
            known[statement.name] = whole_of(statement.expression, known)
        except ProgramError as cause:
            raise ProgramError(f"{statement.name}: {cause}") from cause
    return known


_WHOLE_NUMBERS = (DType.I32, DType.I64)


def _element(name: str, operands: Sequence[Whole]) -> DType | None:
    """Return the common type of the operands with dimensions. Scalars adapt to it; indices do not count."""
    if name in ("gt", "ge", "lt", "eq"):
        _agreed(name, operands)
        return DType.BOOL
    if name == "topk_indices":
        return DType.I64
    kind = OPERATIONS[name].kind
    # only: these have indices; operands of others have one type
    if kind is Kind.TAKE or (kind is Kind.PUT and len(operands) > 1):
        if operands[-1].dtype not in (*_WHOLE_NUMBERS, None):
            raise ProgramError(f"{name}: indices of type {operands[-1].dtype}, not {' or '.join(_WHOLE_NUMBERS)}")
        operands = operands[:-1]
    if name == "one_hot":
        return DType.F32
    return _agreed(name, operands[1:] if name == "where" else operands)


def _agreed(name: str, operands: Sequence[Whole]) -> DType | None:
    arrays = [each.dtype for each in operands if each.shape and each.dtype not in (None, DType.BOOL)]
    scalars = [each.dtype for each in operands if each.dtype is not None]
    if len(set(arrays)) > 1:
        raise ProgramError(f"{name}: operands of types {' and '.join(map(str, arrays))}; cast one of them")
    return arrays[0] if arrays else scalars[0] if scalars else None


_BOUNDS = ("max", "min", "max_kept", "min_kept", "where", "update")


def typed_names(program: Program) -> frozenset[str]:
    """Return the names whose element type in `wholes` is also their type in PyTorch.

    This holds for floating-point types; an I32 here may be half of an integer, and a BOOL a sum of booleans.
    """
    known = wholes(program)
    sure = {source.name for source in program.sources}
    for statement in program.statements:
        dtype = known[statement.name].dtype
        if dtype is not None and (not dtype.is_whole or _is_whole(statement.expression, sure, known)):
            sure.add(statement.name)
    return frozenset(sure)


def _is_whole(expression: Expression, sure: Collection[str], known: Mapping[str, Whole]) -> bool:
    match expression:
        case Read(name):
            return name in sure
        case Number(value):
            return isinstance(value, int)
        case Ranks():
            return True
        case Convert(_, operand):
            return _is_whole(operand, sure, known)
        case Call("cast" | "gt" | "ge" | "lt" | "eq" | "topk_indices"):
            return True
        case Call(name, operands):
            operation = OPERATIONS[name]
            stays = operation.kind.moves or name in _BOUNDS or whole_of(expression, known).dtype is not DType.BOOL
            keeps = operation.exact or operation.keeps_whole
            return stays and keeps and all(_is_whole(each, sure, known) for each in operands)
