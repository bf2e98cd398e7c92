"""What every rank of `train_resnet.py` does; loaded in the rank's own process."""

import time
from contextlib import nullcontext
from datetime import timedelta
from typing import Any

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from p2smt.run.rank.modules import load_module

CLASSES = 10


class Block(nn.Module):
    """Two convolutions and a way around them."""

    def __init__(self, inputs: int, outputs: int, stride: int) -> None:
        super().__init__()
        self.around = nn.Conv2d(inputs, outputs, 1, stride, bias=False)
        self.inside = nn.Sequential(
            nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False),
            nn.BatchNorm2d(outputs),
            nn.ReLU(),
            nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False),
            nn.BatchNorm2d(outputs),
        )

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """What the next block sees."""
        return torch.relu(self.around(images) + self.inside(images))


class ResNet(nn.Module):
    """Three blocks of `width`, twice and four times as many channels."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.blocks = nn.Sequential(Block(3, width, 1), Block(width, 2 * width, 2), Block(2 * width, 4 * width, 2))
        self.head = nn.Linear(4 * width, CLASSES)

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """One number per class."""
        return self.head(self.blocks(images).mean((2, 3)))


class Training:
    """The hook and the group of one plan, made once, and as many runs as are asked for."""

    def __init__(self, path: str, timeout_s: float) -> None:
        self.module = load_module(path)
        self.reduction = self.module.Reduction(timedelta(seconds=timeout_s))
        self.group = self.module.reduction_group(timedelta(seconds=timeout_s))

    def run(self, kind: str, given: dict[str, Any]) -> dict[str, Any]:
        """One run from the same start: the seconds and the loss of every step. `kind`: plain, hook or alone."""
        torch.manual_seed(0)
        resnet = ResNet(given["width"])
        model = DistributedDataParallel(
            resnet, process_group=self.group, broadcast_buffers=False, bucket_cap_mb=given["bucket_mb"]
        )
        if kind == "hook":
            self.module.register(model, self.reduction)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
        seconds, losses = [], []
        for step in range(given["warmups"] + given["steps"]):
            images, labels = batch(step, given)
            dist.barrier()
            began = time.perf_counter()
            with model.no_sync() if kind == "alone" else nullcontext():
                loss = nn.functional.cross_entropy(model(images), labels)
                loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            seconds.append(time.perf_counter() - began)
            losses.append(float(loss.detach()))
        return {"seconds": seconds[given["warmups"] :], "losses": losses}


def batch(step: int, given: dict[str, Any]) -> tuple[torch.Tensor, torch.Tensor]:
    """Random images, other ones on every rank and in every step; their labels can be told from them."""
    random = torch.Generator().manual_seed(100_000 * step + dist.get_rank())
    labels = torch.randint(CLASSES, (given["batch"],), generator=random)
    images = torch.randn(given["batch"], 3, given["pixels"], given["pixels"], generator=random)
    return images + labels.view(-1, 1, 1, 1) / CLASSES, labels


def gradient_bytes(width: int) -> int:
    """What the gradients take."""
    return sum(4 * parameter.numel() for parameter in ResNet(width).parameters())


def train(path: str, timeout_s: float, runs: list[str], given: dict[str, Any]) -> list[dict[str, Any]]:
    """Runs of these kinds, one after the other."""
    torch.set_num_threads(1)
    training = Training(path, timeout_s)
    return [training.run(kind, given) for kind in runs]
