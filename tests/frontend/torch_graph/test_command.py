"""`p2smt capture`: a user's file, run only if that is asked for, in a process of its own."""

import pytest
from looped import looped

from p2smt.cli.exit_code import ExitCode
from p2smt.cli.main import run
from p2smt.tensor.text.parser import parse_program

MODEL = """import torch
from torch.nn import functional as F

print("said while it is run")


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(6, 12)
        self.second = torch.nn.Linear(12, 3)

    def forward(self, x):
        return self.second(F.relu(self.first(x)))


class Unknown(Net):
    def forward(self, x):
        y = self.first(x)
        return torch.special.i0(y)


def loss(module, x, y):
    return F.cross_entropy(module(x), y)


def step():
    module = Net().double()
    batch = torch.zeros(4, 6).double(), torch.zeros(4, dtype=torch.long)
    return module, batch, loss, torch.optim.AdamW(module.parameters()), 1.0


def unknown():
    return Unknown(), (torch.zeros(4, 6), torch.zeros(4, dtype=torch.long)), loss, None
"""
"""The line of the operation that is unknown is 20."""


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "model.py"
    path.write_text(MODEL, encoding="utf-8")
    return path


def test_a_users_step_is_written_as_a_program(model, tmp_path, capfd):
    out = tmp_path / "step.tp"
    assert run(["capture", f"{model}:step", "--run-python", "--out", str(out)]) == ExitCode.FOUND
    program = parse_program(out.read_text(encoding="utf-8"))
    assert [source.name for source in program.sources[:6]] == [
        "x", "y", "first.weight", "first.bias", "second.weight", "second.bias"]  # fmt: skip
    assert program.outputs[0].name == "loss"
    said = capfd.readouterr()
    assert said.out == ""
    assert "step.tp: a step with 4 parameters of 123 elements" in said.err


def test_an_unknown_operation_is_named_with_the_models_line(model, capsys):
    assert run(["capture", f"{model}:unknown", "--run-python"]) == ExitCode.USAGE
    said = capsys.readouterr().err
    assert f"{model}:20: what is called there is aten.i0.default: " in said
    assert len(said.splitlines()) == 1


@looped(
    ("arguments", "message"),
    [
        (["model.py:step"], "model.py is Python, which is run only if that is asked for; give --run-python"),
        (["model.py", "--run-python"], "'model.py' names no function; give FILE.py:FUNCTION"),
        (["nowhere.py:step", "--run-python"], "nowhere.py is no file; give FILE.py:FUNCTION"),
        (["model.py:step", "--example", "gpt"], "give FILE.py:FUNCTION, or --example; one of both"),
        (["--example", "vgg", "--layers", "3"], "VGG19 has its 16 convolutions"),
        (["--example", "gpt", "--experts", "3"], "--experts is for bert-moe"),
    ],
)
def test_what_cannot_be_captured_is_one_message(arguments, message, capsys):
    assert run(["capture", *arguments]) == ExitCode.USAGE
    said = capsys.readouterr().err
    assert message in said
    assert len(said.splitlines()) == 1
