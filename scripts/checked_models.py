"""The models of check_models.py: small, in plain PyTorch, each with what its kind is known for.

A function gives module, batch, loss and optimizer, as the ones of `bench_step_models`, of which most are made.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import torch
from bench_step_models import Attention, Block, Bottleneck, ConvNeXtBlock, Gated, Size, Step, bert, experts, gpt2, vit
from torch import Tensor, nn
from torch.nn import functional

TINY = Size(hidden=32, layers=2, heads=4, sequence=8, batch=8, vocabulary=24, image=16)
CLASSES = 10
RESNET_50 = (3, 4, 6, 3)


class GroupedAttention(Attention):
    """Rotary attention in which two heads of queries have one of keys and values."""

    def __init__(self, size: Size) -> None:
        super().__init__(size, causal=True, rotary=True)
        self.into = nn.Linear(size.hidden, size.hidden, bias=False)
        self.keys, self.values = (nn.Linear(size.hidden, size.hidden // 2, bias=False) for _ in range(2))

    def forward(self, x: Tensor) -> Tensor:
        """Return what has the batch as its first dimension."""
        layers = self.into, self.keys, self.values
        parts = (layer(x).unflatten(-1, (-1, x.shape[-1] // self.heads)).transpose(1, 2) for layer in layers)
        query, key, value = parts
        mixed = functional.scaled_dot_product_attention(
            self.turned(query), self.turned(key), value, is_causal=True, enable_gqa=True
        )
        made: Tensor = self.out(mixed.transpose(1, 2).flatten(2))
        return made


def _words(module: nn.Module, words: Tensor, labels: Tensor) -> Tensor:
    return functional.cross_entropy(module(words).flatten(0, 1), labels.flatten())


def llama(size: Size) -> Step:
    """RMS norms, rotary positions, grouped heads, gated layers."""
    blocks = [
        Block(
            GroupedAttention(size),
            Gated(size.hidden),
            (nn.RMSNorm(size.hidden), nn.RMSNorm(size.hidden)),
            post=False,
            dropout=0.0,
        )
        for _ in range(size.layers)
    ]
    module = nn.Sequential(
        nn.Embedding(size.vocabulary, size.hidden),
        *blocks,
        nn.RMSNorm(size.hidden),
        nn.Linear(size.hidden, size.vocabulary, bias=False),
    )
    words, labels = (torch.randint(0, size.vocabulary, (size.batch, size.sequence)) for _ in range(2))
    return module, (words, labels), _words, torch.optim.AdamW(module.parameters(), lr=1e-3)


def _classes(module: nn.Module, images: Tensor, labels: Tensor) -> Tensor:
    return functional.cross_entropy(module(images), labels)


def images(size: Size, side: int) -> tuple[Tensor, Tensor]:
    return torch.randn(size.batch, 3, side, side), torch.randint(0, CLASSES, (size.batch,))


def resnet50(size: Size, layers: tuple[int, ...] = RESNET_50, width: int = 4) -> Step:
    """With its stem, a convolution and a pool of padded windows, and its stages of bottlenecks."""
    parts: list[nn.Module] = [
        nn.Conv2d(3, width, 7, 2, 3, bias=False),
        nn.BatchNorm2d(width),
        nn.ReLU(),
        nn.MaxPool2d(3, 2, 1),
    ]
    before = width
    for stage, count in enumerate(layers):
        for block in range(count):
            parts.append(Bottleneck(before, width << stage, 2 if stage and not block else 1, beside=not block))
            before = 4 * (width << stage)
    module = nn.Sequential(*parts, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(before, CLASSES))
    return module, images(size, 2 * size.image), _classes, torch.optim.SGD(module.parameters(), lr=1e-2, momentum=0.9)


def convnext(size: Size, widths: tuple[int, ...] = (8, 16)) -> Step:
    """Stages of depthwise convolutions, with a norm and a convolution that halves the image between them."""
    parts: list[nn.Module] = [nn.Conv2d(3, widths[0], 2, 2), ChannelNorm(widths[0])]
    for number, width in enumerate(widths):
        if number:
            parts += [ChannelNorm(widths[number - 1]), nn.Conv2d(widths[number - 1], width, 2, 2)]
        parts += [ConvNeXtBlock(width) for _ in range(2)]
    module = nn.Sequential(
        *parts, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.LayerNorm(widths[-1]), nn.Linear(widths[-1], CLASSES)
    )
    return module, images(size, size.image), _classes, torch.optim.AdamW(module.parameters(), lr=1e-3)


class ChannelNorm(nn.LayerNorm):
    """A layer norm of channels, which are the second dimension."""

    def forward(self, x: Tensor) -> Tensor:
        """Return what has the shape of an image."""
        return super().forward(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)


class Residual(nn.Module):
    """A block of a U-Net: group norm, SiLU and convolutions, with what is known of the time added."""

    def __init__(self, before: int, width: int) -> None:
        super().__init__()
        self.first, self.second = nn.GroupNorm(4, before), nn.GroupNorm(4, width)
        self.into, self.out = nn.Conv2d(before, width, 3, padding=1), nn.Conv2d(width, width, 3, padding=1)
        self.time = nn.Linear(16, width)
        self.beside = nn.Conv2d(before, width, 1) if before != width else nn.Identity()

    def forward(self, x: Tensor, time: Tensor) -> Tensor:
        """Return an image of `width` channels."""
        inner = self.into(functional.silu(self.first(x))) + self.time(time)[:, :, None, None]
        made: Tensor = self.beside(x) + self.out(functional.silu(self.second(inner)))
        return made


class Pixels(nn.Module):
    """Self-attention among the pixels of an image."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.norm, self.heads = nn.GroupNorm(4, width), heads
        self.into, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x: Tensor) -> Tensor:
        """Return what has the shape of the image."""
        batch, width, high, wide = x.shape
        parts = self.into(self.norm(x).flatten(2).transpose(1, 2))
        query, key, value = parts.view(batch, high * wide, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        mixed = functional.scaled_dot_product_attention(query, key, value).transpose(1, 2).reshape(batch, -1, width)
        return x + self.out(mixed).transpose(1, 2).reshape(x.shape)


class UNet(nn.Module):
    """Noise of an image at a time: down, through attention, and up beside what came down."""

    def __init__(self, width: int = 8) -> None:
        super().__init__()
        self.into, self.time = nn.Conv2d(3, width, 3, padding=1), nn.Linear(16, 16)
        self.down, self.halve = Residual(width, width), nn.Conv2d(width, 2 * width, 3, 2, 1)
        self.inner, self.pixels = Residual(2 * width, 2 * width), Pixels(2 * width, 2)
        self.wider, self.up = nn.Conv2d(2 * width, width, 3, padding=1), Residual(2 * width, width)
        self.norm, self.out = nn.GroupNorm(4, width), nn.Conv2d(width, 3, 3, padding=1)

    def forward(self, x: Tensor, time: Tensor) -> Tensor:
        """Return what has the shape of the image."""
        speeds = 1000.0 ** (-torch.arange(8, dtype=x.dtype) / 8)
        angles = time[:, None].to(x.dtype) * speeds
        known = functional.silu(self.time(torch.cat([angles.sin(), angles.cos()], dim=-1)))
        beside = self.down(self.into(x), known)
        inner = self.pixels(self.inner(self.halve(beside), known))
        again = self.wider(functional.interpolate(inner, scale_factor=2.0, mode="nearest"))
        return self.out(functional.silu(self.norm(self.up(torch.cat([again, beside], dim=1), known))))


class LoopedExperts(nn.Module):
    """Experts that gather their tokens one after the other, two of them for each token."""

    def __init__(self, hidden: int, experts: int = 4) -> None:
        super().__init__()
        self.gate = nn.Linear(hidden, experts, bias=False)
        self.experts = nn.ModuleList(Gated(hidden) for _ in range(experts))

    def forward(self, x: Tensor) -> Tensor:
        """Return what has the batch as its first dimension."""
        rows = x.flatten(0, 1)
        share, chosen = self.gate(rows).softmax(-1).topk(2, dim=-1)
        mixed = torch.zeros_like(rows)
        for number, expert in enumerate(self.experts):
            row, choice = torch.where(chosen == number)
            mixed.index_add_(0, row, expert(rows[row]) * share[row, choice, None])
        return mixed.view(x.shape)


class Refined(nn.Module):
    """Rows that a mask selects are written back, refined by a layer."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.layer = nn.Linear(hidden, hidden)

    def forward(self, x: Tensor) -> Tensor:
        """Return what has the shape of the input."""
        large, made = x.mean(-1) > 0, x.clone()
        made[large] = self.layer(x[large])
        return made


def looped(size: Size) -> Step:
    """A mixture of looped experts, whose loss is that of the positions that a mask selects."""
    blocks = [
        Block(
            GroupedAttention(size),
            LoopedExperts(size.hidden),
            (nn.RMSNorm(size.hidden), nn.RMSNorm(size.hidden)),
            post=False,
            dropout=0.0,
        )
        for _ in range(size.layers)
    ]
    module = nn.Sequential(
        nn.Embedding(size.vocabulary, size.hidden),
        *blocks,
        Refined(size.hidden),
        nn.Linear(size.hidden, size.vocabulary),
    )
    words, labels = (torch.randint(0, size.vocabulary, (size.batch, size.sequence)) for _ in range(2))
    labels[torch.rand(labels.shape) < 0.3] = -100
    return module, (words, labels), _selected_words, torch.optim.AdamW(module.parameters(), lr=1e-3)


def _selected_words(module: nn.Module, words: Tensor, labels: Tensor) -> Tensor:
    is_known = labels != -100
    return functional.cross_entropy(module(words)[is_known], labels[is_known])


def _noise(module: nn.Module, x: Tensor, time: Tensor, noise: Tensor) -> Tensor:
    return functional.mse_loss(module(x, time), noise)


def unet(size: Size) -> Step:
    """A denoising step."""
    module, count = UNet(), size.batch
    batch = torch.randn(count, 3, 8, 8), torch.randint(0, 1000, (count,)), torch.randn(count, 3, 8, 8)
    return module, batch, _noise, torch.optim.AdamW(module.parameters(), lr=1e-3)


CHECKED: dict[str, Callable[[Size], Step]] = {
    each.__name__: each for each in (gpt2, llama, bert, vit, resnet50, convnext, experts, looped, unet)
}


def checked(model: Callable[[Size], Step], samples: int) -> Step:
    """The step of a model, on a batch of so many samples."""
    return model(replace(TINY, batch=samples))


@contextmanager
def numbers_of(dtype: torch.dtype) -> Iterator[None]:
    """What is made inside without a type has this one."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        yield
    finally:
        torch.set_default_dtype(before)
