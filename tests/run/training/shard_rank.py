"""What a rank does in the tests of p2smt.shard; loaded in processes of its own."""

import torch
import torch.distributed as dist
from run.training.few_operations import time_few
from torch import nn
from torch.distributed.checkpoint.state_dict_loader import load
from torch.nn import functional

import p2smt
from p2smt.run.training.batches import Batches, check_batches
from p2smt.run.training.gathered import with_gathered_weights

if __name__ == "loaded":  # by a rank; tests import this file as well
    time_few()


class Tied(nn.Module):
    """Names that texts cannot have, a weight under two names, a buffer, a parameter that nothing uses."""

    def __init__(self, layers=("block-1", "2")):
        super().__init__()
        self.layers = nn.ModuleDict({name: nn.Linear(6, 6) for name in layers})
        self.words = nn.Embedding(7, 6)
        self.out = nn.Linear(6, 7, bias=False)
        self.out.weight = self.words.weight
        self.unused = nn.Parameter(torch.ones(3))
        self.register_buffer("scale", torch.full((6,), 0.5))

    def forward(self, x):
        made = self.words(x) * self.scale
        for layer in self.layers.values():
            made = made + torch.tanh(layer(made))
        return self.out(made)


def loss(module, x, labels):
    return functional.cross_entropy(module(x), labels)


def made(seed=0, **how):
    torch.manual_seed(seed)
    module = Tied(**how).double()
    batches = [(torch.randint(0, 7, (5,)), torch.randint(0, 7, (5,))) for _ in range(6)]
    return module, torch.optim.AdamW(module.parameters(), lr=0.01), batches


def eager(module, optimizer, batches, max_norm=0.1):
    losses = []
    for batch in batches:
        optimizer.zero_grad()
        one = loss(module, *batch)
        one.backward()
        if max_norm is not None:
            nn.utils.clip_grad_norm_(module.parameters(), max_norm)
        optimizer.step()
        losses.append(one.item())
    return losses


def apart(left, right):
    assert left.keys() == right.keys()
    return max(float((left[name] - right[name]).abs().max()) for name in left)


def trains(system, shares, conditions, programs=False):
    """How far losses and parameters are from one device's, on a rank whose module began otherwise."""
    module, optimizer, batches = made()
    other, own, _ = made(dist.get_rank())
    training = p2smt.shard(
        other,
        loss,
        batches[0],
        system,
        optimizer=own,
        max_norm=0.1,
        shares=shares,
        conditions=conditions,
        programs=programs,
    )
    losses = [training.step(batch).item() for batch in batches]
    expected = eager(module, optimizer, batches)
    worst = max(abs(mine - theirs) for mine, theirs in zip(losses, expected, strict=True))
    state = training.state_dict()
    training.close()
    assert state["module"]["words.weight"] is state["module"]["out.weight"]
    return worst, apart(state["module"], module.state_dict()), training.number, training.source


def resumes(system):
    """A checkpoint of one sharding continued by another, and by one that begins with a trained optimizer."""
    few = {"layers": ["block-1"]}
    module, optimizer, batches = made(**few)
    first = p2smt.shard(module, loss, batches[0], system, optimizer=optimizer, max_norm=0.1)
    for batch in batches[:3]:
        first.step(batch)
    kept = first.state_dict()
    again, own, _ = made(3, **few)
    second = p2smt.shard(
        again, loss, batches[0], system, optimizer=own, max_norm=0.1, conditions=["words.weight sliced(0)"]
    )
    second.load_state_dict(kept)
    same = apart(second.state_dict()["module"], kept["module"])
    expected = eager(module, optimizer, batches)
    trained, used, _ = made(**few)
    eager(trained, used, batches[:3])
    third = p2smt.shard(trained, loss, batches[0], system, optimizer=used, max_norm=0.1)
    losses = [(second.step(batch).item(), third.step(batch).item()) for batch in batches[3:]]
    worst = max(abs(mine - theirs) for pair, theirs in zip(losses, expected[3:], strict=True) for mine in pair)
    return first.source != second.source, same, worst


class Heavy(torch.optim.Optimizer):
    """A user's own: momentum that is kept as a moving average."""

    def __init__(self, parameters, lr):
        super().__init__(parameters, {"lr": lr})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for parameter in group["params"]:
                state = self.state[parameter]
                if not state:
                    state["average"] = torch.zeros_like(parameter)
                state["average"].mul_(0.9).add_(parameter.grad, alpha=0.1)
                parameter.add_(state["average"], alpha=-group["lr"])


def other_optimizers(system, names):
    """How far losses and parameters are from one device's, with optimizers whose step is followed."""
    found = []
    for name in names:
        kind = Heavy if name == "Heavy" else getattr(torch.optim, name)
        torch.manual_seed(0)
        here, alone = (nn.Sequential(nn.Linear(6, 8), nn.GELU(), nn.Linear(8, 4)).double() for _ in range(2))
        alone.load_state_dict(here.state_dict())
        batches = [(torch.randn(4, 6).double(), torch.randint(0, 4, (4,))) for _ in range(6)]
        training = p2smt.shard(
            here,
            loss,
            batches[0],
            system,
            optimizer=kind(here.parameters(), lr=0.01),
            max_norm=0.1,
            conditions=["m.0.weight sliced(0)"],
        )
        wanted = eager(alone, kind(alone.parameters(), lr=0.01), batches)
        losses = max(abs(training.step(batch).item() - one) for batch, one in zip(batches, wanted, strict=True))
        found.append(max(losses, apart(training.state_dict()["module"], alone.state_dict())))
    return found


def own_batches(system, conditions):
    """How far each rank's own parts are from the loop over whole batches; what is said of those that do not go."""
    module, optimizer, batches = made(layers=["1"])
    alone, its, _ = made(layers=["1"])
    rank, ranks, said = dist.get_rank(), dist.get_world_size(), []
    whole = [tuple(torch.cat([each, each.flip(0)])[:6] for each in batch) for batch in batches]
    parts = [tuple(each.chunk(ranks)[rank] for each in batch) for batch in whole]
    training = p2smt.shard(module, loss, parts[0], system, optimizer=optimizer, max_norm=0.1, conditions=conditions)
    losses = [training.step(batch).item() for batch in parts[:3]]
    wanted = eager(alone, its, whole[:3])
    far = max(
        *(abs(mine - one) for mine, one in zip(losses, wanted, strict=True)),
        apart(training.state_dict()["module"], alone.state_dict()),
    )
    short = tuple(each[:4] for each in whole[3])
    for batch in (short, whole[4]):
        one = training.step(tuple(each.chunk(ranks)[rank] for each in batch)).item()
        far = max(far, abs(one - eager(alone, its, [batch])[0]))
    far = max(far, apart(training.state_dict()["module"], alone.state_dict()))
    far = max(far, *evaluated(training, alone, whole[3]))
    rates = [group["lr"] for group in optimizer.param_groups]
    for attempt in (
        lambda: training.check(tuple(each.chunk(ranks)[0] for each in whole[0])),
        lambda: (optimizer.param_groups[0].update(lr=0.1 * (1 + rank)), training.check(parts[0])),
        lambda: (optimizer.param_groups[0].update(lr=rates[0]), training.check(parts[0])),
        lambda: check_batches(Batches.WHOLE, {"x": whole[0][0].roll(rank)}, frozenset("x"), {}, torch.device("cpu")),
        lambda: [(optimizer.param_groups[0].update(lr=0.1 * (1 + rank)), training.step(part)) for part in parts * 2],
        lambda: (
            optimizer.param_groups[0].update(lr=rates[0]),
            training.step(tuple(each[: len(each) - rank] for each in parts[0])),
        ),
        lambda: training.step((parts[0][0][:, None].expand(-1, 1 + rank), parts[0][1])),
        lambda: training.evaluate((parts[0][0][:, None].expand(-1, 1 + rank), parts[0][1])),
    ):
        try:
            attempt()
            said.append("")
        except ValueError as cause:
            said.append(str(cause))
    return far, said


def accumulates(system):
    """How far three micro-batches to an update are from one device's, some of them short; where ranks sum late."""
    module, optimizer, batches = made(layers=["1"])
    alone, its, _ = made(layers=["1"])
    training = p2smt.shard(
        module, loss, batches[0], system, optimizer=optimizer, accumulate=3, conditions=["gradient.* partial"]
    )
    worst = 0.0
    for number, batch in enumerate(batches, 1):
        given = tuple(each[:4] for each in batch) if number in (2, 4) else batch
        one = loss(alone, *given)
        (one / 3).backward()
        worst = max(worst, abs(training.step(given).item() - one.item()))
        if number % 3 == 0:
            its.step()
            its.zero_grad()
    kept, late = training.state_dict(), training._emitted.late
    training.close()
    return max(worst, apart(kept["module"], alone.state_dict())), sorted(late)


def evaluated(training, alone, batch):
    """How far loss and outputs are from one device's; of ranks that give unlike numbers of samples, and labels."""
    x, labels = batch[0], batch[1].clone()
    labels[:2] = -100
    for cut in (4, len(x)):
        part = slice(0, cut) if dist.get_rank() == 0 else slice(cut, len(x))
        for by_layer in (False, True):
            found = training.evaluate((x[part], labels[part]), by_layer=by_layer)
            yield abs(found.loss.item() - loss(alone, x, labels).item())
            if len(x[part]):
                yield float((found.outputs - alone(x[part])).abs().max())
            else:
                assert found.outputs is None


def reads_apart():
    """What is said where ranks read unlike weights, and where one reads fewer."""
    module, _, _ = made()
    rank, names, said = dist.get_rank(), {"words.weight": "words", "unused": "unused"}, []

    def reads(*which):
        try:
            with with_gathered_weights(
                module, names, lambda name: torch.ones(1), {}, mode=False, device=torch.device("cpu")
            ):
                for name in which:
                    getattr(module.words, name) if name == "weight" else getattr(module, name)
        except ValueError as cause:
            said.append(str(cause))

    reads("weight" if rank else "unused")
    reads(*["weight", "unused"][: 1 + rank])
    return said


def sharded_checkpoints(system, path):
    """Parts that ranks wrote are read in another sharding, and by plain torch."""
    module, optimizer, batches = made(layers=["1"])
    first = p2smt.shard(module, loss, batches[0], system, optimizer=optimizer, conditions=["words.weight sliced(0)"])
    first.step(batches[0])
    optimizer.param_groups[0]["lr"] = 0.003
    first.save(path)
    other, own, _ = made(1, layers=["1"])
    second = p2smt.shard(other, loss, batches[0], system, optimizer=own, conditions=["words.weight sliced(1)"])
    second.load(path)
    kept, read = first.state_dict(), second.state_dict()
    far = apart(kept["module"], read["module"])
    plain = {"module": {"words.weight": torch.empty(7, 6, dtype=torch.float64)}}
    load(plain, checkpoint_id=path)
    far = max(far, apart(plain["module"], {"words.weight": kept["module"]["words.weight"]}))
    states = [[each.keys() for each in state["optimizer"]["state"].values()] for state in (kept, read)]
    same = states[0] == states[1] != [] and own.param_groups[0]["lr"] == 0.003
    return far, same, second.number


def refusals(system):
    """What is said of systems, models, batches and checkpoints that do not fit."""
    module, optimizer, batches = made(layers=[])

    def called(**changed):
        given = {"module": module, "loss": loss, "batch": batches[0], "system": system, "optimizer": optimizer}
        return lambda: p2smt.shard(**(given | changed))

    training = called()()
    other = {**module.state_dict(), "more": torch.zeros(2)}
    tries = (
        called(system="node:2,gpu:4"),
        called(loss=lambda module, x, labels: torch.linalg.eigvalsh(loss(module, x, labels)[None, None]).sum()),
        called(loss=lambda module, x, labels: loss(module, x)),
        lambda: training.step(batches[0][:1]),
        lambda: training.step({"x": batches[0][0]}),
        lambda: training.load_state_dict(other),
    )
    said = []
    for attempt in tries:
        try:
            attempt()
            said.append("")
        except (p2smt.P2Error, KeyError, ValueError) as cause:
            said.append(f"{type(cause).__name__}: {cause.args[0]}")
    return said
