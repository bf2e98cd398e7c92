"""The work of a rank with emitted schedules: compare each with the program as it was, and time both; imports torch."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from random import Random

import torch
import torch.distributed as dist

from p2smt.run.rank.modules import load_module
from p2smt.run.rank.shared_groups import SharedGroups, Step

_WARM = 2
_SETTLED_S = 0.05
_IDLE_S = 0.005
"""Before each timed step nothing is sent for so long, as before an optimizer's: cards pass at once what they can."""


def differing(paths: Sequence[str]) -> list[int]:
    """For every file how many tensors are not those of the program as it was, in the program's own type."""
    modules = [load_module(path) for path in paths]
    return [int(module.check(torch.device("cpu"), module.REAL)) for module in modules]


def seconds(runs: Sequence[tuple[str, bool]], repeats: int) -> list[list[float]]:
    """The seconds of every repeat of every file, as its schedule carries it out, or else as it was; they take turns.

    Each turn has an order of its own, so that none always comes behind the same. Files whose meshes and groups are
    alike share process groups: all have the connections that were made first.
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
    """The bytes that this rank's network card sends in one step of every file, frames as a whole, barriers not counted.

    Other ranks of its host are counted with it. The second step is: the first makes connections.
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
) -> list[tuple[Step, dict[str, torch.Tensor], dict[str, float]]]:
    """Steps of files with what they take."""
    steps: list[tuple[Step, dict[str, torch.Tensor], dict[str, float]]] = []
    for path, as_scheduled in runs:
        module = load_module(path)
        form = module.SCHEDULED if as_scheduled else module.UNTOUCHED
        step = groups.step(module, module.beginning(module.REAL), form=form)
        steps.append((step, *module.example(step.ranks, 0, module.REAL)))
    return steps


def _counted(act: Callable[[], object]) -> int:
    """The bytes that are sent while all ranks do something."""
    dist.barrier()
    time.sleep(_SETTLED_S)
    before = _sent_so_far()
    act()
    dist.barrier()
    time.sleep(_SETTLED_S)
    return _sent_so_far() - before


def _sent_so_far() -> int:
    """Bytes sent by the network cards of this process's namespace, without the loopback."""
    lines = Path("/proc/self/net/dev").read_text(encoding="utf-8").splitlines()[2:]
    cards = [line.partition(":") for line in lines]
    return sum(int(counts.split()[8]) for name, _, counts in cards if name.strip() != "lo")
