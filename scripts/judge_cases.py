"""Experiments with their measured programs, and times predicted by fits that have not seen them."""

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass, replace
from pathlib import Path

from lab_experiments import lab_system

from p2smt.cost.calibration.fit import fit_system
from p2smt.cost.calibration.measurement import Measurement
from p2smt.cost.calibration.table import read_measurements
from p2smt.cost.network.backend import cost_of
from p2smt.errors import CalibrationError
from p2smt.problem.system.network import System
from p2smt.run.measure.results import COLUMNS, Result, read_results

SystemOf = Callable[[tuple[int, ...]], System]
"""The system of so many units per level: that of a laboratory, or a cluster's."""
PLAIN = "AllReduce"
FLAT = "(root, InsideGroup, AllReduce)"


@dataclass(frozen=True, slots=True)
class Timed:
    """A program, its measured seconds, and those predicted by a fit to other experiments."""

    result: Result
    measurement: Measurement
    predicted: float = 0.0


@dataclass(frozen=True, slots=True)
class Case:
    """One experiment: a placement and a reduction, with everything that was measured there."""

    sizes: tuple[int, ...]
    axes: str
    reduce: str
    matrix: str
    rows: tuple[Timed, ...]

    @property
    def name(self) -> str:
        """The experiment in one line."""
        return f"{'x'.join(map(str, self.sizes))}, axes {self.axes}, reduce {self.reduce}, {self.matrix}"

    @property
    def programs(self) -> tuple[Timed, ...]:
        """The synthesised programs."""
        return tuple(row for row in self.rows if row.result.program != PLAIN)

    @property
    def allreduce(self) -> float:
        """Measured seconds of one AllReduce per group, the faster of the plain call and the program of one step."""
        return min(row.result.seconds for row in self.rows if row.result.program in (PLAIN, FLAT))


def cases_of(path: Path, system_of: SystemOf = lab_system) -> list[Case]:
    """The experiments of a table, in its order; raises MeasureError or CalibrationError."""
    results = read_results(path)
    if not results:
        raise CalibrationError(f"{path} has no rows; measure first: scripts/measure_lab.py")
    found: dict[tuple[str, str, str, str], list[Timed]] = {}
    for result, measurement in zip(results, _measurements(results, path, system_of), strict=True):
        key = (result.sizes, result.axes, result.reduce, result.matrix)
        found.setdefault(key, []).append(Timed(result, measurement))
    return [
        Case(tuple(map(int, sizes.split("x"))), axes, reduce, matrix, tuple(rows))
        for (sizes, axes, reduce, matrix), rows in found.items()
    ]


def _measurements(results: Sequence[Result], path: Path, system_of: SystemOf) -> list[Measurement]:
    found = {}
    for depth in {result.sizes.count("x") for result in results}:
        own = [result for result in results if result.sizes.count("x") == depth]
        sizes = tuple(map(int, own[0].sizes.split("x")))
        table = io.StringIO(newline="")
        csv.writer(table).writerows([COLUMNS, *map(astuple, own)])
        read = read_measurements(table.getvalue(), str(path), system_of(sizes))
        found |= dict(zip((result.key for result in own), read, strict=True))
    return [found[result.key] for result in results]


def predicted(cases: Sequence[Case], system_of: SystemOf = lab_system) -> list[Case]:
    """All cases with predicted times: each half by a fit to the other half, racks by the fit to all without."""
    hosts = [case for case in cases if len(case.sizes) == 2]
    halves = (hosts[::2], hosts[1::2])
    fits = [_fitted(half, system_of) for half in halves] if all(halves) else []
    if not fits:
        raise CalibrationError("there are fewer than two experiments on hosts without racks; measure more")
    everything = _fitted(hosts, system_of)
    found = []
    for case in cases:
        if len(case.sizes) > 2:
            found.append(_priced(case, everything, system_of))
        else:
            found.append(_priced(case, fits[0] if case in halves[1] else fits[1], system_of))
    return found


def _fitted(cases: Sequence[Case], system_of: SystemOf) -> System:
    rows = [row.measurement for case in cases for row in case.rows]
    return fit_system(system_of(cases[0].sizes), rows, leave_out=False).system


def _priced(case: Case, fitted: System, system_of: SystemOf) -> Case:
    links = {link.name: link for link in fitted.network.links}
    system = system_of(case.sizes)
    own = [
        replace(links.get(link.name) or links["nic"], name=link.name, level=link.level, uplink=link.uplink)
        for link in system.network.links
    ]
    network = replace(fitted.network, links=tuple(own))
    cost = cost_of(replace(system, network=network), case.rows[0].measurement.backend)
    rows = (
        replace(row, predicted=sum(cost.work_cost(work).seconds for work in row.measurement.works)) for row in case.rows
    )
    return replace(case, rows=tuple(rows))
