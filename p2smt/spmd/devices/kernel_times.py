"""Whole picoseconds of parts of kernels, by the models of devices."""

from fractions import Fraction
from math import ceil

from p2smt.cost.computing.roofline import RooflineWork, counts_flops, kernel_seconds, launch_seconds, operation_seconds
from p2smt.problem.system.device_model import TF32, DeviceModel, OperationKind
from p2smt.spmd.devices.network import PICO
from p2smt.tensor.kernel_work import KernelWork
from p2smt.tensor.program import DType


def dtype_name(dtype: DType) -> str:
    """A type as systems and jobs name it."""
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
    """Time of a part of an operation with so many operations on numbers, bytes and rows, rounded up.

    It is never less than its launch on the host, which every device has.
    """
    if work.kind is OperationKind.VIEW or not (work.flops or work.bytes):
        return 0
    each = RooflineWork(
        kind=work.kind, dtype=_type(work, tf32=tf32), flops=flops, bytes=size, rows=rows, aligned=work.aligned
    )
    return ceil(operation_seconds(model, each) * PICO)


def launch_picoseconds(model: DeviceModel, work: KernelWork) -> int:
    """Host time to launch an operation eagerly."""
    return ceil(launch_seconds(model, work.kind, dtype_name(work.dtype)) * PICO)


def kernel_only_picoseconds(
    model: DeviceModel, work: KernelWork, flops: int, size: int, rows: int, *, tf32: bool = False
) -> int:
    """Device time of a part of an operation, however long its launch."""
    each = RooflineWork(
        kind=work.kind, dtype=_type(work, tf32=tf32), flops=flops, bytes=size, rows=rows, aligned=work.aligned
    )
    return ceil(kernel_seconds(model, each) * PICO) if work.flops or work.bytes else 0


def least_picoseconds(model: DeviceModel, work: KernelWork, *, tf32: bool = False) -> tuple[Fraction, int]:
    """The part of a kernel that is divided among devices, and the time that every device takes beside it.

    A kernel of a part p takes at least p times the first and the second, as bytes that are not divided come on top.
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
"""Picoseconds by which rounding may have enlarged the whole."""


def _type(work: KernelWork, *, tf32: bool) -> str:
    if tf32 and work.dtype is DType.F32 and counts_flops(work.kind):
        return TF32
    return dtype_name(work.dtype)
