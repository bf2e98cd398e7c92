"""What a rank does in the tests of emitted optimizers; loaded in processes of its own."""

import copy

import torch
import torch.distributed as dist

from p2smt.run.rank.modules import load_module

DEVICE = torch.device("cpu")
ROWS = 6


def check(path, watched=True):
    """How many tensors the file itself finds to differ; `watched` by torch, which compares what ranks call."""
    dist.set_debug_level(dist.DebugLevel.DETAIL if watched else dist.DebugLevel.OFF)
    return load_module(path).check(DEVICE)


def model():
    """Layers whose parameters divide by no number of ranks; one is not used."""
    torch.manual_seed(0)
    made = torch.nn.Sequential(torch.nn.Linear(5, 7), torch.nn.Tanh(), torch.nn.LayerNorm(7), torch.nn.Linear(7, 3))
    return made.double()


def batches(steps):
    """The whole batches of some steps: every rank trains on rows of its own."""
    generator = torch.Generator().manual_seed(5)
    rows = ROWS * dist.get_world_size()
    return [torch.randn((rows, 8), generator=generator, dtype=torch.float64) for _ in range(steps)]


def loss_of(made, rows):
    return (made(rows[:, :5]) - rows[:, 5:]).square().mean()


def train(made, optimizer, given, *, alone):
    """The losses of this rank's rows, or of all of them."""
    found = []
    for rows in given:
        mine = rows if alone else rows[dist.get_rank() * ROWS : (dist.get_rank() + 1) * ROWS]
        optimizer.zero_grad()
        loss = loss_of(made, mine)
        loss.backward()
        optimizer.step()
        found.append(loss.item())
    return found


def apart(one, other):
    return max(float((a - b).detach().abs().max()) for a, b in zip(one.parameters(), other.parameters(), strict=True))


def against_torch(path, name, numbers, steps, watched=True):
    """How far the model is from one that torch.optim trains alone, half of the way from each other's checkpoints.

    And how many elements of a state this rank keeps, beside those of the model.
    """
    dist.set_debug_level(dist.DebugLevel.DETAIL if watched else dist.DebugLevel.OFF)
    given = batches(steps)
    ours, theirs = model(), model()
    mine = load_module(path).Optimizer(ours.parameters(), **numbers)
    plain = getattr(torch.optim, name)(theirs.parameters(), **numbers)
    train(ours, mine, given[: steps // 2], alone=False)
    train(theirs, plain, given[: steps // 2], alone=True)
    found = [apart(ours, theirs)]
    saved = copy.deepcopy(mine.state_dict())
    mine.load_state_dict(plain.state_dict())
    plain.load_state_dict(saved)
    train(ours, mine, given[steps // 2 :], alone=False)
    train(theirs, plain, given[steps // 2 :], alone=True)
    kept = [each.numel() for buckets in mine.buckets for bucket in buckets for each in bucket.states.values()]
    return max(*found, apart(ours, theirs)), max(kept), sum(each.numel() for each in ours.parameters())


def beside(path, other, real, steps, watched=True):
    """How far parameters are apart after some steps of two files' optimizers, beside the largest of each.

    Some have no elements, or one.
    """
    dist.set_debug_level(dist.DebugLevel.DETAIL if watched else dist.DebugLevel.OFF)
    generator = torch.Generator().manual_seed(3)
    shapes, kind = ((0,), (7, 5), (1,), (3, 0), (1200,), ()), getattr(torch, real)
    begin = [torch.randn(shape, generator=generator).to(kind) for shape in shapes]
    models = [[torch.nn.Parameter(each.clone()) for each in begin] for _ in range(2)]
    optimizers = [load_module(each).Optimizer(made) for each, made in zip((path, other), models, strict=True)]
    generator.manual_seed(4 + dist.get_rank())
    for _ in range(steps):
        for one, two in zip(*models, strict=True):
            one.grad = torch.randn(one.shape, generator=generator).to(kind)
            two.grad = one.grad.clone()
        for each in optimizers:
            each.step()
    return max(
        float((one - two).detach().abs().max() / two.detach().abs().max())
        for one, two in zip(*models, strict=True)
        if one.numel()
    )


class Lamb(torch.optim.Optimizer):
    """LAMB as its paper has it, on one device."""

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            group["count"] += 1
            for each in group["params"]:
                state = self.state[each]
                m, v = state.setdefault("m", torch.zeros_like(each)), state.setdefault("v", torch.zeros_like(each))
                m.mul_(0.9).add_(each.grad, alpha=0.1)
                v.mul_(0.999).addcmul_(each.grad, each.grad, value=0.001)
                update = m / (1 - 0.9 ** group["count"]) / ((v / (1 - 0.999 ** group["count"])).sqrt() + 1e-6)
                update += 0.01 * each
                weights, size = each.norm(), update.norm()
                each.sub_(group["lr"] * (weights / size if weights and size else 1.0) * update)


def against_lamb(path, steps):
    """How far the model is from one that plain LAMB trains alone, and the first and last loss."""
    ours, theirs = model(), model()
    mine = load_module(path).Optimizer(ours.parameters(), lr=0.01, eps=1e-6, weight_decay=0.01)
    plain = Lamb(theirs.parameters(), {"lr": 0.01, "count": 0})
    given = batches(1) * steps
    train(ours, mine, given, alone=False)
    losses = train(theirs, plain, given, alone=True)
    return apart(ours, theirs), losses[0], losses[-1]


class PlainLamb(torch.optim.Optimizer):
    """LAMB (You et al., algorithm 2, with no bounds on norms), a parameter after the other; torch.optim's names."""

    def __init__(self, params, lr=0.01, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            (first, second), decay = group["betas"], group["weight_decay"]
            for weights in group["params"]:
                kept = self.state[weights]
                if not kept:
                    kept |= {"step": torch.zeros(()), "exp_avg": weights * 0, "exp_avg_sq": weights * 0}
                kept["step"] += 1
                kept["exp_avg"] = first * kept["exp_avg"] + (1 - first) * weights.grad
                kept["exp_avg_sq"] = second * kept["exp_avg_sq"] + (1 - second) * weights.grad**2
                mean = kept["exp_avg"] / (1 - first ** kept["step"].item())
                square = kept["exp_avg_sq"] / (1 - second ** kept["step"].item())
                change = mean / (square.sqrt() + group["eps"]) + decay * weights
                sizes = weights.square().sum().sqrt(), change.square().sum().sqrt()
                weights.sub_(group["lr"] * (sizes[0] / sizes[1] if all(sizes) else 1.0) * change)


WHOLE = 24
"""Rows of the batch of every step, however many ranks share them."""


def train_lamb(path, begin, first, last, to):
    """Train from a checkpoint, if there is one, with the emitted LAMB in slices, or plain LAMB alone; and save."""
    made = model()
    layers = list(made.parameters())
    groups = [{"params": layers[::2], "lr": 0.02}, {"params": layers[1::2], "weight_decay": 0.0}]
    numbers = {"betas": (0.8, 0.95), "eps": 1e-6, "weight_decay": 0.1}
    optimizer = load_module(path).Optimizer(groups, lr=0.01, **numbers) if path else PlainLamb(groups, **numbers)
    if begin:
        saved = torch.load(begin)
        made.load_state_dict(saved["model"])
        optimizer.load_state_dict(saved["optimizer"])
    generator, size = torch.Generator().manual_seed(6), WHOLE // dist.get_world_size()
    rows = [torch.randn((WHOLE, 8), generator=generator, dtype=torch.float64) for _ in range(last)]
    for whole in rows[first:]:
        mine = whole.split(size)[dist.get_rank()] if path else whole
        optimizer.zero_grad()
        loss_of(made, mine).backward()
        optimizer.step()
    saved = {"model": made.state_dict(), "optimizer": optimizer.state_dict()}
    if dist.get_rank() == 0:
        torch.save(saved, to)
    dist.barrier()


def checkpoints_apart(one, other):
    """How far parameters and states of two checkpoints are apart, and how many were compared; numbers are equal."""
    first, second = torch.load(one), torch.load(other)
    pairs = [(first["model"][name], second["model"][name]) for name in first["model"]]
    states, others = first["optimizer"]["state"], second["optimizer"]["state"]
    assert states.keys() == others.keys()
    for number, kept in states.items():
        assert kept.keys() == others[number].keys() == {"step", "exp_avg", "exp_avg_sq"}
        pairs += [(kept[name], others[number][name]) for name in kept]
    for group, theirs in zip(*(each["optimizer"]["param_groups"] for each in (first, second)), strict=True):
        assert all(group[name] == theirs[name] for name in ("params", "lr", "betas", "eps", "weight_decay"))
    return max(float((a - b).abs().max()) for a, b in pairs), len(pairs)


def unlike(path, shapes):
    """Every rank has parameters of shapes of its own."""
    load_module(path).Optimizer([torch.nn.Parameter(torch.zeros(shape)) for shape in shapes[dist.get_rank()]])
