"""Convolutions whose input and kernel gradients one native call computes, as PyTorch's own backward pass does."""

from collections.abc import Iterable, Mapping

from p2smt.emit.torch.program.passes import Family, Member, Pass
from p2smt.tensor.expression import Call, Read
from p2smt.tensor.signature import Shape

_FAMILIES = tuple(
    Family(
        forward=f"{kind}conv2d",
        gradients=(f"{kind}conv2d_input_backward", f"{kind}conv2d_weight_backward"),
        call=kind + "conv2d_gradients({{0}}, {beside}, {{1}}, {{stride}}, {{padding}}, {{dilation}})",
        shared=1,
        reads=(),
    )
    for kind in ("", "grouped_")
)
_SLIDING = 2
"""The number of leading attributes that are spatial lengths; stride, padding and dilation follow."""


def convolution_passes(members: Iterable[Member], shapes: Mapping[str, Shape]) -> dict[Call, Pass]:
    """Map the input and kernel gradients of each convolution to their common pass.

    Both read the same gradient of the result, with equal stride, padding and dilation. The input gradient also reads
    the kernel w, the kernel gradient the input x; they belong to one convolution if their shapes are those of x and w.
    """
    made: dict[Call, Pass] = {}
    listed = [each for each in members if all(isinstance(operand, Read) for operand in each.call.operands)]
    for family in _FAMILIES:
        of_input, of_weight = family.gradients
        behind = [each for each in listed if each.call.operation == of_weight]
        for first in (each for each in listed if each.call.operation == of_input):
            for second in behind:
                if second.call not in made and _is_one(first, second, shapes):
                    other = second.call.operands[1]
                    assert isinstance(other, Read)
                    found = Pass(family, {of_input: first, of_weight: second}, beside=other.name)
                    made[first.call] = made[second.call] = found
                    break
    return made


def _is_one(of_input: Member, of_weight: Member, shapes: Mapping[str, Shape]) -> bool:
    """True if the two calls are gradients of one convolution."""
    (gradient, weight), (same, x) = of_input.call.operands, of_weight.call.operands
    if gradient != same or of_input.call.attributes[_SLIDING:] != of_weight.call.attributes[_SLIDING:]:
        return False
    wanted = [shapes[each.name] for each in (x, weight) if isinstance(each, Read)]
    return [shapes[of_input.statement], shapes[of_weight.statement]] == wanted
