"""Figures of the laboratory for payloads of all sizes: programs in one piece measured with 1 kB to 4 MB, and the fit.

A fit to one payload cannot tell what takes time at any payload from what bytes take; plans in chunks need both. A card
lets 1.5 ms of its rate through at once (p2smt/run/lab/commands.py): 1 kB shows latency alone, 100 kB and more the rate.
"""

import csv
import io
from dataclasses import astuple, replace
from pathlib import Path

from lab_experiments import Experiment, lab_system

from p2smt.cost.calibration.fit import fit_system
from p2smt.cost.calibration.table import read_measurements
from p2smt.problem.model import Payload
from p2smt.problem.system.network import System
from p2smt.run.lab.cluster import LabCluster
from p2smt.run.lab.laboratory import Laboratory
from p2smt.run.lab.shape import lab_shape
from p2smt.run.measure.loop import MeasurementLoop
from p2smt.run.measure.pairs import pairs_of
from p2smt.run.measure.results import COLUMNS, Results, read_results
from p2smt.run.measure.stable import Patience

PAYLOADS = (1_000, 100_000, 1_000_000, 4_000_000)
EXPERIMENTS = tuple(Experiment(sizes, (8,), (0,)) for sizes in ((2, 4), (4, 2), (8, 1)))
PATIENCE = Patience(least=3, most=7, error=0.04, seconds=3)
SAMPLE = 10


def measure_payloads(path: Path) -> int:
    """Add what is missing to the table; how many elements were wrong."""
    wrong = 0
    with Results(path) as results:
        for experiment in EXPERIMENTS:
            with Laboratory(lab_shape(lab_system(experiment.sizes))) as laboratory, LabCluster(laboratory) as cluster:
                for size in PAYLOADS:
                    problem = replace(experiment.problem, payload=Payload(size, "float32"))
                    measuring = MeasurementLoop(problem=problem, timer=cluster, results=results, patience=PATIENCE)
                    wrong += measuring.run(pairs_of(problem, sample=SAMPLE)).wrong
    return wrong


def fitted_hosts(path: Path) -> System:
    """The laboratory of hosts, with figures fitted to the table; raises MeasureError or CalibrationError."""
    table = io.StringIO(newline="")
    csv.writer(table).writerows([COLUMNS, *map(astuple, read_results(path))])
    system = lab_system((2, 2))
    return fit_system(system, read_measurements(table.getvalue(), str(path), system), leave_out=False).system
