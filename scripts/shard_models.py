"""Small models whose sharding is measured in the laboratory, as tensor programs of one training step."""

from pathlib import Path
from typing import TYPE_CHECKING

from p2smt.frontend.torch_graph.capture import capture_example, capture_function
from p2smt.frontend.torch_graph.settings import AttentionForm, Example, OptimizerName, Settings
from p2smt.tensor.program import Program

if TYPE_CHECKING:
    from p2smt.frontend.torch_graph.training import Training

MODELS = ("mlp", "vgg", "vit", "bert", "moe")
_TIMEOUT_S = 120.0
_SETTINGS = {
    "mlp": (Example.MLP, Settings(batch=1024, layers=4, hidden=256), OptimizerName.MOMENTUM),
    "vit": (Example.VIT, Settings(batch=64, layers=2, hidden=128, heads=4, image=16, dropout=0.0), OptimizerName.ADAM),
    "bert": (
        Example.BERT,
        Settings(batch=16, layers=2, hidden=128, heads=4, sequence=32, vocabulary=2000, dropout=0.0),
        OptimizerName.ADAM,
    ),
    "moe": (
        Example.MOE,
        Settings(batch=24, layers=2, hidden=96, heads=4, sequence=32, vocabulary=500, experts=6, dropout=0.0),
        OptimizerName.MOMENTUM,
    ),
}


def program_of(model: str) -> Program:
    """The step of a model. CaptureError where torch is missing."""
    if model == "vgg":
        return capture_function(Path(__file__), "vgg", _TIMEOUT_S)
    example, settings, optimizer = _SETTINGS[model]
    return capture_example(example, settings, optimizer, None, _TIMEOUT_S, AttentionForm.PARTS)


def training_of(model: str) -> "Training":
    """The same step with elements; imports torch."""
    from p2smt.frontend.torch_graph import training
    from p2smt.frontend.torch_graph.examples.models import training_step

    if model == "vgg":
        return training.training_of(vgg())
    example, settings, optimizer = _SETTINGS[model]
    return training_step(example, settings, optimizer)


def vgg():
    """Convolutions of few parameters and a classifier that has nearly all of them, as VGG19 has."""
    import torch
    from torch import nn

    module = nn.Sequential(
        nn.Conv2d(3, 16, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(16, 32, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(512, 1024),
        nn.ReLU(),
        nn.Linear(1024, 1024),
        nn.ReLU(),
        nn.Linear(1024, 10),
    )
    batch = {"x": torch.zeros(96, 3, 16, 16), "y": torch.zeros(96, dtype=torch.long)}

    def loss(module, x, y):
        return nn.functional.cross_entropy(module(x), y)

    return module, batch, loss, torch.optim.SGD(module.parameters(), lr=0.01, momentum=0.9)
