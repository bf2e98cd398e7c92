"""Calibration from files, for the command line and for Python."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from p2smt.cost.calibration.doubts import Doubt, doubts
from p2smt.cost.calibration.files import MeasuredFile, by_name, measurements, read_measured
from p2smt.cost.calibration.fit import Fit
from p2smt.cost.calibration.fit_measured import fit_measured
from p2smt.cost.calibration.measurement import Measurement
from p2smt.cost.calibration.nccl_factor import NcclTest
from p2smt.display import one_line
from p2smt.problem.spellings import system_given
from p2smt.problem.system.algorithm import Choice
from p2smt.problem.system.network import System


@dataclass(frozen=True, slots=True)
class MeasuredData:
    """The measurements of some files, and notes on how the files were read."""

    files: tuple[MeasuredFile, ...]
    measurements: tuple[Measurement, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Calibration:
    """A fit of a system's network to measurements, notes on how files were read, and doubts about the fit."""

    fit: Fit
    notes: tuple[str, ...]
    doubts: tuple[Doubt, ...]

    @property
    def system(self) -> System:
        """The system with its fitted parameters."""
        return self.fit.system

    def __repr__(self) -> str:
        rows, error = len(self.fit.rows), self.fit.mean_abs_log_error
        return one_line(self, f"of {self.system.name or 'a system'}: {rows} rows, mean |ln| {error:.3f}")


def read_data(
    data: Sequence[str | Path], system: System, algorithm: Choice | None = None, collective: NcclTest | None = None
) -> MeasuredData:
    """Read the measurements of files, each file once; errors are CalibrationError with the place in the file."""
    files = tuple(read_measured(text) for text in dict.fromkeys(map(str, data)))
    readings = [measurements(file, system, algorithm, collective) for file in files]
    named = filter(None, map(by_name, files))
    notes = dict.fromkeys([*named, *(note for reading in readings for note in reading.notes)])
    return MeasuredData(files, tuple(row for reading in readings for row in reading.measurements), tuple(notes))


def calibrate(
    system: System | str,
    data: Sequence[str | Path] | str | Path,
    *,
    algorithm: Choice | None = None,
    collective: NcclTest | None = None,
) -> Calibration:
    """Fit a system's bandwidths and latencies to measured times from CSV tables or logs of nccl-tests.

    `data` names files, as for `p2smt calibrate`. `algorithm` and `collective` apply to files that do not state them.
    Raises CalibrationError with the place of a mistake, or if nothing can be fitted.
    """
    described = system_given(system)
    read = read_data([data] if isinstance(data, str | Path) else data, described, algorithm, collective)
    fit = fit_measured(described, read.measurements)
    return Calibration(fit, read.notes, doubts(fit, described))
