"""Attention captured as one operation computes what PyTorch does, and what it cannot say stays in its parts."""

import pytest
import torch
from frontend.torch_graph.eager import compared
from looped import looped
from tiers import is_full
from torch import nn
from torch.nn import functional
from torch.nn.functional import scaled_dot_product_attention as attention
from torch.utils.checkpoint import checkpoint

from p2smt.cli.exit_code import ExitCode
from p2smt.cli.main import run
from p2smt.errors import CaptureError
from p2smt.frontend.torch_graph.joint import fake_tensors
from p2smt.frontend.torch_graph.program import program_of
from p2smt.frontend.torch_graph.training import graph_of, training_of
from p2smt.tensor.expression import Call
from p2smt.tensor.printer import print_program
from p2smt.tensor.text.parser import parse_program

ALL = {"attention", "attention_query_backward", "attention_key_backward", "attention_value_backward"}


@pytest.fixture(autouse=True)
def _float64():
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(before)


class Heads(nn.Module):
    """Attention of three queries, keys and values for each of five positions; `mask` makes one from the type."""

    def __init__(self, heads, mask=None, **how):
        super().__init__()
        self.into, self.out = nn.Linear(8, 24), nn.Linear(8, 8)
        self.heads, self.mask, self.how = heads, mask, how

    def forward(self, x):
        parts = self.into(x).view(2, 5, 3, self.heads, 8 // self.heads).permute(2, 0, 3, 1, 4)
        how = {} if self.mask is None else {"attn_mask": self.mask(x)}
        mixed = functional.scaled_dot_product_attention(*parts, **how, **self.how)
        return self.out(mixed.transpose(1, 2).reshape(2, 5, 8))


class Grouped(nn.Module):
    """Four heads of queries, two of keys and values."""

    def __init__(self):
        super().__init__()
        self.asking, self.asked = nn.Linear(8, 16), nn.Linear(8, 16)

    def forward(self, x):
        query = self.asking(x).view(2, 5, 4, 4).transpose(1, 2)
        key, value = self.asked(x).view(2, 5, 2, 2, 4).permute(2, 0, 3, 1, 4)
        return attention(query, key, value, is_causal=True, enable_gqa=True).transpose(1, 2).reshape(2, 5, 16)


class Checkpointed(nn.Module):
    """Attention by torch's function under another name, computed again in the backward pass."""

    def __init__(self):
        super().__init__()
        self.into = nn.Linear(8, 24)

    def forward(self, x):
        parts = self.into(x).view(2, 5, 3, 2, 4).permute(2, 0, 3, 1, 4)
        return checkpoint(attention, *parts, use_reentrant=False)


class Rows(nn.Module):
    """Without heads, with values of other features."""

    def __init__(self):
        super().__init__()
        self.query, self.key, self.value = nn.Linear(8, 4), nn.Linear(8, 4), nn.Linear(8, 6)

    def forward(self, x):
        return functional.scaled_dot_product_attention(self.query(x), self.key(x), self.value(x))


class Padded(nn.Module):
    """Some keys count for nothing."""

    def __init__(self):
        super().__init__()
        self.inner = nn.MultiheadAttention(8, 2, batch_first=True)

    def forward(self, x):
        return self.inner(x, x, x, key_padding_mask=torch.arange(5) > 2 + torch.arange(2)[:, None], need_weights=False)[
            0
        ]


class Across(nn.Module):
    """Three queries for five keys, by names."""

    def __init__(self):
        super().__init__()
        self.asking, self.asked = nn.Linear(8, 8), nn.Linear(8, 16)

    def forward(self, x):
        query = self.asking(x[:, :3]).view(2, 3, 2, 4).transpose(1, 2)
        key, value = self.asked(x).view(2, 5, 2, 2, 4).permute(2, 0, 3, 1, 4)
        return functional.scaled_dot_product_attention(query, key=key, value=value, is_causal=True)


class Weighted(nn.Module):
    """The weights are asked for, so that they are there."""

    def __init__(self):
        super().__init__()
        self.inner = nn.MultiheadAttention(8, 2, batch_first=True)

    def forward(self, x):
        made, weights = self.inner(x, x, x)
        return made * weights.sum()


class Trained(nn.Module):
    """A bias that is a parameter."""

    def __init__(self):
        super().__init__()
        self.bias = nn.Parameter(torch.randn(2, 5, 5))
        self.inner = Heads(2, lambda x: self.bias)

    def forward(self, x):
        return self.inner(x)


class All(nn.Module):
    """What modules make of the same, side by side."""

    def __init__(self, makers):
        super().__init__()
        self.each = nn.ModuleList(make() for make in makers)

    def forward(self, x):
        return torch.cat([each(x).flatten() for each in self.each])


WHOLE = {
    "checkpointed": Checkpointed,
    "plain": lambda: Heads(2),
    "causal": lambda: Heads(2, is_causal=True),
    "scaled": lambda: Heads(1, is_causal=True, scale=0.3),
    "across": Across,
    "encoder": lambda: nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True),
    "masked": lambda: Heads(2, lambda x: torch.ones(5, 5).tril().bool()),
    "biased": lambda: Heads(2, lambda x: x[:, None, :, :5] * 0.5),
    "grouped": Grouped,
    "rows": Rows,
    "padded": Padded,
}
TRAINED = {"trained bias": Trained}
DROPPED = {
    "dropped out": lambda: Heads(2, dropout_p=0.3),
    "dropped out twice": lambda: nn.Sequential(Heads(2, dropout_p=0.3), Heads(2, dropout_p=0.3, is_causal=True)),
    "dropped out and masked": lambda: Heads(2, lambda x: torch.ones(5, 5).tril().bool(), dropout_p=0.5),
}
PARTS = {"weights": Weighted}
KINDS = {
    "whole": (WHOLE, ALL),
    "trained": (TRAINED, ALL | {"attention_bias_backward"}),
    "dropped": (DROPPED, {f"dropped_{name}" for name in ALL}),
    "parts": (PARTS, set()),
}


def step(make):
    def function():
        torch.manual_seed(0)
        module = make()
        batch = (torch.randn(2, 5, 8),)
        return module, batch, lambda module, x: module(x).square().sum(), torch.optim.SGD(module.parameters(), 0.01)

    return function


def captured(function, whole=True):
    with fake_tensors() as mode:
        return program_of(graph_of("step", training_of(function()), mode, whole))


def operations(program):
    return {part.operation for part in program.expressions() if isinstance(part, Call)}


@looped("kind", KINDS)
def test_attention_computes_what_pytorch_does(kind):
    makes, expected = KINDS[kind]
    for names in [[*makes]] + ([[each] for each in makes] if is_full() else []):
        function = step(lambda names=names: All([makes[name] for name in names]))
        program = captured(function)
        assert {name for name in operations(program) if "attention" in name} == expected
        assert ("softmax" in operations(program)) == (kind == "parts")
        assert parse_program(print_program(program)) == program
        assert compared(function, program) < 1e-12


def test_a_wrong_flag_is_seen():
    """A guard: the causal mask forgotten in one gradient."""
    lines = print_program(captured(step(WHOLE["causal"]))).splitlines()
    for name in sorted(ALL):
        wrong = [line.replace("causal=1", "causal=0") if f"= {name}(" in line else line for line in lines]
        assert wrong != lines, name
        assert compared(step(WHOLE["causal"]), parse_program("\n".join(wrong))) > 1e-4, name


class Twice(nn.Module):
    """Two layers that read one mask."""

    def __init__(self):
        super().__init__()
        self.first, self.second = Heads(2), Heads(2)

    def forward(self, x):
        mask = torch.ones(5, 5).tril().bool()
        self.first.mask = self.second.mask = lambda x: mask[None, None]
        return self.second(self.first(x))


def test_layers_share_the_bias_of_a_mask():
    program = captured(step(Twice))
    assert [each.name for each in program.statements if "bias" in each.name and "attention" in each.name] == [
        "attention_bias",
        "attention_bias.view",
    ]


@pytest.mark.filterwarnings("ignore:Accessing the data pointer of FakeTensor")
def test_layers_that_are_copies_are_captured():
    """`nn.TransformerEncoder` copies the layer that it is given, elements and all."""
    function = step(lambda: nn.TransformerEncoder(WHOLE["encoder"](), 2, enable_nested_tensor=False))
    program = captured(function)
    assert operations(program) >= ALL
    assert compared(function, program) < 1e-10


def test_a_second_derivative_needs_parts():
    def penalised(module, x):
        loss = module(x).square().sum()
        (slope,) = torch.autograd.grad(loss, module.into.weight, create_graph=True)
        return loss + slope.square().sum()

    def function():
        module = Heads(2)
        return module, (torch.randn(2, 5, 8),), penalised, None

    with pytest.raises(CaptureError, match="attention as one operation has no second derivative; give --attention"):
        captured(function)
    assert "softmax" in operations(captured(function, whole=False))


def test_a_packaged_model_has_it_when_nothing_is_dropped_out(tmp_path):
    out = tmp_path / "gpt.tp"
    asked = ["capture", "--example", "gpt", "--layers", "1", "--dropout", "0", "--out", str(out)]
    assert run(asked) == ExitCode.FOUND
    program = parse_program(out.read_text(encoding="utf-8"))
    assert operations(program) >= ALL
    assert "dropout" not in operations(program)
