"""Times of kernels on a shard of an operation, in whole picoseconds, by the devices' roofline models."""

from fractions import Fraction
from math import ceil

from p2smt.cost.computing.roofline import RooflineWork, counts_flops, kernel_seconds, launch_seconds, operation_seconds
from p2smt.problem.system.device_model import TF32, DeviceModel, OperationKind
from p2smt.spmd.devices.network import PICO
from p2smt.tensor.dtype import DType
from p2smt.tensor.kernel_work import KernelWork


def dtype_name(dtype: DType) -> str:
    """Return the name of a dtype in system and job files."""
    match dtype:
        case DType.F16:
            return "float16"
        case DType.BF16:
            return "bfloat16"
        case DType.F32 | DType.BOOL:
            return "float32"
        case DType.F64:
            return "float64"
        case DType.I32:
            return "int32"
        case DType.I64:
            return "int64"


def picoseconds(model: DeviceModel, work: KernelWork, flops: int, size: int, rows: int, *, tf32: bool = False) -> int:
    """Return the time of a shard of an operation with this many flops, bytes and rows, rounded up.

    It is at least the launch time on the host, which every device pays.
    """
    if work.kind is OperationKind.VIEW or not (work.flops or work.bytes):
        return 0
    each = RooflineWork(
        kind=work.kind, dtype=_type(work, tf32=tf32), flops=flops, bytes=size, rows=rows, aligned=work.aligned
    )
    return ceil(operation_seconds(model, each) * PICO)


def launch_picoseconds(model: DeviceModel, work: KernelWork) -> int:
    """Return the host time to launch an operation eagerly."""
    return ceil(launch_seconds(model, work.kind, dtype_name(work.dtype)) * PICO)


def kernel_only_picoseconds(
    model: DeviceModel, work: KernelWork, flops: int, size: int, rows: int, *, tf32: bool = False
) -> int:
    """Return the device time of a shard of an operation, excluding the launch on the host."""
    each = RooflineWork(
        kind=work.kind, dtype=_type(work, tf32=tf32), flops=flops, bytes=size, rows=rows, aligned=work.aligned
    )
    return ceil(kernel_seconds(model, each) * PICO) if work.flops or work.bytes else 0


def least_picoseconds(model: DeviceModel, work: KernelWork, *, tf32: bool = False) -> tuple[Fraction, int]:
    """Return a lower bound on kernel time as (divisible, fixed) picoseconds.

    A kernel on a fraction p of the operation takes at least `p * divisible + fixed`; it takes longer if it reads
    operands that are not sharded.
    """
    whole = picoseconds(model, work, work.flops, work.bytes, work.rows, tf32=tf32)
    if not whole:
        return Fraction(0), 0
    nothing = RooflineWork(kind=work.kind, dtype=_type(work, tf32=tf32), flops=0, bytes=0)
    launched = int(operation_seconds(model, nothing) * PICO)
    if launched >= whole - _ROUNDING:
        return Fraction(0), launched
    least = int(kernel_seconds(model, nothing) * PICO)
    return Fraction(max(0, whole - least - _ROUNDING)), least


_ROUNDING = 2
"""The most picoseconds by which rounding may have increased the time of the whole kernel."""


def _type(work: KernelWork, *, tf32: bool) -> str:
    if tf32 and work.dtype is DType.F32 and counts_flops(work.kind):
        return TF32
    return dtype_name(work.dtype)
