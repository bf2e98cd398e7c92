"""Measure the experiments of lab_experiments.py in laboratories on this machine; rows go to scripts/results/lab.csv.

Needs root and iproute2, and torch (`scripts/test` installs it). Interrupted, the same command goes on from there.
`--minutes N` begins no further program after so long. Takes about an hour.
"""

import argparse
import sys
import time
from itertools import groupby
from pathlib import Path

from lab_experiments import EXPERIMENTS, SAMPLE, Experiment, lab_system

from p2smt.errors import P2Error
from p2smt.run.lab.cluster import LabCluster
from p2smt.run.lab.laboratory import Laboratory, ended_by_signals
from p2smt.run.lab.shape import lab_shape
from p2smt.run.measure.loop import MeasurementLoop
from p2smt.run.measure.pairs import pairs_of
from p2smt.run.measure.results import Results
from p2smt.run.measure.stable import Patience

RESULTS = Path(__file__).parent / "results" / "lab.csv"
PATIENCE = Patience(least=3, most=7, error=0.04, seconds=3)


def measure(results: Results, deadline: float) -> int:
    """Elements that were wrong, over all experiments; they are measured laboratory by laboratory."""
    wrong = 0
    ordered = sorted(EXPERIMENTS, key=lambda one: one.sizes)
    for sizes, experiments in groupby(ordered, key=lambda one: one.sizes):
        with Laboratory(lab_shape(lab_system(sizes))) as laboratory, LabCluster(laboratory) as cluster:
            for experiment in experiments:
                wrong += _measure(experiment, cluster, results, deadline)
    return wrong


def _measure(experiment: Experiment, cluster: LabCluster, results: Results, deadline: float) -> int:
    problem = experiment.problem
    measuring = MeasurementLoop(problem=problem, timer=cluster, results=results, patience=PATIENCE, deadline=deadline)
    counts = measuring.run(pairs_of(problem, sample=SAMPLE))
    print(f"{experiment}: {counts}", file=sys.stderr)
    return counts.wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=1e6)
    parser.add_argument("--out", type=Path, default=RESULTS)
    given = parser.parse_args()
    given.out.parent.mkdir(exist_ok=True)
    try:
        with ended_by_signals(), Results(given.out) as results:
            wrong = measure(results, time.monotonic() + 60 * given.minutes)
    except (P2Error, OSError) as error:
        print(f"measure_lab: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("measure_lab: interrupted; the same command goes on", file=sys.stderr)
        return 130
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
