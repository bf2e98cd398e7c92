"""The overlap loss of a device: how much longer contractions take while communication shares the device with them.

    loss = median over contractions of (seconds beside communication / seconds alone) - 1, at least 0

A median, since a table has few such rows and one disturbed by another program must not decide. Example: products of 10
and 20 us alone that take 11 and 25 us beside AllReduce lose 10 and 25 %, and the device 17.5 %.
Reference: Huber, "Robust Statistics", 1981 (the median's breakdown point is one half).
"""

from collections.abc import Sequence
from statistics import fmean, median

from p2smt.cost.calibration.operation_table import OperationRow, TimedPart
from p2smt.errors import CalibrationError
from p2smt.problem.system.device_model import MOST_OVERLAP_LOSS


def overlap_loss(rows: Sequence[OperationRow]) -> float | None:
    """Return the median, over contractions beside communication, of how much longer they took than alone, at least 0.

    None without such rows. Raises CalibrationError for one that was not measured alone, and for a loss that no model
    of a device may have.
    """
    alone: dict[tuple[str, str, tuple[int, ...]], list[float]] = {}
    for row in rows:
        if row.timing is TimedPart.KERNEL:
            alone.setdefault((row.kind, row.work.dtype, row.shape), []).append(row.seconds)
    losses = []
    for row in (row for row in rows if row.timing is TimedPart.BESIDE):
        key = row.kind.removeprefix(TimedPart.BESIDE), row.work.dtype, row.shape
        if key not in alone:
            shape = "x".join(map(str, row.shape))
            raise CalibrationError(
                f"{row.kind} {row.work.dtype} {shape} was measured beside communication only; the overlap loss is the "
                f"ratio to the time alone, so add a row {key[0]} {row.work.dtype} {shape}, or leave this one out"
            )
        losses.append(row.seconds / fmean(alone[key]) - 1)
    if not losses:
        return None
    loss = max(0.0, float(f"{median(losses):.4g}"))
    if loss > MOST_OVERLAP_LOSS:
        raise CalibrationError(
            f"contractions take {1 + loss:.3g} times as long beside communication as alone, more than the "
            f"{1 + MOST_OVERLAP_LOSS} times that a model of a device may have; measure on idle devices, one for each "
            "rank, or leave the rows of kind beside_ out"
        )
    return loss
