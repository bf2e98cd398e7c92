"""Models of the sizes that people train, as the cases of `bench_shard.py`: GPT, a Llama-like 8B, ViT, experts.

Traced with fake tensors: none of them needs memory for its parameters.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from p2smt.frontend.torch_graph.capture import capture_example, capture_function
from p2smt.frontend.torch_graph.settings import Example, Size, settings_of
from p2smt.tensor.program import Program

_TIMEOUT_S = 300.0


@dataclass(frozen=True, slots=True)
class Case:
    """A model on a system and a mesh, and what it should take: seconds of CPU of the search, the gap, bytes."""

    model: str
    system: str
    mesh: str | None
    seconds: float
    gap: float = 0.05
    memory: int = 4 * 10**9


CASES: Mapping[str, Case] = MappingProxyType(
    {
        "gpt24, one axis": Case("gpt24", "dgx-h100:8x8", None, 2),
        "gpt24, 8x8": Case("gpt24", "dgx-h100:8x8", "8,8", 20),
        "llama32, 8x8": Case("llama32", "dgx-h100:8x8", "8,8", 20),
        "vit, 8x8": Case("vit", "dgx-h100:8x8", "8,8", 20),
        "experts, 8x8": Case("experts", "dgx-h100:8x8", "8,8", 20),
        "gpt24, 2x8x8": Case("gpt24", "dgx-h100:16x8", "2,8,8", 60),
    }
)


def _example(example: Example, **changes: int) -> Program:
    return capture_example(example, replace(settings_of(example, Size.PAPER), **changes), timeout_s=_TIMEOUT_S)


MODELS: Mapping[str, Callable[[], Program]] = MappingProxyType(
    {
        "gpt24": lambda: _example(Example.GPT, layers=24),
        "llama32": lambda: capture_function(Path(__file__), "llama", _TIMEOUT_S),
        "vit": lambda: _example(Example.VIT, layers=12),
        "experts": lambda: _example(Example.MOE, layers=12),
    }
)


def llama(layers=32, width=4096, heads=32, groups=8, inner=14336, vocabulary=128256, batch=64, length=2048):
    """Grouped heads, rotary angles made once in the model, SwiGLU and RMS norm, without biases."""
    import torch
    from torch import nn
    from torch.nn import functional

    size = width // heads

    def rotated(x, cos, sin):
        first, second = x.chunk(2, -1)
        return x * cos + torch.cat((-second, first), -1) * sin

    class Norm(nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = nn.Parameter(torch.ones(width))

        def forward(self, x):
            return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5) * self.weight

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.norm1, self.norm2 = Norm(), Norm()
            self.q, self.o = nn.Linear(width, width, bias=False), nn.Linear(width, width, bias=False)
            self.k, self.v = (nn.Linear(width, groups * size, bias=False) for _ in range(2))
            self.gate, self.up = (nn.Linear(width, inner, bias=False) for _ in range(2))
            self.down = nn.Linear(inner, width, bias=False)

        def forward(self, x, cos, sin):
            rows, steps, _ = x.shape
            y = self.norm1(x)
            q = self.q(y).view(rows, steps, heads, size).transpose(1, 2)
            k, v = (each(y).view(rows, steps, groups, size).transpose(1, 2) for each in (self.k, self.v))
            q, k = rotated(q, cos, sin), rotated(k, cos, sin)
            shared = (rows, groups, heads // groups, steps, size)
            k, v = (each[:, :, None].expand(shared).reshape(rows, heads, steps, size) for each in (k, v))
            y = (
                functional.scaled_dot_product_attention(q, k, v, is_causal=True)
                .transpose(1, 2)
                .reshape(rows, steps, width)
            )
            x = x + self.o(y)
            y = self.norm2(x)
            return x + self.down(functional.silu(self.gate(y)) * self.up(y))

    class Llama(nn.Module):
        def __init__(self):
            super().__init__()
            self.words = nn.Embedding(vocabulary, width)
            self.blocks = nn.ModuleList(Block() for _ in range(layers))
            self.norm, self.head = Norm(), nn.Linear(width, vocabulary, bias=False)

        def forward(self, tokens):
            steps = tokens.shape[1]
            slow = 1.0 / (500000.0 ** (torch.arange(0, size, 2, device=tokens.device) / size))
            angles = torch.arange(steps, device=tokens.device)[:, None] * slow[None]
            angles = torch.cat((angles, angles), -1)
            x, cos, sin = self.words(tokens), angles.cos(), angles.sin()
            for block in self.blocks:
                x = block(x, cos, sin)
            return self.head(self.norm(x))

    module = Llama()
    data = {name: torch.zeros(batch, length, dtype=torch.long) for name in ("x", "y")}

    def loss(module, x, y):
        return functional.cross_entropy(module(x).reshape(-1, vocabulary), y.reshape(-1))

    return module, data, loss, torch.optim.AdamW(module.parameters(), lr=1e-4)
