"""Small modules with the operations that real models have beside the usual ones."""

import torch
from frontend.torch_graph.module_cases import IMAGE, ROWS, SEQUENCE, Fn, Weighted
from torch import nn
from torch.nn import functional


def _sorted_experts(x):
    """Rows in the order of their expert, and where they were: what grouped products are given."""
    order = x.argmax(1).argsort()
    made = torch.empty_like(x)
    made[order] = x[order] * 2
    return made * x


def _shifted(x):
    made = x.new_zeros(x.shape)
    made[:, 1:] = x[:, :-1].clone()
    made[:, 0] = 3.0
    return made * x


def _turned(x):
    angles = torch.arange(5)[:, None] * 10.0 ** -torch.arange(4)
    pairs = torch.view_as_complex(x.reshape(2, 5, 4, 2))
    return torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)).flatten(2)


def _chosen(x):
    index = torch.tensor([3, 0, 0])
    return x[:, index] * x[:, :3] + x[torch.tensor([[1], [0]]), index].sum() + x[..., torch.tensor([-1, 2])].sum()


def _scattered(x):
    made = (x * 2).scatter(1, torch.tensor([[1], [0], [3]]), x[:, :1])
    return made.scatter(0, torch.tensor([[2, 1]]), 0.5) * x.scatter_add(0, torch.tensor([[2, 1]]), x[:1, :2])


def _windows(x):
    columns = functional.unfold(x, (3, 2), dilation=1, padding=1, stride=2)
    return functional.fold(columns.tanh(), (6, 6), (3, 2), dilation=1, padding=1, stride=2)


def _buckets(x):
    """Distances in buckets, whose bounds are rounded as torch rounds them."""
    distances = (torch.arange(6)[:, None] - torch.arange(6)).abs()
    large = 2 + (torch.log(distances.float().clamp(min=1) / 2) * 3).to(torch.long)
    return torch.where(distances < 2, distances, large.clamp(max=5)).to(x.dtype) @ x.mT


def _resized(size, mode, **more):
    return lambda: Fn(lambda x: functional.interpolate(x, size, mode=mode, **more))


CASES = [
    ("many groups", lambda: nn.Conv2d(4, 8, (3, 2), padding=1, stride=2, groups=4), IMAGE),
    ("two strides", lambda: nn.Conv2d(4, 3, 3, stride=(1, 2)), IMAGE),
    ("wide padding", lambda: nn.Conv2d(4, 3, 3, padding=8, dilation=7), IMAGE),
    (
        "volumes",
        lambda: Fn(
            lambda x, m: m(x[:, :, None].expand(2, 4, 3, 6, 6) * x[:, :, None, :1]),
            nn.Conv3d(4, 2, (2, 3, 3), stride=(2, 1, 1), padding=(1, 0, 0)),
        ),
        IMAGE,
    ),
    ("padded max pool", lambda: nn.MaxPool2d(3, 2, 1), IMAGE),
    ("max pool that stands out", lambda: nn.MaxPool2d(3, 2, ceil_mode=True), IMAGE),
    ("max pool of sequences", lambda: nn.MaxPool1d(3, 2, 1), SEQUENCE),
    ("overlapping average", lambda: nn.AvgPool2d(3, 1), IMAGE),
    ("average with padding", lambda: nn.AvgPool2d(3, 2, 1), IMAGE),
    ("average without padding", lambda: nn.AvgPool2d(3, 2, 1, ceil_mode=True, count_include_pad=False), IMAGE),
    ("average that stands out", lambda: nn.AvgPool2d((2, 3), (3, 2), 1, ceil_mode=True), IMAGE),
    ("average by a number", lambda: nn.AvgPool2d(2, divisor_override=3), IMAGE),
    ("twice as large", lambda: nn.Upsample(scale_factor=2), IMAGE),
    ("nearest", _resized((9, 4), "nearest"), IMAGE),
    ("nearest exact", _resized((9, 4), "nearest-exact"), IMAGE),
    ("bilinear images", _resized((9, 4), "bilinear"), IMAGE),
    ("bilinear by a factor", lambda: nn.Upsample(scale_factor=1.7, mode="bilinear"), IMAGE),
    ("bilinear corners", _resized((9, 4), "bilinear", align_corners=True), IMAGE),
    ("bicubic", _resized((9, 4), "bicubic"), IMAGE),
    ("bilinear antialiased", _resized((9, 4), "bilinear", antialias=True), IMAGE),
    ("bicubic antialiased", _resized((4, 5), "bicubic", antialias=True), IMAGE),
    ("linear sequences", _resized(11, "linear"), SEQUENCE),
    ("every other twice", lambda: Fn(lambda x: x[:, ::2] * x[:, 1::2]), ROWS),
    (
        "merged patches",
        lambda: Fn(lambda x: torch.cat([x[:, :, i::2, j::3] for i in (0, 1) for j in (0, 2)], 1)),
        IMAGE,
    ),
    ("filled", lambda: Fn(lambda x: torch.zeros_like(x).index_fill_(1, torch.tensor([0]), 2.0) * x), ROWS),
    ("shifted", lambda: Fn(_shifted), SEQUENCE),
    ("padded with a number", lambda: Fn(lambda x: functional.pad(x, (1, 2, 0, 1), value=-7.0) ** 2), ROWS),
    ("columns", lambda: Fn(_windows), IMAGE),
    ("as strided", lambda: Fn(lambda x: x.as_strided((2, 2), (1, 1)) * x.T.as_strided((6, 3), (1, 6))[:2, :2]), ROWS),
    ("chosen", lambda: Fn(_chosen), SEQUENCE),
    (
        "table of pairs",
        lambda: Weighted(lambda x, w: x + w[:, torch.arange(48).view(6, 8) % 9].sum((0, 1)), (4, 9)),
        SEQUENCE,
    ),
    (
        "grid",
        lambda: Fn(lambda x: x[torch.arange(2)[:, None, None], torch.arange(5)[:, None], torch.arange(8)] * x),
        SEQUENCE,
    ),
    ("permuted back", lambda: Fn(_sorted_experts), ROWS),
    ("gathered along rows", lambda: Fn(lambda x: x.gather(0, torch.tensor([[2, 1], [0, 0]])) ** 2), ROWS),
    ("scattered at several", lambda: Fn(_scattered), ROWS),
    ("smallest by topk", lambda: Fn(lambda x: x.topk(2, largest=False)[0] + x.topk(2, 0)[0].sum()), ROWS),
    ("largest of columns", lambda: Fn(lambda x: x.max(0).values * x.min(0, keepdim=True)[0]), ROWS),
    ("where the largest is", lambda: Fn(lambda x: x * x.argmax() + x.argmin(0)), ROWS),
    ("marked", lambda: Fn(lambda x: x.clone().index_put_((x > 0,), torch.tensor(2.0)) * x), ROWS),
    (
        "whole quotients",
        lambda: Fn(lambda x: x * (x.argmax(1, keepdim=True) // 2) + (-x.argmax(1, keepdim=True)) % 4),
        ROWS,
    ),
    ("cut to whole numbers", lambda: Fn(lambda x: (x * 3).long() * x), ROWS),
    ("joined to nothing", lambda: Fn(lambda x: torch.cat([torch.tensor([]), x[:, :0], x], -1).tanh()), ROWS),
    ("complex", lambda: Fn(_turned), SEQUENCE),
    ("buckets", lambda: Fn(_buckets), ROWS),
    ("counted", lambda: Fn(lambda x: torch.histc(x.detach(), 4, -1, 1) * x.sum()), ROWS),
    ("asked of numbers", lambda: Fn(lambda x: x * torch.arange(3).sum().item() if torch.ones(3).all() else x), ROWS),
    ("true of numbers", lambda: Fn(lambda x: x[torch.tensor([True, False, True])] ** 2), ROWS),
]
