r"""Measure P2's experiments on the cluster at hand, for its table 5: programs of every placement, on NCCL or gloo.

    torchrun --nnodes 2 --nproc-per-node 8 --rdzv-backend c10d --rdzv-endpoint HOST:29500 \
        scripts/measure_p2.py --system dgx-h100:2x8 --out measured.csv
    scripts/p2smt calibrate --system dgx-h100:2x8 measured.csv --out cluster.toml
    .venv/bin/python scripts/judge_simulator.py --system dgx-h100:2x8 measured.csv

Experiments are those of the paper's appendix, for as many nodes and GPUs as there are: one axis; all splits into two
axes, reduced over each; and splits into 2 x 2 x GPUs and the like, reduced over the outer two. On every placement
`--sample` programs are timed in turns with the plain all-reduce, each until its median is known within `--error`, and
their numbers are compared. Rank 0 writes; begun again, what is in the table is not measured again. On one machine
without GPUs, gloo takes NCCL's place:

    torchrun --standalone --nproc-per-node 4 scripts/measure_p2.py --system node:2,gpu:2 --bytes 1MB --out gloo.csv
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from p2smt.errors import P2Error
from p2smt.problem.build import build_problem
from p2smt.problem.model import Problem
from p2smt.problem.system.text import find_system
from p2smt.run.measure.loop import MeasurementLoop
from p2smt.run.measure.pairs import pairs_of
from p2smt.run.measure.ranks import torchrun_ranks
from p2smt.run.measure.results import Results
from p2smt.run.measure.stable import Patience


def experiments(nodes: int, gpus: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yield axis sizes and the axes to reduce over, as the paper's appendix has them.

    >>> [axes for axes, _ in experiments(2, 4)]
    [(8,), (2, 4), (2, 4), (4, 2), (4, 2), (2, 2, 2)]
    """
    devices = nodes * gpus
    yield (devices,), (0,)
    sizes = [size for size in range(2, devices) if devices % size == 0]
    for size in sizes:
        for reduced in (0, 1):
            yield (size, devices // size), (reduced,)
    for size in sizes:
        rest = devices // size
        if rest % 2 == 0 and rest > 2:
            yield (size, 2, rest // 2), (0, 2)


def problems(system: str, size: str) -> list[Problem]:
    """Return the problem of every experiment on a system of two levels."""
    found = find_system(system)
    if len(found.levels) != 2:
        levels = len(found.levels)
        raise P2Error(f"system {system} has {levels} levels; the paper's have nodes and GPUs, as node:2,gpu:8")
    nodes, gpus = (level.size for level in found.levels)
    return [
        build_problem(found, ",".join(map(str, axes)), list(reduced), size)
        for axes, reduced in experiments(nodes, gpus)
    ]


def measure(found: Sequence[Problem], given: argparse.Namespace) -> int:
    """Measure on the ranks of torchrun; rank 0 leads and returns how many numbers were wrong."""
    patience = Patience(3, given.most, given.error, given.budget)
    wrong = 0
    with torchrun_ranks(found[0]) as ranks:
        if ranks is None:
            return 0
        with Results(given.out) as results:
            for number, problem in enumerate(found, start=1):
                axes = "x".join(str(axis.size) for axis in problem.axes)
                print(f"experiment {number} of {len(found)}: {axes}", file=sys.stderr, flush=True)
                loop = MeasurementLoop(problem=problem, timer=ranks, results=results, patience=patience)
                wrong += loop.run(tuple(pairs_of(problem, (), given.sample, 1))).wrong
    return wrong


def main() -> int:
    """Measure all experiments, and say what was wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--system", required=True, help="nodes and GPUs: dgx-h100:2x8, node:2,gpu:2 or FILE.toml")
    parser.add_argument("--out", type=Path, required=True, help="CSV file; what is in it stays")
    parser.add_argument("--bytes", default="1GiB", help="payload of every device [1GiB]")
    parser.add_argument("--sample", type=int, default=20, help="so many programs of a placement at most [20]")
    parser.add_argument("--most", type=int, default=15, help="repeats at most [15]")
    parser.add_argument("--error", type=float, default=0.03, help="relative error of the median to stop at [0.03]")
    parser.add_argument("--budget", type=float, default=10.0, help="seconds of repeats per program at most [10]")
    given = parser.parse_args()
    try:
        wrong = measure(problems(given.system, given.bytes), given)
    except P2Error as error:
        print(f"measure_p2: {error}", file=sys.stderr)
        return 2
    if wrong:
        print(f"measure_p2: {wrong} programs gave wrong numbers; see column wrong of {given.out}", file=sys.stderr)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
