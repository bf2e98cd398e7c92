"""Attention captured as one operation computes what PyTorch does, and what it cannot say stays in its parts."""

import pytest
import torch
from frontend.torch_graph.eager import compared
from looped import looped
from tiers import sample
from torch import nn
from torch.nn import functional

from p2smt.cli.exit_code import ExitCode
from p2smt.cli.main import run
from p2smt.frontend.torch_graph.joint import fake_tensors
from p2smt.frontend.torch_graph.program import program_of
from p2smt.frontend.torch_graph.training import graph_of, training_of
from p2smt.tensor.program import Call
from p2smt.tensor.text.parser import parse_program
from p2smt.tensor.text.printer import print_program

ALL = {"attention", "attention_query_backward", "attention_key_backward", "attention_value_backward"}


@pytest.fixture(autouse=True)
def _float64():
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(before)


class Heads(nn.Module):
    def __init__(self, heads, masked=False, **how):
        super().__init__()
        self.into, self.out = nn.Linear(8, 24), nn.Linear(8, 5)
        self.heads, self.masked, self.how = heads, masked, how

    def forward(self, x):
        parts = self.into(x).view(2, 5, 3, self.heads, 8 // self.heads).permute(2, 0, 3, 1, 4)
        how = {"attn_mask": torch.ones(5, 5).tril().bool()} if self.masked else {}
        mixed = functional.scaled_dot_product_attention(*parts, **how, **self.how)
        return self.out(mixed.transpose(1, 2).reshape(2, 5, 8))


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


WHOLE = {
    "plain": lambda: Heads(2),
    "causal": lambda: Heads(2, is_causal=True),
    "scaled": lambda: Heads(1, is_causal=True, scale=0.3),
    "across": Across,
    "encoder": lambda: nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True),
}
PARTS = {
    "masked": lambda: Heads(2, masked=True),
    "dropped out": lambda: Heads(2, dropout_p=0.3),
    "weights": Weighted,
}


def step(make):
    def function():
        torch.manual_seed(0)
        module = make()
        batch = (torch.randn(2, 5, 8),)
        return module, batch, lambda module, x: module(x).square().sum(), torch.optim.SGD(module.parameters(), 0.01)

    return function


def captured(function):
    with fake_tensors() as mode:
        return program_of(graph_of("step", training_of(function()), mode, whole_attention=True))


def operations(program):
    return {part.operation for part in program.expressions() if isinstance(part, Call)}


@looped("name", sample([*WHOLE, *PARTS], 5))
def test_attention_computes_what_pytorch_does(name):
    function = step((WHOLE | PARTS)[name])
    program = captured(function)
    assert operations(program) & ALL == (ALL if name in WHOLE else set())
    assert parse_program(print_program(program)) == program
    assert compared(function, program) < 1e-12


def test_a_wrong_flag_is_seen():
    """A guard: the causal mask forgotten in one gradient."""
    lines = print_program(captured(step(WHOLE["causal"]))).splitlines()
    for name in sorted(ALL):
        wrong = [line.replace("causal=1", "causal=0") if f"= {name}(" in line else line for line in lines]
        assert wrong != lines, name
        assert compared(step(WHOLE["causal"]), parse_program("\n".join(wrong))) > 1e-4, name


def test_a_packaged_model_has_it_when_nothing_is_dropped_out(tmp_path, capsys):
    out = tmp_path / "gpt.tp"
    asked = ["capture", "--example", "gpt", "--attention", "whole", "--layers", "1", "--out", str(out)]
    assert run(asked) == ExitCode.USAGE
    assert "captured as its parts; give --dropout 0, or --attention parts" in capsys.readouterr().err
    assert run([*asked, "--dropout", "0"]) == ExitCode.FOUND
    program = parse_program(out.read_text(encoding="utf-8"))
    assert operations(program) >= ALL
    assert "dropout" not in operations(program)
