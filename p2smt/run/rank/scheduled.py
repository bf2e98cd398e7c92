"""What a rank does with emitted schedules: compares each with the program as it was, and times both; imports torch."""

import time
from collections.abc import Sequence

import torch
import torch.distributed as dist

from p2smt.run.rank.modules import load_module

_WARM = 2


def differing(paths: Sequence[str]) -> list[int]:
    """For every file how many tensors are not those of the program as it was, in the program's own type."""
    modules = [load_module(path) for path in paths]
    return [int(module.check(torch.device("cpu"), module.REAL)) for module in modules]


def seconds(paths: Sequence[str], repeats: int) -> list[list[float]]:
    """The seconds of every repeat, of the program as it was in the first file, and of the others; they take turns."""
    steps = []
    for number, module in enumerate(map(load_module, paths)):
        form = module.SCHEDULED if number else module.UNTOUCHED
        step = module.Step(module.beginning(module.REAL), form=form)
        steps.append((step, *module.example(step.ranks, 0, module.REAL)))
    found: list[list[float]] = [[] for _ in steps]
    for number in range(_WARM + repeats):
        for times, (step, batch, scalars) in zip(found, steps, strict=True):
            dist.barrier()
            start = time.perf_counter()
            step(batch, **scalars)
            if number >= _WARM:
                times.append(time.perf_counter() - start)
    return found
