"""Launches of the host that emitted code does without: what one call of PyTorch computes, and masks that are kept.

A program has the statistics of a batch norm as statements of their own, so that ranks can sum them, and the gradient of
a dropout as a dropout of the gradient. Where nothing stands between them the emitted step has one call for the
statements of a batch norm (`emit/torch/program/batch_norms.py`), and a gradient reads the mask that was kept
(`dropouts.py` there). Kernels take as long as those of the statements, since they read and write as much; what differs
is what the host does. Complexity: linear in the program, times the number of batch norms.

Example: a ResNet of 37 batch norms in bfloat16 is launched in 9.9 ms on an H100's host, where its statements one by one
would take 18; 9.0 were measured.
"""

from collections.abc import Mapping

from p2smt.cost.computing.roofline import DROPOUT_LAUNCHES
from p2smt.emit.torch.program.batch_norms import LocalNorms
from p2smt.emit.torch.program.passes import Member
from p2smt.tensor.program import Call, Program
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


def _masked(program: Program) -> list[str]:
    """The second of the two dropouts of a seed: it reads a mask."""
    by_seed: dict[object, list[str]] = {}
    for each in program.statements:
        match each.expression:
            case Call("dropout", _, attributes):
                by_seed.setdefault(attributes, []).append(each.name)
            case _:
                pass
    return [names[1] for names in by_seed.values() if len(names) == 2]
