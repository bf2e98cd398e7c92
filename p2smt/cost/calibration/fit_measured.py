"""Fit a network to measurements of either kind: tables of nccl-tests, programs of CSV files, or both."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from p2smt.cost.calibration.fit import Fit, fit_system
from p2smt.cost.calibration.measurement import Measurement
from p2smt.cost.calibration.table_fit import fit_tables
from p2smt.problem.system.network import System


def fit_measured(
    system: System, measurements: Sequence[Measurement], progress: Callable[[int, int], None] | None = None
) -> Fit:
    """The fit of tables where there are only tables; else all rows count alike.

    What carried all-reduces for which NCCL chose is then what the tables alone look like.
    """
    tables = [one for one in measurements if one.table]
    if tables and len(tables) == len(measurements):
        return fit_tables(system, measurements, progress)
    carried = iter(fit_tables(system, tables, leave_out=False).rows if tables else ())
    told = [replace(one, backend=next(carried).measurement.backend) if one.table else one for one in measurements]
    return fit_system(system, told, progress)
