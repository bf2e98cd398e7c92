"""The device model that the ranks measure of themselves where a system does not say what its devices do.

Every rank times the same few operations of each kind at the same time, because ranks that share cores or memory slow
each other in training too. Operations that every rank could run are fitted to the slowest rank's time, as by
`p2smt calibrate --operations` (`p2smt.cost.calibration.operations`), which times twice as many for a minute.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from time import perf_counter

import torch
import torch.distributed as dist

from p2smt.cost.calibration.operation_table import parse_operations
from p2smt.errors import CalibrationError
from p2smt.problem.system.device_model import DeviceModel
from p2smt.run.measure.operation_cases import few_operation_cases
from p2smt.run.measure.operations import MeasuredOperation, OperationTimer, table_text
from p2smt.run.training.joining import RankPlace

_SECONDS = 6.0


def measured_device(place: RankPlace, device: torch.device, memory: int | None) -> DeviceModel | None:
    """Return the model of the ranks' devices on rank 0, with `memory` bytes if known; None on the other ranks.

    Every rank must call it. It is None on rank 0 too without scipy, and if the times fit no device.
    """
    gathered: list[list[MeasuredOperation]] = [[] for _ in range(place.ranks)]
    # NCCL gathers objects on the current device, which users need not have set.
    with torch.cuda.device(device) if device.type == "cuda" else nullcontext():
        dist.all_gather_object(gathered, _timed(device))
    if place.rank:
        return None
    try:
        # scipy, which fits, is an extra.
        from p2smt.cost.calibration.operations import fit_operations
    except ImportError:
        return None
    rows = parse_operations(table_text(_slowest(gathered)), "measured on the ranks")
    source = f"operations measured on {place.ranks} ranks at the same time, torch {torch.__version__}"
    try:
        return fit_operations(rows, "measured", source, memory=memory).model
    except CalibrationError:
        return None


def _timed(device: torch.device) -> list[MeasuredOperation]:
    """Return this rank's rows; none if the device has no memory left for them."""
    with _unchanged(device):
        try:
            cases = few_operation_cases(cuda=device.type == "cuda")
            # CPU seconds, as for one process alone, would not show that ranks share cores.
            return OperationTimer(device.type, _SECONDS, cases, passes=2, clock=perf_counter).run()
        except torch.OutOfMemoryError:
            return []


@contextmanager
def _unchanged(device: torch.device) -> Iterator[None]:
    """Leave random numbers, settings and cached memory as they were: the user's training goes on with them."""
    tf32 = torch.backends.cuda.matmul.allow_tf32, torch.backends.cudnn.allow_tf32
    try:
        with torch.random.fork_rng(devices=[device] if device.type == "cuda" else []):
            yield
    finally:
        torch.backends.cuda.matmul.allow_tf32, torch.backends.cudnn.allow_tf32 = tf32
        if device.type == "cuda":
            torch.cuda.empty_cache()


def _slowest(gathered: Sequence[Sequence[MeasuredOperation]]) -> list[MeasuredOperation]:
    """Return the rows that every rank has, each with the time of the slowest.

    >>> one, other = (MeasuredOperation("add", "float32", (8,), us, 8, 96) for us in (2.0, 3.0))
    >>> [row.us for row in _slowest([[one], [other]])], _slowest([[one], []])
    ([3.0], [])
    """
    tables = [{(row.kind, row.dtype, row.shape): row for row in rows} for rows in gathered]
    shared = [key for key in tables[0] if all(key in table for table in tables)]
    return [replace(tables[0][key], us=max(table[key].us for table in tables)) for key in shared]
