"""Tables of measured operations: CSV with the columns kind, dtype, shape, us, flops and bytes."""

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import inf, isfinite
from pathlib import Path
from types import MappingProxyType

from p2smt.cost.computing.roofline import RooflineWork
from p2smt.errors import CalibrationError
from p2smt.problem.system.device_model import LEAST_TIME, PEAK_DTYPES, STRIDED, OperationKind, causal_part
from p2smt.problem.typed import read_bounded

COLUMNS = ("kind", "dtype", "shape", "us", "flops", "bytes")
MOST_BYTES, MOST_ROWS = 10_000_000, 100_000


class TimedPart(StrEnum):
    """The part of an operation that was timed: its kernel, its launch on the host, or its kernel beside communication.

    The kind of a row in a table begins with the value.
    """

    KERNEL = ""
    LAUNCH = "launch_"
    BESIDE = "beside_"


ELEMENTWISE = ("add", "mul_scalar", "gelu", "exp", "tanh", "addcmul_", "copy", "cast")
"""Kinds of tables that are element-wise operations, which only move memory."""

_SYNONYMS = {"bmm_nt": "bmm"} | dict.fromkeys(ELEMENTWISE, "elementwise") | {"gelu": "gelu", "gelu_backward": "gelu"}

KINDS: Mapping[str, OperationKind] = MappingProxyType(
    {name: OperationKind(of) for name, of in ({kind.value: kind.value for kind in OperationKind} | _SYNONYMS).items()}
)
"""The kinds that tables may name."""

_WITH_ROWS = frozenset(
    {
        OperationKind.BROADCAST,
        OperationKind.SUM_ROWS,
        OperationKind.MAX_ROWS,
        OperationKind.SUM_COLUMNS,
        OperationKind.SOFTMAX,
        OperationKind.LOG_SOFTMAX,
        OperationKind.LAYER_NORM,
        OperationKind.CROSS_ENTROPY,
        OperationKind.GATHER,
        OperationKind.SCATTER,
    }
)

_TENSOR_CORE = MappingProxyType({"tf32": 4, "bfloat16": 8, "float16": 8, "float8": 16, "int8": 16})
"""The multiple, in elements, that tensor cores require of lengths, by data type (16 bytes)."""

_FEWEST_CHANNELS = 8
_CONVOLVED, _ATTENDED = 6, 4
"""The number of lengths in a shape.

Convolution: batch, channels, side, output channels, kernel, stride. Attention: batch, heads, positions, features.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationRow:
    """A measured operation: the table's `kind`, the kernel's `work`, and what was timed."""

    kind: str
    shape: tuple[int, ...]
    seconds: float
    work: RooflineWork
    timing: TimedPart = TimedPart.KERNEL


def read_operations(path: Path) -> tuple[OperationRow, ...]:
    """Return the rows of a table. Raises CalibrationError for wrong columns, kinds, or values out of range."""
    data = read_bounded(path, MOST_BYTES, CalibrationError)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as cause:
        raise CalibrationError(f"{path} is not UTF-8 text; give a CSV table") from cause
    return parse_operations(text, str(path))


def parse_operations(text: str, path: str) -> tuple[OperationRow, ...]:
    """Return the rows of a table's text; `path` is for messages. Raises CalibrationError as `read_operations` does."""
    reader = csv.DictReader(io.StringIO(text))
    try:
        lines = list(reader)
    except csv.Error as cause:
        raise CalibrationError(f"{path} is not a CSV table: {cause}") from cause
    missing = [name for name in COLUMNS if name not in (reader.fieldnames or ())]
    if missing:
        raise CalibrationError(f"{path} lacks the column {missing[0]}; a table of operations has {', '.join(COLUMNS)}")
    if not 1 <= len(lines) <= MOST_ROWS:
        raise CalibrationError(f"{path} has {len(lines)} rows; give 1 to {MOST_ROWS}")
    return tuple(_row(line, f"{path}, row {number}") for number, line in enumerate(lines, 2))


def _row(line: Mapping[str, str | None], place: str) -> OperationRow:
    text = {name: line.get(name) or "" for name in COLUMNS}
    timing = next(
        (each for each in (TimedPart.LAUNCH, TimedPart.BESIDE) if text["kind"].startswith(each)), TimedPart.KERNEL
    )
    name = text["kind"].removeprefix(timing)
    if name not in KINDS:
        raise CalibrationError(f"{place}: kind {text['kind'][:40]!r} is unknown; choose one of {', '.join(KINDS)}")
    if text["dtype"] not in PEAK_DTYPES:
        raise CalibrationError(f"{place}: dtype {text['dtype'][:40]!r} is unknown; choose {', '.join(PEAK_DTYPES)}")
    seconds = _number(text["us"], f"{place}: us") * 1e-6
    if seconds < LEAST_TIME:
        raise CalibrationError(f"{place}: {text['us']} us is implausible; an operation takes at least 0.1 us")
    flops, size = _number(text["flops"], f"{place}: flops"), _number(text["bytes"], f"{place}: bytes")
    kind, shape = KINDS[name], _shape(text["shape"], place)
    if kind in STRIDED and len(shape) == _CONVOLVED and shape[-1] > 1:
        kind = STRIDED[kind]
    if kind in (OperationKind.ATTENTION, OperationKind.ATTENTION_BACKWARD) and len(shape) == _ATTENDED:
        flops *= 2 * causal_part(shape[2])
    rows = shape[0] if kind in _WITH_ROWS and len(shape) > 1 else 0
    work = RooflineWork(
        kind=kind,
        dtype=text["dtype"],
        flops=flops,
        bytes=size,
        rows=rows,
        aligned=is_aligned(kind, text["dtype"], shape),
    )
    if timing is TimedPart.BESIDE and kind not in (OperationKind.MATMUL, OperationKind.BATCHED_MATMUL):
        raise CalibrationError(
            f"{place}: kind {text['kind'][:40]!r} is not a contraction; only contractions are slowed down beside "
            "communication in this model, so give beside_matmul or beside_bmm, or leave the row out"
        )
    return OperationRow(kind=text["kind"], shape=shape, seconds=seconds, work=work, timing=timing)


def is_aligned(kind: OperationKind, dtype: str, shape: tuple[int, ...]) -> bool:
    """True if tensor cores, or a convolution's fast kernels, support the lengths in a table's shape column.

    >>> is_aligned(OperationKind.MATMUL, "bfloat16", (512, 1024, 50257))
    False
    """
    match kind:
        case OperationKind.MATMUL | OperationKind.BATCHED_MATMUL:
            return all(length % _TENSOR_CORE.get(dtype, 1) == 0 for length in shape[1:])
        case _ if kind in STRIDED or kind in STRIDED.values():
            return len(shape) < 2 or shape[1] >= _FEWEST_CHANNELS
        case _:
            return True


def _number(text: str, place: str) -> float:
    try:
        value = float(text)
    except ValueError as cause:
        raise CalibrationError(f"{place} {text[:40]!r} is not a number; write one such as 12.5") from cause
    if not (isfinite(value) and 0 <= value < inf):
        raise CalibrationError(
            f"{place} {text[:40]} is out of range; give a number of at least 0, or leave the row out"
        )
    return value


def _shape(text: str, place: str) -> tuple[int, ...]:
    parts = text.split("x")
    if not all(part.isascii() and part.isdigit() and len(part) < 16 for part in parts):
        raise CalibrationError(f"{place}: shape {text[:40]!r} does not parse; write lengths such as 128x768x3072")
    return tuple(map(int, parts))
