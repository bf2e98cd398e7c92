"""Device models: the peak rates of a data sheet, and the fractions of them that kinds of operations reach.

`cost/computing/roofline.py` computes the time of a kernel from these parameters (a roofline; Williams et al.,
"Roofline", CACM 52, 2009).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from math import inf
from types import MappingProxyType

from p2smt.errors import ProblemError

TF32 = "tf32"
"""Name of float32 products that tensor cores compute in a shorter format, treated as a data type."""

PEAK_DTYPES = ("float64", "float32", TF32, "bfloat16", "float16", "float8", "int8")
"""Data types for which a data sheet may give peaks."""

_ALIKE = MappingProxyType({"float16": "bfloat16", "bfloat16": "float16", "float8": "bfloat16"})
"""Map each data type to one whose operations reach similar fractions of the peaks."""

WINOGRAD = 2.25
"""Largest factor by which a convolution may exceed the peak: Winograd's F(2x2, 3x3) needs 16 products, not 36."""


class OperationKind(StrEnum):
    """Kinds of operations that reach similar fractions of the peaks, named like columns of measured tables."""

    MATMUL = "matmul"
    BATCHED_MATMUL = "bmm"
    CONVOLUTION = "conv2d"
    CONVOLUTION_INPUT = "conv2d_input"
    CONVOLUTION_WEIGHT = "conv2d_weight"
    STRIDED_CONVOLUTION = "conv2d_strided"
    STRIDED_CONVOLUTION_INPUT = "conv2d_input_strided"
    STRIDED_CONVOLUTION_WEIGHT = "conv2d_weight_strided"
    ATTENTION = "sdpa_causal"
    ATTENTION_BACKWARD = "sdpa_causal_fb"
    ELEMENTWISE = "elementwise"
    BROADCAST = "bias"
    SUM = "sum"
    SUM_ROWS = "sum_rows"
    MAX_ROWS = "max_rows"
    SUM_COLUMNS = "sum_cols"
    SOFTMAX = "softmax"
    LOG_SOFTMAX = "log_softmax"
    LAYER_NORM = "layer_norm"
    CROSS_ENTROPY = "cross_entropy"
    GATHER = "index_select"
    SCATTER = "index_add"
    ACTIVATION = "gelu"
    DROPOUT = "dropout"
    BATCH_NORM = "batch_norm"
    OPTIMIZER = "adamw"
    TRANSPOSITION = "transpose_copy"
    VIEW = "reshape"


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationFigures:
    """The parameters of a device for one kind of operations.

    `least` is the minimum seconds of a kernel, and `launch` the host's seconds to launch the operation eagerly;
    None means the device's values. `computing` and `memory` are fractions of the peaks. `row` is the seconds
    per row of a reduction (0 if rows do not matter). `unaligned` is the fraction of the float32 peak reached by
    contractions whose shapes tensor cores do not support.
    """

    least: float | None = None
    launch: float | None = None
    computing: float = 1.0
    memory: float = 1.0
    row: float = 0.0
    unaligned: float = 1.0


_ROWS = OperationFigures(memory=0.6, row=0.8e-9)
_CONVOLUTION = OperationFigures(computing=0.4, memory=0.8, unaligned=0.35)

# Kinds as fitted to 388 operations on an H100, rounded; devices that were not measured take them.
USUAL: Mapping[OperationKind, OperationFigures] = MappingProxyType(
    {
        OperationKind.MATMUL: OperationFigures(computing=0.72, memory=0.85, unaligned=1.8),
        OperationKind.BATCHED_MATMUL: OperationFigures(computing=0.55, memory=0.85, unaligned=1.8),
        OperationKind.CONVOLUTION: _CONVOLUTION,
        OperationKind.CONVOLUTION_INPUT: _CONVOLUTION,
        OperationKind.CONVOLUTION_WEIGHT: _CONVOLUTION,
        OperationKind.STRIDED_CONVOLUTION: _CONVOLUTION,
        OperationKind.STRIDED_CONVOLUTION_INPUT: _CONVOLUTION,
        OperationKind.STRIDED_CONVOLUTION_WEIGHT: _CONVOLUTION,
        OperationKind.ATTENTION: OperationFigures(computing=0.55, memory=0.7),
        OperationKind.ATTENTION_BACKWARD: OperationFigures(computing=0.38, memory=0.3),
        OperationKind.ELEMENTWISE: OperationFigures(memory=0.87),
        OperationKind.BROADCAST: OperationFigures(memory=0.7, row=0.3e-9),
        OperationKind.SUM: OperationFigures(memory=0.75),
        OperationKind.SUM_ROWS: OperationFigures(memory=0.8, row=0.2e-9),
        OperationKind.MAX_ROWS: OperationFigures(memory=0.65, row=0.35e-9),
        OperationKind.SUM_COLUMNS: OperationFigures(memory=0.75, row=0.95e-9),
        OperationKind.SOFTMAX: _ROWS,
        OperationKind.LOG_SOFTMAX: replace(_ROWS, row=0.45e-9),
        OperationKind.LAYER_NORM: replace(_ROWS, row=1.2e-9),
        OperationKind.CROSS_ENTROPY: OperationFigures(memory=0.25, row=1.2e-9),
        OperationKind.GATHER: OperationFigures(memory=0.9, row=0.6e-9),
        OperationKind.SCATTER: OperationFigures(memory=0.35, row=1.1e-9),
        OperationKind.TRANSPOSITION: OperationFigures(memory=0.22),
        OperationKind.ACTIVATION: OperationFigures(memory=0.87),
        # by position: a product of words, a comparison and the choice, 18 bytes an element where 8 are counted
        OperationKind.DROPOUT: OperationFigures(memory=0.39),
        OperationKind.BATCH_NORM: OperationFigures(memory=0.7),
        # torch's fused AdamW moves the seven words of each of 168 million parameters in 2.11 ms on an H100
        OperationKind.OPTIMIZER: OperationFigures(memory=0.66),
        OperationKind.VIEW: OperationFigures(launch=1.2e-6),
    }
)


STRIDED: Mapping[OperationKind, OperationKind] = MappingProxyType(
    {kind: OperationKind(f"{kind}_strided") for kind in OperationKind if f"{kind}_strided" in list(OperationKind)}
)
"""Map kinds of convolutions to their strided variants, for which libraries have slower kernels."""

_LIKE = MappingProxyType(
    dict(zip(STRIDED.values(), STRIDED, strict=True))
    | dict.fromkeys((OperationKind.ACTIVATION,), OperationKind.ELEMENTWISE)
)
"""Map each kind of operations to the kind that replaces it if it was not measured."""

_CAUSAL_BLOCK = 128


def causal_part(keys: int) -> float:
    """Return the fraction of its operations that causal attention executes, skipping fully masked key blocks.

    >>> causal_part(1024), causal_part(64)
    (0.5625, 1.0)
    """
    # Half of the square of scores, and half of the blocks on its diagonal.
    return min(1.0, (keys + _CAUSAL_BLOCK) / (2 * keys)) if keys else 1.0


IN_STEP = 2.7
"""Ratio of the host's launch time of an operation within a step to that in a tight loop.

Within a step, the host's caches hold hardly any of an operation's instructions and objects, and Python executes
statement after statement. Fitted to emitted bfloat16 steps limited by the host of an H100
(scripts/results/steps.md).
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceModel:
    """A device; `peaks` are dense arithmetic operations per second by data type, counting a multiply-add as two.

    `memory` is in bytes and `bandwidth` in bytes/s. `launch` is the host's seconds to launch an operation
    eagerly, and `least` the minimum seconds of a kernel. `measured` holds parameters by kind and data type;
    others default to `USUAL`. `overlap_loss` is the relative slowdown of contractions during communication.
    `in_step` times `launch` is the host's launch time within a step. `count` is the number of devices combined
    into this model, whose peaks and bandwidth are their sums.
    """

    name: str
    source: str
    peaks: tuple[tuple[str, float], ...]
    memory: int
    bandwidth: float
    launch: float
    least: float
    overlap_loss: float = 0.1
    in_step: float = IN_STEP
    count: int = 1
    measured: tuple[tuple[OperationKind, str, OperationFigures], ...] = ()
    _known: Mapping[tuple[OperationKind, str], OperationFigures] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        known = {(kind, dtype): figures for kind, dtype, figures in self.measured}
        object.__setattr__(self, "_known", known)

    def peak(self, dtype: str) -> float:
        """Return the peak operations per second of a data type; float32's if the data sheet has none for it."""
        peaks = dict(self.peaks)
        return peaks.get(dtype, peaks["float32"])

    def figures(self, kind: OperationKind, dtype: str) -> OperationFigures:
        """Return the parameters of a kind of operations; missing times default to the device's."""
        alike = _ALIKE.get(dtype, "float32")
        kinds = (kind, _LIKE[kind]) if kind in _LIKE else (kind,)
        # The type itself, then its like (16-bit types for each other), then float32: the nearest measurement counts.
        known = (self._known.get((like, each)) for like in kinds for each in (dtype, alike, "float32"))
        found = next((each for each in known if each is not None), USUAL[kind])
        least = self.least if found.least is None else found.least
        launch = self.launch if found.launch is None else found.launch
        return replace(found, least=least, launch=launch, row=found.row / self.count)

    @property
    def operations(self) -> tuple[tuple[OperationKind, str], ...]:
        """The measured kinds of operations with their data types, and all other kinds with float32."""
        known = [(kind, dtype) for kind, dtype, _ in self.measured]
        usual = [(kind, "float32") for kind in OperationKind if all(kind is not each for each, _ in known)]
        return (*known, *usual)

    def speed(self, dtype: str) -> float:
        """Return the operations per second that large matrix products reach."""
        return self.peak(dtype) * self.figures(OperationKind.MATMUL, dtype).computing

    def faster(self, factor: float) -> "DeviceModel":
        """Return the device with `factor` times the peaks and unchanged memory."""
        return replace(self, peaks=tuple((dtype, peak * factor) for dtype, peak in self.peaks))

    def times(self, count: int) -> "DeviceModel":
        """Return `count` of these devices as one model, assuming they divide every operation evenly."""
        peaks = tuple((dtype, peak * count) for dtype, peak in self.peaks)
        return replace(self, peaks=peaks, bandwidth=self.bandwidth * count, count=self.count * count)


def fastest_of(models: Sequence[DeviceModel]) -> DeviceModel:
    """Return a fictitious device with the best value of every parameter, for lower bounds."""
    every = tuple(dict.fromkeys(models))
    if len(every) == 1:
        return every[0]
    dtypes = dict.fromkeys(dtype for model in every for dtype, _ in model.peaks)
    kinds = dict.fromkeys((kind, dtype) for kind in OperationKind for dtype in dtypes)
    return replace(
        every[0],
        name="-or-".join(model.name for model in every),
        # The best of each figure separately: no such device exists, which makes it a bound.
        peaks=tuple((dtype, max(model.peak(dtype) for model in every)) for dtype in dtypes),
        bandwidth=max(model.bandwidth for model in every),
        launch=min(model.launch for model in every),
        least=min(model.least for model in every),
        count=1,
        measured=tuple(
            (kind, dtype, _fastest([model.figures(kind, dtype) for model in every])) for kind, dtype in kinds
        ),
    )


def _fastest(figures: Sequence[OperationFigures]) -> OperationFigures:
    return OperationFigures(
        least=min(each.least or 0.0 for each in figures),
        launch=min(each.launch or 0.0 for each in figures),
        computing=max(each.computing for each in figures),
        memory=max(each.memory for each in figures),
        row=min(each.row for each in figures),
        unaligned=max(each.unaligned for each in figures),
    )


def check_model(model: DeviceModel) -> None:
    """Raise ProblemError for values out of range: no float32 peak, fractions above 1, implausibly short times."""
    where = f"device model {model.name}"
    if "float32" not in dict(model.peaks):
        raise ProblemError(f"{where}: the peak of float32 is missing; give peak = {{ float32 = ... }}")
    for what, rate in (*model.peaks, ("bandwidth", model.bandwidth)):
        if not 0 < rate < inf:
            raise ProblemError(f"{where}: {what} {rate} is not a positive rate; write one such as 60Tflop/s or 3TB/s")
    if model.memory < 1:
        raise ProblemError(f"{where}: memory {model.memory} is not a positive number of bytes; write one such as 80GB")
    if not 0 <= model.overlap_loss <= MOST_OVERLAP_LOSS:
        raise ProblemError(
            f"{where}: overlap_loss {model.overlap_loss} is out of range; give at least 0, at most {MOST_OVERLAP_LOSS}"
        )
    if not 1 <= model.in_step < MOST_IN_STEP:
        raise ProblemError(
            f"{where}: in_step {model.in_step} is out of range; give a factor of at least 1 and below {MOST_IN_STEP}"
        )
    _check_times(where, (("launch", model.launch), ("least", model.least)))
    for kind, dtype, figures in model.measured:
        _check_figures(f"{where}: {kind} {dtype}", kind, figures)


def _check_figures(where: str, kind: OperationKind, figures: OperationFigures) -> None:
    most = WINOGRAD if kind.startswith("conv2d") else 1.0
    for what, part, bound in (("computing", figures.computing, most), ("memory", figures.memory, 1.0)):
        if not 0 < part <= bound:
            raise ProblemError(
                f"{where}: {what} {part} is out of range; give a fraction of the peak, above 0 and at most {bound:g}"
            )
    if not (0 < figures.unaligned < inf and 0 <= figures.row < 1):
        raise ProblemError(
            f"{where}: unaligned {figures.unaligned} and row {figures.row} are not both positive; correct them"
        )
    _check_times(where, (("launch", figures.launch), ("least", figures.least)))


def _check_times(where: str, times: Iterable[tuple[str, float | None]]) -> None:
    for what, seconds in times:
        if seconds is not None and not LEAST_TIME <= seconds < 1:
            raise ProblemError(
                f"{where}: {what} {seconds:g} s is out of range; give at least 0.1 us and less than a second"
            )


MOST_IN_STEP = 100
MOST_OVERLAP_LOSS = 4
LEAST_TIME = 1e-7
"""Minimum plausible seconds of a kernel or launch."""
