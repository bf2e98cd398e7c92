"""Every composite operation is emitted as torch's own call, or is one of those that are known to be written out.

The other duties of a composite are tested for all operations, from their declarations: rules that are proved
(`tensor/rules`), a meaning that is torch's on edge cases (`tensor/properties`), and emitted code that is the
interpreter's on ranks (`test_program_operations.py`).
"""

import ast
from functools import cache

from paths import ROOT

from p2smt.tensor.operations import OPERATIONS

TEMPLATE = ROOT / "p2smt" / "emit" / "torch" / "templates" / "program" / "operations.py.in"
COMPOSITES = [each for each in OPERATIONS.values() if each.kernel is not None]
"""A kernel of its own is what makes an operation more than its parts."""
WRITTEN_OUT = {
    # torch has no dropout by global position, and none of its kernels takes a mask
    "dropout",
    "uniform",
    # given any result of attention; in a backward pass torch's own
    *(f"attention_{each}_backward" for each in ("query", "key", "value")),
    "attention_bias_backward",
    "rms_norm",
    "rms_norm_backward",  # without weight
    "rotary",
    "batch_norm_squares",
    "cross_entropy_backward",
}
ANOTHER = {
    "batch_norm": "torch.native_batch_norm",
    "batch_norm_backward": "torch.batch_norm_backward_elemt",
    "grouped_conv2d_input_backward": "torch.nn.grad.conv2d_input",
    "grouped_conv2d_weight_backward": "torch.nn.grad.conv2d_weight",
}
"""Where what is emitted is another call of torch's than what the operation is called there."""


@cache
def functions():
    """The functions of emitted code, by name, with the names that each calls."""
    tree = ast.parse(TEMPLATE.read_text(encoding="utf-8"))
    return {each.name: named(each) for each in tree.body if isinstance(each, ast.FunctionDef)}


def named(node):
    """All names in code, dotted ones as they are written."""
    return {ast.unparse(each) for each in ast.walk(node) if isinstance(each, ast.Name | ast.Attribute)}


def reached(names):
    """The names that are reached from some, through the functions of emitted code."""
    found, left = set(), set(names)
    while left:
        name = left.pop()
        found.add(name)
        left |= functions().get(name, set()) - found
    return found


def is_native(operation):
    """Whether the emitted call comes to what the operation says that torch calls it."""
    text = operation.emitted.replace("{torch}", operation.torch)
    last = ANOTHER.get(operation.name, operation.torch).rpartition(".")[2]
    names = reached({text.partition("(")[0]})
    return any(name.startswith("torch") and name.rpartition(".")[2].lstrip("_") == last.lstrip("_") for name in names)


def test_every_composite_is_torchs_own_call():
    assert len(COMPOSITES) > 20
    assert {each.name for each in COMPOSITES if not is_native(each)} == WRITTEN_OUT
