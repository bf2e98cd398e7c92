"""Weight gradients as products of two matrices, which torch computes without parsing labels.

    einsum("b s o, b s i -> o i", g, x)    ->    torch.mm(g.flatten(0, 1).t(), x.flatten(0, 1))

The contracted labels must come first in both operands, in the same order; each operand has one more label.
"""

from collections.abc import Sequence

from p2smt.emit.torch.program.value import Value
from p2smt.tensor.expression import Call


def product_of_matrices(call: Call, operands: Sequence[Value]) -> str:
    """Return the text of a weight gradient as a call of torch.mm; "" for other calls."""
    if call.operation != "einsum" or len(operands) != 2 or len({operand.dtype for operand in operands}) > 1:
        return ""
    sources, _, target = str(call.attributes[0]).partition("->")
    left, right = (source.split() for source in sources.split(","))
    result, added = target.split(), left[:-1]
    # All leading labels are summed and in the same order, and each operand keeps its last one: a
    # matrix product.
    if not added or right[:-1] != added or sorted(result) != sorted((left[-1], right[-1])):
        return ""
    first, second = operands if result == [left[-1], right[-1]] else reversed(operands)
    rows = f".flatten(0, {len(added) - 1})" if len(added) > 1 else ""
    return f"torch.mm({first.operand}{rows}.t(), {second.operand if rows else second.text}{rows})"
