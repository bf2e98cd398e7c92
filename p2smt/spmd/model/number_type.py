"""The dtype that a program mostly computes in; device speeds are given per dtype."""

from p2smt.spmd.model.graph import graph_of
from p2smt.tensor.dtype import DType
from p2smt.tensor.program import Program


def dtype_of(program: Program) -> DType:
    """Return the dtype with the most flops in a program; f32 in case of a tie with it or without any operation."""
    graph, counts = graph_of(program), dict.fromkeys(DType, 0)
    for node in graph.nodes:
        counts[graph.tensors[node.result].dtype or DType.F32] += node.flops
    most = max(counts.values())
    return DType.F32 if counts[DType.F32] == most else next(dtype for dtype in DType if counts[dtype] == most)
