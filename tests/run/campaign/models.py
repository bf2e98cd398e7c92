"""Models that are trained in every sharding: by PyTorch on one device, and as the program that is captured of them."""

from collections.abc import Callable
from contextlib import contextmanager
from typing import NamedTuple

import torch
from frontend.torch_graph.eager import CounterBits, captured
from torch import nn
from torch.nn import functional
from torch.nn.attention import SDPBackend, sdpa_kernel

from p2smt.frontend.torch_graph.examples.models import training_step
from p2smt.frontend.torch_graph.settings import Example, OptimizerName, Size, settings_of
from p2smt.frontend.torch_graph.training import Training


class Small(nn.Module):
    """A weight under two names, parameters of length 1 and without dimensions, a buffer, one that nothing uses."""

    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(7, 6)
        self.layer = nn.Linear(6, 6)
        self.narrow = nn.Linear(6, 1)
        self.gain = nn.Parameter(torch.ones(1))
        self.bias = nn.Parameter(torch.zeros(()))
        self.dropout = nn.Dropout(0.2)
        self.out = nn.Linear(6, 7, bias=False)
        self.out.weight = self.words.weight
        self.unused = nn.Parameter(torch.ones(3))
        self.register_buffer("scale", torch.full((6,), 0.5))

    def forward(self, x):
        made = self.words(x) * self.scale
        made = made + self.dropout(torch.tanh(self.layer(made) + self.bias)) * self.gain
        return self.out(made + torch.sigmoid(self.narrow(made)))


class Block(nn.Module):
    """A matrix for queries, keys and values each, as Megatron-LM cuts them."""

    def __init__(self, hidden, heads):
        super().__init__()
        self.heads = heads
        self.norm = nn.LayerNorm(hidden)
        self.query, self.key, self.value, self.out = (nn.Linear(hidden, hidden, bias=False) for _ in range(4))

    def split(self, x):
        return x.view(*x.shape[:2], self.heads, -1).transpose(1, 2)

    def forward(self, x):
        normed = self.norm(x)
        parts = (self.split(linear(normed)) for linear in (self.query, self.key, self.value))
        mixed = functional.scaled_dot_product_attention(*parts).transpose(1, 2).reshape(x.shape)
        return x + self.out(mixed)


def small():
    module = Small()
    batch = {"x": torch.zeros(5, dtype=torch.long), "y": torch.zeros(5, dtype=torch.long)}
    loss = lambda module, x, y: functional.cross_entropy(module(x), y)  # noqa: E731
    return Training(module, batch, loss, torch.optim.AdamW(module.parameters(), lr=0.01), 0.1)


def attention():
    module = nn.Sequential(Block(8, 4), Block(8, 4))
    batch = {"x": torch.zeros(3, 5, 8), "y": torch.zeros(3, 5, 8)}
    loss = lambda module, x, y: functional.mse_loss(module(x), y)  # noqa: E731
    return Training(module, batch, loss, torch.optim.Adam(module.parameters(), lr=0.01), None)


def _packaged(example, optimizing, max_norm, **sizes):
    return lambda: training_step(example, settings_of(example, Size.SMALL, **sizes), optimizing, max_norm)


MODELS: dict[str, Callable[[], Training]] = {
    "mlp": _packaged(Example.MLP, OptimizerName.MOMENTUM, None, batch=6),
    "vgg": _packaged(Example.VGG, OptimizerName.SGD, 0.5, batch=5),
    "vit": _packaged(Example.VIT, OptimizerName.ADAM, None, batch=3, layers=1),
    "bert": _packaged(Example.BERT, OptimizerName.ADAM, None, batch=4, layers=1),
    "moe": _packaged(Example.MOE, OptimizerName.MOMENTUM, 1.0, batch=3, layers=2, experts=5),
    "gpt": _packaged(Example.GPT, OptimizerName.ADAMW, 0.1, batch=4, layers=1),
    "attention": attention,
    "small": small,
}
"""Dropout in all but mlp, attention; five experts, which no number of ranks below five divides; tied weights in gpt."""


class Trained(NamedTuple):
    """Where training begins, its batches, and what one device makes of them: losses, module and optimizer."""

    state: dict[str, torch.Tensor]
    batches: list[dict[str, torch.Tensor]]
    losses: list[float]
    module: nn.Module
    optimizer: torch.optim.Optimizer


def program(name):
    """The captured step."""
    return captured(MODELS[name], name)


def trained(name, steps, real):
    """Training by PyTorch in numbers of one type; parameters are none of them zero, so that all gradients count."""
    with _default(real):
        torch.manual_seed(1)
        task = MODELS[name]()
        generator = torch.Generator().manual_seed(0)
        with torch.no_grad():
            for parameter in task.module.parameters():
                parameter.copy_(0.3 * torch.randn(parameter.shape, generator=generator, dtype=torch.float64))
        state = _tied(task.module)
        batches = _batches(task, steps, real)
        losses = [_step(task, batch, number) for number, batch in enumerate(batches, start=1)]
    return Trained(state, batches, losses, task.module, task.optimizer)


def _tied(module):
    """A copy of a module's state in which what is one tensor stays one."""
    copies: dict[int, torch.Tensor] = {}
    state = module.state_dict()
    for each in state.values():
        copies.setdefault(each.data_ptr(), each.clone())
    return {name: copies[each.data_ptr()] for name, each in state.items()}


def _batches(task, steps, real):
    """Other samples in every step, the same in every type of number."""
    generator = torch.Generator().manual_seed(7)

    def drawn(like):
        if like.is_floating_point():
            return torch.randn(like.shape, generator=generator, dtype=torch.float64).to(real)
        return torch.randint(0, 7, like.shape, generator=generator)

    return [{name: drawn(each) for name, each in task.batch.items()} for _ in range(steps)]


def _step(task, batch, number):
    task.optimizer.zero_grad()
    with CounterBits(number), sdpa_kernel(SDPBackend.MATH):
        loss = task.loss(task.module, *batch.values())
    loss.backward()
    if task.max_norm is not None:
        nn.utils.clip_grad_norm_(task.module.parameters(), task.max_norm)
    task.optimizer.step()
    return loss.item()


@contextmanager
def _default(real):
    before = torch.get_default_dtype()
    torch.set_default_dtype(real)
    try:
        yield
    finally:
        torch.set_default_dtype(before)
