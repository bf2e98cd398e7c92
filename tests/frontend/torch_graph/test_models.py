"""The packaged models: what is captured computes what PyTorch does, three steps long, in float64."""

import pytest
import torch
from frontend.torch_graph.eager import captured, compared
from tiers import is_full

from p2smt.frontend.torch_graph.examples.models import training_step
from p2smt.frontend.torch_graph.joint import fake_tensors
from p2smt.frontend.torch_graph.settings import Example, OptimizerName, Size, settings_of
from p2smt.tensor.printer import print_program
from p2smt.tensor.text.parser import parse_program

WITHIN = 1e-12
HOW = {
    Example.MLP: (OptimizerName.MOMENTUM, None),
    Example.VGG: (OptimizerName.SGD, 0.5),
    Example.VIT: (OptimizerName.SGD, None),
    Example.BERT: (OptimizerName.ADAM, None),
    Example.MOE: (OptimizerName.SGD, 1.0),
    Example.GPT: (OptimizerName.ADAMW, 0.1),
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


SOME = [
    example for example in Example if is_full() or example not in (Example.MLP, Example.VIT, Example.BERT, Example.VGG)
]
"""The layers of MLP, ViT and BERT are those of others, which the standard tier has; VGG's are in test_modules.py."""


@pytest.mark.parametrize("example", SOME)
def test_a_model_computes_what_pytorch_does(example):
    program = captured(step(example), example.value)
    assert parse_program(print_program(program)) == program
    assert compared(step(example), program) < WITHIN


def test_a_wrong_program_is_seen():
    """A guard: another activation, or a gradient of the wrong sign, is far away."""
    program = captured(step(Example.MLP), "mlp")
    text = print_program(program)
    for before, after in (("relu(", "gelu("), ("momentum * 0.9", "momentum * 0.8"), ("- y", "+ y")):
        assert before in text
        wrong = parse_program(text.replace(before, after))
        assert compared(step(Example.MLP), wrong) > 1e-3, before


COUNTS = {
    Example.VGG: 139_611_210,
    Example.VIT: 56_798_986,
    Example.BERT: 107_851_262,
    Example.MOE: 391_000_574,
}
"""In units of 2^20: 133.1, 54.2, 102.9 and, with 16 experts, 84.8 + 36.0 * 8."""


@pytest.mark.parametrize("example", COUNTS)
def test_models_of_paper_size_have_the_papers_parameters(example):
    with fake_tensors():
        training = training_step(example, settings_of(example, Size.PAPER), OptimizerName.NONE)
    assert sum(parameter.numel() for parameter in training.module.parameters()) == COUNTS[example]
