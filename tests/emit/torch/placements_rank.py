"""Training steps of a perceptron with DTensor where emitted files put its parameters; run in the ranks' processes."""

import importlib.util

import torch
from torch import nn


def loaded(path):
    spec = importlib.util.spec_from_file_location("emitted", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def perceptron():
    torch.manual_seed(1)
    return nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4)).double()


def trained(module, x, steps=3):
    optimizer = torch.optim.Adam(module.parameters(), lr=0.1)
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = (module(x) ** 2).sum()
        loss.backward()
        optimizer.step()
        losses.append(loss)
    return losses


def steps(paths):
    """Of every file: losses of both, whether all parameters end equal, and what this rank holds of each parameter."""
    found = []
    for path in paths:
        emitted = loaded(path)
        x = torch.arange(64, dtype=torch.float64).reshape(8, 8).sin()
        single, module = perceptron(), perceptron()
        expected = [float(loss) for loss in trained(single, x)]
        mesh = emitted.device_mesh("cpu")
        emitted.parallelize(module, mesh)
        losses = [float(loss.full_tensor()) for loss in trained(module, emitted.placed("x", x, mesh))]
        held = {name: tuple(parameter.to_local().shape) for name, parameter in module.named_parameters()}
        same = all(
            torch.allclose(ours.full_tensor(), theirs, rtol=1e-9)
            for ours, theirs in zip(module.parameters(), single.parameters(), strict=True)
        )
        try:
            emitted.parallelize(nn.Linear(2, 2), mesh)
            refused = ""
        except ValueError as error:
            refused = str(error)
        found.append((losses, expected, same, held, refused))
    return found
