"""Shorthands for compositions of operations: a mean is a sum and a division, a norm the root of a sum of squares."""

from collections.abc import Mapping
from math import prod

from p2smt.tensor.checks import some_dimensions
from p2smt.tensor.expression import Call, Expression, Number
from p2smt.tensor.signature import Shape

SUGAR: Mapping[str, str] = {"mean": "sum", "norm": "sum"}
"""The operation whose arguments each shorthand takes."""


def resolved_sugar(name: str, call: Call, shape: Shape) -> Expression:
    """Return the expression that a shorthand stands for; `shape` is that of its operand.

    ValueError for dimensions that the operand lacks.
    """
    match name:
        case "mean":
            count = prod(shape[number] for number in some_dimensions(call.attributes[0], shape))
            return Call("div", (call, Number(count)))
        case "norm":
            squares = Call("mul", (call.operands[0], call.operands[0]))
            return Call("sqrt", (Call("sum", (squares,), call.attributes),))
        case _:
            return call
