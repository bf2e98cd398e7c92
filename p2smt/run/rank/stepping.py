"""Timing of emitted steps on a rank; loaded in processes of ranks, where torch is."""

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
"""Makes a step; its outputs."""


_MMAP_THRESHOLD, _TRIM_THRESHOLD = -3, -1
_LARGEST, _ALL = 1 << 25, 1 << 30


def compute_as_gpus_do() -> None:
    """Keep memory that tensors free, where there is glibc, and take denormal numbers for zeros.

    Without the one every tensor above 128 KiB is paged in anew, which takes four times as long as adding two of them.
    Without the other matrix products with probabilities of attention that is saturated, as it is where parameters are
    random, take a dozen times as long.
    """
    torch.set_flush_denormal(True)
    allocator = getattr(ctypes.CDLL(None), "mallopt", None)
    if allocator is not None:
        allocator(_MMAP_THRESHOLD, _LARGEST)
        allocator(_TRIM_THRESHOLD, _ALL)


def own_seconds(path: str, long: float) -> float:
    """Mean seconds of a step on this rank, repeated for so long; there is nothing in it for which it waits."""
    with SharedGroups() as groups:
        step = begun(path, groups)
        step()
        return mean_seconds(step, long)


def mean_seconds(step: Callable[[], object], long: float) -> float:
    """Mean seconds of what is repeated for so long, and at least once: a rank may wait for its quota before it."""
    count, start = 0, time.monotonic()
    while True:
        step()
        count, taken = count + 1, time.monotonic() - start
        if taken >= long:
            return taken / count


def ends_by_turns(paths: Sequence[str], rounds: int, counted: int, warmups: int) -> list[Ends]:
    """Times of the steps of files by `timed_by_turns`, with random parameters and a random batch alike on all ranks."""
    with SharedGroups() as groups:
        return timed_by_turns([begun(path, groups) for path in paths], rounds, counted, warmups)


def timed_by_turns(steps: Sequence[Stepping], rounds: int, counted: int, warmups: int) -> list[Ends]:
    """For every step and round when it ended: once without counting, and as often as counts.

    The order of a round is drawn at random, the same on all ranks: none always comes behind the same other one. The
    clock is one that all processes of a machine have. Each step is made at least once before.
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
    """Parameters and buffers for the step of an emitted file, and a batch; whole, the same on all ranks.

    Matrices are as small as torch's layers draw theirs. With larger ones losses are in thousands, and after a few steps
    activations are all zero or no numbers: what depends on values, such as a pool, takes another time than in training.
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
    """The step of an emitted file, on what is drawn for it; with groups that others have too."""
    compute_as_gpus_do()
    module = load_module(path)
    given, batch = drawn(module)
    scalars = {name: 0.5 for name, each in module.TENSORS.items() if each.kind == "scalar" and name != "step"}
    step = groups.step(module, given, device=torch.device("cpu"))

    def stepped() -> Mapping[str, torch.Tensor]:
        return step(batch, **scalars)

    return stepped
