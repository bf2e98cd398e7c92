"""Predict training steps on the processor at hand, and measure them in the same run.

    .venv/bin/python scripts/predict_steps.py
    .venv/bin/python scripts/predict_steps.py --only mlp,gpt2 --seconds 40

Operations are measured here and a device fitted to them; between them the emitted steps of models of
`scripts/bench_step_models.py` take turns, so that what else the machine does falls on both alike. Then the steps are
predicted by the time line on one such device. One thread, CPU seconds, means; the table is Markdown, kept in
scripts/results/steps.md.
"""

import argparse
import sys
from dataclasses import dataclass, field, replace
from math import log
from statistics import fmean
from time import process_time

import torch
from bench_step import Contender, emitted, emitted_of, moved
from bench_step_models import MODELS, SMALL

from p2smt.cost.calibration.operation_table import parse_operations
from p2smt.cost.calibration.operations import fit_operations
from p2smt.cost.network.backend import Gloo
from p2smt.frontend.torch_graph.live import live_program
from p2smt.frontend.torch_graph.training import training_of
from p2smt.problem.system.build import build_system
from p2smt.problem.system.device_model import DeviceModel
from p2smt.problem.system.text import find_system
from p2smt.run.measure.operations import OperationTimer, table_text
from p2smt.spmd.account.instructions import account
from p2smt.spmd.devices.cluster import Cluster
from p2smt.spmd.devices.network import PICO
from p2smt.spmd.devices.system import cluster_of
from p2smt.spmd.reading.step_time_line import step_time_line
from p2smt.tensor.expression import ProgramAxis
from p2smt.tensor.program import Program

ALONE = ProgramAxis("rank", 1)
SIX = "mlp,gpt2,llama,bert,vit,resnet"
EVERY = 6
"""Measured operations between two steps."""


@dataclass(frozen=True)
class Stepped:
    """A model's emitted step, its program, and the CPU seconds of every run."""

    name: str
    step: Contender
    program: Program
    seconds: list[float] = field(default_factory=list)

    def run(self) -> None:
        """Make a step, and keep its time."""
        begin = process_time()
        self.step.step()
        self.seconds.append(process_time() - begin)


def stepped(name: str) -> Stepped:
    """The step of a model, which has run once."""
    torch.manual_seed(0)
    training = moved(training_of(MODELS[name](SMALL)), torch.device("cpu"), None)
    step = emitted(emitted_of(training, None, compiled=False), training, torch.device("cpu"))
    step.step()
    return Stepped(name, step, live_program(training).program.on(ALONE))


def device_here(steps: list[Stepped], seconds: float) -> DeviceModel:
    """The device at hand, fitted to operations that are measured between the steps."""

    def between(done: int, _: int) -> None:
        if done % EVERY == 0:
            steps[done // EVERY % len(steps)].run()

    rows = OperationTimer("cpu", seconds).run(between)
    text = table_text(rows)
    return fit_operations(parse_operations(text, "measured here"), "here", "operations measured here").model


def predicted(program: Program, cluster: Cluster) -> float:
    """Seconds of the step on one device, by its time line."""
    return step_time_line(program, account(program, cluster), cluster).makespan / PICO


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=24.0, help="for the operations [24]")
    parser.add_argument("--only", default=SIX, help=f"some of {','.join(MODELS)} [{SIX}]")
    given = parser.parse_args()
    torch.set_num_threads(1)
    steps = [stepped(name) for name in given.only.split(",")]
    model = device_here(steps, given.seconds)
    cluster = cluster_of(build_system(replace(find_system("device:1"), device=model)), Gloo())
    errors = []
    print("| model | measured (least) | predicted | predicted / measured |\n|---|---|---|---|")
    for each in steps:
        seen, ours = fmean(each.seconds), predicted(each.program, cluster)
        errors.append(abs(log(ours / seen)))
        least = min(each.seconds)
        print(f"| {each.name} | {seen * 1e3:.1f} ({least * 1e3:.1f}) ms | {ours * 1e3:.1f} ms | {ours / seen:.2f} |")
    print(f"\nmean |ln(predicted / measured)| {fmean(errors):.2f}, largest {max(errors):.2f}", file=sys.stderr)


if __name__ == "__main__":
    main()
