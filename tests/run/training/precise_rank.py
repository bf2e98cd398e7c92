"""What a rank does in the tests of mixed precision and of other batches: steps of p2smt.shard beside others."""

import torch
from torch import nn
from torch.func import functional_call
from torch.nn import functional

import p2smt


def loss(module, x, y):
    return functional.mse_loss(module(x), y)


def made():
    torch.manual_seed(0)
    module = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 8))
    return module, [(torch.randn(8, 16), torch.randn(8, 8)) for _ in range(3)]


def another_batch(system):
    """How far losses are from one device's on batches of twice the samples, with the layouts of the first sharding.

    Of the same training first, then of another one.
    """
    module, batches = made()
    optimizer = torch.optim.SGD(module.parameters(), lr=0.1, momentum=0.9)
    first = p2smt.shard(
        module, loss, batches[0], system, optimizer=optimizer, conditions=["x sliced(0)", "m.0.weight sliced(1)"]
    )
    losses = [first.step(batches[0]).item()]
    large = tuple(torch.cat(parts) for parts in zip(*batches[1:], strict=True))
    losses.append(first.step(large).item())
    second = p2smt.shard(module, loss, large, system, optimizer=optimizer, like=first)
    second.load_state_dict(first.state_dict())
    losses.append(second.step(large).item())
    alone, _ = made()
    optimizer, wanted = torch.optim.SGD(alone.parameters(), lr=0.1, momentum=0.9), []
    for batch in (batches[0], large, large):
        optimizer.zero_grad()
        one = loss(alone, *batch)
        one.backward()
        optimizer.step()
        wanted.append(one.item())
    apart = max(abs(a - b) for a, b in zip(losses, wanted, strict=True))
    cuts = [
        [line for line in each.sharding.splitlines() if line.startswith(("parameter", "state"))]
        for each in (first, second)
    ]
    for each in (first, second):
        each.close()
    return apart, cuts[0] == cuts[1]


def by_hand(reduce, parts=2):
    """Losses and parameters of a few steps of SGD, a batch part by part, with gradients summed in a type.

    Parameters and inputs are cast to bf16, the loss is not.
    """
    module, batches = made()
    optimizer = torch.optim.SGD(module.parameters(), lr=0.1, momentum=0.9)
    losses = []
    for x, y in batches:
        sums, total = {}, 0.0
        for part in (slice(at, at + 8 // parts) for at in range(0, 8, 8 // parts)):
            low = {name: each.detach().bfloat16().requires_grad_() for name, each in module.named_parameters()}
            one = functional.mse_loss(functional_call(module, low, (x[part].bfloat16(),)).float(), y[part]) / parts
            one.backward()
            total += one.item()
            for name, each in low.items():
                sums[name] = sums[name] + each.grad.to(reduce) if name in sums else each.grad.to(reduce)
        for name, each in module.named_parameters():
            each.grad = sums[name].float()
        optimizer.step()
        losses.append(total)
    return losses, module.state_dict()


def trains(system, precision, conditions, parts=2):
    """How far losses and parameters are from casts by hand, with sums in f32 and in bf16; and the emitted step."""
    module, batches = made()
    optimizer = torch.optim.SGD(module.parameters(), lr=0.1, momentum=0.9)
    training = p2smt.shard(
        module, loss, batches[0], system, optimizer=optimizer, precision=precision, conditions=conditions
    )
    losses = [training.step(batch).item() for batch in batches]
    state = training.state_dict()["module"]
    training.close()
    found = []
    for reduce in (torch.float32, torch.bfloat16):
        wanted, parameters = by_hand(reduce, parts)
        apart = max(float((state[name] - each).abs().max()) for name, each in parameters.items())
        found.append(max(apart, *(abs(a - b) for a, b in zip(losses, wanted, strict=True))))
    return found, training.source
