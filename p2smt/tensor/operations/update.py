"""Update of a parameter or state: defines its new version."""

from collections.abc import Sequence

from p2smt.tensor.checks import same
from p2smt.tensor.frame import Attributes, Frame
from p2smt.tensor.operation import Array, Kind, Operation
from p2smt.tensor.signature import Label, ParallelLabel, Shape, Signature, dims, moves


def _signature(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
    old, new = shapes
    same(old, new, "shapes of the old and of the new version")
    labels = tuple(Label(f"d{number}", size, ParallelLabel()) for number, size in enumerate(old))
    names = dims(label.name for label in labels)
    return Signature(labels, (names, names), names, moves(2))


def _update(arrays: Sequence[Array], frame: Frame) -> Array:
    return arrays[1]


UPDATES = (
    Operation(
        name="update",
        kind=Kind.UPDATE,
        operands=2,
        signature=_signature,
        numpy=_update,
        exact=True,
        flops=0,
        torch="torch.Tensor.copy_",
        emitted="{0}.copy_({1})",
    ),
)
