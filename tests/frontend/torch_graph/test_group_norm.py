"""Group norm with a weight is one operation forward and one for each gradient, between modules that do not know."""

import torch
from frontend.torch_graph.eager import captured, compared
from torch import nn
from torch.nn import functional
from torch.utils.checkpoint import checkpoint

from p2smt.emit.torch.program.source import emit_program
from p2smt.frontend.torch_graph.training import Training
from p2smt.tensor.expression import ProgramAxis

WITHIN = 1e-12
WHOLE = ("group_norm", "group_norm_backward", "group_norm_weight_backward")


class Norms(nn.Module):
    """Groups of every size, of images, rows and volumes, in other memory formats and computed twice."""

    def __init__(self):
        super().__init__()
        self.into = nn.Conv2d(4, 8, 3, padding=1)
        self.norms = nn.ModuleList(nn.GroupNorm(groups, 8, eps=0.1 * groups) for groups in (1, 8, 4, 2, 2))
        self.unbiased = nn.Parameter(torch.ones(8))

    def forward(self, x):
        y = self.into(x)
        y = y + functional.silu(self.norms[0](y))
        y = checkpoint(self.norms[1], y.to(memory_format=torch.channels_last), use_reentrant=False)
        rows = self.norms[2](y.mean((2, 3)))
        volumes = self.norms[3](y.unflatten(3, (2, 3))).flatten(3)
        turned = self.norms[4](y.transpose(0, 1).reshape(2, 8, -1))
        plain = functional.group_norm(y, 2, self.unbiased, None, 0.5)
        return rows.tanh().sum() + (volumes * plain).sum() + turned.tanh().square().sum()


def _rows(x, groups):
    """A group norm without weight, of which torch itself computes no gradient where calls are seen (2.13)."""
    rows = x.reshape(len(x), groups, -1)
    return functional.layer_norm(rows, rows.shape[2:]).reshape(x.shape)


class Others(nn.Module):
    """Without weight, and with a bias alone."""

    def __init__(self):
        super().__init__()
        self.bias, self.scale = nn.Parameter(torch.ones(4)), nn.Parameter(torch.ones(()))

    def forward(self, x):
        y = functional.group_norm(self.scale * x.square(), 2, None, self.bias) + self.scale
        return (functional.group_norm(y.square(), 2) * x).sum()


class WrittenOut(Others):
    def forward(self, x):
        y = _rows(self.scale * x.square(), 2) + self.bias[:, None, None] + self.scale
        return (_rows(y.square(), 2) * x).sum()


def step(make):
    def function():
        with torch.device("cpu"):
            torch.manual_seed(1)
            module = make().double()
            return Training(module, {"x": torch.randn(2, 4, 6, 6).double()}, lambda module, x: module(x))

    return function


def _operations(program):
    return [getattr(each.expression, "operation", "") for each in program.statements]


def test_group_norms_are_one_operation_and_one_for_each_gradient():
    program = captured(step(Norms))
    assert compared(step(Norms), program, 1) < WITHIN
    found = _operations(program)
    for name in WHOLE:
        assert found.count(name) == 6, name
    assert not {"layernorm", "layernorm_backward", "rsqrt"} & set(found)
    text = " ".join(emit_program(program.on(ProgramAxis("rank", 1)), fold=False, buckets=0).split())
    assert text.count("= kept_group_norm(") == text.count("_kept, (True, True)") == 6


def test_group_norms_without_weight_are_rows():
    program = captured(step(Others))
    assert compared(step(WrittenOut), program, 1) < WITHIN
    found = _operations(program)
    assert not set(WHOLE) & set(found)
    assert found.count("layernorm_backward") == 2
