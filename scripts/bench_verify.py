"""How fast verifying is, as JSON: 512 ranks by hierarchy, 64 ranks in arbitrary groups, a torch function on 512 ranks.

No limit depends on the machine: each is on a ratio of two times of one run, of verifying to moving the same plan's
numbers through numpy buffers, and of 512 ranks to 64 that run the same function. Exit code 1 where one is exceeded.
Needs torch for the last (`scripts/test` installs it).
"""

import json
import platform
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np

from p2smt.cli.output.progress import working
from p2smt.collective import Collective
from p2smt.frontend.torch_function.plan import TraceOptions, trace_torch
from p2smt.verify.check import verify
from p2smt.verify.plan import BufferRange, Goal, VerificationPlan, VerificationStep
from p2smt.verify.verdict import Proved

LIMITS = {"hierarchical_512": 5000, "arbitrary_64": 100, "torch_512": 8}
"""Of the ratios: about four times what is seen; for torch, eight times the ranks take at most eight times as long."""
FUNCTION = """\
import torch
import torch.distributed as dist


def reduce(tensor):
    rank = dist.get_rank()
    world = dist.get_world_size()
    nodes = [dist.new_group(list(range(first, first + 8))) for first in range(0, world, 8)]
    across = [dist.new_group(list(range(first, world, 8))) for first in range(8)]
    shard = torch.empty(tensor.numel() // 8)
    dist.reduce_scatter_single(shard, tensor, group=nodes[rank // 8])
    dist.all_reduce(shard, group=across[rank % 8])
    dist.all_gather_single(tensor, shard, group=nodes[rank // 8])
"""


def hierarchical() -> VerificationPlan:
    """64 nodes of 8: ReduceScatter inside, in 64 chunks; AllReduce across; AllGather."""
    inside = tuple(tuple(range(first, first + 8)) for first in range(0, 512, 8))
    across = tuple(tuple(range(first, 512, 8)) for first in range(8))
    data, shard = BufferRange("data", 0, 64), BufferRange("shard", 0, 8)
    steps = (
        VerificationStep(Collective.REDUCE_SCATTER, inside, data, shard),
        VerificationStep(Collective.ALL_REDUCE, across, shard, shard),
        VerificationStep(Collective.ALL_GATHER, inside, shard, data),
    )
    return _plan(512, (("data", 64), ("shard", 8)), steps)


def arbitrary() -> VerificationPlan:
    """64 ranks in shuffled order, the payload in 64 chunks: each chunk goes along a chain of its own and back."""
    random, steps = Random(1), []
    for chunk in range(64):
        part, chain = BufferRange("data", chunk, 1), random.sample(range(64), 64)
        steps += [
            VerificationStep(Collective.REDUCE, ((one, other),), part, part, root=1) for one, other in pairwise(chain)
        ]
        steps.append(VerificationStep(Collective.BROADCAST, (tuple(chain),), part, part, root=63))
    return _plan(64, (("data", 64),), tuple(steps))


def _plan(devices: int, buffers: tuple[tuple[str, int], ...], steps: tuple[VerificationStep, ...]) -> VerificationPlan:
    data = BufferRange("data", 0, 64)
    goal = Goal(collective=Collective.ALL_REDUCE, groups=(tuple(range(devices)),), source=data, target=data)
    return VerificationPlan(devices=devices, buffers=buffers, goal=goal, steps=steps)


def through_numpy(plan: VerificationPlan) -> None:
    """The same plan on numbers, with nothing checked."""
    held = {name: np.ones((plan.devices, length)) for name, length in plan.buffers}
    for step in plan.steps:
        source = held[step.source.buffer][:, step.source.start : step.source.end]
        target = held[step.target.buffer][:, step.target.start : step.target.end]
        for group in step.groups:
            rows = list(group)
            read = source[rows]
            match step.operation:
                case Collective.REDUCE_SCATTER:
                    target[rows] = read.sum(axis=0).reshape(len(rows), -1)
                case Collective.ALL_GATHER:
                    target[rows] = read.reshape(-1)
                case Collective.REDUCE:
                    target[rows[step.root]] = read.sum(axis=0)
                case Collective.BROADCAST:
                    target[rows] = read[step.root]
                case _:
                    target[rows] = read.sum(axis=0)


def seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def measured(plan: VerificationPlan) -> dict[str, float]:
    found = seconds(lambda: _valid(plan))
    moved = min(seconds(lambda: through_numpy(plan)) for _ in range(3))
    return {"seconds": found, "numpy_s": moved, "ratio": found / moved, "steps": len(plan.steps)}


def traced() -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "reduce.py"
        path.write_text(FUNCTION, encoding="utf-8")
        few, _ = _traced(path, 64)
        many, plan = _traced(path, 512)
    return {"seconds": many, "seconds_64": few, "ratio": many / few, "steps": len(plan.steps)}


def _traced(path: Path, devices: int) -> tuple[float, VerificationPlan]:
    """How long it takes to trace the function on so many ranks and to verify what it does; and that."""
    began = time.perf_counter()
    plan = trace_torch(path, TraceOptions(devices))
    assert isinstance(plan, VerificationPlan)
    _valid(plan)
    return time.perf_counter() - began, plan


def _valid(plan: VerificationPlan) -> None:
    verdict = verify(plan)
    assert isinstance(verdict, Proved), verdict


def main() -> int:
    with working("verifying on 512 ranks"):
        report = {
            "hierarchical_512": measured(hierarchical()),
            "arbitrary_64": measured(arbitrary()),
            "torch_512": traced(),
        }
    over = [name for name, limit in LIMITS.items() if report[name]["ratio"] > limit]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    machine = {"python": platform.python_version(), "peak_memory_mb": peak}
    print(json.dumps({**report, "limits_of_ratios": LIMITS, "over": over, "machine": machine}, indent=2))
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
