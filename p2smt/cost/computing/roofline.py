"""The seconds of one kernel on a device: a roofline with what it takes at least.

    t = least + max(F / (peak * computing), B / (bandwidth * memory), R * row)

F operations on numbers, B bytes read and written, R rows of a reduction or of a table that is looked up. The form with
a fill for small contractions, F / (peak * computing * fill) with fill = 1 / (1 + F_half / F), is the same with
F_half = least * peak * computing. Convolutions change the order of their operands' numbers beside computing, so theirs
add up. Lengths that tensor cores do not take (no multiple of 16 bytes; fewer than 8 channels) leave the peak of
float32, of which `unaligned` is reached.
Reference: Williams, Waterman, Patterson, "Roofline", Communications of the ACM 52 (2009).

Example: a float32 product of 4096 x 4096 matrices on an H100, 137 Gflop at 0.72 of 67 Tflop/s, takes 2.85 ms.
"""

from dataclasses import dataclass

from p2smt.problem.system.device_model import STRIDED, DeviceModel, OperationFigures, OperationKind


@dataclass(frozen=True, slots=True, kw_only=True)
class RooflineWork:
    """A kernel's work: `flops` operations on numbers of `dtype`, `bytes` moved, `rows` of a reduction."""

    kind: OperationKind
    dtype: str
    flops: float
    bytes: float
    rows: float = 0.0
    aligned: bool = True


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a kernel's roofline, in seconds at the full peaks; rows are a number."""

    computing: float
    unaligned: float
    memory: float
    rows: float


def terms(model: DeviceModel, work: RooflineWork) -> Terms:
    """The terms of a kernel. Only contractions count operations; other kinds are bound by memory."""
    computing = unaligned = 0.0
    if counts_flops(work.kind):
        if work.aligned:
            computing = work.flops / model.peak(work.dtype)
        else:
            unaligned = work.flops / model.peak("float32")
    return Terms(computing, unaligned, work.bytes / model.bandwidth, work.rows)


def kernel_seconds(model: DeviceModel, work: RooflineWork) -> float:
    """The seconds of a kernel on the device; 0 of a view, which has none."""
    if work.kind is OperationKind.VIEW:
        return 0.0
    figures = model.figures(work.kind, work.dtype)
    least = model.least if figures.least is None else figures.least
    return least + busy_seconds(figures, terms(model, work), adds_up=adds_up(work.kind))


def busy_seconds(figures: OperationFigures, each: Terms, *, adds_up: bool) -> float:
    """Seconds of a kernel above its least time."""
    computing = each.computing / figures.computing + each.unaligned / figures.unaligned
    memory, rows = each.memory / figures.memory, each.rows * figures.row
    return computing + memory + rows if adds_up else max(computing, memory, rows)


def operation_seconds(model: DeviceModel, work: RooflineWork) -> float:
    """The seconds of an operation by itself: of its kernel, or of the host's launch where that takes longer.

    A view has no kernel, and its launch is not counted: what emitted code reads as a view is part of a call.
    """
    if work.kind is OperationKind.VIEW:
        return 0.0
    return max(launch_seconds(model, work.kind, work.dtype), kernel_seconds(model, work))


def launch_seconds(model: DeviceModel, kind: OperationKind, dtype: str) -> float:
    """The seconds of the host to launch an operation eagerly, in a loop of nothing else."""
    launch = model.figures(kind, dtype).launch
    once = model.launch if launch is None else launch
    return _DROPOUT_LAUNCHES * once if kind is OperationKind.DROPOUT else once


def counts_flops(kind: OperationKind) -> bool:
    """True if operations on numbers may bound a kind: contractions and attention."""
    return adds_up(kind) or kind in _PRODUCTS


def adds_up(kind: OperationKind) -> bool:
    """True if memory time adds to computing time: convolutions change layouts in kernels of their own."""
    return kind in _CONVOLUTIONS


_DROPOUT_LAUNCHES = 6
"""The host launches that emitted code needs for a dropout by position."""
_CONVOLUTIONS = frozenset({*STRIDED, *STRIDED.values()})
_PRODUCTS = frozenset(
    {
        OperationKind.MATMUL,
        OperationKind.BATCHED_MATMUL,
        OperationKind.ATTENTION,
        OperationKind.ATTENTION_BACKWARD,
    }
)
