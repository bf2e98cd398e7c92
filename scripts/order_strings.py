"""How many placements an order of the axes can express, and what the best of these loses, for three training jobs.

Frameworks place a job by an order string such as `tp-cp-dp-pp`. On 8 pods of 16 nodes of 8 GPUs the axes 8, 4, 2, 4, 4
have 350 parallelism matrices. Printed: how many of them some order string gives, and for each job the fastest matrix,
the fastest that is an order string, and what it loses; also what the median order string and the worst one lose.
`--json` prints one JSON document.

    scripts/order_strings.py
"""

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median
from typing import Any

from p2smt.cli.output.progress import working
from p2smt.collective import Collective, Exchange
from p2smt.cost.network.backend import Nccl, cost_of
from p2smt.job.optimize import Optimum, optimize
from p2smt.job.orders import BestOrder, best_order
from p2smt.placement.notation import Notation, order_text
from p2smt.problem.build import build_workload
from p2smt.problem.model import Axis, Payload, Search
from p2smt.problem.quantity import format_seconds, parse_bytes
from p2smt.problem.system.build import default_system
from p2smt.problem.system.network import Level
from p2smt.problem.workload import Goal, Reduction, Workload
from p2smt.reduction.synth.session import Synthesizer

LEVELS = (Level("pod", 8), Level("node", 16), Level("gpu", 8))


@dataclass(frozen=True, slots=True)
class Job:
    """A training job: names for the axes of 8, 4, 2, 4 and 4 shards; per step (axes, what, bytes, times)."""

    name: str
    axes: tuple[str, str, str, str, str]
    reductions: tuple[tuple[str, Goal, str, float], ...]

    @property
    def workload(self) -> Workload:
        """The job on the cluster of this script."""
        axes = [Axis(name, size) for name, size in zip(self.axes, (8, 4, 2, 4, 4), strict=True)]
        reductions = [
            Reduction(
                name=f"{goal.hyphenated} over {over}",
                axes=tuple(sorted(self.axes.index(name) for name in over.split())),
                payload=Payload(parse_bytes(size), "bfloat16"),
                times=times,
                goal=goal,
            )
            for over, goal, size, times in self.reductions
        ]
        return build_workload(default_system(LEVELS), axes, reductions, (), Search())


JOBS = (
    # 70 billion parameters, 80 layers of width 8192, sequences of 8192: 20 layers a stage, 16 micro-batches.
    Job(
        "dense",
        ("dp", "pp", "cp", "fsdp", "tp"),
        (
            ("tp", Collective.ALL_REDUCE, "64MiB", 4 * 20 * 16),
            ("cp", Collective.ALL_GATHER, "8MiB", 2 * 20 * 16),
            ("fsdp", Collective.ALL_GATHER, "8GiB", 2),
            ("fsdp", Collective.REDUCE_SCATTER, "8GiB", 1),
            ("dp cp", Collective.ALL_REDUCE, "2GiB", 1),
        ),
    ),
    # The same model on sequences of 131,072, cut in 8: 40 layers a stage, 4 micro-batches.
    Job(
        "long context",
        ("cp", "fsdp", "pp", "dp", "tp"),
        (
            ("tp", Collective.ALL_REDUCE, "256MiB", 4 * 40 * 4),
            ("cp", Collective.ALL_GATHER, "128MiB", 2 * 40 * 4),
            ("cp", Collective.REDUCE_SCATTER, "128MiB", 40 * 4),
            ("fsdp", Collective.ALL_GATHER, "16GiB", 2),
            ("fsdp", Collective.REDUCE_SCATTER, "16GiB", 1),
            ("dp cp", Collective.ALL_REDUCE, "4GiB", 1),
        ),
    ),
    # 8 experts of 64 a token, width 4096, sequences of 8192: 16 layers a stage, 16 micro-batches.
    Job(
        "mixture of experts",
        ("ep", "pp", "cp", "dp", "tp"),
        (
            ("ep", Exchange.ALL_TO_ALL, "64MiB", 4 * 16 * 16),
            ("tp", Collective.ALL_REDUCE, "32MiB", 2 * 16 * 16),
            ("cp", Collective.ALL_GATHER, "4MiB", 2 * 16 * 16),
            ("dp cp", Collective.ALL_REDUCE, "4GiB", 1),
            ("dp cp ep", Collective.ALL_REDUCE, "1GiB", 1),
        ),
    ),
)
"""Payloads are those of one device: activations of a micro-batch, gathered keys and values, parameters of a stage."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found, synthesizer = {}, Synthesizer()
    for job in JOBS:
        cost = cost_of(job.workload.system, Nccl())
        with working(f"{job.name}: all placements, all orders"):
            optimum = optimize(job.workload, cost, synthesizer=synthesizer)
            assert isinstance(optimum, Optimum)
            found[job] = optimum, best_order(optimum, cost)
    document = {"jobs": [entry(job, *both) for job, both in found.items()]}
    print(json.dumps(document, indent=2) if given.json else "\n".join(text(document)))
    return 0


def entry(job: Job, optimum: Optimum, orders: BestOrder) -> dict[str, Any]:
    assert orders.best is not None
    times = [one.seconds for one in optimum.placements if one.matrix in orders.expressible]
    place = next(i for i, one in enumerate(optimum.placements) if one.seconds >= orders.best.seconds)
    return {
        "name": job.name,
        "axes": {axis.name: axis.size for axis in job.workload.axes},
        "matrices": len(optimum.placements),
        "expressible": len(orders.expressible),
        "best": {"matrix": str(optimum.best.matrix), "seconds": optimum.best.seconds},
        "best_order": {
            "order": order_text(Notation.AXES, orders.best.order, job.workload.axes),
            "matrix": str(orders.best.matrix),
            "seconds": orders.best.seconds,
            "faster_matrices": place,
        },
        "loss": orders.best.seconds / optimum.best.seconds - 1,
        "median_loss": median(times) / optimum.best.seconds - 1,
        "worst_loss": max(times) / optimum.best.seconds - 1,
        "proved": optimum.proved and orders.complete,
    }


def text(document: dict[str, Any]) -> Iterator[str]:
    first = document["jobs"][0]
    share = first["expressible"] / first["matrices"]
    levels = " ".join(str(level.size) for level in LEVELS)
    yield f"[{levels}], axes {','.join(map(str, first['axes'].values()))}: order strings express"
    yield f"{first['expressible']} of {first['matrices']} matrices ({share:.1%})"
    for job in document["jobs"]:
        best, order = job["best"], job["best_order"]
        axes = ", ".join(f"{name} {size}" for name, size in job["axes"].items())
        yield f"\n{job['name']}: {axes}"
        yield f"  best of all     {format_seconds(best['seconds']):>9}   {best['matrix']}"
        yield f"  best order      {format_seconds(order['seconds']):>9}   {order['matrix']}   {order['order']}"
        yield f"  loss            {job['loss']:9.1%}   {order['faster_matrices']} matrices are faster"
        median_times, worst_times = 1 + job["median_loss"], 1 + job["worst_loss"]
        yield f"  the median order takes {median_times:.3g} times as long, the worst {worst_times:.3g}"


if __name__ == "__main__":
    sys.exit(main())
