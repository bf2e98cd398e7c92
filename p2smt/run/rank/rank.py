"""Run emitted modules on one rank, compare them with torch's collectives, and time both.

Imports torch; use it only in the processes of ranks.
"""

import time
from collections.abc import Callable
from datetime import timedelta
from types import ModuleType
from typing import Any, NamedTuple  # Any: torch's values

import torch
import torch.distributed as dist

from p2smt.collective import Collective
from p2smt.run.rank.checking import cases, data, mismatches, poisoned_reduce
from p2smt.run.rank.message import RankTimes, Task
from p2smt.run.rank.modules import load_module
from p2smt.run.rank.plain import Plain


class _LoadedModule(NamedTuple):
    module: ModuleType
    reduction: Any


class Rank:
    """The state of a rank between tasks: process groups by their ranks, and reductions by their source file."""

    def __init__(self, rank: int, device: torch.device | None = None) -> None:
        """Begin with empty caches; tensors live on `device`, by default the CPU."""
        self.rank = rank
        self.device = torch.device("cpu") if device is None else device
        self._groups: dict[tuple[int, ...], dist.ProcessGroup] = {}
        self._loaded: dict[str, _LoadedModule] = {}

    def times(self, task: Task) -> RankTimes:
        """Return the times of a task on this rank, and the number of wrong elements if results are checked."""
        began = time.perf_counter()
        loaded = None if task.source is None else self._load(task.source, task.timeout_s)
        group_seconds = time.perf_counter() - began
        plain = self._plain(task)
        wrong = None
        if loaded is not None and task.check:
            with poisoned_reduce(self.rank):
                compared = cases(task, plain, loaded.module.MULTIPLE, self.device)
                wrong = sum(mismatches(loaded.reduction, plain, case) for case in compared)
        act = plain if loaded is None else _into_its_input(loaded.reduction, task.goal)
        tensor = data(task, plain, task.elements, self.device)
        seconds = _seconds(act, tensor, task.warmups + task.repeats)
        return RankTimes(self.rank, wrong, group_seconds, seconds[task.warmups :])

    def _load(self, path: str, timeout_s: float) -> _LoadedModule:
        if path not in self._loaded:
            module = load_module(path)
            self._loaded[path] = _LoadedModule(module, module.Reduction(timedelta(seconds=timeout_s), self._groups))
        return self._loaded[path]

    def _plain(self, task: Task) -> Plain:
        """Return the reference collective in this rank's group; all ranks create all groups in the same order."""
        for ranks in task.groups:
            if ranks not in self._groups:
                self._groups[ranks] = dist.new_group(list(ranks), timeout=timedelta(seconds=task.timeout_s))
        mine = next(ranks for ranks in task.groups if self.rank in ranks)
        return Plain(task.goal, self.rank, mine, self._groups[mine])


def _into_its_input(reduction: Callable[..., object], goal: Collective) -> Callable[[torch.Tensor], object]:
    """Return the reduction, in place if its result has the shape of its input."""
    match goal:
        case Collective.ALL_REDUCE | Collective.REDUCE | Collective.BROADCAST:
            return lambda tensor: reduction(tensor, out=tensor)
        case Collective.REDUCE_SCATTER | Collective.ALL_GATHER:
            return reduction


def _seconds(act: Callable[[torch.Tensor], object], tensor: torch.Tensor, repeats: int) -> tuple[float, ...]:
    """Return the seconds of every repeat on this rank; all ranks start each repeat together."""
    times = []
    for _ in range(repeats):
        again = tensor.clone()
        dist.barrier()
        began = time.perf_counter()
        act(again)
        if again.is_cuda:
            torch.cuda.synchronize(again.device)
        times.append(time.perf_counter() - began)
    return tuple(times)
