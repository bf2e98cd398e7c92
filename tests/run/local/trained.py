"""Packaged models trained by PyTorch on one device, beside the programs that `tests/spmd/data` has of them."""

from contextlib import contextmanager

import torch
from emit.torch.sharded_models import sharded_model
from frontend.torch_graph.eager import CounterBits, real
from torch.nn.attention import SDPBackend, sdpa_kernel

from p2smt.frontend.torch_graph.examples.models import training_step
from p2smt.frontend.torch_graph.settings import Example, OptimizerName, Size, settings_of

MADE = {
    Example.MLP: ({"batch": 3}, OptimizerName.MOMENTUM, None),
    Example.VGG: ({"batch": 2}, OptimizerName.SGD, 0.5),
    Example.VIT: ({"batch": 2, "layers": 1}, OptimizerName.MOMENTUM, None),
    Example.BERT: ({"batch": 2, "layers": 1}, OptimizerName.ADAM, None),
    Example.MOE: ({"batch": 2, "layers": 2}, OptimizerName.SGD, None),
    Example.GPT: ({"batch": 2, "layers": 1}, OptimizerName.ADAMW, 0.1),
}
"""As tests/spmd/test_captured_models.py has them captured."""


@contextmanager
def float64():
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


def training(example):
    """The model with a batch, a loss and an optimizer, in float64."""

    def made():
        sizes, optimizing, max_norm = MADE[example]
        torch.manual_seed(1)
        return training_step(example, settings_of(example, Size.SMALL, **sizes), optimizing, max_norm)

    with float64():
        return real(made)


def batches_of(task, steps):
    """Other samples for every step."""
    generator = torch.Generator().manual_seed(7)

    def drawn(like):
        if like.is_floating_point():
            return torch.randn(like.shape, generator=generator, dtype=like.dtype)
        return torch.randint(0, 10, like.shape, generator=generator)

    return [{name: drawn(each) for name, each in task.batch.items()} for _ in range(steps)]


def eager(task, batches, first=1):
    """Losses of training by PyTorch, with counter-based dropout."""
    losses = []
    for number, batch in enumerate(batches, start=first):
        task.optimizer.zero_grad()
        with float64(), CounterBits(number), sdpa_kernel(SDPBackend.MATH):
            loss = task.loss(task.module, *batch.values())
            loss.backward()
        if task.max_norm is not None:
            torch.nn.utils.clip_grad_norm_(task.module.parameters(), task.max_norm)
        task.optimizer.step()
        losses.append(loss.item())
    return losses


def sharded(example, shares, unit=1000):
    """A distributed program of a model, on so many devices, with these shares."""
    return sharded_model(example.value, shares, unit)
