"""An operation on a rank's shards as a torch call: its declared text, with operand types that torch accepts.

The semantics of programs are over real numbers, with 0 and 1 for booleans: booleans used in arithmetic become integers
first, and integers that are divided, or combined with fractions, become floating-point numbers.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from p2smt.emit.torch.program.biases import biased, takes_bias
from p2smt.emit.torch.program.contractions import product_of_matrices
from p2smt.emit.torch.program.cuts import Cuts, Span
from p2smt.emit.torch.program.value import Value, type_text
from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import Call
from p2smt.tensor.frame import Attribute
from p2smt.tensor.judgement import Layouts
from p2smt.tensor.operation import Kind, Operation, Parameter, ParameterKind
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.shapes import signature
from p2smt.tensor.signature import Signature

COMPARISONS = ("gt", "ge", "lt", "eq")
_NUMBERS = {
    "sqrt": "math.sqrt({0})",
    "exp": "math.exp({0})",
    "log": "math.log({0})",
    "sin": "math.sin({0})",
    "cos": "math.cos({0})",
    "atan": "math.atan({0})",
    "tanh": "math.tanh({0})",
    "erf": "math.erf({0})",
    "abs": "abs({0})",
    "maximum": "max({0}, {1})",
    "minimum": "min({0}, {1})",
    "pow": "math.pow({0}, {1})",
}
_CLAMPS = {"maximum": "torch.clamp({0}, min={1})", "minimum": "torch.clamp({0}, max={1})"}
_ANY_TYPE = ("cast", "sort", "topk_values", "topk_indices", "abs", "sign", "update", *COMPARISONS)
_TRUTH_STAYS = ("max", "min", "max_kept", "min_kept", "where", *_ANY_TYPE)
_INFIX = re.compile(r"-\{0\}|\{0\} \S+ \{1\}")


@dataclass(frozen=True, slots=True)
class _Spans:
    """Spans by dimension (negative: from the end), for use in format strings."""

    spans: tuple[Span, ...]

    def __getitem__(self, dimension: int | str) -> Span:
        return self.spans[int(dimension)]


def called(
    call: Call, operands: Sequence[Value], layouts: Layouts, cuts: Cuts, real: DType, emitted: str = ""
) -> Value:
    """Return the value of a call; `real` is the type of the program's floating-point numbers.

    `emitted` replaces the text that the operation declares.
    """
    operation = OPERATIONS[call.operation]
    signed = signature(call, tuple(operand.shape for operand in operands))
    shape, chunked = signed.shape, _chunked(signed, operands)
    # On numbers alone Python computes, and no tensor is made.
    if all(operand.dtype is None for operand in operands):
        number = _of_numbers(call, operation, operands, layouts)
        if number is not None:
            return number
    operands = _typed(call, operation, _as_tensors(call, operation, operands, real), real)
    pattern = emitted or operation.emitted
    if call.operation in _CLAMPS and any(operand.dtype is None for operand in operands):
        pattern = _CLAMPS[call.operation]
        # `clamp` takes its tensor first; maximum and minimum are symmetric, so operands can be
        # swapped.
        operands = sorted(operands, key=lambda operand: operand.dtype is None)
    dtype = _type(call, operation, operands, real)
    native = biased(call, operands) or product_of_matrices(call, operands)
    text = native or _filled(pattern, call, operation, operands, cuts.spans(shape, layouts, chunked), cuts, real)
    atom = bool(native) or not _is_infix(pattern)
    return Value(
        text=text, layouts=layouts, shape=shape, dtype=dtype, is_atom=atom, chunked=chunked, takes_bias=takes_bias(call)
    )


def _chunked(signed: Signature, operands: Sequence[Value]) -> int | None:
    """Return the chunked dimension of a result, which has the label of an operand's chunked dimension; None if none."""
    for operand, names in zip(operands, signed.operands, strict=True):
        if operand.chunked is not None:
            label = names[operand.chunked].label
            return next(position for position, each in enumerate(signed.result) if each.label == label)
    return None


def _is_infix(pattern: str) -> bool:
    return _INFIX.fullmatch(pattern) is not None


def _of_numbers(call: Call, operation: Operation, operands: Sequence[Value], layouts: Layouts) -> Value | None:
    """Return the value of a call on Python numbers, if Python has it; 1 / 0 is infinite, 0 / 0 not a number."""
    if call.operation == "div" and operands[1].text in ("0", "0.0"):
        if operands[0].text in ("0", "0.0"):
            return Value(text="math.nan", layouts=layouts, is_atom=True)
        infinite = "-math.inf" if operands[0].text.startswith("-") else "math.inf"
        return Value(text=infinite, layouts=layouts, is_atom=infinite == "math.inf")
    pattern = _NUMBERS.get(call.operation, operation.emitted if _is_infix(operation.emitted) else "")
    if not pattern or call.operation in COMPARISONS:
        return None
    texts = [operand.operand if _is_infix(pattern) else operand.text for operand in operands]
    return Value(text=pattern.format(*texts), layouts=layouts, is_atom=not _is_infix(pattern))


def _as_tensors(call: Call, operation: Operation, operands: Sequence[Value], real: DType) -> list[Value]:
    """Convert numbers to tensors, except for infix operators, clamp and one branch of where, which accept numbers."""
    tensors = [operand.dtype is not None for operand in operands]
    stays = _is_infix(operation.emitted) or call.operation in _CLAMPS
    if stays and any(tensors):
        return list(operands)
    if call.operation == "where" and any(tensors[1:]):
        return [number_tensor(operands[0], real), *operands[1:]]
    return [number_tensor(operand, real) for operand in operands]


def number_tensor(value: Value, real: DType) -> Value:
    """Convert a number to a 0-d tensor; an integer stays one, so it takes the type of the other operand."""
    if value.dtype is not None:
        return value
    whole = value.text.lstrip("-").isdigit()
    dtype = DType.I64 if whole else real
    return replace(value, text=f"at.number({value.text}, {type_text(dtype, real)})", dtype=dtype, is_atom=True)


def _typed(call: Call, operation: Operation, operands: list[Value], real: DType) -> list[Value]:
    """Cast operands to types for which torch's result has the intended meaning."""
    if call.operation == "where" and not operands[0].is_truth:
        return [replace(operands[0], text=f"({operands[0].operand} != 0)"), *operands[1:]]
    if operation.kind.moves or operation.kind.looks_up or call.operation in _ANY_TYPE:
        return operands
    tensors = [operand for operand in operands if operand.dtype is not None]
    if any(operand.is_float for operand in tensors):
        mixed = operation.kind is not Kind.MAP  # only: torch mixes types in maps itself; operands of others are cast
        common = _promoted(tensors)
        return [_cast(each, common, real) if mixed and not each.is_float else each for each in operands]
    fractions = any(each.dtype is None and not _is_whole(each) for each in operands)
    if fractions or not (operation.exact or operation.keeps_whole):
        return [_cast(operand, real, real) for operand in operands]
    if call.operation in _TRUTH_STAYS:
        return operands
    return [_cast(each, DType.I64, real) if each.is_truth else each for each in operands]


def _is_whole(value: Value) -> bool:
    return value.text.lstrip("-").isdigit()


def _cast(value: Value, dtype: DType, real: DType) -> Value:
    if value.dtype in (None, dtype):
        return value
    return replace(
        value, text=f"{value.operand}.to({type_text(dtype, real)})", dtype=dtype, is_atom=True, is_name=False
    )


def _promoted(operands: Sequence[Value]) -> DType:
    """Return the promoted type of operands: floating-point types come first, then operands with dimensions."""
    ordered = sorted(operands, key=lambda each: (not each.is_float, not each.shape, each.is_truth))
    dtype = ordered[0].dtype
    assert dtype is not None
    return dtype


def _type(call: Call, operation: Operation, operands: Sequence[Value], real: DType) -> DType:
    """Return the type of torch's result."""
    if call.operation in COMPARISONS:
        return DType.BOOL
    if call.operation == "cast":
        return DType(str(call.attributes[0]))
    if call.operation == "topk_indices":
        return DType.I64
    if call.operation == "one_hot":
        return DType.F32
    if operation.kind.looks_up:
        operands = operands[:1]
    elif call.operation == "where":
        operands = operands[1:]
    return _promoted([operand for operand in operands if operand.dtype is not None])


def _filled(
    pattern: str,
    call: Call,
    operation: Operation,
    operands: Sequence[Value],
    spans: tuple[Span, ...],
    cuts: Cuts,
    real: DType,
) -> str:
    """Return the declared text with its operands, parameters and intervals filled in."""
    beside = [_is_infix(pattern) or f"{{{number}}}." in pattern for number in range(len(operands))]
    texts = [each.operand if side else each.text for each, side in zip(operands, beside, strict=True)]
    named = zip(operation.parameters, call.attributes, strict=True)
    attributes = {parameter.name: _attribute(parameter, each, operands, real) for parameter, each in named}
    parts = {f"part{n}": _Spans(cuts.spans(each.shape, each.layouts, each.chunked)) for n, each in enumerate(operands)}
    attributes["shape"] = _row(span.length for span in spans)
    attributes["f32"] = type_text(DType.F32, real)
    return pattern.format(
        *texts,
        torch=operation.torch,
        operands=", ".join(texts),
        starts=_row(span.start for span in spans),
        part=_Spans(spans),
        **attributes,
        **parts,
    )


def _row(texts: Iterable[str]) -> str:
    listed = list(texts)
    return f"({', '.join(listed)}{',' if len(listed) == 1 else ''})"


def _attribute(parameter: Parameter, attribute: Attribute, operands: Sequence[Value], real: DType) -> str:
    match parameter.kind, attribute:
        case ParameterKind.DTYPE, str():
            return type_text(DType(attribute), real)
        case ParameterKind.TEXT, str():
            return f'"{einsum_letters(attribute)}"'
        case ParameterKind.WHOLES, tuple():
            numbers = attribute or (tuple(range(len(operands[0].shape))) if parameter.name == "dims" else ())
            return _row(map(str, numbers))
        case _:
            return repr(attribute)


def einsum_letters(labels: str) -> str:
    """Convert an einsum's labels, which are words, to the letters that torch requires.

    >>> einsum_letters("batch k, k n -> batch n")
    'ab,bc->ac'
    """
    words = list(dict.fromkeys(labels.replace("->", " ").replace(",", " ").split()))
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    # `zip` stops at 52 labels, more than any program has.
    known = dict(zip(words, letters, strict=False))
    sources, _, target = labels.partition("->")
    short = ["".join(known[word] for word in each.split()) for each in (*sources.split(","), target)]
    return f"{','.join(short[:-1])}->{short[-1]}"
