"""Roofline of a kernel of several operations: the sum of their flops, and their joint memory traffic.

    seconds = max(sum over contractions of flops / (peak * fraction reached), bytes / (bandwidth * fraction reached)),
but at least the launch (Williams, Waterman and Patterson, "Roofline: an insightful visual performance model", 2009).
The caller takes the maximum, because bytes depend on how kernels are joined. Values inside the kernel move no bytes.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from p2smt.cost.computing.roofline import counts_flops, launch_seconds
from p2smt.problem.system.device_model import DeviceModel, OperationKind
from p2smt.spmd.devices.kernel_times import dtype_name
from p2smt.tensor.footprint import ValueFootprint
from p2smt.tensor.operation import Kind
from p2smt.tensor.operations import OPERATIONS


def fused_seconds(
    model: DeviceModel, values: Sequence[ValueFootprint], flops: Sequence[int], moved: float
) -> tuple[float, float, float]:
    """Return a kernel's seconds of arithmetic in contractions, of memory traffic, and of its start.

    A kernel with a contraction counts as that kind; others move memory like elementwise operations, or like
    their only operation.
    """
    arithmetic, kinds = 0.0, []
    for value, count in zip(values, flops, strict=True):
        for name in value.what:
            kind = kernel_kind(name)
            if kind is not None:
                kinds.append((kind, dtype_name(value.dtype)))
        contraction = next(
            (kind for kind in map(kernel_kind, value.what) if kind is not None and counts_flops(kind)), None
        )
        if contraction is not None:
            dtype = dtype_name(value.dtype)
            arithmetic += count / (model.peak(dtype) * model.figures(contraction, dtype).computing)
    kind, dtype = _main(kinds)
    figures = model.figures(kind, dtype)
    # The host's launch or the kernel's own least time, whichever is longer: they overlap.
    least = max(launch_seconds(model, kind, dtype), figures.least or model.least)
    return arithmetic, moved / (model.bandwidth * figures.memory), least


def _main(kinds: Sequence[tuple[OperationKind, str]]) -> tuple[OperationKind, str]:
    contraction = next(((kind, dtype) for kind, dtype in kinds if counts_flops(kind)), None)
    if contraction is not None:
        return contraction
    if len(kinds) == 1:
        return kinds[0]
    return OperationKind.ELEMENTWISE, kinds[0][1] if kinds else "float32"


def kernel_kind(name: str) -> OperationKind | None:
    """Return the kernel kind of an operation; None for sources, collectives, and operations without a kernel."""
    declared = OPERATIONS.get(name)
    return None if declared is None else declared.kernel or _KERNELS[declared.kind]


_KERNELS: Mapping[Kind, OperationKind | None] = MappingProxyType(
    {
        Kind.CONTRACT: OperationKind.MATMUL,
        Kind.MAP: OperationKind.ELEMENTWISE,
        Kind.RANDOM: OperationKind.ELEMENTWISE,
        Kind.JOIN: OperationKind.ELEMENTWISE,
        Kind.REDUCE: OperationKind.SUM_ROWS,
        Kind.ROW: OperationKind.SOFTMAX,
        Kind.TAKE: OperationKind.GATHER,
        Kind.PUT: OperationKind.SCATTER,
        Kind.RELABEL: None,
        Kind.VIEW: None,
        Kind.UPDATE: None,
    }
)
