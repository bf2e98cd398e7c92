"""What a lowering does not guard against is p2smt's own fault, and is not said to be the model's."""

import pytest
import torch
from frontend.torch_graph.eager import captured
from torch import nn

from p2smt.cli.main import run
from p2smt.errors import DefectError, P2Error
from p2smt.frontend.torch_graph import capture, joint, node, recording, trace
from p2smt.frontend.torch_graph.graph import TraceRequest

RAISED = (KeyError("rows"), IndexError("out of range"), ValueError("no shape"), AssertionError(), TypeError())


def step():
    return nn.Linear(6, 3), (torch.zeros(4, 6),), lambda module, x: module(x).sin().sum(), None


def broken(raised):
    def lowered(emission, call):
        raise raised

    return lowered


@pytest.mark.parametrize("raised", RAISED, ids=lambda each: type(each).__name__)
def test_an_unguarded_lowering_is_a_defect_with_operation_and_line(monkeypatch, raised):
    monkeypatch.setitem(node.HANDLERS, "sin", broken(raised))
    with pytest.raises(DefectError) as said:
        captured(step)
    called = f"{__file__}:{step.__code__.co_firstlineno + 1}: aten.sin.default is called there"
    assert str(said.value).startswith(f"{called}; lowering it, p2smt raised {type(raised).__name__}")
    assert "a defect of p2smt, not of the model" in str(said.value)
    assert said.value.__cause__ is raised
    assert not isinstance(said.value, P2Error)


def test_a_command_ends_with_it_as_with_every_fault_of_our_own(monkeypatch, tmp_path):
    """Not as bad input, with exit code 2 and one line."""

    def traced(request, timeout_s):
        with joint.fake_tensors() as mode:
            return trace.graph_of("step", trace.training_of(step()), mode)

    monkeypatch.setattr(capture, "_traced", traced)
    monkeypatch.setitem(node.HANDLERS, "sin", broken(KeyError("rows")))
    path = tmp_path / "model.py"
    path.touch()
    with pytest.raises(DefectError, match=r"aten\.sin\.default"):
        run(["capture", f"{path}:step", "--run-python"])


def test_reading_torchs_graph_is_ours_as_well(monkeypatch):
    def fails(self, *call):
        raise RuntimeError("no such node")

    monkeypatch.setattr(recording.StepTape, "_record", fails)
    monkeypatch.setattr(trace, "_users_step", lambda request: trace.training_of(step()))
    answer = trace.answer_to(TraceRequest(path="model.py", function="step"))
    assert answer.mistake == ""
    assert "RuntimeError: no such node. That is a defect of p2smt" in answer.defect
