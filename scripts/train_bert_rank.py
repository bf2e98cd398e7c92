"""What every rank of `train_bert.py` does; loaded in the rank's own process."""

import time
from collections.abc import Iterable
from typing import Any

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from p2smt.run.rank.modules import load_module
from p2smt.run.rank.stepping import compute_as_gpus_do

WORDS = 100
BETAS, EPS, DECAY = (0.9, 0.999), 1e-6, 0.01
RATES = {"adamw": 3e-3, "lamb": 2e-2}


class Bert(nn.Module):
    """Words and their positions, layers of attention, and for every word how likely each is there."""

    def __init__(self, width: int, layers: int, length: int) -> None:
        super().__init__()
        self.words, self.positions = nn.Embedding(WORDS, width), nn.Embedding(length, width)
        layer = nn.TransformerEncoderLayer(
            width, max(1, width // 32), 4 * width, dropout=0.0, activation="gelu", batch_first=True
        )
        self.layers = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.head = nn.Linear(width, WORDS)

    def forward(self, text: torch.Tensor) -> torch.Tensor:
        """Numbers for every word of every text."""
        return self.head(self.layers(self.words(text) + self.positions.weight))


class Lamb(torch.optim.Optimizer):
    """LAMB on whole tensors, as its paper has it."""

    def __init__(self, params: Iterable[nn.Parameter]) -> None:
        super().__init__(params, {})
        self.count = 0

    @torch.no_grad()
    def step(self) -> None:  # type: ignore[override]
        """Update every parameter by its own trust ratio."""
        self.count += 1
        for each in self.param_groups[0]["params"]:
            state = self.state[each]
            m, v = (state.setdefault(name, torch.zeros_like(each)) for name in ("m", "v"))
            m.mul_(BETAS[0]).add_(each.grad, alpha=1 - BETAS[0])
            v.mul_(BETAS[1]).addcmul_(each.grad, each.grad, value=1 - BETAS[1])
            update = m / (1 - BETAS[0] ** self.count) / ((v / (1 - BETAS[1] ** self.count)).sqrt() + EPS)
            update += DECAY * each
            ratio = each.norm() / update.norm()
            each.sub_(RATES["lamb"] * torch.where(ratio.isfinite() & (ratio > 0), ratio, torch.ones(())) * update)


def train(paths: dict[str, str], kinds: list[tuple[str, str]], given: dict[str, Any]) -> list[dict[str, Any]]:
    """Trainings one after the other, each from the same start: an optimizer, and who has it ("ddp", "emitted")."""
    compute_as_gpus_do()
    return [_trained(name, paths[name] if who == "emitted" else "", given) for name, who in kinds]


def _trained(name: str, path: str, given: dict[str, Any]) -> dict[str, Any]:
    """The seconds and the loss of every step, and how many bytes of states this rank keeps."""
    torch.manual_seed(0)
    bert = Bert(given["width"], given["layers"], given["length"])
    model: nn.Module = bert
    numbers = {"lr": RATES[name], "betas": BETAS, "eps": EPS, "weight_decay": DECAY}
    if path:
        optimizer = load_module(path).Optimizer(bert.parameters(), **numbers)
    else:
        model = DistributedDataParallel(bert)
        optimizer = Lamb(bert.parameters()) if name == "lamb" else torch.optim.AdamW(bert.parameters(), **numbers)
    generator = torch.Generator().manual_seed(dist.get_rank())
    seconds, losses = [], []
    for _ in range(given["steps"]):
        text = torch.randint(0, WORDS, (given["rows"], given["length"]), generator=generator)
        text[:, 1::2] = (text[:, ::2] * 7 + 3) % WORDS
        hidden = text.clone()
        hidden[:, 1::2] = 0
        dist.barrier()
        began = time.perf_counter()
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(hidden).flatten(0, 1), text.flatten())
        loss.backward()
        optimizer.step()
        seconds.append(time.perf_counter() - began)
        mean = loss.detach()
        dist.all_reduce(mean)
        losses.append(mean.item() / dist.get_world_size())
    kept = sum(each.numel() * each.element_size() for each in _states(optimizer, emitted=bool(path)))
    return {"seconds": seconds, "losses": losses, "state_bytes": kept, "parameters": _count(bert)}


def _states(optimizer: Any, *, emitted: bool) -> list[torch.Tensor]:
    """The tensors that an optimizer keeps of every parameter, but for numbers."""
    if emitted:
        return [each for buckets in optimizer.buckets for bucket in buckets for each in bucket.states.values()]
    return [each for state in optimizer.state.values() for each in state.values() if each.dim()]


def _count(model: nn.Module) -> int:
    return sum(each.numel() for each in model.parameters())
