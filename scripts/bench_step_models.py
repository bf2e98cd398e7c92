"""The models of bench_step.py, in plain PyTorch; each function gives module, batch, loss and optimizer."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from p2smt.frontend.torch_graph.examples.transformer import ExpertLayer
from p2smt.frontend.torch_graph.settings import Settings

Loss = Callable[..., Tensor]
Step = tuple[nn.Module, tuple[Tensor, ...], Loss, torch.optim.Optimizer]


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """Lengths that all models go by; `image` is the number of pixels along a side."""

    hidden: int
    layers: int
    heads: int
    sequence: int
    batch: int
    vocabulary: int
    image: int


SMALL = Size(hidden=256, layers=2, heads=4, sequence=64, batch=8, vocabulary=1000, image=32)
"""About a quarter of a second for a step on one core."""
LARGE = Size(hidden=768, layers=6, heads=12, sequence=512, batch=8, vocabulary=16000, image=64)
"""Some tens of milliseconds for a step on one H100."""
_CLASSES = 10


class Attention(nn.Module):
    """Self-attention; with rotary positions it has no biases."""

    def __init__(self, size: Size, *, causal: bool, dropout: float = 0.0, rotary: bool = False) -> None:
        super().__init__()
        self.heads, self.causal, self.dropout = size.heads, causal, dropout
        self.into = nn.Linear(size.hidden, 3 * size.hidden, bias=not rotary)
        self.out = nn.Linear(size.hidden, size.hidden, bias=not rotary)
        if rotary:
            features = size.hidden // size.heads
            speeds = 10000.0 ** (-torch.arange(0, features, 2) / features)
            angles = torch.arange(size.sequence)[:, None] * speeds
            self.register_buffer("cosines", torch.cat([angles, angles], dim=-1).cos())
            self.register_buffer("sines", torch.cat([angles, angles], dim=-1).sin())
        self.rotary = rotary

    def turned(self, x: Tensor) -> Tensor:
        """Pairs of features turned by their positions' angles."""
        first, second = x.chunk(2, dim=-1)
        return x * self.cosines + torch.cat([-second, first], dim=-1) * self.sines

    def forward(self, x: Tensor) -> Tensor:
        """Return what has the batch as its first dimension."""
        batch, positions, hidden = x.shape
        parts = self.into(x).view(batch, positions, 3, self.heads, hidden // self.heads)
        query, key, value = parts.permute(2, 0, 3, 1, 4).unbind(0)
        if self.rotary:
            query, key = self.turned(query), self.turned(key)
        share = self.dropout if self.training else 0.0
        mixed = functional.scaled_dot_product_attention(query, key, value, dropout_p=share, is_causal=self.causal)
        made: Tensor = self.out(mixed.transpose(1, 2).reshape(batch, positions, hidden))
        return made


class Gated(nn.Module):
    """SwiGLU."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        inner = 8 * hidden // 3 // 32 * 32
        self.gate = nn.Linear(hidden, inner, bias=False)
        self.up = nn.Linear(hidden, inner, bias=False)
        self.down = nn.Linear(inner, hidden, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        """Return what has the batch as its first dimension."""
        made: Tensor = self.down(functional.silu(self.gate(x)) * self.up(x))
        return made


def feed(hidden: int) -> nn.Module:
    return nn.Sequential(nn.Linear(hidden, 4 * hidden), nn.GELU(), nn.Linear(4 * hidden, hidden))


class Block(nn.Module):
    """Norms before what they are for, as in GPT-2, or behind the sum, as in BERT."""

    def __init__(
        self, attention: nn.Module, feed: nn.Module, norms: tuple[nn.Module, nn.Module], *, post: bool, dropout: float
    ) -> None:
        super().__init__()
        self.attention, self.feed = attention, feed
        self.first, self.second = norms
        self.post, self.dropout = post, nn.Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        """Return what has the batch as its first dimension."""
        if self.post:
            x = self.first(x + self.dropout(self.attention(x)))
            made: Tensor = self.second(x + self.dropout(self.feed(x)))
            return made
        x = x + self.dropout(self.attention(self.first(x)))
        return x + self.dropout(self.feed(self.second(x)))


def blocks(size: Size, kind: str) -> nn.ModuleList:
    made = []
    for number in range(size.layers):
        rotary, dropout = kind == "llama", 0.1 if kind in ("gpt2", "bert") else 0.0
        attention = Attention(
            size, causal=kind in ("gpt2", "llama"), rotary=rotary, dropout=0.1 if kind == "bert" else 0.0
        )
        norm = nn.RMSNorm if rotary else nn.LayerNorm
        layer = Gated(size.hidden) if rotary else feed(size.hidden)
        if kind == "experts" and number % 2:
            layer = ExpertLayer(
                Settings(batch=size.batch, layers=1, hidden=size.hidden, sequence=size.sequence, experts=4)
            )
        norms = norm(size.hidden), norm(size.hidden)
        made.append(Block(attention, layer, norms, post=kind in ("bert", "experts"), dropout=dropout))
    return nn.ModuleList(made)


class Language(nn.Module):
    """Tokens to logits."""

    def __init__(self, size: Size, kind: str) -> None:
        super().__init__()
        self.tokens = nn.Embedding(size.vocabulary, size.hidden)
        self.positions = nn.Embedding(size.sequence, size.hidden) if kind != "llama" else None
        self.blocks = blocks(size, kind)
        self.norm = nn.RMSNorm(size.hidden) if kind == "llama" else nn.LayerNorm(size.hidden)
        self.head = nn.Linear(size.hidden, size.vocabulary, bias=False)
        if kind == "gpt2":
            self.head.weight = self.tokens.weight
            nn.init.normal_(self.tokens.weight, std=0.02)

    def forward(self, tokens: Tensor) -> Tensor:
        """Return logits, of shape [batch, positions, vocabulary]."""
        x = self.tokens(tokens)
        if self.positions is not None:
            x = x + self.positions(torch.arange(tokens.shape[1], device=tokens.device))
        for block in self.blocks:
            x = block(x)
        made: Tensor = self.head(self.norm(x))
        return made


class Vision(nn.Module):
    """Patches, a class token, blocks."""

    def __init__(self, size: Size) -> None:
        super().__init__()
        patches = (size.image // 4) ** 2
        self.embed = nn.Conv2d(3, size.hidden, 4, stride=4)
        self.token = nn.Parameter(torch.zeros(1, 1, size.hidden))
        self.positions = nn.Parameter(torch.zeros(1, patches + 1, size.hidden))
        self.blocks = blocks(size, "vit")
        self.norm = nn.LayerNorm(size.hidden)
        self.head = nn.Linear(size.hidden, _CLASSES)

    def forward(self, x: Tensor) -> Tensor:
        """Return what has the batch as its first dimension."""
        x = self.embed(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.token.expand(x.shape[0], -1, -1), x], dim=1) + self.positions
        for block in self.blocks:
            x = block(x)
        made: Tensor = self.head(self.norm(x)[:, 0])
        return made


class Bottleneck(nn.Module):
    """A block of ResNet-50."""

    def __init__(self, before: int, width: int, stride: int, *, beside: bool = True) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(before, width, 1, bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(),
            nn.Conv2d(width, width, 3, stride, 1, bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(),
            nn.Conv2d(width, 4 * width, 1, bias=False),
            nn.BatchNorm2d(4 * width),
        )
        self.beside: nn.Module = nn.Identity()
        if beside:
            self.beside = nn.Sequential(nn.Conv2d(before, 4 * width, 1, stride, bias=False), nn.BatchNorm2d(4 * width))

    def forward(self, x: Tensor) -> Tensor:
        """Return what has the batch as its first dimension."""
        return functional.relu(self.layers(x) + self.beside(x))


class ConvNeXtBlock(nn.Module):
    """A depthwise convolution, then layers on channels."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.depthwise = nn.Conv2d(width, width, 7, padding=3, groups=width)
        self.norm, self.feed = nn.LayerNorm(width, eps=1e-6), feed(width)
        self.scale = nn.Parameter(1e-2 * torch.ones(width))

    def forward(self, x: Tensor) -> Tensor:
        """Return what has the batch as its first dimension."""
        inner = self.feed(self.norm(self.depthwise(x).permute(0, 2, 3, 1)))
        return x + (self.scale * inner).permute(0, 3, 1, 2)


def _classes(module: nn.Module, x: Tensor, labels: Tensor) -> Tensor:
    return functional.cross_entropy(module(x), labels)


def token_loss(module: nn.Module, tokens: Tensor, labels: Tensor) -> Tensor:
    return functional.cross_entropy(module(tokens).flatten(0, 1), labels.flatten())


def _language(size: Size, kind: str) -> Step:
    module = Language(size, kind)
    batch = [torch.randint(0, size.vocabulary, (size.batch, size.sequence)) for _ in range(2)]
    return module, tuple(batch), token_loss, torch.optim.AdamW(module.parameters(), lr=1e-3)


def _images(module: nn.Module, size: Size, optimizer: torch.optim.Optimizer, count: int) -> Step:
    batch = torch.randn(count, 3, size.image, size.image), torch.randint(0, _CLASSES, (count,))
    return module, batch, _classes, optimizer


def mlp(size: Size) -> Step:
    wide = 4 * size.hidden
    module = nn.Sequential(
        nn.Linear(size.hidden, wide), nn.ReLU(), nn.Linear(wide, wide), nn.ReLU(), nn.Linear(wide, _CLASSES)
    )
    batch = torch.randn(32 * size.batch, size.hidden), torch.randint(0, _CLASSES, (32 * size.batch,))
    return module, batch, _classes, torch.optim.AdamW(module.parameters(), lr=1e-3)


def gpt2(size: Size) -> Step:
    return _language(size, "gpt2")


def llama(size: Size) -> Step:
    return _language(size, "llama")


def bert(size: Size) -> Step:
    return _language(size, "bert")


def experts(size: Size) -> Step:
    return _language(size, "experts")


def vit(size: Size) -> Step:
    module = Vision(size)
    return _images(module, size, torch.optim.AdamW(module.parameters(), lr=1e-3), size.batch)


def resnet(size: Size) -> Step:
    widths, layers = [size.hidden // 8 * 2**stage for stage in range(3)], []
    before = widths[0]
    layers += [nn.Conv2d(3, before, 3, 1, 1, bias=False), nn.BatchNorm2d(before), nn.ReLU()]
    for number, width in enumerate(widths):
        for block in range(max(1, size.layers // 2)):
            layers.append(Bottleneck(before, width, 2 if number and not block else 1))
            before = 4 * width
    module = nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(before, _CLASSES))
    return _images(module, size, torch.optim.SGD(module.parameters(), lr=1e-2, momentum=0.9), size.batch)


def convnext(size: Size) -> Step:
    width = size.hidden // 2
    layers: list[nn.Module] = [nn.Conv2d(3, width, 4, 4)]
    layers += [ConvNeXtBlock(width) for _ in range(2 * size.layers)]
    module = nn.Sequential(
        *layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.LayerNorm(width), nn.Linear(width, _CLASSES)
    )
    return _images(module, size, torch.optim.AdamW(module.parameters(), lr=1e-3), 4 * size.batch)


MODELS = {each.__name__: each for each in (mlp, gpt2, llama, bert, vit, resnet, convnext, experts)}
