"""Measured times in files of any kind that is read, and where a fitted system says that its figures come from."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from p2smt.collective import Collective
from p2smt.cost.calibration.measurement import Measurement
from p2smt.cost.calibration.nccl_tests import read_nccl_json, read_nccl_text
from p2smt.cost.calibration.table import read_measurements
from p2smt.errors import CalibrationError
from p2smt.problem.system.algorithm import Algorithm
from p2smt.problem.system.network import System
from p2smt.problem.typed import read_bounded

if TYPE_CHECKING:
    from p2smt.cost.calibration.fit import Fit

MAX_DATA_BYTES = 64_000_000


@dataclass(frozen=True, slots=True)
class MeasuredFile:
    """A file with measured times, read whole."""

    path: Path
    content: bytes

    @property
    def sha256(self) -> str:
        """The hash of its content, in hexadecimal."""
        return hashlib.sha256(self.content).hexdigest()


def read_measured(path: Path) -> MeasuredFile:
    """A file of at most 64 MB; raises CalibrationError when it is larger or cannot be read."""
    return MeasuredFile(path, read_bounded(path, MAX_DATA_BYTES, CalibrationError))


def measurements(
    file: MeasuredFile, system: System, algorithm: Algorithm | None = None, collective: Collective | None = None
) -> Sequence[Measurement]:
    """The rows of a file: a CSV table, JSON of nccl-tests (both by the ending), or text that nccl-tests printed.

    `algorithm` and `collective` are for files of nccl-tests that do not say what carried and what was measured.
    Raises CalibrationError or ProblemError with the place of the mistake.
    """
    place = str(file.path)
    if file.path.suffix == ".json":
        return read_nccl_json(file.content, place, system, algorithm, collective)
    try:
        text = file.content.decode("utf-8-sig")
    except UnicodeDecodeError as cause:
        raise CalibrationError(f"{place} is not UTF-8 text; give a CSV table or what nccl-tests printed") from cause
    if file.path.suffix == ".csv":
        return read_measurements(text, place, system)
    return read_nccl_text(text, place, system, algorithm, collective)


def provenance(fit: "Fit", files: Sequence[MeasuredFile]) -> dict[str, object]:
    """What a system's file says of its fit: rows, files with their hashes, errors, figures that were not identified."""
    said: dict[str, object] = {
        "rows": len(fit.rows),
        "files": [{"name": file.path.name, "sha256": file.sha256} for file in files],
        "mean_abs_log_error": round(fit.mean_abs_log_error, 6),
        "not_identified": [figure.name for figure in fit.figures if not figure.identified],
    }
    unseen = fit.unseen_mean_abs_log_error
    return said if unseen is None else said | {"mean_abs_log_error_left_out": round(unseen, 6)}
