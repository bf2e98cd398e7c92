"""The packaged models: what is captured computes what PyTorch does, three steps long, in float64."""

import pytest
import torch
from frontend.torch_graph.eager import captured, compared

from p2smt.frontend.torch_graph.examples.models import training_step
from p2smt.frontend.torch_graph.examples.settings import Example, Optimizing, Size, settings_of
from p2smt.tensor.text.parser import parse_program
from p2smt.tensor.text.printer import print_program

WITHIN = 1e-12
HOW = {
    Example.MLP: (Optimizing.MOMENTUM, None),
    Example.VGG: (Optimizing.SGD, 0.5),
    Example.VIT: (Optimizing.SGD, None),
    Example.BERT: (Optimizing.ADAM, None),
    Example.MOE: (Optimizing.SGD, 1.0),
    Example.GPT: (Optimizing.ADAMW, 0.1),
}


@pytest.fixture(autouse=True)
def _float64():
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(before)


def step(example):
    def function():
        torch.manual_seed(1)
        optimizing, max_norm = HOW[example]
        training = training_step(example, settings_of(example, Size.SMALL), optimizing, max_norm)
        for group in training.optimizer.param_groups:
            # The gradient of a key's bias is 0 but for rounding; divided by its own size it would count.
            group["eps"] = 1e-3
        return training

    return function


@pytest.mark.parametrize("example", Example)
def test_a_model_computes_what_pytorch_does(example):
    program = captured(step(example), example.value)
    assert parse_program(print_program(program)) == program
    assert compared(step(example), program) < WITHIN
