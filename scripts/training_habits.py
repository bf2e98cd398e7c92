"""More training scripts as users write them, by habits of plain PyTorch that `training_scripts.py` has not.

Each is a function of the device, as those are, and `HABITS` has them by name; a message is what p2smt.shard refuses or
warns of, where the habit would do nothing or something else. Tests run them on gloo.
"""

import copy
import io
import warnings
from collections.abc import Callable

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.nn import functional
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from torch.utils.checkpoint import checkpoint
from torch.utils.data import DataLoader, TensorDataset
from training_scripts import FLOAT64, Net, Scripts, ended, far, loss, net, plain_step, refused, system, twins
from training_scripts import batches as batches_of

import p2smt


def warm_up(device: torch.device) -> float:
    """A LambdaLR with a function for each parameter group, as biases warm up longer."""
    module, given = net(device), batches_of(device)
    alone = twins(module)

    def grouped(module: nn.Module) -> torch.optim.Optimizer:
        weights = [each for each in module.parameters() if each.ndim > 1]
        rest = [each for each in module.parameters() if each.ndim == 1]
        return torch.optim.AdamW([{"params": weights}, {"params": rest, "weight_decay": 0.0, "lr": 0.1}], lr=0.05)

    def warming(optimizer: torch.optim.Optimizer) -> torch.optim.lr_scheduler.LambdaLR:
        return torch.optim.lr_scheduler.LambdaLR(
            optimizer, [lambda step: min(1.0, (step + 1) / 3), lambda step: min(1.0, (step + 1) / 8)]
        )

    own, its = grouped(module), grouped(alone)
    rates = [warming(each) for each in (own, its)]
    training = p2smt.shard(module, loss, given[0], system(), optimizer=own)
    worst = 0.0
    for batch in given:
        worst = max(worst, far(training.step(batch).item(), plain_step(alone, its, batch)))
        for each in rates:
            each.step()
    return ended(training, alone, worst)


def half(device: torch.device) -> float:
    """Autocast to float16 without a GradScaler."""

    def cast(module: nn.Module, x: Tensor, y: Tensor) -> Tensor:
        with torch.autocast(device.type, dtype=torch.float16):
            return functional.cross_entropy(module(x), y)

    module, given = net(device, torch.float32), batches_of(device, torch.float32)
    alone = twins(module)
    own, its = (torch.optim.AdamW(each.parameters(), lr=0.01) for each in (module, alone))
    training = p2smt.shard(module, cast, given[0], system(), optimizer=own)
    worst = 0.0
    for batch in given:
        its.zero_grad()
        one = cast(alone, *batch)
        one.backward()
        its.step()
        worst = max(worst, far(training.step(batch), one))
    return ended(training, alone, worst)


def clipped_values(device: torch.device) -> float:
    """clip_grad_value_ as hooks of the parameters, where the plain loop calls it between backward and step."""
    module, given = net(device), batches_of(device)
    alone = twins(module)
    for each in module.parameters():
        each.register_hook(lambda gradient: gradient.clamp(-0.01, 0.01))
    own, its = (torch.optim.SGD(each.parameters(), lr=0.5, momentum=0.9) for each in (module, alone))
    training = p2smt.shard(module, loss, given[0], system(), optimizer=own)
    worst = 0.0
    for batch in given:
        its.zero_grad()
        one = loss(alone, *batch)
        one.backward()
        nn.utils.clip_grad_value_(alone.parameters(), 0.01)
        its.step()
        worst = max(worst, far(training.step(batch), one))
    return ended(training, alone, worst)


def clipped_behind(device: torch.device) -> str:
    """The lines behind backward left in the loop: clip_grad_norm_ and optimizer.step()."""
    module, given = net(device), batches_of(device)
    own = torch.optim.SGD(module.parameters(), lr=0.5)
    training = p2smt.shard(module, loss, given[0], system(), optimizer=own)

    def lines() -> None:
        for batch in given:
            own.zero_grad()
            training.step(batch)
            nn.utils.clip_grad_norm_(module.parameters(), 0.01)
            own.step()

    said = warned(lines)
    training.close()
    return said


def averaged(device: torch.device) -> float:
    """An AveragedModel of the weights of every step, which are loaded into a copy of the module for it."""
    module, given = net(device), batches_of(device)
    alone, copied = twins(module), twins(module)
    own, its = (torch.optim.AdamW(each.parameters(), lr=0.05) for each in (module, alone))
    means = [AveragedModel(each, multi_avg_fn=get_ema_multi_avg_fn(0.8)) for each in (copied, alone)]
    training = p2smt.shard(module, loss, given[0], system(), optimizer=own)
    worst = 0.0
    for batch in given:
        worst = max(worst, far(training.step(batch), plain_step(alone, its, batch)))
        copied.load_state_dict(training.state_dict()["module"])
        for mean, each in zip(means, (copied, alone), strict=True):
            mean.update_parameters(each)
    for one, other in zip(means[0].parameters(), means[1].parameters(), strict=True):
        worst = max(worst, far(one, other))
    return ended(training, alone, worst)


def averaged_stale(device: torch.device) -> str:
    """An AveragedModel of the module itself, whose weights stay what they were."""
    module, given = net(device), batches_of(device)
    own = torch.optim.AdamW(module.parameters(), lr=0.05)
    mean = AveragedModel(module, multi_avg_fn=get_ema_multi_avg_fn(0.8))
    training = p2smt.shard(module, loss, given[0], system(), optimizer=own)
    training.step(given[0])
    said = warned(lambda: mean.update_parameters(module))
    training.close()
    return said


def saved_stale(device: torch.device) -> str:
    """torch.save of the module's own state_dict, whose weights stay what they were."""
    module, given = net(device), batches_of(device)
    training = p2smt.shard(module, loss, given[0], system(), optimizer=torch.optim.Adam(module.parameters()))
    training.step(given[0])
    said = warned(lambda: torch.save(module.state_dict(), io.BytesIO()))
    training.close()
    return said


def checkpointed(device: torch.device) -> float:
    """Gradient checkpointing of a block, and module.eval() and train() around validation in the loop."""

    class Checkpointed(Net):
        def forward(self, x: Tensor) -> Tensor:
            h = checkpoint(lambda y: functional.gelu(self.norm(self.first(y))), x, use_reentrant=False)
            return self.head(h + torch.tanh(self.second(h)))

    torch.manual_seed(0)
    module, given = Checkpointed().to(device, torch.float64), batches_of(device)
    alone = twins(module)
    own, its = (torch.optim.AdamW(each.parameters(), lr=0.05) for each in (module, alone))
    training = p2smt.shard(module, loss, given[0], system(), optimizer=own)
    worst = 0.0
    for batch in given:
        module.train()
        worst = max(worst, far(training.step(batch), plain_step(alone, its, batch)))
        module.eval()
        with torch.no_grad():
            worst = max(worst, far(training.evaluate(batch).loss, loss(alone, *batch)))
    return ended(training, alone, worst)


class Words(nn.Module):
    """Embeddings, attention, a norm, and logits of every word."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(11, 8)
        self.attention = nn.MultiheadAttention(8, 2, batch_first=True)
        self.norm = nn.LayerNorm(8)

    def forward(self, tokens: Tensor) -> Tensor:
        """Logits."""
        h = self.words(tokens)
        h = self.norm(h + self.attention(h, h, h, need_weights=False)[0])
        return h @ self.words.weight.t()


def longer(device: torch.device) -> str:
    """Batches whose sequences have other lengths than the captured ones."""

    def next_word(module: nn.Module, tokens: Tensor) -> Tensor:
        return functional.cross_entropy(module(tokens[:, :-1]).flatten(0, 1), tokens[:, 1:].flatten())

    torch.manual_seed(0)
    module = Words().to(device, torch.float64)
    given = [torch.randint(0, 11, (4, length)).to(device) for length in (6, 6, 8, 5)]
    training = p2smt.shard(module, next_word, given[0], system(), optimizer=torch.optim.Adam(module.parameters()))
    said = refused(lambda: [training.step(each) for each in given])
    training.close()
    return said


def another_group(device: torch.device) -> str:
    """optimizer.add_param_group in the middle of training."""
    module, given = net(device), batches_of(device)
    module.head.requires_grad_(False)
    own = torch.optim.SGD([each for each in module.parameters() if each.requires_grad], lr=0.1)
    training = p2smt.shard(module, loss, given[0], system(), optimizer=own)
    training.step(given[0])
    module.head.requires_grad_(True)
    own.add_param_group({"params": list(module.head.parameters()), "lr": 0.01})
    said = refused(lambda: training.step(given[1]))
    training.close()
    return said


def thawed(device: torch.device) -> float:
    """requires_grad of a layer switched on in the middle, with a new step that takes all over."""
    module, given = net(device), batches_of(device)
    module.first.requires_grad_(False)
    alone = twins(module)
    own, its = (torch.optim.Adam(each.parameters(), lr=0.05) for each in (module, alone))
    training = p2smt.shard(module, loss, given[0], system(), optimizer=own)
    worst = max(far(training.step(batch), plain_step(alone, its, batch)) for batch in given[:4])
    for each in (module, alone):
        each.first.requires_grad_(True)
    said = refused(lambda: [training.step(batch) for batch in given[4:]])
    assert "requires_grad" in said, said
    kept = training.state_dict()
    training.close()
    module.load_state_dict(kept["module"])
    # Adam counts steps for each parameter; the thawed layer begins anew with all of them.
    its = torch.optim.Adam(alone.parameters(), lr=0.05)
    own = torch.optim.Adam(module.parameters(), lr=0.05)
    again = p2smt.shard(module, loss, given[0], system(), optimizer=own)
    worst = max(worst, *(far(again.step(batch), plain_step(alone, its, batch)) for batch in given[4:]))
    return ended(again, alone, worst)


def reloaded(device: torch.device) -> float:
    """The best weights so far loaded again in the middle, the optimizer going on."""
    module, given = net(device), batches_of(device)
    alone = twins(module)
    own, its = (torch.optim.AdamW(each.parameters(), lr=0.05) for each in (module, alone))
    training = p2smt.shard(module, loss, given[0], system(), optimizer=own)
    worst = max(far(training.step(batch), plain_step(alone, its, batch)) for batch in given[:3])
    best, mine = copy.deepcopy(alone.state_dict()), training.state_dict()["module"]
    worst = max(worst, *(far(training.step(batch), plain_step(alone, its, batch)) for batch in given[3:6]))
    alone.load_state_dict(best)
    training.load_state_dict({**training.state_dict(), "module": mine})
    worst = max(worst, *(far(training.step(batch), plain_step(alone, its, batch)) for batch in given[6:]))
    return ended(training, alone, worst)


def reloaded_module(device: torch.device) -> str:
    """module.load_state_dict in the middle of training, which the step does not read."""
    module, given = net(device), batches_of(device)
    training = p2smt.shard(module, loss, given[0], system(), optimizer=torch.optim.SGD(module.parameters(), lr=0.1))
    best = copy.deepcopy(module.state_dict())
    training.step(given[0])
    module.load_state_dict(best)
    said = refused(lambda: [training.step(batch) for batch in given * 2])
    training.close()
    return said


def kept_last(device: torch.device) -> float:
    """Epochs of a DataLoader with drop_last=False, the whole batch on all ranks; a mean loss, logged by item()."""
    torch.manual_seed(2)
    data = TensorDataset(torch.randn(21, 6).double(), torch.randint(0, 4, (21,)))
    loader = DataLoader(data, 8, shuffle=True, generator=torch.Generator().manual_seed(4))
    given = [[one.to(device) for one in each] for _ in range(4) for each in loader]
    module = net(device)
    alone = twins(module)
    own, its = (torch.optim.AdamW(each.parameters(), lr=0.05) for each in (module, alone))
    training = p2smt.shard(module, loss, given[0], system(), optimizer=own)
    worst, logged = 0.0, [0.0, 0.0]
    for x, y in given:
        logged[0] += training.step((x, y)).item() * len(x)
        logged[1] += plain_step(alone, its, (x, y)) * len(x)
        worst = max(worst, far(logged[0] / 21, logged[1] / 21))
    return ended(training, alone, worst)


def unequal(device: torch.device) -> str:
    """A rank that gives fewer samples than the others in a step in which batches are not compared."""
    if dist.get_world_size() == 1:
        return "there is one rank"
    rank, given = dist.get_rank(), batches_of(device)
    parts = [[each.chunk(dist.get_world_size())[rank] for each in batch] for batch in given]
    module = net(device)
    training = p2smt.shard(module, loss, parts[0], system(), optimizer=torch.optim.SGD(module.parameters(), lr=0.1))
    for part in parts[:5]:
        training.step(part)
    said = refused(lambda: training.step([each[: len(each) - (rank == 0)] for each in parts[5]]))
    training.close()
    return said


def warned(attempt: Callable[[], object]) -> str:
    """The first warning of an attempt."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        attempt()
    return str(found[0].message) if found else ""


HABITS: Scripts = {
    "warm_up": (warm_up, FLOAT64),
    "half": (half, 0.05),
    "clipped_values": (clipped_values, FLOAT64),
    "clipped_behind": (clipped_behind, 0.0),
    "averaged": (averaged, FLOAT64),
    "averaged_stale": (averaged_stale, 0.0),
    "saved_stale": (saved_stale, 0.0),
    "checkpointed": (checkpointed, FLOAT64),
    "longer": (longer, 0.0),
    "another_group": (another_group, 0.0),
    "thawed": (thawed, FLOAT64),
    "reloaded": (reloaded, FLOAT64),
    "reloaded_module": (reloaded_module, 0.0),
    "kept_last": (kept_last, FLOAT64),
    "unequal": (unequal, 0.0),
}
