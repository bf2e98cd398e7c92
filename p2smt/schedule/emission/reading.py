"""Expressions of loop statements on one chunk: values read in chunks, as opposed to values read whole.

Structural recursion with the chunked dimension, which the labels of an operation carry from its result to its operands:
    chunk(name, d) = name@d,     chunk(Convert(c, e), d) = Convert(c, chunk(e, d)),
    chunk(f(e1, ..., en), d) = f(e1', ..., en'),  with ei' = chunk(ei, j) if dimension j of ei has the label of d,
                                                  and ei' = ei, read whole, if no dimension has it.
Complexity: O(size of the expression).
Reference: Ragan-Kelley et al., "Halide", 2013, section 4 (the required region, by intervals where this has one label).

Example: y = x @ w chunked along rows reads x@0 and w whole; along columns x whole and w@1.
"""

from p2smt.schedule.layouts_of import TypedProgram
from p2smt.tensor.expression import Call, Convert, Expression, Number, Ranks, Read


def chunk_name(name: str, dimension: int) -> str:
    """Return the name of a value's chunk along a dimension; programs contain no such names."""
    return f"{name}@{dimension}"


def on_chunk(
    expression: Expression, dimension: int, typed: TypedProgram
) -> tuple[Expression, dict[str, tuple[str, int]]]:
    """Return the expression with chunked reads replaced by chunk names, and the (value, dimension) of each.

    `dimension` is the chunked dimension of the result. The expression keeps its structure.
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
