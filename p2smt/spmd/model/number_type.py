"""The type of numbers that a program computes with, as speeds of devices are given for each type."""

from p2smt.spmd.model.graph import graph_of
from p2smt.tensor.program import DType, Program


def dtype_of(program: Program) -> DType:
    """The type of the numbers that most of a program's operations are on; f32 where there are none."""
    graph, counts = graph_of(program), dict.fromkeys(DType, 0)
    for node in graph.nodes:
        counts[graph.tensors[node.result].dtype or DType.F32] += node.flops
    most = max(counts.values())
    return DType.F32 if counts[DType.F32] == most else next(dtype for dtype in DType if counts[dtype] == most)
