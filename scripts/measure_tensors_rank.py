"""What every rank of `measure_tensors.py` does; loaded in the rank's own process."""

import time
from random import Random
from typing import Any

import torch
import torch.distributed as dist

from p2smt.run.rank.modules import load_module
from p2smt.run.rank.stepping import compute_as_gpus_do

WARM = 1


class Run:
    """An optimizer over tensors of some lengths, in one of the ways; all begin with the same parameters.

    Gradients are views of one tensor, but where every tensor is summed by itself.
    """

    def __init__(self, name: str, who: str, lengths: list[int], paths: dict[str, str], bert: str) -> None:
        settings = load_module(bert)
        numbers = {"lr": settings.RATES[name], "betas": settings.BETAS, "eps": settings.EPS}
        numbers["weight_decay"] = settings.DECAY
        begin = torch.randn(sum(lengths), generator=torch.Generator().manual_seed(1))
        self.who = who
        self.parameters = [torch.nn.Parameter(each.clone()) for each in torch.split(begin, lengths)]
        self.optimizer: Any
        if who == "emitted":
            self.optimizer = load_module(paths[name]).Optimizer(self.parameters, **numbers)
            self.optimizer.zero_grad()
            return
        self.flat = torch.zeros_like(begin)
        for parameter, view in zip(self.parameters, torch.split(self.flat, lengths), strict=True):
            parameter.grad = view if who == "bucket" else view.clone()
        if name == "lamb":
            self.optimizer = settings.Lamb(self.parameters)
        else:
            self.optimizer = torch.optim.AdamW(self.parameters, foreach=who == "bucket", **numbers)

    @torch.no_grad()
    def given(self, gradients: torch.Tensor) -> None:
        """Take gradients, one behind the other, as if a backward pass had computed them."""
        for parameter, each in zip(
            self.parameters, gradients.split([each.numel() for each in self.parameters]), strict=True
        ):
            assert parameter.grad is not None
            parameter.grad.copy_(each)

    def step(self) -> None:
        """Average gradients over ranks, and update."""
        if self.who == "each":
            mine = [each.grad for each in self.parameters if each.grad is not None]
            for work in [dist.all_reduce(each, async_op=True) for each in mine]:
                work.wait()
            torch._foreach_div_(mine, dist.get_world_size())
        elif self.who == "bucket":
            dist.all_reduce(self.flat)
            self.flat.div_(dist.get_world_size())
        self.optimizer.step()

    def flattened(self) -> torch.Tensor:
        """All parameters, one behind the other."""
        return torch.cat([each.detach() for each in self.parameters])


def steps(runs: list[tuple[str, str, list[int]]], paths: dict[str, str], bert: str, turns: int) -> list[dict[str, Any]]:
    """The seconds of a step of every run in every turn, each turn in an order of its own.

    Runs are an optimizer, who sums up (emitted, bucket, each), and the lengths of tensors. `apart` is how far its
    parameters are in the end from those of every tensor by itself, relative to the largest.
    """
    compute_as_gpus_do()
    made = [Run(*run, paths, bert) for run in runs]
    seconds: list[list[float]] = [[] for _ in runs]
    for turn in range(WARM + turns):
        generator = torch.Generator().manual_seed(100 * turn + dist.get_rank())
        gradients = torch.randn(sum(runs[0][2]), generator=generator)
        for number in Random(turn).sample(range(len(made)), len(made)):
            made[number].given(gradients)
            dist.barrier()
            began = time.perf_counter()
            made[number].step()
            if turn >= WARM:
                seconds[number].append(time.perf_counter() - began)
    ends = [each.flattened() for each in made]
    plain = {(name, len(lengths)): number for number, (name, who, lengths) in enumerate(runs) if who == "each"}
    found = []
    for number, (name, _, lengths) in enumerate(runs):
        other = ends[plain[name, len(lengths)]]
        far = float((ends[number] - other).abs().max() / other.abs().max())
        found.append({"seconds": seconds[number], "apart": far})
    return found
