"""Sums of a linear layer or a convolution and its bias as one call, as PyTorch's own layers compute them.

    y = linear(x, w)            z = linear(x, w) + b, where nothing else reads y:
    z = y + b           ->      torch.nn.functional.linear(x, w, b)

The sum is made where the product is stored, in the same kernel. Numbers are rounded as PyTorch rounds them.
"""

from collections import Counter
from dataclasses import replace

from p2smt.emit.torch.program.value import Value
from p2smt.tensor.program import Call, Expression, Program, Read, parts

_TAKING = ("linear", "conv2d", "grouped_conv2d")


def with_biases_inside(program: Program) -> Program:
    """The program with products that a sum with a bias alone reads written where they are read."""
    reads = Counter(
        part.name for each in program.statements for part in parts(each.expression) if isinstance(part, Read)
    )
    reads.update(output.name for output in program.outputs)
    products = {
        each.name: each.expression
        for each in program.statements
        if isinstance(each.expression, Call) and takes_bias(each.expression) and reads[each.name] == 1
    }
    inside: set[str] = set()
    statements = []
    for each in program.statements:
        match each.expression:
            case Call("add", (Read(name), bias)) if name in products and _is_given(bias):
                inside.add(name)
                statements.append(replace(each, expression=Call("add", (products[name], bias))))
            case _:
                statements.append(each)
    return replace(program, statements=tuple(each for each in statements if each.name not in inside))


def takes_bias(call: Call) -> bool:
    """True if torch's function for a call of operands that have names can add a bias."""
    return call.operation in _TAKING and all(isinstance(operand, Read) for operand in call.operands)


def _is_given(bias: Expression) -> bool:
    match bias:
        case Read() | Call("reshape", (Read(),)):
            return True
        case _:
            return False


def biased(call: Call, operands: list[Value]) -> str:
    """The call of a product with the bias that is added to it; empty for any other sum."""
    match call:
        case Call("add", (Call(operation) as product, _)) if takes_bias(product):
            left, bias = operands
        case _:
            return ""
    # A convolution's bias is added per channel, so it must be shaped (channels, 1, 1).
    shape = (left.shape[-1],) if operation == "linear" else (*left.shape[1:-2], 1, 1)
    # A product with a name has other readers, who must not see the bias.
    fits = bias.shape == shape and bias.dtype is left.dtype and left.chunked is None and not left.is_name
    return f"{left.text[:-1]}, {bias.text})" if fits else ""
