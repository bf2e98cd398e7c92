"""Blocks of attention and feed-forward layers, dense or of experts (GShard's top-2 gating)."""

from math import ceil

import torch
from torch import Tensor, nn
from torch.nn import functional

from p2smt.frontend.torch_graph.settings import Settings


class Attention(nn.Module):
    """Self-attention with one projection for queries, keys and values."""

    def __init__(self, settings: Settings, causal: bool) -> None:
        super().__init__()
        self.heads = settings.heads
        self.causal = causal
        self.dropout = settings.dropout
        self.into = nn.Linear(settings.hidden, 3 * settings.hidden)
        self.out = nn.Linear(settings.hidden, settings.hidden)

    def forward(self, x: Tensor) -> Tensor:
        """The output for [batch, positions, hidden]."""
        batch, positions, hidden = x.shape
        parts = self.into(x).reshape(batch, positions, 3, self.heads, hidden // self.heads)
        query, key, value = parts.permute(2, 0, 3, 1, 4)
        share = self.dropout if self.training else 0.0
        mixed = functional.scaled_dot_product_attention(query, key, value, dropout_p=share, is_causal=self.causal)
        made: Tensor = self.out(mixed.transpose(1, 2).reshape(batch, positions, hidden))
        return made


class Feed(nn.Module):
    """A feed-forward layer with four times the hidden size in between."""

    def __init__(self, settings: Settings, gelu: bool) -> None:
        super().__init__()
        self.first = nn.Linear(settings.hidden, 4 * settings.hidden)
        self.second = nn.Linear(4 * settings.hidden, settings.hidden)
        self.dropout = nn.Dropout(settings.dropout)
        self.gelu = gelu

    def forward(self, x: Tensor) -> Tensor:
        """The output for [..., hidden]."""
        inner = self.first(x)
        made: Tensor = self.second(self.dropout(functional.gelu(inner) if self.gelu else functional.relu(inner)))
        return made


class ExpertLayer(nn.Module):
    """Top-2 mixture of experts; each expert takes a fixed number of tokens per sequence and drops the rest."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.experts = settings.experts
        self.capacity = ceil(settings.sequence / settings.experts * settings.capacity)
        self.gate = nn.Parameter(torch.empty(settings.hidden, settings.experts))
        self.first = nn.Parameter(torch.empty(settings.experts, settings.hidden, 4 * settings.hidden))
        self.second = nn.Parameter(torch.empty(settings.experts, 4 * settings.hidden, settings.hidden))
        for weight in (self.gate, self.first, self.second):
            nn.init.normal_(weight, std=0.02)

    def combined(self, x: Tensor) -> Tensor:
        """Combine weights of the experts' slots for each token: [batch, positions, experts, capacity]."""
        gates, chosen = torch.topk(torch.softmax(x @ self.gate, dim=2), k=2, dim=2)
        first, second = functional.one_hot(chosen, self.experts).unbind(2)
        before = first.sum(dim=1, keepdim=True)
        slots = torch.stack([torch.cumsum(first, dim=1) - 1, torch.cumsum(second, dim=1) - 1 + before], dim=2)
        there = torch.stack([first, second], dim=2) * (slots < self.capacity)
        slot = functional.one_hot((slots * there).sum(dim=3), self.capacity)
        return torch.einsum("bsk,bske,bskc->bsec", gates, there.to(x.dtype), slot.to(x.dtype))

    def forward(self, x: Tensor) -> Tensor:
        """The output for [batch, positions, hidden]."""
        combine = self.combined(x)
        dispatch = (combine > 0).to(x.dtype)
        tokens = torch.einsum("bsd,bsec->becd", x, dispatch)
        inner = functional.relu(torch.einsum("edh,becd->bech", self.first, tokens))
        results = torch.einsum("ehd,bech->becd", self.second, inner)
        return torch.einsum("becd,bsec->bsd", results, combine)


class PostNorm(nn.Module):
    """A block as in the original transformer, with the norm after the residual sum."""

    def __init__(self, settings: Settings, causal: bool, experts: bool) -> None:
        super().__init__()
        self.attention = Attention(settings, causal)
        self.feed: nn.Module = ExpertLayer(settings) if experts else Feed(settings, gelu=False)
        self.norm1 = nn.LayerNorm(settings.hidden)
        self.norm2 = nn.LayerNorm(settings.hidden)
        self.dropout1 = nn.Dropout(settings.dropout)
        self.dropout2 = nn.Dropout(settings.dropout)

    def forward(self, x: Tensor) -> Tensor:
        """The output for [batch, positions, hidden]."""
        x = self.norm1(x + self.dropout1(self.attention(x)))
        made: Tensor = self.norm2(x + self.dropout2(self.feed(x)))
        return made


class PreNorm(nn.Module):
    """A block as in GPT-2, with the norm before attention and feed-forward layer."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.norm1 = nn.LayerNorm(settings.hidden)
        self.attention = Attention(settings, causal=True)
        self.norm2 = nn.LayerNorm(settings.hidden)
        self.feed = Feed(settings, gelu=True)
        self.dropout = nn.Dropout(settings.dropout)

    def forward(self, x: Tensor) -> Tensor:
        """The output for [batch, positions, hidden]."""
        x = x + self.dropout(self.attention(self.norm1(x)))
        made: Tensor = x + self.feed(self.norm2(x))
        return made
