"""The seconds of one kernel on a device: a roofline with a minimum time.

    t = least + max(F / (peak * computing), B / (bandwidth * memory), R * row)

F is the number of floating-point operations, B the bytes read and written, R the rows of a reduction or of an embedding
table. A utilisation term for small contractions, F / (peak * computing * fill) with fill = 1 / (1 + F_half / F), is
equivalent, with F_half = least * peak * computing. Convolutions convert the layout of their operands in separate
kernels, so their terms add up. Lengths that tensor cores do not support (not a multiple of 16 bytes, or fewer than 8
channels) use the float32 peak, of which the fraction `unaligned` is reached. Reference: Williams, Waterman, Patterson,
"Roofline", Communications of the ACM 52 (2009).

Example: a float32 product of 4096 x 4096 matrices on an H100, 137 Gflop at 0.72 of 67 Tflop/s, takes 2.85 ms.
"""

from dataclasses import dataclass

from p2smt.problem.system.device_model import STRIDED, DeviceModel, OperationFigures, OperationKind


@dataclass(frozen=True, slots=True, kw_only=True)
class RooflineWork:
    """A kernel's work: `flops` floating-point operations on `dtype`, `bytes` moved, `rows` of a reduction."""

    kind: OperationKind
    dtype: str
    flops: float
    bytes: float
    rows: float = 0.0
    aligned: bool = True


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a kernel's roofline: seconds at the full peaks; `rows` is a count."""

    computing: float
    unaligned: float
    memory: float
    rows: float


def terms(model: DeviceModel, work: RooflineWork) -> Terms:
    """Return the terms of a kernel. Only contractions count operations; other kinds are bound by memory."""
    computing = unaligned = 0.0
    if counts_flops(work.kind):
        if work.aligned:
            computing = work.flops / model.peak(work.dtype)
        else:
            unaligned = work.flops / model.peak("float32")
    return Terms(computing, unaligned, work.bytes / model.bandwidth, work.rows)


def kernel_seconds(model: DeviceModel, work: RooflineWork) -> float:
    """Return the seconds of a kernel on the device; 0 for a view, which has no kernel."""
    if work.kind is OperationKind.VIEW:
        return 0.0
    figures = model.figures(work.kind, work.dtype)
    least = model.least if figures.least is None else figures.least
    return least + busy_seconds(figures, terms(model, work), adds_up=adds_up(work.kind))


def busy_seconds(figures: OperationFigures, each: Terms, *, adds_up: bool) -> float:
    """Return the seconds of a kernel beyond its minimum time."""
    computing = each.computing / figures.computing + each.unaligned / figures.unaligned
    memory, rows = each.memory / figures.memory, each.rows * figures.row
    return computing + memory + rows if adds_up else max(computing, memory, rows)


def operation_seconds(model: DeviceModel, work: RooflineWork) -> float:
    """Return the seconds of an operation alone: those of its kernel, or of the host's launch if that takes longer.

    Views count 0: they have no kernel, and emitted code folds them into other calls.
    """
    if work.kind is OperationKind.VIEW:
        return 0.0
    return max(launch_seconds(model, work.kind, work.dtype), kernel_seconds(model, work))


def launch_seconds(model: DeviceModel, kind: OperationKind, dtype: str) -> float:
    """Return the host's seconds to launch an operation eagerly, in a loop of only such operations."""
    launch = model.figures(kind, dtype).launch
    once = model.launch if launch is None else launch
    return DROPOUT_LAUNCHES * once if kind is OperationKind.DROPOUT else once


def counts_flops(kind: OperationKind) -> bool:
    """True if floating-point operations may bound the kind: contractions and attention."""
    return adds_up(kind) or kind in _PRODUCTS


def adds_up(kind: OperationKind) -> bool:
    """True if memory time adds to computing time: convolutions convert layouts in separate kernels."""
    return kind in _CONVOLUTIONS


DROPOUT_LAUNCHES = 6
"""The number of kernels that emitted code launches for a dropout by position whose mask was not kept."""
_CONVOLUTIONS = frozenset({*STRIDED, *STRIDED.values()})
_PRODUCTS = frozenset(
    {
        OperationKind.MATMUL,
        OperationKind.BATCHED_MATMUL,
        OperationKind.ATTENTION,
        OperationKind.ATTENTION_BACKWARD,
    }
)
