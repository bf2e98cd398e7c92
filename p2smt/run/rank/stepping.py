"""Time emitted steps on a rank; loaded in the processes of ranks, where torch is available."""

import ctypes
import time
from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from random import Random
from types import ModuleType

import torch

from p2smt.run.rank.message import Ends
from p2smt.run.rank.modules import load_module
from p2smt.run.rank.shared_groups import SharedGroups

Stepping = Callable[[], Mapping[str, torch.Tensor]]
"""A function that executes a step and returns its outputs."""


_MMAP_THRESHOLD, _TRIM_THRESHOLD = -3, -1
_LARGEST, _ALL = 1 << 25, 1 << 30


def compute_as_gpus_do() -> None:
    """Keep memory freed by tensors (with glibc), and flush denormal numbers to zero.

    Otherwise every tensor above 128 KiB is paged in again, which takes four times as long as adding two such
    tensors. And matrix products with the probabilities of saturated attention, which random parameters cause,
    take twelve times as long with denormal numbers.
    """
    torch.set_flush_denormal(True)
    allocator = getattr(ctypes.CDLL(None), "mallopt", None)
    if allocator is not None:
        allocator(_MMAP_THRESHOLD, _LARGEST)
        allocator(_TRIM_THRESHOLD, _ALL)


def own_seconds(path: str, long: float) -> float:
    """Return the mean seconds of a step without communication, repeated for `long` seconds on this rank."""
    with SharedGroups() as groups:
        step = begun(path, groups)
        step()
        return mean_seconds(step, long)


def mean_seconds(step: Callable[[], object], long: float) -> float:
    """Return the mean seconds of a step, repeated for at least `long` seconds to average over CPU quotas."""
    count, start = 0, time.monotonic()
    while True:
        step()
        count, taken = count + 1, time.monotonic() - start
        if taken >= long:
            return taken / count


def ends_by_turns(paths: Sequence[str], rounds: int, counted: int, warmups: int) -> list[Ends]:
    """Return the times of steps by `timed_by_turns`, with random parameters and batches equal on all ranks."""
    with SharedGroups() as groups:
        return timed_by_turns([begun(path, groups) for path in paths], rounds, counted, warmups)


def timed_by_turns(steps: Sequence[Stepping], rounds: int, counted: int, warmups: int) -> list[Ends]:
    """Return the end times of every step in every round: of one uncounted run, then of `counted` runs.

    Steps are interleaved; each round has a random order, equal on all ranks, so that no step always follows the
    same other one. The clock is common to all processes of a machine. Each step runs at least once before it is
    timed.
    """
    found = []
    for step in steps:
        outputs = step()
        for _ in range(warmups - 1):
            step()
        found.append(Ends([], tuple((name, float(each.double().sum())) for name, each in outputs.items())))
    order = Random(0)
    for _ in range(rounds):
        for step, mine in order.sample(list(zip(steps, found, strict=True)), len(steps)):
            times = []
            for _ in range(1 + counted):
                step()
                times.append(time.monotonic())
            mine.ends.append(times)
    return found


def drawn(module: ModuleType) -> tuple[dict[str, torch.Tensor], dict[str, torch.Tensor]]:
    """Return random parameters and buffers for an emitted step, and a batch.

    All are unsharded and equal on all ranks.

    Matrices have the small variance of torch's initialisation. With larger values, losses reach thousands, and
    after a few steps activations are all zero or NaN; operations whose time depends on values, such as pooling,
    would then take a different time than in training.
    """
    torch.manual_seed(0)
    tensors, real = module.TENSORS, module.REAL
    given = {name: module.drawn(each, real) for name, each in tensors.items() if each.kind in ("parameter", "state")}
    for name, each in given.items():
        if tensors[name].kind == "parameter" and each.dim() > 1 and each.numel() > 1:
            each.mul_(1 / (each.std() * sqrt(3 * each[0].numel())))
    batch = {name: module.drawn(each, real) for name, each in tensors.items() if each.kind == "input"}
    return given, batch


def begun(path: str, groups: SharedGroups) -> Stepping:
    """Return the step of an emitted file, with random parameters and with shared process groups."""
    compute_as_gpus_do()
    module = load_module(path)
    given, batch = drawn(module)
    scalars = {name: 0.5 for name, each in module.TENSORS.items() if each.kind == "scalar" and name != "step"}
    step = groups.step(module, given, device=torch.device("cpu"))

    def stepped() -> Mapping[str, torch.Tensor]:
        return step(batch, **scalars)

    return stepped
