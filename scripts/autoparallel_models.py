"""Training steps that are given to p2smt and to AutoParallel alike: GPT-2, Llama, an MLP, Llama without attention.

Attention is written in its parts, and rotary factors and masks are computed inside the model.
"""

from dataclasses import dataclass, replace
from math import sqrt

import torch
from torch import nn
from torch.nn import functional


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """The sizes of a model and its batch; `groups` are heads of keys and values."""

    layers: int
    width: int
    heads: int
    groups: int
    hidden: int
    vocabulary: int
    batch: int
    sequence: int


SIZES = {
    "gpt2": Sizes(layers=2, width=768, heads=12, groups=12, hidden=3072, vocabulary=50304, batch=64, sequence=1024),
    "llama": Sizes(layers=2, width=4096, heads=32, groups=8, hidden=14336, vocabulary=128256, batch=16, sequence=2048),
    "mlp": Sizes(layers=3, width=4096, heads=1, groups=1, hidden=16384, vocabulary=32768, batch=64, sequence=256),
}
SIZES["gated"] = SIZES["llama"]
SIZES |= {f"{name}-1": replace(SIZES[name], layers=1) for name in ("gpt2", "llama")}


def split_heads(values: torch.Tensor, heads: int) -> torch.Tensor:
    """From [batch, sequence, width] to [batch, heads, sequence, width of a head]."""
    batch, sequence, width = values.shape
    return values.view(batch, sequence, heads, width // heads).transpose(1, 2)


def attention(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Masked attention; from heads back to [batch, sequence, width]."""
    scores = torch.matmul(query, key.transpose(-2, -1)) / sqrt(query.shape[-1])
    read = torch.matmul(torch.softmax(scores + mask, -1), value)
    return read.transpose(1, 2).flatten(2)


def causal_mask(tokens: torch.Tensor) -> torch.Tensor:
    length = tokens.shape[1]
    return torch.triu(torch.full((length, length), -1e9, device=tokens.device), 1)


class GptBlock(nn.Module):
    """A layer of GPT-2."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        width = sizes.width
        self.heads = sizes.heads
        self.before, self.between = nn.LayerNorm(width), nn.LayerNorm(width)
        self.query, self.key, self.value, self.project = (nn.Linear(width, width) for _ in range(4))
        self.up, self.down = nn.Linear(width, sizes.hidden), nn.Linear(sizes.hidden, width)

    def forward(self, values: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """The values behind the layer."""
        normal = self.before(values)
        parts = (split_heads(each(normal), self.heads) for each in (self.query, self.key, self.value))
        values = values + self.project(attention(*parts, mask))
        hidden = functional.gelu(self.up(self.between(values)), approximate="tanh")
        return values + self.down(hidden)


class Gpt(nn.Module):
    """GPT-2, with embeddings for tokens and positions; the first is the last layer as well."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.tokens = nn.Embedding(sizes.vocabulary, sizes.width)
        self.positions = nn.Embedding(sizes.sequence, sizes.width)
        self.blocks = nn.ModuleList(GptBlock(sizes) for _ in range(sizes.layers))
        self.normal = nn.LayerNorm(sizes.width)
        self.head = nn.Linear(sizes.width, sizes.vocabulary, bias=False)
        self.head.weight = self.tokens.weight

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """Logits."""
        mask = causal_mask(tokens)
        values = self.tokens(tokens) + self.positions(torch.arange(tokens.shape[1], device=tokens.device))
        for block in self.blocks:
            values = block(values, mask)
        return self.head(self.normal(values))


class RootMeanSquare(nn.Module):
    """Normalization by the root mean square."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        """The normalized values."""
        return values * torch.rsqrt(values.pow(2).mean(-1, keepdim=True) + 1e-5) * self.weight


def rotate(values: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    first, second = values.chunk(2, -1)
    return values * cos + torch.cat((-second, first), -1) * sin


class SwiGlu(nn.Module):
    """The gated half of a layer of Llama: normalized values, three matrices."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.before = RootMeanSquare(sizes.width)
        self.gate, self.up = (nn.Linear(sizes.width, sizes.hidden, bias=False) for _ in range(2))
        self.down = nn.Linear(sizes.hidden, sizes.width, bias=False)

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        """The values behind it."""
        normal = self.before(values)
        return values + self.down(functional.silu(self.gate(normal)) * self.up(normal))


class LlamaBlock(nn.Module):
    """A layer of Llama 3: grouped heads, rotary positions, SwiGLU."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        width, narrow = sizes.width, sizes.width * sizes.groups // sizes.heads
        self.heads, self.groups = sizes.heads, sizes.groups
        self.before, self.gated = RootMeanSquare(width), SwiGlu(sizes)
        self.query, self.project = nn.Linear(width, width, bias=False), nn.Linear(width, width, bias=False)
        self.key, self.value = nn.Linear(width, narrow, bias=False), nn.Linear(width, narrow, bias=False)

    def repeated(self, values: torch.Tensor) -> torch.Tensor:
        """Every group's values for each of its heads."""
        batch, groups, sequence, width = values.shape
        each = self.heads // groups
        return values[:, :, None].expand(batch, groups, each, sequence, width).flatten(1, 2)

    def forward(self, values: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """The values behind the layer."""
        normal = self.before(values)
        query = rotate(split_heads(self.query(normal), self.heads), cos, sin)
        key = rotate(split_heads(self.key(normal), self.groups), cos, sin)
        value = split_heads(self.value(normal), self.groups)
        read = attention(query, self.repeated(key), self.repeated(value), mask)
        return self.gated(values + self.project(read))


class Llama(nn.Module):
    """Llama 3."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.tokens = nn.Embedding(sizes.vocabulary, sizes.width)
        self.blocks = nn.ModuleList(LlamaBlock(sizes) for _ in range(sizes.layers))
        self.normal = RootMeanSquare(sizes.width)
        self.head = nn.Linear(sizes.width, sizes.vocabulary, bias=False)
        self.turned = sizes.width // sizes.heads

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """Logits."""
        device = tokens.device
        speeds = 500000.0 ** (-torch.arange(0, self.turned, 2, device=device) / self.turned)
        angles = torch.arange(tokens.shape[1], device=device)[:, None] * speeds[None]
        angles = torch.cat((angles, angles), -1)
        cos, sin, mask = angles.cos(), angles.sin(), causal_mask(tokens)
        values = self.tokens(tokens)
        for block in self.blocks:
            values = block(values, cos, sin, mask)
        return self.head(self.normal(values))


class Mlp(nn.Module):
    """Layers of two matrices with ReLU between, behind an embedding."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.tokens = nn.Embedding(sizes.vocabulary, sizes.width)
        self.ups = nn.ModuleList(nn.Linear(sizes.width, sizes.hidden) for _ in range(sizes.layers))
        self.downs = nn.ModuleList(nn.Linear(sizes.hidden, sizes.width) for _ in range(sizes.layers))
        self.head = nn.Linear(sizes.width, sizes.vocabulary, bias=False)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """Logits."""
        values = self.tokens(tokens)
        for up, down in zip(self.ups, self.downs, strict=True):
            values = values + down(functional.relu(up(values)))
        return self.head(values)


class Gated(nn.Module):
    """Llama without attention."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.tokens = nn.Embedding(sizes.vocabulary, sizes.width)
        self.blocks = nn.ModuleList(SwiGlu(sizes) for _ in range(sizes.layers))
        self.normal = RootMeanSquare(sizes.width)
        self.head = nn.Linear(sizes.width, sizes.vocabulary, bias=False)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """Logits."""
        values = self.tokens(tokens)
        for block in self.blocks:
            values = block(values)
        return self.head(self.normal(values))


class WithLoss(nn.Module):
    """A model that takes tokens and the ones that come next, and gives the mean cross entropy."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, tokens: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """The loss."""
        return functional.cross_entropy(self.model(tokens).flatten(0, 1), targets.flatten())


def build_model(name: str) -> WithLoss:
    """The model of a name, of parameters without elements."""
    made = {"gpt2": Gpt, "llama": Llama, "mlp": Mlp, "gated": Gated}[name.removesuffix("-1")]
    with torch.device("meta"):
        return WithLoss(made(SIZES[name]))


def batch_of(name: str) -> tuple[torch.Tensor, torch.Tensor]:
    """Tokens and targets."""
    shape = SIZES[name].batch, SIZES[name].sequence
    return torch.zeros(shape, dtype=torch.long), torch.zeros(shape, dtype=torch.long)
