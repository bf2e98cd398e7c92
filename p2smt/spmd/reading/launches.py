"""Launches of the host that emitted code does without: what one call of PyTorch computes, and masks that are kept.

A program has the statistics of a batch norm as statements of their own, so that ranks can sum them, and the gradient of
a dropout as a dropout of the gradient. Where nothing stands between them the emitted step has one call for the
statements of a batch norm (`emit/torch/program/batch_norms.py`), and a gradient reads the mask that was kept
(`dropouts.py` there). Kernels take as long as those of the statements, since they read and write as much; what differs
is what the host does. Complexity: linear in the program, times the number of batch norms.

Example: of `y = dropout(x, 0.1, seed=3)` and `d_x = dropout(g, 0.1, seed=3)` the second is one launch, not those of a
dropout that draws its bits.
"""

from collections.abc import Mapping

from p2smt.cost.computing.roofline import DROPOUT_LAUNCHES
from p2smt.emit.torch.program.batch_norms import LocalNorms
from p2smt.emit.torch.program.dropouts import DropoutMasks
from p2smt.emit.torch.program.passes import Member
from p2smt.tensor.expression import Call
from p2smt.tensor.inference import infer
from p2smt.tensor.judgement import Inferred
from p2smt.tensor.program import Program
from p2smt.tensor.shapes import wholes


def launch_shares(program: Program) -> Mapping[str, int]:
    """Return by how much the launches of a statement are divided as it is emitted; 0: it has none of its own."""
    return {**dict.fromkeys(_inside_norms(program), 0), **dict.fromkeys(_masked(program), DROPOUT_LAUNCHES)}


def _inside_norms(program: Program) -> frozenset[str]:
    """The statements of batch norms that are a part of another statement's call, forward or backward."""
    calls = [Member(each.name, each.expression, 0) for each in program.statements if isinstance(each.expression, Call)]
    if not any(each.call.operation == "batch_norm" for each in calls):
        return frozenset()
    shapes = {name: whole.shape for name, whole in wholes(program).items()}
    norms = LocalNorms(program, calls, shapes)
    gradients = {
        member.statement
        for norm in norms.by_statement.values()
        for operation, member in norm.backward.members.items()
        if operation != "batch_norm_backward"
    }
    return norms.absorbed | gradients


def _masked(program: Program) -> frozenset[str]:
    """Return the dropouts that read a mask; none if the program has no layouts, since it cannot be emitted."""
    if not any(isinstance(part, Call) and part.operation == "dropout" for part in program.expressions()):
        return frozenset()
    inferred = infer(program)
    return DropoutMasks(program.statements, inferred).reading if isinstance(inferred, Inferred) else frozenset()
