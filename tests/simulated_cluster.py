"""Collectives among simulated devices, carried out and counted; the backward pass of one is a collective too."""

from collections import Counter
from itertools import product

import torch
from torch.autograd import Function

from p2smt.collective import Collective, Exchange

AXES = ("dp", "ep", "cp", "tp")


class Cluster:
    """Devices by their coordinates on dp, ep, cp, tp; `log` counts (what, axes, elements) of the first device."""

    def __init__(self, parallelism):
        self.sizes = {name: parallelism.axes[name] for name in AXES}
        self.devices = list(product(*(range(size) for size in self.sizes.values())))
        self.log = Counter()

    def together(self, function, over, *values):
        """Apply a collective to the values of every group of devices that differ on the axes `over` alone."""
        among, results = [AXES.index(name) for name in over], {}
        fixed = [place for place in range(len(AXES)) if place not in among]
        for root in (device for device in self.devices if not any(device[place] for place in among)):
            group = [device for device in self.devices if all(device[place] == root[place] for place in fixed)]
            inputs = [value[device] for value in values for device in group]
            record = self._recorder(over, len(group), counted=not any(root))
            results |= dict(zip(group, function.apply(record, len(group), *inputs), strict=True))
        return results

    def each(self, function, *values):
        """Apply a function to the values of every device on its own."""
        return {device: function(*(value[device] for value in values)) for device in self.devices}

    def _recorder(self, over, members, counted):
        names = tuple(name for name in over if self.sizes[name] > 1)

        def record(goal, elements):
            self.log[goal, names, elements] += counted and members > 1

        return record


class Gather(Function):
    @staticmethod
    def forward(ctx, record, n, *parts):
        ctx.record, ctx.n, whole = record, n, torch.cat(parts)
        record(Collective.ALL_GATHER, whole.numel())
        return tuple(whole.clone() for _ in parts)

    @staticmethod
    def backward(ctx, *grads):
        ctx.record(Collective.REDUCE_SCATTER, grads[0].numel())
        return None, None, *sum(grads).chunk(ctx.n)


class Scatter(Function):
    """Reduce-scatter."""

    @staticmethod
    def forward(ctx, record, n, *wholes):
        ctx.record = record
        record(Collective.REDUCE_SCATTER, wholes[0].numel())
        return tuple(part.clone() for part in sum(wholes).chunk(n))

    @staticmethod
    def backward(ctx, *grads):
        whole = torch.cat(grads)
        ctx.record(Collective.ALL_GATHER, whole.numel())
        return None, None, *(whole for _ in grads)


class Sum(Function):
    """All-reduce; what follows is the same on all devices, so the gradient is too."""

    @staticmethod
    def forward(ctx, record, n, *wholes):
        record(Collective.ALL_REDUCE, wholes[0].numel())
        return tuple(sum(wholes) for _ in range(n))

    @staticmethod
    def backward(ctx, *grads):
        return None, None, *grads


class Copy(Function):
    """What is the same on all devices goes into different computations, so its gradients are added."""

    @staticmethod
    def forward(ctx, record, n, *wholes):
        ctx.record = record
        return tuple(whole.clone() for whole in wholes)

    @staticmethod
    def backward(ctx, *grads):
        ctx.record(Collective.ALL_REDUCE, grads[0].numel())
        return None, None, *(sum(grads) for _ in grads)


class AllToAll(Function):
    """All-to-all."""

    @staticmethod
    def forward(ctx, record, n, *parts):
        ctx.record = record
        return _exchanged(record, n, parts)

    @staticmethod
    def backward(ctx, *grads):
        return None, None, *_exchanged(ctx.record, len(grads), grads)


def _exchanged(record, n, parts):
    record(Exchange.ALL_TO_ALL, parts[0].numel())
    return tuple(torch.cat([part.chunk(n)[member] for part in parts]) for member in range(n))


class GatherLinear(Function):
    """The gathered inputs times each device's weights; of the inputs, every device keeps its part alone."""

    @staticmethod
    def forward(ctx, record, n, *inputs):
        ctx.record, ctx.n = record, n
        ctx.save_for_backward(*inputs)
        whole = torch.cat(inputs[:n])
        record(Collective.ALL_GATHER, whole.numel())
        return tuple(whole @ weight for weight in inputs[n:])

    @staticmethod
    def backward(ctx, *grads):
        parts, weights = ctx.saved_tensors[: ctx.n], ctx.saved_tensors[ctx.n :]
        whole = torch.cat(parts)
        ctx.record(Collective.ALL_GATHER, whole.numel())
        back = sum(grad @ weight.T for grad, weight in zip(grads, weights, strict=True))
        ctx.record(Collective.REDUCE_SCATTER, back.numel())
        return None, None, *back.chunk(ctx.n), *(whole.T @ grad for grad in grads)


class ContextAttention(Function):
    """Each device's queries on the keys and values of all; of those, every device keeps its part alone."""

    @staticmethod
    def forward(ctx, record, n, *inputs):
        ctx.record, ctx.n = record, n
        ctx.save_for_backward(*inputs)
        keys = torch.cat(inputs[n:])
        record(Collective.ALL_GATHER, keys.numel())
        return tuple(attend(queries, keys) for queries in inputs[:n])

    @staticmethod
    def backward(ctx, *grads):
        queries = [part.detach().requires_grad_() for part in ctx.saved_tensors[: ctx.n]]
        keys = torch.cat(ctx.saved_tensors[ctx.n :]).detach().requires_grad_()
        ctx.record(Collective.ALL_GATHER, keys.numel())
        with torch.enable_grad():
            loss = sum((attend(part, keys) * grad).sum() for part, grad in zip(queries, grads, strict=True))
        *to_queries, to_keys = torch.autograd.grad(loss, [*queries, keys])
        ctx.record(Collective.REDUCE_SCATTER, to_keys.numel())
        return None, None, *to_queries, *to_keys.chunk(ctx.n)


def attend(queries, keys_values):
    """Attention of (position, sequence, head, element) on keys and values, which follow each other along heads."""
    keys, values = keys_values.chunk(2, dim=2)
    shared = queries.shape[2] // keys.shape[2]
    keys, values = (part.repeat_interleave(shared, dim=2) for part in (keys, values))
    weights = torch.einsum("pbhe,qbhe->bhpq", queries, keys).softmax(-1)
    return torch.einsum("bhpq,qbhe->pbhe", weights, values)
