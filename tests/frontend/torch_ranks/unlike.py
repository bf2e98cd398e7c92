# ruff: noqa: F821 (annotations are layouts)
"""Functions whose ranks do different things, right ones and wrong ones; beside the programs of `test_unlike.py`."""

import torch
import torch.distributed as dist
from torch.distributed.fsdp import fully_shard
from torch.nn import functional
from torch.nn.parallel import DistributedDataParallel


def two_stages(x, t, w1, w2, last=1):
    if dist.get_rank() == 0:
        h = functional.relu(x @ w1)
        dist.send(h.detach(), 1)
        gradient = torch.empty(4, 6, dtype=x.dtype)
        dist.recv(gradient, 1)
        h.backward(gradient)
        g1, g2, loss = w1.grad, torch.zeros_like(w2), torch.zeros((), dtype=x.dtype)
    else:
        h = torch.empty(4, 6, dtype=x.dtype)
        dist.recv(h, 0)
        h.requires_grad_()
        loss = ((h @ w2 - t) ** 2).sum() / 16
        loss.backward()
        dist.send(h.grad, 0)
        g1, g2, loss = torch.zeros_like(w1), w2.grad, loss.detach()
    dist.broadcast(g1, 0)
    dist.broadcast(g2, last)
    dist.broadcast(loss, 1)
    with torch.no_grad():
        w1 -= 0.1 * g1
        w2 -= 0.1 * g2
    return loss


def step_right_two_stages(x, t, w1, w2):
    return two_stages(x, t, w1, w2)


def step_wrong_source(x, t, w1, w2):
    return two_stages(x, t, w1, w2, last=0)


def step_wrong_both_receive(x, t, w1, w2):
    other = 1 - dist.get_rank()
    h = torch.empty(4, 6, dtype=x.dtype)
    dist.recv(h, other)
    dist.send(x @ w1.detach(), other)
    return h.sum()


class Net(torch.nn.Module):
    def __init__(self, w1, w2):
        super().__init__()
        self.w1, self.w2 = (torch.nn.Parameter(each.detach().clone()) for each in (w1, w2))

    def forward(self, x):
        return functional.relu(x @ self.w1) @ self.w2


def trained(x, t, w1, w2, wrapped, divisor, gradient, forgets=False):
    net = Net(w1, w2)
    kept = wrapped(net)
    loss = ((kept(x) - t) ** 2).sum() / divisor
    if forgets:
        del kept
    loss.backward()
    with torch.no_grad():
        w1 -= 0.1 * gradient(net.w1.grad)
        w2 -= 0.1 * gradient(net.w2.grad)
    loss = loss.detach()
    dist.all_reduce(loss)
    return loss / 2


def step_right_parallel(x: "sliced(0)", t: "sliced(0)", w1, w2):
    return trained(x, t, w1, w2, DistributedDataParallel, 8, lambda gradient: gradient)


def step_wrong_parallel(x: "sliced(0)", t: "sliced(0)", w1, w2):
    return 2 * trained(x, t, w1, w2, DistributedDataParallel, 16, lambda gradient: gradient)


def step_wrong_parallel_that_is_gone(x: "sliced(0)", t: "sliced(0)", w1, w2):
    return trained(x, t, w1, w2, DistributedDataParallel, 8, lambda gradient: gradient, forgets=True)


def step_right_fully_sharded(x: "sliced(0)", t: "sliced(0)", w1, w2):
    return trained(x, t, w1, w2, fully_shard, 8, lambda gradient: gradient.full_tensor())


def step_wrong_fully_sharded(x: "sliced(0)", t: "sliced(0)", w1, w2):
    return 2 * trained(x, t, w1, w2, fully_shard, 16, lambda gradient: gradient.full_tensor())


def bucket(x, t, w1, w2, count):
    flat = torch.zeros(60, dtype=x.dtype)
    parts = flat[:36].view(6, 6), flat[36:].view(6, 4)
    loss = ((functional.relu(x @ w1) @ w2 - t) ** 2).sum() / 8
    loss.backward()
    for part, parameter in zip(parts, (w1, w2), strict=True):
        part.copy_(parameter.grad)
    dist.all_reduce(flat)
    flat /= count
    with torch.no_grad():
        for part, parameter in zip(parts, (w1, w2), strict=True):
            parameter.sub_(0.1 * part)
    loss = loss.detach()
    dist.all_reduce(loss)
    return loss / 2


def step_right_bucket(x: "sliced(0)", t: "sliced(0)", w1, w2):
    return bucket(x, t, w1, w2, 2)


def step_wrong_bucket(x: "sliced(0)", t: "sliced(0)", w1, w2):
    return bucket(x, t, w1, w2, 1)


def classes(x, t, w, reduces_maximum=True):
    logits = x @ w.detach()
    largest = logits.amax(1)
    if reduces_maximum:
        dist.all_reduce(largest, op=dist.ReduceOp.MAX)
    logits = logits - largest[:, None]
    total = logits.exp().sum(1)
    dist.all_reduce(total)
    start = dist.get_rank() * w.shape[1]
    outside = (t < start) | (t >= start + w.shape[1])
    own = t - start
    own[outside] = 0
    picked = logits[torch.arange(len(t)), own]
    picked[outside] = 0.0
    dist.all_reduce(picked)
    return (total.log() - picked).mean()


def loss_right_of_classes(x, t, w: "sliced(1)"):
    return classes(x, t, w)


def loss_wrong_own_maximum(x, t, w: "sliced(1)"):
    return classes(x, t, w, reduces_maximum=False)


def attention(q, k, v, rescales=True):
    rank, count = dist.get_rank(), dist.get_world_size()
    largest = torch.full((len(q), 1), float("-inf"), dtype=q.dtype)
    total, result = torch.zeros(len(q), 1, dtype=q.dtype), torch.zeros_like(q)
    both = torch.cat([k, v], 1)
    for step in range(count):
        scores = q @ both[:, :2].t()
        new = torch.maximum(largest, scores.amax(1, keepdim=True))
        weights, scale = (scores - new).exp(), (largest - new).exp()
        total = total * scale + weights.sum(1, keepdim=True)
        result = result * (scale if rescales else 1) + weights @ both[:, 2:]
        largest = new
        if step < count - 1:
            got = torch.empty_like(both)
            for each in dist.batch_isend_irecv(
                [dist.P2POp(dist.isend, both, (rank + 1) % count), dist.P2POp(dist.irecv, got, (rank - 1) % count)]
            ):
                each.wait()
            both = got
    return result / total


def ring_right(q: "sliced(0)", k: "sliced(0)", v: "sliced(0)"):
    return attention(q, k, v)


def ring_wrong_scale(q: "sliced(0)", k: "sliced(0)", v: "sliced(0)"):
    return attention(q, k, v, rescales=False)


def half_right_collected(w: "sliced(0)"):
    mine, rank, count = w * 0.5, dist.get_rank(), dist.get_world_size()
    parts = [torch.empty_like(mine) for _ in range(count)]
    dist.gather(mine, parts if rank == 1 else None, dst=1)
    own = torch.empty_like(mine)
    dist.scatter(own, parts[::-1] if rank == 1 else None, src=1)
    inputs = [each.contiguous() for each in own.chunk(count, 1)]
    outputs = [torch.empty_like(each) for each in inputs]
    dist.all_to_all(outputs, inputs)
    return torch.cat(outputs[::-1])


def half_wrong_order(w: "sliced(0)"):
    inputs = [each.contiguous() for each in (w * 0.5).chunk(2, 1)]
    outputs = [torch.empty_like(each) for each in inputs]
    dist.all_to_all(outputs, inputs)
    return torch.cat(outputs[::-1])


class OwnClasses(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, t):
        count = logits.shape[1]
        rows, first = torch.arange(start=0, end=len(logits)), dist.get_rank() * count
        largest = logits.max(dim=1)[0]
        dist.all_reduce(largest, op=dist.ReduceOp.MAX)
        outside = (t < first) | (t >= first + count)
        own = t.clone() - first
        own[outside] = 0
        logits -= largest.unsqueeze(1)
        picked = logits[rows, own].clone()
        picked[outside] = 0.0
        dist.all_reduce(picked)
        powers = torch.exp(logits, out=logits)
        total = powers.sum(1)
        dist.all_reduce(total)
        ctx.save_for_backward(powers.div_(total.unsqueeze(1)), outside, own)
        return total.log() - picked

    @staticmethod
    def backward(ctx, gradient):
        shares, outside, own = ctx.saved_tensors
        shares[torch.arange(start=0, end=len(shares)), own] -= 1.0 - outside.view(-1).float()
        return shares.mul_(gradient.unsqueeze(1)), None


def entropy_right_in_place(x: "sliced(1)", t):
    x = x.detach().requires_grad_()
    loss = OwnClasses.apply(x * 1.0, t)
    loss.sum().backward()
    return loss.detach(), x.grad


def entropy_wrong_not_masked(x: "sliced(1)", t):
    return entropy_right_in_place(x, t % 3)


def attention_right_own_heads(q: "sliced(1)"):
    y = functional.scaled_dot_product_attention(q, q, q, is_causal=True)
    y = y.contiguous()
    found = [torch.empty_like(y) for _ in range(dist.get_world_size())]
    dist.all_gather(found, y)
    return torch.cat(found, dim=1)


def attention_wrong_mask(q: "sliced(2)"):
    return functional.scaled_dot_product_attention(q, q, q, is_causal=True)


def sharded_by(x, t, w1, w2, factor):
    net = Net(w1, w2)
    fully_shard(net)
    net.set_gradient_divide_factor(factor)
    loss = ((net(x) - t) ** 2).sum() / 16
    loss.backward()
    torch.optim.SGD(net.parameters(), lr=0.1).step()
    dist.all_reduce(loss)
    with torch.no_grad():
        w1.copy_(net.w1.full_tensor())
        w2.copy_(net.w2.full_tensor())
    return loss.detach()


def halved_right_divide_factor(x: "sliced(0)", t: "sliced(0)", w1, w2):
    return sharded_by(x, t, w1, w2, 1.0)


def halved_wrong_divide_factor(x: "sliced(0)", t: "sliced(0)", w1, w2):
    return sharded_by(x, t, w1, w2, 4.0)


def half_right_unwritten_buffer(w):
    buffer = torch.empty(40, dtype=w.dtype)
    for number, row in enumerate(w):
        buffer.narrow(0, 6 * number, 6).copy_(row * 0.25)
    dist.all_reduce(buffer.narrow(0, 0, 24))
    return buffer[:24].view(4, 6) * (torch.tensor([], dtype=w.dtype).element_size() / 8)


class Summed(torch.autograd.Function):
    """A sum over ranks whose gradient is that of each summand."""

    @staticmethod
    def forward(ctx, x):
        x = x.clone()
        dist.all_reduce(x)
        return x

    @staticmethod
    def backward(ctx, gradient):
        return gradient


def looked_up(i, w, hides=True):
    own = i - dist.get_rank() * w.shape[0]
    outside = (own < 0) | (own >= w.shape[0])
    rows = functional.embedding(own.clamp(0, w.shape[0] - 1), w)
    y = Summed.apply(rows.masked_fill(outside[:, None], 0.0) if hides else rows)
    return torch.autograd.grad((y * y).sum(), w)[0]


def rows_right_of_a_table(i, w: "sliced(0)"):
    return looked_up(i, w)


def rows_wrong_of_others(i, w: "sliced(0)"):
    return looked_up(i, w, hides=False)
