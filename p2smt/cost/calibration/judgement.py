"""The errors of a device's model on measured operations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from statistics import fmean
from types import MappingProxyType

from p2smt.cost.calibration.operation_table import OperationRow, TimedPart
from p2smt.cost.computing.roofline import kernel_seconds, launch_seconds
from p2smt.errors import CalibrationError
from p2smt.problem.system.device_model import DeviceModel


@dataclass(frozen=True, slots=True)
class Judgement:
    """The errors of a device's model on rows: mean |ln(predicted / measured)| over all, and by the table's kinds."""

    mean_abs_ln: float
    kinds: Mapping[str, float]
    rows: int


def judge(model: DeviceModel, rows: Sequence[OperationRow]) -> Judgement:
    """Return the errors of a model on rows. Raises CalibrationError without rows."""
    if not rows:
        raise CalibrationError("no rows to judge; give a table with measured operations")
    errors: dict[str, list[float]] = {}
    for row in rows:
        errors.setdefault(row.kind, []).append(abs(log(predicted(model, row) / row.seconds)))
    every = [error for each in errors.values() for error in each]
    return Judgement(fmean(every), MappingProxyType({kind: fmean(each) for kind, each in errors.items()}), len(every))


def predicted(model: DeviceModel, row: OperationRow) -> float:
    """Return the seconds that a model predicts for a row."""
    match row.timing:
        case TimedPart.LAUNCH:
            return launch_seconds(model, row.work.kind, row.work.dtype)
        case TimedPart.KERNEL:
            return kernel_seconds(model, row.work)
        case TimedPart.BESIDE:
            return kernel_seconds(model, row.work) * (1 + model.overlap_loss)
