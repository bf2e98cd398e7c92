"""Training scripts as users write them: each through p2smt.shard beside the plain loop of one process.

A script is a function of the device. On every rank, which have joined, it gives how far losses and parameters are from
the plain loop's, relative to the largest or 1, after `STEPS` steps; or what is said where p2smt.shard refuses. Tests
run them on gloo, check_cuda.py on NCCL; `SCRIPTS` has them by name, with how far they may be apart (0: refused).
"""

import copy
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

import p2smt

STEPS, SAMPLES = 10, 8
FLOAT64 = 1e-9


class Net(nn.Module):
    """Two blocks with a norm each, and a head."""

    def __init__(self, *, batch_norm: bool = False) -> None:
        super().__init__()
        self.first = nn.Linear(6, 12)
        self.norm = nn.BatchNorm1d(12) if batch_norm else nn.LayerNorm(12)
        self.second = nn.Linear(12, 12)
        self.head = nn.Linear(12, 4)

    def forward(self, x: Tensor) -> Tensor:
        """Logits."""
        h = functional.gelu(self.norm(self.first(x)))
        return self.head(h + torch.tanh(self.second(h)))


@dataclass
class Output:
    """As the models of Hugging Face give it."""

    loss: Tensor
    logits: Tensor


class Classifier(nn.Module):
    """A model that takes its labels."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(11, 6)
        self.net = Net()

    def forward(self, input_ids: Tensor, attention_mask: Tensor, labels: Tensor) -> Output:
        """Loss and logits of the mean of the words that the mask leaves."""
        mask = attention_mask[:, :, None].to(self.words.weight.dtype)
        logits = self.net((self.words(input_ids) * mask).sum(1) / mask.sum(1))
        return Output(functional.cross_entropy(logits, labels), logits)


def loss(module: nn.Module, x: Tensor, y: Tensor) -> Tensor:
    return functional.cross_entropy(module(x), y)


def net(device: torch.device, dtype: torch.dtype = torch.float64, *, batch_norm: bool = False) -> Net:
    torch.manual_seed(0)
    return Net(batch_norm=batch_norm).to(device, dtype)


def batches(
    device: torch.device, dtype: torch.dtype = torch.float64, count: int = STEPS
) -> list[tuple[Tensor, Tensor]]:
    torch.manual_seed(1)
    return [
        (torch.randn(SAMPLES, 6).to(device, dtype), torch.randint(0, 4, (SAMPLES,)).to(device)) for _ in range(count)
    ]


def system() -> str:
    return f"node:1,gpu:{dist.get_world_size()}"


def apart(left: Mapping[str, Tensor], right: Mapping[str, Tensor]) -> float:
    assert left.keys() == right.keys(), left.keys() ^ right.keys()
    return max(far(left[name], right[name]) for name in left)


def far(left: Tensor | float, right: Tensor | float) -> float:
    left, right = (torch.as_tensor(each, dtype=torch.float64).detach().cpu() for each in (left, right))
    return float(((left - right).abs() / right.abs().max().clamp(min=1)).max())


def twins(module: nn.Module) -> nn.Module:
    return copy.deepcopy(module)


def plain_step(module: nn.Module, optimizer: torch.optim.Optimizer, batch: tuple[Tensor, Tensor]) -> float:
    optimizer.zero_grad()
    one = loss(module, *batch)
    one.backward()
    optimizer.step()
    return one.item()


def schedule(device: torch.device) -> float:
    """Linear warm-up, then a cosine: a LambdaLR on AdamW."""
    module, given = net(device), batches(device)
    alone = twins(module)
    own, its = (torch.optim.AdamW(each.parameters(), lr=0.05) for each in (module, alone))
    rates = [torch.optim.lr_scheduler.LambdaLR(each, lambda step: min((step + 1) / 4, 1.0)) for each in (own, its)]
    training = p2smt.shard(module, loss, given[0], system(), optimizer=own)
    worst = 0.0
    for batch in given:
        worst = max(worst, far(training.step(batch), plain_step(alone, its, batch)))
        for each in rates:
            each.step()
    return ended(training, alone, worst)


def plateau(device: torch.device) -> float:
    """ReduceLROnPlateau on SGD with Nesterov momentum, which goes by the loss."""
    module, given = net(device), batches(device)
    alone = twins(module)
    own, its = (torch.optim.SGD(each.parameters(), lr=0.5, momentum=0.9, nesterov=True) for each in (module, alone))
    rates = [torch.optim.lr_scheduler.ReduceLROnPlateau(each, patience=0, factor=0.5) for each in (own, its)]
    training = p2smt.shard(module, loss, given[0], system(), optimizer=own)
    worst = 0.0
    for batch in given:
        one, other = training.step(batch).item(), plain_step(alone, its, batch)
        rates[0].step(one)
        rates[1].step(other)
        worst = max(worst, far(one, other))
    assert own.param_groups[0]["lr"] == its.param_groups[0]["lr"] < 0.5
    return ended(training, alone, worst)


def accumulation(device: torch.device) -> float:
    """Two micro-batches to an update, gradients clipped by their norm, which is logged."""
    module, given = net(device), batches(device, count=2 * STEPS)
    alone = twins(module)
    own, its = (torch.optim.AdamW(each.parameters(), lr=0.05) for each in (module, alone))
    training = p2smt.shard(module, loss, given[0], system(), optimizer=own, accumulate=2, max_norm=0.5)
    worst = 0.0
    for number, batch in enumerate(given, 1):
        one = loss(alone, *batch)
        (one / 2).backward()
        worst = max(worst, far(training.step(batch), one))
        if number % 2 == 0:
            norm = nn.utils.clip_grad_norm_(alone.parameters(), 0.5)
            its.step()
            its.zero_grad()
            assert training.gradient_norm is not None
            worst = max(worst, far(training.gradient_norm, norm))
    return ended(training, alone, worst)


def averages(device: torch.device) -> float:
    """An exponential moving average of the weights."""
    module, given = net(device), batches(device)
    alone = twins(module)
    own, its = (torch.optim.Adam(each.parameters(), lr=0.05) for each in (module, alone))
    mean = {name: each.detach().clone() for name, each in alone.named_parameters()}
    training = p2smt.shard(module, loss, given[0], system(), optimizer=own, ema=0.8)
    worst = 0.0
    for batch in given:
        worst = max(worst, far(training.step(batch), plain_step(alone, its, batch)))
        for name, each in alone.named_parameters():
            mean[name].lerp_(each.detach(), 0.2)
    found = {name: each.to(device) for name, each in training.ema_state_dict().items()}
    return ended(training, alone, max(worst, apart(found, mean)))


def evaluation(device: torch.device) -> float:
    """Evaluation between steps, of a model with batch norm, on a batch of another size."""
    module, given = net(device, batch_norm=True), batches(device)
    alone = twins(module)
    own, its = (torch.optim.SGD(each.parameters(), lr=0.1) for each in (module, alone))
    training = p2smt.shard(module, loss, given[0], system(), optimizer=own)
    worst = 0.0
    for batch in given:
        worst = max(worst, far(training.step(batch), plain_step(alone, its, batch)))
        alone.eval()
        held = batch[0][:3], batch[1][:3]
        with torch.no_grad():
            found = training.evaluate(held)
            assert isinstance(found.outputs, Tensor)
            worst = max(worst, far(found.loss, loss(alone, *held)), far(found.outputs, alone(held[0])))
        alone.train()
    return ended(training, alone, worst)


def resume(device: torch.device) -> float:
    """An ordinary checkpoint of module and optimizer, read; later one is written that plain PyTorch reads."""
    alone, given = net(device), batches(device)
    its = torch.optim.AdamW(alone.parameters(), lr=0.05)
    for batch in given[:3]:
        plain_step(alone, its, batch)
    saved = copy.deepcopy({"module": alone.state_dict(), "optimizer": its.state_dict()})
    module = net(device)
    training = p2smt.shard(module, loss, given[0], system(), optimizer=torch.optim.AdamW(module.parameters(), lr=1.0))
    training.load_state_dict(saved)
    worst = max(far(training.step(batch), plain_step(alone, its, batch)) for batch in given[3:7])
    kept, again = training.state_dict(), net(device)
    later = torch.optim.AdamW(again.parameters(), lr=1.0)
    again.load_state_dict(kept["module"])
    later.load_state_dict(kept["optimizer"])
    worst = max(worst, *(far(plain_step(again, later, batch), plain_step(alone, its, batch)) for batch in given[7:]))
    training.close()
    return max(worst, apart(again.state_dict(), alone.state_dict()))


def resharded(device: torch.device) -> float:
    """A sharded checkpoint that is read in another sharding, and goes on."""
    module, given = net(device), batches(device)
    alone, other = twins(module), twins(module)
    own, its, new = (torch.optim.AdamW(each.parameters(), lr=0.05) for each in (module, alone, other))
    folder: list[str | None] = [tempfile.mkdtemp() if dist.get_rank() == 0 else None]
    dist.broadcast_object_list(folder, src=0, device=device)
    cut = [f"first.weight sliced({dimension})" for dimension in range(2)] if dist.get_world_size() > 1 else []
    first = p2smt.shard(module, loss, given[0], system(), optimizer=own, conditions=cut[:1])
    worst = max(far(first.step(batch), plain_step(alone, its, batch)) for batch in given[:5])
    first.save(str(Path(str(folder[0])) / "checkpoint"))
    second = p2smt.shard(other, loss, given[0], system(), optimizer=new, conditions=cut[1:])
    second.load(str(Path(str(folder[0])) / "checkpoint"))
    worst = max(worst, *(far(second.step(batch), plain_step(alone, its, batch)) for batch in given[5:]))
    first.close()
    return ended(second, alone, worst)


def mixed(device: torch.device) -> float:
    """Autocast to bfloat16 in the loss."""

    def cast(module: nn.Module, x: Tensor, y: Tensor) -> Tensor:
        with torch.autocast(device.type, dtype=torch.bfloat16):
            return functional.cross_entropy(module(x), y)

    module, given = net(device, torch.float32), batches(device, torch.float32)
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


def scaler(device: torch.device) -> str:
    """GradScaler around the loss."""
    scale = torch.amp.GradScaler(device.type)
    module = net(device, torch.float32)

    def scaled(module: nn.Module, x: Tensor, y: Tensor) -> Tensor:
        return scale.scale(loss(module, x, y))

    return refused(lambda: p2smt.shard(module, scaled, batches(device, torch.float32)[0], system()))


def frozen(device: torch.device) -> float:
    """A frozen layer, and two groups of parameters, one without weight decay."""
    module, given = net(device), batches(device)
    module.first.requires_grad_(False)
    alone = twins(module)

    def grouped(module: Net) -> torch.optim.Optimizer:
        decayed = [module.second.weight, module.head.weight]
        rest = [each for each in module.parameters() if each.requires_grad and all(each is not one for one in decayed)]
        return torch.optim.AdamW([{"params": decayed, "lr": 0.1}, {"params": rest, "weight_decay": 0.0}], lr=0.02)

    assert isinstance(alone, Net)
    own, its = grouped(module), grouped(alone)
    training = p2smt.shard(module, loss, given[0], system(), optimizer=own)
    worst = max(far(training.step(batch), plain_step(alone, its, batch)) for batch in given)
    return ended(training, alone, worst)


def own_parts(device: torch.device) -> float:
    """A DataLoader with a DistributedSampler: each rank gives its own part of a batch."""
    ranks, rank = dist.get_world_size(), dist.get_rank()
    torch.manual_seed(2)
    data = TensorDataset(torch.randn(STEPS * SAMPLES, 6).double(), torch.randint(0, 4, (STEPS * SAMPLES,)))
    loaders = [
        DataLoader(data, SAMPLES // ranks, drop_last=True, sampler=DistributedSampler(data, ranks, each, seed=3))
        for each in range(ranks)
    ]
    parts = [[tuple(one.to(device) for one in each) for each in loader] for loader in loaders]
    module = net(device)
    alone = twins(module)
    own, its = (torch.optim.AdamW(each.parameters(), lr=0.05) for each in (module, alone))
    training = p2smt.shard(module, loss, parts[rank][0], system(), optimizer=own)
    worst = 0.0
    for number, part in enumerate(parts[rank]):
        x, y = (torch.cat([each[number][position] for each in parts]) for position in range(2))
        worst = max(worst, far(training.step(part), plain_step(alone, its, (x, y))))
    return ended(training, alone, worst)


def last_batch(device: torch.device) -> float:
    """Epochs whose last batch is shorter, each rank's own part of it; evaluation of a sum of losses between them."""
    ranks, rank = dist.get_world_size(), dist.get_rank()
    torch.manual_seed(2)
    data = TensorDataset(torch.randn(20, 6).double(), torch.randint(0, 4, (20,)))
    samplers = [DistributedSampler(data, ranks, each, seed=3) for each in range(ranks)]
    loaders = [DataLoader(data, SAMPLES // ranks, sampler=each) for each in samplers]
    parts = [[tuple(one.to(device) for one in each) for _ in range(4) for each in loader] for loader in loaders]

    def total(module: nn.Module, x: Tensor, y: Tensor) -> Tensor:
        return functional.cross_entropy(module(x), y, reduction="sum")

    module = net(device)
    alone = twins(module)
    own, its = (torch.optim.AdamW(each.parameters(), lr=0.05) for each in (module, alone))
    training = p2smt.shard(module, total, parts[rank][0], system(), optimizer=own)
    worst = 0.0
    for number, part in enumerate(parts[rank]):
        x, y = (torch.cat([each[number][position] for each in parts]) for position in range(2))
        its.zero_grad()
        one = total(alone, x, y)
        worst = max(worst, far(training.evaluate(part).loss, one))
        one.backward()
        its.step()
        worst = max(worst, far(training.step(part), one))
    return ended(training, alone, worst)


def hugging_face(device: torch.device) -> float:
    """A model that gives its loss, in a loop like that of Trainer: mappings, clipping, a schedule, evaluation."""
    torch.manual_seed(0)
    module = Classifier().to(device).double()
    alone = twins(module)
    torch.manual_seed(1)
    given = [
        {
            "input_ids": torch.randint(0, 11, (SAMPLES, 5)).to(device),
            "attention_mask": (torch.arange(5)[None] < torch.randint(1, 6, (SAMPLES, 1))).long().to(device),
            "labels": torch.randint(0, 4, (SAMPLES,)).to(device),
        }
        for _ in range(STEPS)
    ]
    own, its = (torch.optim.AdamW(each.parameters(), lr=0.05) for each in (module, alone))
    rates = [torch.optim.lr_scheduler.LinearLR(each, total_iters=5) for each in (own, its)]
    training = p2smt.shard(module, lambda m, b: m(**b).loss, given[0], system(), optimizer=own, max_norm=1.0)
    worst = 0.0
    for batch in given:
        its.zero_grad()
        one = alone(**batch).loss
        one.backward()
        nn.utils.clip_grad_norm_(alone.parameters(), 1.0)
        its.step()
        worst = max(worst, far(training.step(batch), one))
        for each in rates:
            each.step()
    with torch.no_grad():
        worst = max(worst, far(training.evaluate(given[0]).loss, alone(**given[0]).loss))
    return ended(training, alone, worst)


def adversarial(device: torch.device) -> str:
    """Two optimizers in turn, as a generator and its critic have them."""
    module, given = (
        nn.Sequential(net(device, torch.float32), nn.Linear(4, 1, device=device)),
        batches(device, torch.float32),
    )
    generator, critic = (torch.optim.Adam(each.parameters(), lr=0.01) for each in (module[0], module[1]))

    def score(module: nn.Module, x: Tensor) -> Tensor:
        return module(x).mean()

    first = p2smt.shard(module, score, given[0][0], system(), optimizer=generator)
    try:
        return refused(lambda: p2smt.shard(module, score, given[0][0], system(), optimizer=critic))
    finally:
        first.close()


def ended(training: "p2smt.job.training.ShardedTraining", alone: nn.Module, worst: float) -> float:  # type: ignore[name-defined]
    """With how far the parameters are apart."""
    state = {name: each.to(next(alone.parameters()).device) for name, each in training.state_dict()["module"].items()}
    training.close()
    return max(worst, apart(state, alone.state_dict()))


def refused(attempt: Callable[[], object]) -> str:
    """The message with which an attempt is refused; empty if it is not."""
    try:
        attempt()
    except (p2smt.P2Error, ValueError, KeyError) as cause:
        return str(cause)
    return ""


Scripts = Mapping[str, tuple[Callable[[torch.device], float | str], float]]
"""Scripts by name, each with how far it may be apart; 0: it is refused."""

SCRIPTS: Scripts = {
    "schedule": (schedule, FLOAT64),
    "plateau": (plateau, FLOAT64),
    "accumulation": (accumulation, FLOAT64),
    "averages": (averages, FLOAT64),
    "evaluation": (evaluation, FLOAT64),
    "resume": (resume, FLOAT64),
    "resharded": (resharded, FLOAT64),
    "mixed": (mixed, 0.05),
    "scaler": (scaler, 0.0),
    "frozen": (frozen, FLOAT64),
    "own_parts": (own_parts, FLOAT64),
    "last_batch": (last_batch, FLOAT64),
    "hugging_face": (hugging_face, FLOAT64),
    "adversarial": (adversarial, 0.0),
}


def verdict(name: str, device: torch.device, scripts: Scripts = SCRIPTS) -> dict[str, object]:
    """A script's row on this rank: whether it is right, and how far it is apart or what is said."""
    script, most = scripts[name]
    found = script(device)
    if isinstance(found, str):
        return {"script": name, "right": bool(found) and not most, "refused": found}
    return {"script": name, "right": found <= most and bool(most), "apart": found, "most": most}
