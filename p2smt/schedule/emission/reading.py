"""Expressions of a loop's statements on one chunk: what is read in chunks is told apart from what is read whole."""

from p2smt.schedule.layouts_of import TypedProgram
from p2smt.tensor.program import Call, Convert, Expression, Number, Ranks, Read


def chunk_name(name: str, dimension: int) -> str:
    """The name under which a chunk of a value along a dimension is known; no program has such names."""
    return f"{name}@{dimension}"


def on_chunk(
    expression: Expression, dimension: int, typed: TypedProgram
) -> tuple[Expression, dict[str, tuple[str, int]]]:
    """The expression with chunks in place of what it reads along `dimension` of its result, and what these are of.

    Holds: it has the shape of the one given, read by read.
    """
    found: dict[str, tuple[str, int]] = {}
    return _pushed(expression, dimension, typed, found), found


def _pushed(
    expression: Expression, dimension: int, typed: TypedProgram, found: dict[str, tuple[str, int]]
) -> Expression:
    match expression:
        case Read(name):
            found[chunk_name(name, dimension)] = (name, dimension)
            return Read(chunk_name(name, dimension))
        case Convert(conversion, operand, axis):
            return Convert(conversion, _pushed(operand, dimension, typed, found), axis)
        case Call(operation, operands, attributes):
            signed = typed.signed(expression)
            label = signed.result[dimension].label
            made = []
            for operand, names in zip(operands, signed.operands, strict=True):
                position = next((at for at, each in enumerate(names) if each.label == label), None)
                made.append(operand if position is None else _pushed(operand, position, typed, found))
            return Call(operation, tuple(made), attributes)
        case Number() | Ranks():
            return expression
