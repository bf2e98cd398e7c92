"""Predict training steps on the processor at hand, and measure them in the same run.

    .venv/bin/python scripts/predict_steps.py
    .venv/bin/python scripts/predict_steps.py --operations rows.csv --only mlp,gpt2 --rounds 10

Operations are measured here (or read from a table of `scripts/measure_operations.py`) and a device fitted to them; then
the emitted steps of models of `scripts/bench_step_models.py` are predicted by the time line on one such device, and
their CPU seconds measured. One thread; the table is Markdown, kept in scripts/results/steps.md.
"""

import argparse
import sys
from dataclasses import replace
from math import log
from pathlib import Path
from statistics import fmean, median

import torch
from bench_step import Contender, emitted, emitted_of, moved, timed
from bench_step_models import MODELS, SMALL

from p2smt.cost.calibration.operation_table import parse_operations, read_operations
from p2smt.cost.calibration.operations import fit_operations
from p2smt.cost.network.backend import Gloo
from p2smt.frontend.torch_graph.live import live_program
from p2smt.frontend.torch_graph.training import Training, training_of
from p2smt.problem.system.build import build_system
from p2smt.problem.system.device_model import DeviceModel
from p2smt.problem.system.text import find_system
from p2smt.run.measure.operations import HEAD, OperationTimer
from p2smt.spmd.account.instructions import account
from p2smt.spmd.devices.cluster import Cluster
from p2smt.spmd.devices.network import PICO
from p2smt.spmd.devices.system import cluster_of
from p2smt.spmd.reading.step_time_line import step_time_line
from p2smt.tensor.program import Axis

ALONE = Axis("rank", 1)


def device_here(table: Path | None, seconds: float) -> DeviceModel:
    """The device at hand, fitted to operations."""
    if table is not None:
        return fit_operations(read_operations(table), "here", f"operations of {table.name}").model
    rows = OperationTimer("cpu", seconds).run()
    text = "\n".join([HEAD, *(row.line for row in rows)])
    return fit_operations(parse_operations(text, "measured here"), "here", "operations measured here").model


def predicted(training: Training, cluster: Cluster) -> float:
    """Seconds of the step on one device, by its time line."""
    program = live_program(training).program.on(ALONE)
    return step_time_line(program, account(program, cluster), cluster).makespan / PICO


def measured(training: Training, rounds: int) -> float:
    """CPU seconds of the emitted step."""
    step: Contender = emitted(emitted_of(training, None, compiled=False), training, torch.device("cpu"))
    step.step()
    return median(timed({"emitted": step}, torch.device("cpu"), rounds)["emitted"])


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--operations", type=Path)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--only", default=",".join(MODELS))
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args()
    torch.set_num_threads(1)
    model = device_here(given.operations, given.seconds)
    cluster = cluster_of(build_system(replace(find_system("device:1"), device=model)), Gloo())
    errors = []
    print("| model | measured | predicted | predicted / measured |\n|---|---|---|---|")
    for name in given.only.split(","):
        torch.manual_seed(0)
        training = moved(training_of(MODELS[name](SMALL)), torch.device("cpu"), None)
        seen = measured(training, given.rounds)
        ours = predicted(training, cluster)
        errors.append(abs(log(ours / seen)))
        print(f"| {name} | {seen * 1e3:.2f} ms | {ours * 1e3:.2f} ms | {ours / seen:.2f} |", flush=True)
    print(f"\nmean |ln(predicted / measured)| {fmean(errors):.2f}, largest {max(errors):.2f}", file=sys.stderr)


if __name__ == "__main__":
    main()
