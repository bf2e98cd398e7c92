"""`p2smt capture`: a user's file, run only if that is asked for, in a process of its own."""

import json

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
        "x",
        "y",
        "first.weight",
        "first.bias",
        "second.weight",
        "second.bias",
    ]
    assert program.outputs[0].name == "loss"
    said = capfd.readouterr()
    assert said.out == ""
    assert "step.tp: a step with 4 parameters of 123 elements" in said.err


def test_a_file_that_is_no_text_is_said_to_be_none(tmp_path, capsys):
    (tmp_path / "null.py").write_bytes(b"x = 1\0")
    assert run(["capture", f"{tmp_path / 'null.py'}:step", "--run-python"]) == ExitCode.USAGE
    assert "the file has null bytes; save it as text in UTF-8" in capsys.readouterr().err


def test_an_unknown_operation_is_named_with_the_models_line(model, capsys):
    assert run(["capture", f"{model}:unknown", "--run-python"]) == ExitCode.USAGE
    said = capsys.readouterr().err
    assert f"{model}:20: aten.i0.default is called there: " in said
    assert len(said.splitlines()) == 1


@looped(
    ("arguments", "message"),
    [
        (["model.py:step"], "model.py is Python code, which is not run by default; give --run-python if you trust it"),
        (["model.py", "--run-python"], "'model.py' names no function; give FILE.py:FUNCTION"),
        (["nowhere.py:step", "--run-python"], "nowhere.py is not a file; give FILE.py:FUNCTION"),
        (["model.py:step", "--example", "gpt"], "give either FILE.py:FUNCTION or --example"),
        (["--example", "vgg", "--layers", "3"], "VGG19 has its 16 convolutions"),
        (["--example", "gpt", "--experts", "3"], "--experts is for model bert-moe only; leave it out"),
    ],
)
def test_what_cannot_be_captured_is_one_message(arguments, message, capsys):
    assert run(["capture", *arguments]) == ExitCode.USAGE
    said = capsys.readouterr().err
    assert message in said
    assert len(said.splitlines()) == 1


OBSTACLES = """import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(6, 6)
        self.second = torch.nn.Linear(6, 6)

    def forward(self, x):
        y = torch.special.i0(self.first(x))
        if (y.sum() > 0).item():
            y = y * 2
        rows = x[:, 0].nonzero()
        y = self.second(y) + torch.special.erfcx(y)
        y = torch.lgamma(torch.lgamma(y))
        return y.square().mean() + rows.double().sum()


class Ended(Net):
    def forward(self, x):
        y = torch.special.i0(self.first(x))
        return y[torch.unique(x[:, 0] > 0).long()].sum()


def step():
    net = Net()
    return net, {"x": torch.randn(4, 6)}, lambda module, x: module(x), torch.optim.SGD(net.parameters(), lr=0.1)


def ended():
    return Ended(), {"x": torch.randn(4, 6)}, lambda module, x: module(x), None


def right():
    net = torch.nn.Linear(6, 6)
    return net, {"x": torch.randn(4, 6)}, lambda module, x: module(x).sum(), torch.optim.SGD(net.parameters(), lr=0.1)


def follows():
    net = torch.nn.Linear(6, 4)

    def loss(module, x):
        return module(x).sum() + torch.angle(torch.linalg.eigvals(x[:, :4])).mean()

    return net, {"x": torch.randn(4, 6)}, loss, torch.optim.SGD(net.parameters(), lr=0.1)


def wrong():
    return 3
"""


def test_all_obstacles_are_listed_at_once(tmp_path, capsys):
    """Forward and backward, with the line of each, and nothing that only follows from another."""
    (tmp_path / "obstacles.py").write_text(OBSTACLES, encoding="utf-8")
    target = f"{tmp_path / 'obstacles.py'}:step"
    assert run(["capture", target, "--run-python", "--dry-run", "--json"]) == ExitCode.NEGATIVE
    document = json.loads(capsys.readouterr().out)
    found = {
        (each["operation"].split(".")[1], int(each["line"].rpartition(":")[2]), each["backward"]): each["times"]
        for each in document["obstacles"]
    }
    assert {key: times for key, times in found.items() if not key[2]} == {
        ("_local_scalar_dense", 12, False): 1,
        ("i0", 11, False): 1,
        ("special_erfcx", 15, False): 1,
        ("lgamma", 16, False): 2,
    }
    assert {key[:2] for key in found if key[2]} == {("special_i1", 11), ("digamma", 16)}
    assert all(each["reason"] and each["way_out"] for each in document["obstacles"])
    assert document["is_complete"]
    assert not document["is_captured"]
    assert document["operations"] - 12 < document["captured"] < document["operations"] - 6
    assert [each.name for each in tmp_path.iterdir()] == ["obstacles.py"]


def test_a_dry_run_says_what_it_does_not_know(tmp_path, capsys):
    (tmp_path / "obstacles.py").write_text(OBSTACLES, encoding="utf-8")
    codes = {
        "ended": ExitCode.PARTIAL,
        "right": ExitCode.FOUND,
        "follows": ExitCode.NEGATIVE,
        "wrong": ExitCode.USAGE,
    }
    said = {}
    for name, code in codes.items():
        assert run(["capture", f"{tmp_path / 'obstacles.py'}:{name}", "--run-python", "--dry-run"]) == code, name
        said[name] = " ".join(capsys.readouterr().out.split())
    assert "2 obstacles" in said["ended"]
    assert "obstacles.py:22: aten.i0.default" in said["ended"]
    assert "_unique2" in said["ended"]
    assert said["ended"].endswith("the step ends at the last one, so there may be more behind it")
    assert ": 0 obstacles; " in said["right"]
    assert "1 obstacle;" in said["follows"]  # angles of what is not known are not asked for
    assert not said["wrong"]


def test_a_dry_run_writes_nothing(tmp_path, capsys):
    for more in (["--out", "a.tp"], ["--example", "gpt"]):
        target = ["model.py:step"] if "--out" in more else []
        assert run(["capture", *target, "--run-python", "--dry-run", *more]) == ExitCode.USAGE
        assert "writes nothing" in capsys.readouterr().err
    assert run(["capture", "model.py:step", "--run-python", "--json"]) == ExitCode.USAGE
    assert "--dry-run" in capsys.readouterr().err
