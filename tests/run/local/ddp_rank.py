"""What a rank does in the tests of the emitted DDP hook; loaded in processes of its own."""

from contextlib import contextmanager, nullcontext
from datetime import timedelta
from math import isfinite

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

from p2smt.run.rank.modules import load_module

TIMEOUT = timedelta(seconds=60)


def model(dtype=torch.float32, sparse=False):
    """Parameters of odd lengths in several shapes, one of them channels-last."""
    torch.manual_seed(0)
    layers = torch.nn.Sequential(
        torch.nn.Conv2d(3, 5, 3, padding=1).to(memory_format=torch.channels_last),
        torch.nn.Tanh(),
        torch.nn.Flatten(),
        torch.nn.Linear(5 * 25, 31),
        torch.nn.Tanh(),
        torch.nn.Linear(31, 31, bias=False),
        torch.nn.Linear(31, 1),
    )
    if sparse:
        layers.append(torch.nn.Embedding(3, 1, sparse=True))
    return layers.to(dtype)


@contextmanager
def checked_by_torch():
    """Process groups made in here compare what ranks ask of them; torch 2.13 crashes when a DDP model gets one."""
    dist.set_debug_level(dist.DebugLevel.DETAIL)
    try:
        yield
    finally:
        dist.set_debug_level(dist.DebugLevel.OFF)


@contextmanager
def poisoned_reduce():
    """Spoil what dist.reduce leaves on ranks that are not the root."""
    plain = dist.reduce

    def spoiled(tensor, dst, group):
        plain(tensor, dst=dst, group=group)
        if dist.get_rank() != dst:
            tensor.fill_(float("nan"))

    dist.reduce = spoiled
    try:
        yield
    finally:
        dist.reduce = plain


def prepared(path):
    """The emitted module, its reduction, and a group of the ranks that average together."""
    module = load_module(path)
    with checked_by_torch():
        reduction = module.Reduction(TIMEOUT)
    return module, reduction, module.reduction_group(TIMEOUT)


def train(path, steps, cap_mb=25.0, dtype="float32", accumulate=False, **options):
    """(largest relative difference of a gradient from plain DDP's, numbers of buckets, buckets of the first step)."""
    module, reduction, group = prepared(path)
    kind = getattr(torch, dtype)
    plain, hooked = (
        DistributedDataParallel(model(kind), process_group=group, bucket_cap_mb=cap_mb, **options) for _ in range(2)
    )
    lengths = counting(module)
    module.register(hooked, reduction)
    alone = model(kind)
    worst, first = 0.0, 0
    with poisoned_reduce():
        for step in range(steps):
            for one in (plain, hooked, alone):
                one.zero_grad()
                backward(one, step, kind, accumulate)
            first = first or len(lengths)
            module.average_gradients(reduction, alone.parameters(), int(cap_mb * 2**20) or 1)
            worst = max(worst, difference(hooked, plain), difference(alone, plain))
            for one in (plain, hooked, alone):
                descend(one)
    return worst, len(lengths), first


def bucket_views(path, steps):
    """With gradients that are views of buckets, summed up over two backward passes, the first without reduction."""
    return train(path, steps, 0.001, accumulate=True, gradient_as_bucket_view=True)


def counting(module):
    """The lengths of all buckets that the hook is given from now on."""
    hook, lengths = module.ddp_hook, []

    def counted(state, bucket):
        lengths.append(bucket.buffer().numel())
        return hook(state, bucket)

    module.ddp_hook = counted
    return lengths


def backward(one, step, kind, accumulate):
    random = torch.Generator().manual_seed(100 * step + dist.get_rank())
    if accumulate:
        with one.no_sync() if isinstance(one, DistributedDataParallel) else nullcontext():
            one(torch.randn(2, 3, 5, 5, generator=random).to(kind)).square().mean().backward()
    one(torch.randn(2, 3, 5, 5, generator=random).to(kind)).square().mean().backward()


def difference(found, expected):
    worst = 0.0
    for one, other in zip(found.parameters(), expected.parameters(), strict=True):
        scale = float(other.grad.abs().max())
        far = float((one.grad - other.grad).abs().max())
        assert scale > 0
        assert isfinite(far)
        worst = max(worst, far / scale)
    return worst


@torch.no_grad()
def descend(one):
    for parameter in one.parameters():
        parameter.sub_(parameter.grad, alpha=0.1)


class Skipping(torch.nn.Module):
    """A model with a layer that odd ranks skip."""

    def __init__(self):
        super().__init__()
        self.base = model()
        self.extra = torch.nn.Linear(1, 1)

    def forward(self, inputs):
        found = self.base(inputs)
        return found if dist.get_rank() % 2 else self.extra(found)


def direct(path, steps):
    """The hook given by hand, where DDP itself reduces in its group which parameters were used."""
    module, reduction, group = prepared(path)
    models = [
        DistributedDataParallel(Skipping(), process_group=group, bucket_cap_mb=0.001, find_unused_parameters=True)
        for _ in range(2)
    ]
    models[1].register_comm_hook(reduction, module.ddp_hook)
    for one in models:
        for step in range(steps):
            one.zero_grad()
            backward(one, step, torch.float32, False)
    return difference(models[1], models[0])


def mixed(path):
    """average_gradients with several data types, a parameter without gradient and one that is a scalar."""
    module, reduction, group = prepared(path)
    random = torch.Generator().manual_seed(dist.get_rank())
    kinds = [torch.float32, torch.float64, torch.bfloat16, torch.float32, torch.float64]
    shapes = [(3, 5), (), (7,), (1, 2, 3), (0,)]
    parameters = [torch.zeros(shape, dtype=kind) for kind, shape in zip(kinds, shapes, strict=True)]
    expected = []
    for parameter in parameters:
        parameter.grad = torch.randint(-8, 8, parameter.shape, generator=random).to(parameter.dtype) * 8
        expected.append(parameter.grad.clone())
        dist.all_reduce(expected[-1], group=group)
        expected[-1] /= dist.get_world_size(group)
    parameters.insert(2, torch.zeros(3))
    wrong = 0
    module.average_gradients(reduction, iter(parameters), 16)
    for parameter, right in zip([p for p in parameters if p.grad is not None], expected, strict=True):
        wrong += not torch.equal(parameter.grad, right)
    module.average_gradients(reduction, [])
    return wrong


def refusals(path, subset_path, across_path):
    """What registering says to models that do not fit."""
    module, reduction, group = prepared(path)
    said = []

    def refused(act, *arguments):
        try:
            act(*arguments)
            said.append("")
        except (TypeError, ValueError, RuntimeError) as error:
            said.append(f"{type(error).__name__}: {error}")

    refused(module.register, model(), reduction)
    subset, few, few_group = prepared(subset_path)
    refused(subset.register, DistributedDataParallel(model()), few)
    refused(module.register, DistributedDataParallel(model(), process_group=few_group), reduction)
    known = {}
    module.make_groups([module.REDUCTION], TIMEOUT, known)
    shared = module.Reduction(TIMEOUT, known)
    (own,) = known.values() if len(known) == 1 else [known[tuple(range(dist.get_world_size()))]]
    refused(module.register, DistributedDataParallel(model(), process_group=own), shared)
    refused(module.register, DistributedDataParallel(model(sparse=True), process_group=group), reduction)
    parameter = torch.nn.Parameter(torch.zeros(3))
    parameter.grad = torch.ones(3).to_sparse()
    refused(module.average_gradients, reduction, [parameter])
    refused(failing, module, reduction, group)
    across, other, _ = prepared(across_path)  # groups as large as few's, of other ranks
    refused(across.register, DistributedDataParallel(model(), process_group=few_group), other)
    return said


def bucketed(path):
    """The lengths that average_gradients reduces at once, with buckets of 96 bytes, and whether all are averaged."""
    module, reduction, _ = prepared(path)
    lengths, run = [], reduction._run

    def counted(buffer, padded):
        lengths.append((str(buffer.dtype), padded))
        return run(buffer, padded)

    reduction._run = counted
    shapes = [(8,), (8,), (8,), (1,), (40,), (2,), (3,)]
    kinds = [torch.float32] * 5 + [torch.float64, torch.float32]
    parameters = [torch.zeros(shape, dtype=kind) for shape, kind in zip(shapes, kinds, strict=True)]
    for number, parameter in enumerate(parameters):
        parameter.grad = torch.full_like(parameter, number + dist.get_rank())
    module.average_gradients(reduction, parameters, 96)
    middle = (dist.get_world_size() - 1) / 2
    right = all(bool((one.grad == number + middle).all()) for number, one in enumerate(parameters))
    return lengths, right


def failing(module, reduction, group):
    """A reduction that fails in its thread; the backward pass must say so."""
    hooked = DistributedDataParallel(model(), process_group=group)
    module.register(hooked, reduction)
    reduction._run = lambda buffer, padded: 1 / 0
    try:
        backward(hooked, 0, torch.float32, False)
    finally:
        del reduction._run


def size_mistake(path):
    """What a reduction says that is made for another number of ranks."""
    try:
        load_module(path).Reduction(TIMEOUT)
    except RuntimeError as error:
        return str(error)
    return ""
