"""Parts of steps: a batch of images or tokens, a loss, an optimizer."""

from collections.abc import Callable, Mapping

import torch
from torch import nn
from torch.nn import functional

Batch = dict[str, torch.Tensor]
Loss = Callable[..., torch.Tensor]
Step = tuple[nn.Module, Batch, Loss, torch.optim.Optimizer]
WORDS, LENGTH, CLASSES = 64, 12, 5
ROWS = 4
"""Images of a batch: the gradient of a batch norm over two elements is nothing but rounding."""


def trained(module: nn.Module, batch: Batch, loss: Loss) -> Step:
    """With AdamW, as most are."""
    return module, batch, loss, torch.optim.AdamW(module.parameters(), lr=1e-3)


def tokens(rows: int = 2, length: int = LENGTH, words: int = WORDS) -> torch.Tensor:
    """Numbers of words."""
    return torch.randint(3, words, (rows, length))


def images(size: int, rows: int = 2, channels: int = 3) -> torch.Tensor:
    """Random pixels."""
    return torch.randn(rows, channels, size, size)


def classified(module: nn.Module, size: int, classes: int = CLASSES) -> Step:
    """Images and their classes, with cross entropy."""
    batch = {"images": images(size, ROWS), "targets": torch.randint(0, classes, (ROWS,))}
    return trained(module, batch, _cross_entropy)


def _cross_entropy(module: nn.Module, images: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    return functional.cross_entropy(module(images), targets)


def own_loss(module: nn.Module, **batch: torch.Tensor) -> torch.Tensor:
    """The loss that a Hugging Face model computes when it is given labels."""
    loss: torch.Tensor = module(**batch).loss
    return loss


def with_labels(module: nn.Module, batch: Mapping[str, torch.Tensor]) -> Step:
    """A Hugging Face model that is given labels."""
    return trained(module, dict(batch), own_loss)
