"""What calls and messages take of the cores that all ranks of the laboratory share: measured, and the fit.

A few bytes in many chunks wait for the machine's cores, and for nothing else: programs of two and more steps, 4 kB in
16 and 32 chunks, on hosts of 4, 2 and 1 ranks. Rows go to scripts/results/lab_processors.csv, with the machine's cores.
"""

import os
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from lab_experiments import Experiment, lab_system
from result_table import read, write

from p2smt.cost.calibration.processors import ChunkedTime, fit_processors
from p2smt.emit.torch.source import emit_torch
from p2smt.errors import MeasureError
from p2smt.problem.model import Payload
from p2smt.problem.system.network import System
from p2smt.problem.system.processors import Processors
from p2smt.reduction.plan.model import CollectiveStep, Plan
from p2smt.run.lab.cluster import LabCluster
from p2smt.run.lab.laboratory import Laboratory
from p2smt.run.lab.shape import lab_shape
from p2smt.run.measure.pairs import pairs_of

SIZES = ((2, 4), (4, 2), (8, 1))
BYTES = 4_000
CHUNKS = (16, 32)
SAMPLE = 16
TURNS = 7


@dataclass(frozen=True, slots=True)
class Row:
    """A program on hosts of ranks in some chunks: the median of several runs, the least and the most."""

    sizes: str
    program: str
    chunks: int
    bytes: int
    cores: int
    seconds: float
    least: float
    most: float
    wrong: int


def measure_processors(path: Path) -> int:
    """Add what is missing to the table; how many elements were wrong."""
    rows = read(path, Row)
    for sizes in SIZES:
        if _name(sizes) not in {row.sizes for row in rows}:
            rows += _measured(sizes)
            write(path, rows, Row)
    return sum(row.wrong for row in rows)


def fitted_processors(path: Path, hosts: System) -> Processors:
    """The cores of the table's machine and what they take, fitted to it, where links are those of these hosts.

    Raises MeasureError where the table has no rows, or those of several machines.
    """
    rows = read(path, Row)
    cores = {row.cores for row in rows}
    if len(cores) != 1:
        raise MeasureError(f"{path} has rows of {len(cores)} machines; measure one: scripts/measure_chunks.py")
    plans = {_name(sizes): {plan.program: plan for plan in _plans(sizes)} for sizes in SIZES}
    systems = {_name(sizes): replace(lab_system(sizes), network=hosts.network) for sizes in SIZES}
    times = [
        ChunkedTime(systems[row.sizes], replace(plans[row.sizes][row.program], chunks=row.chunks), row.seconds)
        for row in rows
    ]
    return fit_processors(times, cores.pop())


def _name(sizes: Sequence[int]) -> str:
    return "x".join(map(str, sizes))


def _plans(sizes: tuple[int, ...]) -> list[Plan]:
    """Programs of two and more collectives: a sample of them, the same each time."""
    problem = replace(Experiment(sizes, (8,), (0,)).problem, payload=Payload(BYTES, "float32"))
    plans = [pair.plan for pair in pairs_of(problem, sample=SAMPLE) if pair.plan is not None]
    return [plan for plan in plans if sum(isinstance(step, CollectiveStep) for step in plan.steps) > 1]


def _measured(sizes: tuple[int, ...]) -> list[Row]:
    """The rows of some hosts; every variant takes its turn beside the others, on a machine that is not always alike."""
    taken: defaultdict[tuple[str, int], list[float]] = defaultdict(list)
    wrong: dict[tuple[str, int], int] = {}
    plans = [replace(plan, chunks=chunks) for plan in _plans(sizes) for chunks in CHUNKS]
    sources = [emit_torch(plan) for plan in plans]
    with Laboratory(lab_shape(lab_system(sizes))) as laboratory, LabCluster(laboratory) as cluster:
        for turn in range(TURNS):
            for plan, source in zip(plans, sources, strict=True):
                key, groups, goal = (plan.program, plan.chunks), tuple(plan.groups(plan.reduction)), plan.goal
                if not turn:
                    wrong[key] = cluster.time(source, goal, groups, 5003, warmups=0, repeats=1, check=True).wrong
                report = cluster.time(source, goal, groups, plan.payload.elements, warmups=1, repeats=1)
                taken[key].append(float(f"{report.seconds:.6g}"))
    cores = os.cpu_count() or 1
    return [
        Row(_name(sizes), program, chunks, BYTES, cores, median(own), min(own), max(own), wrong[program, chunks])
        for (program, chunks), own in taken.items()
    ]
