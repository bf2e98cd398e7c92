"""Families of operations whose gradients one native call computes, and the backward passes of a program."""

from dataclasses import dataclass, field

from p2smt.emit.torch.program.value import Value
from p2smt.tensor.expression import Call


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """An operation, its gradients in the order in which the native call returns them, and the text of that call.

    The gradients share their first `shared` operands; one of them may have more. `reads` are the indices of the
    operands that the forward call also has first; `result` is the index of its result, if gradients read it. `call` has
    places for the kept values and for the mask of wanted gradients. With `rows`, the call also returns the gradient of
    a bias: the sum of the result's gradient over all dimensions but the last.
    """

    forward: str
    gradients: tuple[str, ...]
    call: str
    shared: int
    reads: tuple[int, ...]
    result: int | None = None
    rows: bool = False


_ATTENTION = {
    "attention": "causal={{causal}}, start={{part1[2].start}}",
    "dropped_attention": (
        "causal={{causal}}, share={{share}}, seed={{seed}}, step=step, "
        "starts=({{part1[0].start}}, {{part1[1].start}}, {{part1[2].start}}, 0)"
    ),
}
"""The arguments after the operands, with the operations' own attributes filled in."""
FAMILIES = (
    Family(
        forward="weighted_layernorm",
        gradients=("weighted_layernorm_backward", "layernorm_weight_backward"),
        call="layernorm_gradients({kept}, {wanted}, {{operands}}, eps={{eps}})",
        shared=2,
        reads=(1,),
        rows=True,
    ),
    Family(
        forward="weighted_rms_norm",
        gradients=("weighted_rms_norm_backward", "rms_norm_weight_backward"),
        call="rms_norm_gradients({kept}, {wanted}, {{operands}}, eps={{eps}})",
        shared=2,
        reads=(1,),
    ),
    Family(
        forward="group_norm",
        gradients=("group_norm_backward", "group_norm_weight_backward"),
        call="group_norm_gradients({kept}, {wanted}, {{operands}}, eps={{eps}})",
        shared=2,
        reads=(1,),
    ),
    *(
        Family(
            forward=name,
            shared=6,
            reads=(1, 2, 3, 5),
            result=4,
            gradients=tuple(f"{name}_{each}_backward" for each in ("query", "key", "value", "bias")),
            call=f"{name}_gradients({{kept}}, {{wanted}}, {{{{operands}}}}, {arguments})",
        )
        for name, arguments in _ATTENTION.items()
    ),
)
FAMILY_OF = {name: family for family in FAMILIES for name in (family.forward, *family.gradients)}
"""The family of each forward call and each gradient."""


@dataclass(frozen=True, slots=True)
class Member:
    """A gradient in a pass: its statement, its call, and the number of the call's step."""

    statement: str
    call: Call
    step: int


@dataclass(slots=True)
class Pass:
    """A backward pass: its gradients by operation, the forward statement, and their values once written.

    `beside` is a name that the call reads besides the operands of `widest`; `asked` overrides `widest` if given.
    """

    family: Family
    members: dict[str, Member]
    forward: str = ""
    kept: str = "None"
    beside: str = ""
    asked: Call | None = None
    values: dict[str, Value] = field(default_factory=dict)

    @property
    def widest(self) -> Call:
        """The gradient with all operands that the native call needs."""
        if self.asked is not None:
            return self.asked
        return max((each.call for each in self.members.values()), key=lambda call: len(call.operands))
