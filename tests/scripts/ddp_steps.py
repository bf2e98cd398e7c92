"""What a rank does in the test of DDP with uneven rows; loaded in processes of ranks."""

import torch
from ddp_rank import DataParallel
from torch import nn

from p2smt.frontend.torch_graph.training import Training


def _training():
    torch.manual_seed(0)
    module = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3)).double()
    batch = {"x": torch.randn(6, 4).double(), "y": torch.randint(0, 3, (6,))}
    loss = lambda module, x, y: nn.functional.cross_entropy(module(x), y)  # noqa: E731
    return Training(module, batch, loss, torch.optim.Adam(module.parameters(), lr=0.01))


def trains(rows, steps):
    """How far the first loss, and parameters after the last step, are from those of one device."""
    alone, many = _training(), _training()
    losses = []
    for _ in range(steps):
        alone.optimizer.zero_grad()
        loss = alone.loss(alone.module, *alone.batch.values())
        loss.backward()
        alone.optimizer.step()
        losses.append(loss.item())
    step = DataParallel(many, many.batch, rows)
    found = [step()["loss"].item() for _ in range(steps)]
    pairs = zip(alone.module.parameters(), many.module.parameters(), strict=True)
    return abs(found[0] - losses[0]), max(float((one - other).detach().abs().max()) for one, other in pairs)
