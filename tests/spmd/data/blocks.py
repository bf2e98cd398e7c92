"""Transformer blocks with a matrix for queries, keys and values each, as Megatron-LM cuts them."""

import torch
from torch import nn
from torch.nn import functional


class Block(nn.Module):
    def __init__(self, hidden, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(hidden), nn.LayerNorm(hidden)
        self.query, self.key, self.value, self.out = (nn.Linear(hidden, hidden, bias=False) for _ in range(4))
        self.first = nn.Linear(hidden, 4 * hidden, bias=False)
        self.second = nn.Linear(4 * hidden, hidden, bias=False)

    def split(self, x):
        return x.view(*x.shape[:2], self.heads, -1).transpose(1, 2)

    def forward(self, x):
        y = self.norm1(x)
        parts = (self.split(linear(y)) for linear in (self.query, self.key, self.value))
        mixed = functional.scaled_dot_product_attention(*parts).transpose(1, 2).reshape(x.shape)
        x = x + self.out(mixed)
        return x + self.second(functional.relu(self.first(self.norm2(x))))


def step():
    module = nn.Sequential(nn.Linear(8, 8, bias=False), Block(8, 4), Block(8, 4))
    batch = {"x": torch.zeros(8, 16, 8)}
    return module, batch, lambda module, x: (module(x) ** 2).sum(), torch.optim.SGD(module.parameters(), lr=0.1)
