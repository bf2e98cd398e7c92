"""A rank's work on emitted schedules: compare each with the unscheduled program and time both; imports torch."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from random import Random

import torch
import torch.distributed as dist

from p2smt.run.rank.modules import load_module
from p2smt.run.rank.shared_groups import SharedGroups, StepInterface

_WARM = 2
_SETTLED_S = 0.05
_IDLE_S = 0.005
"""Idle seconds before each timed step.

As before an optimizer's step, nothing is sent meanwhile, so that rate-limited cards refill their bursts.
"""


def differing(paths: Sequence[str]) -> list[int]:
    """Return, for every file, the number of tensors that differ from the unscheduled program's.

    The comparison uses the program's own data type.
    """
    modules = [load_module(path) for path in paths]
    return [int(module.check(torch.device("cpu"), module.REAL)) for module in modules]


def seconds(runs: Sequence[tuple[str, bool]], repeats: int) -> list[list[float]]:
    """Return the seconds of every repeat of every run; a run is a file and whether its schedule is applied.

    Runs are interleaved in a random order in each round, so that none always follows the same other one. Files
    with equal meshes and groups share process groups, and so use the same connections.
    """
    with SharedGroups() as groups:
        steps = _steps(runs, groups)
        found: list[list[float]] = [[] for _ in steps]
        for number in range(_WARM + repeats):
            for turn in Random(number).sample(range(len(steps)), len(steps)):
                times, (step, batch, scalars) = found[turn], steps[turn]
                dist.barrier()
                time.sleep(_IDLE_S)
                start = time.perf_counter()
                step(batch, **scalars)
                if number >= _WARM:
                    times.append(time.perf_counter() - start)
        return found


def sent(runs: Sequence[tuple[str, bool]]) -> list[int]:
    """Return the bytes that this rank's network card sends in one step of every run, without those of barriers.

    Bytes include frame headers, and those of other ranks on the same host. The second step is counted, as the
    first opens connections.
    """
    found = []
    with SharedGroups() as groups:
        for step, batch, scalars in _steps(runs, groups):
            # The first step makes connections, whose bytes are not the step's.
            step(batch, **scalars)
            found.append(_counted(partial(step, batch, **scalars)))
    # Counting around an empty act gives the barriers' own bytes, which are subtracted.
    return [max(0, each - _counted(lambda: None)) for each in found]


def _steps(
    runs: Sequence[tuple[str, bool]], groups: SharedGroups
) -> list[tuple[StepInterface, dict[str, torch.Tensor], dict[str, float]]]:
    """Return the steps of the runs, with their batches and scalar arguments."""
    steps: list[tuple[StepInterface, dict[str, torch.Tensor], dict[str, float]]] = []
    for path, as_scheduled in runs:
        module = load_module(path)
        form = module.SCHEDULED if as_scheduled else module.UNTOUCHED
        step = groups.step(module, module.beginning(module.REAL), form=form)
        steps.append((step, *module.example(step.ranks, 0, module.REAL)))
    return steps


def _counted(act: Callable[[], object]) -> int:
    """Return the bytes sent while all ranks execute `act`."""
    dist.barrier()
    time.sleep(_SETTLED_S)
    before = _sent_so_far()
    act()
    dist.barrier()
    time.sleep(_SETTLED_S)
    return _sent_so_far() - before


def _sent_so_far() -> int:
    """Return the bytes sent by all network cards in this process's namespace, except loopback."""
    lines = Path("/proc/self/net/dev").read_text(encoding="utf-8").splitlines()[2:]
    cards = [line.partition(":") for line in lines]
    return sum(int(counts.split()[8]) for name, _, counts in cards if name.strip() != "lo")
