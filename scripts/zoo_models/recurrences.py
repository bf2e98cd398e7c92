"""State spaces and linear recurrences, in plain torch."""

import math
from collections.abc import Callable, Iterator

import torch
from torch import nn
from torch.nn import functional

from zoo_models.small_parts import ROWS, Net
from zoo_models.training import CLASSES, Step, trained


def s4d():
    """A diagonal state space as a convolution by Fourier transforms."""

    class Layer(nn.Module):
        def __init__(self, width=6, states=4):
            super().__init__()
            self.log_step = nn.Parameter(torch.linspace(-3, -1, width))
            self.log_decay = nn.Parameter(torch.log(0.5 * torch.ones(width, states)))
            self.phase = nn.Parameter(math.pi * torch.arange(states).float().repeat(width, 1))
            self.c = nn.Parameter(torch.randn(width, states, 2))
            self.skip, self.mix = nn.Parameter(torch.ones(width)), nn.Linear(width, width)

        def forward(self, x):
            length = x.shape[1]
            step = self.log_step.exp()[:, None]
            decay, phase = -self.log_decay.exp() * step, self.phase * step
            at = torch.arange(length)
            size = torch.exp(decay[..., None] * at)
            kernel = 2 * (
                size
                * (
                    self.c[..., :1] * torch.cos(phase[..., None] * at)
                    - self.c[..., 1:] * torch.sin(phase[..., None] * at)
                )
            ).sum(1)
            u = x.transpose(1, 2)
            y = torch.fft.irfft(torch.fft.rfft(u, n=2 * length) * torch.fft.rfft(kernel, n=2 * length), n=2 * length)[
                ..., :length
            ]
            return x + self.mix(functional.gelu((y + u * self.skip[:, None]).transpose(1, 2)))

    net = Net(
        lambda net, x: net.head(net.two(net.one(net.into(x)))).mean(1),
        into=nn.Linear(2, 6),
        one=Layer(),
        two=Layer(),
        head=nn.Linear(6, CLASSES),
    )
    return trained(
        net,
        {"x": torch.randn(ROWS, 10, 2), "y": torch.randint(0, CLASSES, (ROWS,))},
        lambda m, x, y: functional.cross_entropy(m(x), y),
    )


def selective_scan():
    """Mamba's recurrence, written as a loop."""

    class Layer(nn.Module):
        def __init__(self, width=6, states=4):
            super().__init__()
            self.into, self.conv = nn.Linear(width, 2 * width), nn.Conv1d(width, width, 3, padding=2, groups=width)
            self.select, self.step = nn.Linear(width, 2 * states + 1), nn.Linear(1, width)
            self.log_a = nn.Parameter(torch.arange(1, states + 1).float().log().repeat(width, 1))
            self.out = nn.Linear(width, width)

        def forward(self, x):
            length = x.shape[1]
            u, gate = self.into(x).chunk(2, -1)
            u = functional.silu(self.conv(u.transpose(1, 2))[..., :length].transpose(1, 2))
            step, b, c = self.select(u).split([1, 4, 4], -1)
            step = functional.softplus(self.step(step))
            state, found = torch.zeros(x.shape[0], u.shape[-1], 4), []
            for t in range(length):
                state = (
                    torch.exp(-step[:, t, :, None] * self.log_a.exp()) * state
                    + step[:, t, :, None] * b[:, t, None] * u[:, t, :, None]
                )
                found.append((state * c[:, t, None]).sum(-1))
            return x + self.out(torch.stack(found, 1) * functional.silu(gate))

    net = Net(
        lambda net, x: net.head(net.layer(net.into(x)).mean(1)),
        into=nn.Linear(2, 6),
        layer=Layer(),
        head=nn.Linear(6, CLASSES),
    )
    return trained(
        net,
        {"x": torch.randn(ROWS, 5, 2), "y": torch.randint(0, CLASSES, (ROWS,))},
        lambda m, x, y: functional.cross_entropy(m(x), y),
    )


def linear_recurrence():
    """A gated linear recurrence by a cumulative sum of logarithms (minGRU)."""

    def forward(net, x):
        gate, value = net.both(x).chunk(2, -1)
        keep, write = (
            -functional.softplus(gate),
            -functional.softplus(-gate)
            + torch.where(value >= 0, (functional.relu(value) + 0.5).log(), -functional.softplus(-value)),
        )
        total = keep.cumsum(1)
        return net.head(torch.exp(total + torch.logcumsumexp(write - total, 1))[:, -1])

    net = Net(forward, both=nn.Linear(3, 12), head=nn.Linear(6, CLASSES))
    return trained(
        net,
        {"x": torch.randn(ROWS, 7, 3), "y": torch.randint(0, CLASSES, (ROWS,))},
        lambda m, x, y: functional.cross_entropy(m(x), y),
    )


def retention():
    def forward(net, x):
        q, k, v = net.qkv(x).chunk(3, -1)
        n = x.shape[1]
        at = torch.arange(n)
        decay = torch.where(at[:, None] >= at, 0.9 ** (at[:, None] - at).clamp(min=0).float(), 0.0)
        y = functional.group_norm(((q @ k.transpose(1, 2)) * decay @ v).flatten(0, 1), 2).view_as(x)
        return net.out(y * functional.silu(net.gate(x)))

    net = Net(forward, qkv=nn.Linear(8, 24), gate=nn.Linear(8, 8), out=nn.Linear(8, 8))
    return trained(
        net, {"x": torch.randn(ROWS, 6, 8), "y": torch.randn(ROWS, 6, 8)}, lambda m, x, y: functional.mse_loss(m(x), y)
    )


def rwkv_mix():
    def forward(net, x):
        before = functional.pad(x, (0, 0, 1, -1))
        k, v, r = (layer(x * mix + before * (1 - mix)) for layer, mix in zip(net.layers, net.mixes, strict=True))
        num = den = torch.zeros_like(k[:, 0])
        found = []
        for t in range(x.shape[1]):
            e = torch.exp(k[:, t])
            found.append((num + torch.exp(net.bonus) * e * v[:, t]) / (den + torch.exp(net.bonus) * e))
            decay = torch.exp(-torch.exp(net.decay))
            num, den = decay * num + e * v[:, t], decay * den + e
        return net.out(torch.sigmoid(r) * torch.stack(found, 1))

    net = Net(
        forward,
        layers=nn.ModuleList(nn.Linear(8, 8) for _ in range(3)),
        mixes=nn.ParameterList(nn.Parameter(torch.rand(8)) for _ in range(3)),
        bonus=nn.Parameter(torch.zeros(8)),
        decay=nn.Parameter(torch.zeros(8)),
        out=nn.Linear(8, 8),
    )
    return trained(
        net, {"x": torch.randn(ROWS, 5, 8), "y": torch.randn(ROWS, 5, 8)}, lambda m, x, y: functional.mse_loss(m(x), y)
    )


MODELS = {
    "state space": (
        s4d,
        selective_scan,
        linear_recurrence,
        retention,
        rwkv_mix,
    ),
}


def models() -> Iterator[tuple[str, str, Callable[[], Step]]]:
    """Family, name and step of each."""
    for family, makes in MODELS.items():
        for make in makes:
            yield family, make.__name__, make
