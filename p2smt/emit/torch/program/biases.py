"""A linear layer or convolution and the addition of its bias as one call, as in PyTorch's own layers.

    y = linear(x, w)            z = linear(x, w) + b, if nothing else reads y:
    z = y + b           ->      torch.nn.functional.linear(x, w, b)

The kernel adds the bias when it stores the product. Rounding is that of PyTorch's layers.
Complexity: O(statements).
Reference: McKeeman, "Peephole optimization", 1965.
"""

from collections import Counter
from dataclasses import replace

from p2smt.emit.torch.program.value import Value
from p2smt.tensor.expression import Call, Expression, Read, parts
from p2smt.tensor.program import Program

_TAKING = ("linear", "conv2d", "grouped_conv2d")


def with_biases_inside(program: Program) -> Program:
    """Return the program with each product inlined into the bias addition that is its only reader."""
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
    """True if torch's function for a call can add a bias; all operands of the call must be names."""
    return call.operation in _TAKING and all(isinstance(operand, Read) for operand in call.operands)


def _is_given(bias: Expression) -> bool:
    match bias:
        case Read() | Call("reshape", (Read(),)):
            return True
        case _:
            return False


def biased(call: Call, operands: list[Value]) -> str:
    """Return the call of a product including its bias; "" for other sums."""
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
