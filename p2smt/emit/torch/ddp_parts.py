"""The fixed text that the emitted DDP file has beside that of the torch file, in the order in which it appears."""

DOCSTRING = '''"""Gradients averaged over {devices} devices by one reduction, for DistributedDataParallel or without it.

Written by p2smt; needs torch alone. The rank of a process is the number of its device.

{facts}
Steps, each in all of its groups at once:

{steps}
Use, on every rank, once dist.init_process_group() has been called:

    reduction = Reduction()
    model = DistributedDataParallel(model, process_group=reduction_group())
    register(model, reduction)

{scope}
While the backward pass goes on, buckets are reduced one after the other: by a thread, with CUDA on a stream. Meanwhile
nothing else may use the process groups of the reduction. Without DistributedDataParallel, after every backward pass:

    average_gradients(reduction, model.parameters())

Gradients must be dense. Check them against plain DistributedDataParallel on one machine:
torchrun --standalone --nproc-per-node {devices} FILE
(on several machines: the usual torchrun arguments, {devices} processes in all).
"""

'''

IMPORTS = """import os
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from inspect import signature
from itertools import product
from math import prod

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
"""

LANE = '''

class Lane:
    """Where buckets are reduced, one after the other, beside the backward pass: a thread, with CUDA a stream."""

    def __init__(self) -> None:
        """Start nothing yet."""
        self._thread = ThreadPoolExecutor(1, "p2smt")
        self._streams: dict[torch.device, torch.cuda.Stream] = {}

    def run(self, work: Callable[[], torch.Tensor], device: torch.device) -> torch.futures.Future[torch.Tensor]:
        """Do the work behind all that was given before; the future has its result or its error."""
        if device.type == "cuda":
            return self._on_stream(work, device)
        done = torch.futures.Future()
        if device.type != "cpu":
            done.set_result(work())
            return done
        self._thread.submit(work).add_done_callback(done.set_result)
        # DistributedDataParallel takes what set_exception leaves for a result; what then() raises, for an error.
        return done.then(lambda finished: finished.value().result())

    def _on_stream(self, work: Callable[[], torch.Tensor], device: torch.device) -> torch.futures.Future[torch.Tensor]:
        if device not in self._streams:
            self._streams[device] = torch.cuda.Stream(device)
        stream = self._streams[device]
        stream.wait_stream(torch.cuda.current_stream(device))
        with torch.cuda.stream(stream):
            done = torch.futures.Future(devices=[device])
            done.set_result(work())  # whoever waits for it has their own stream wait for this one
        return done
'''

FIELDS = "        self.lane = Lane()\n"

HOOK = '''

def ddp_hook(reduction: Reduction, bucket: dist.GradBucket) -> torch.futures.Future[torch.Tensor]:
    """Average a bucket of gradients: model.register_comm_hook(reduction, ddp_hook), which `register` does."""
    buffer = bucket.buffer()
    refuse_sparse(buffer)
    return reduction.lane.run(lambda: average(reduction, buffer), buffer.device)


def register(model: DistributedDataParallel, reduction: Reduction) -> None:
    """Have a model average its gradients by the reduction; on every rank, before the first backward pass."""
    if not isinstance(model, DistributedDataParallel):
        raise TypeError(f"the model is a {type(model).__name__}; wrap it: DistributedDataParallel(model)")
    theirs = tuple(dist.get_process_group_ranks(model.process_group))
    ours = next(ranks for ranks in groups_of(REDUCTION) if reduction.rank in ranks)
    if tuple(sorted(theirs)) != ours:
        raise ValueError(
            f"the model averages over {len(theirs)} ranks ({named(theirs)}), this reduction over {len(ours)} "
            f"({named(ours)}); wrap it: DistributedDataParallel(model, process_group=reduction_group())"
        )
    if any(model.process_group is group for group in reduction.groups.values()):
        raise ValueError(
            "the model has a process group that the reduction uses; give it one of its own: "
            "DistributedDataParallel(model, process_group=reduction_group())"
        )
    for name, part in model.module.named_modules():
        if isinstance(part, torch.nn.Embedding | torch.nn.EmbeddingBag) and part.sparse:
            raise TypeError(f"{name or 'the model'} makes sparse gradients, which are not supported; say sparse=False")
    model.register_comm_hook(reduction, ddp_hook)


def reduction_group(timeout: timedelta = timedelta(minutes=5)) -> dist.ProcessGroup:
    """A new process group of the ranks that average with this one; every rank must ask for it, at the same point."""
    made: dict[Ranks, dist.ProcessGroup] = {}
    make_groups([REDUCTION], timeout, made)
    return next(group for ranks, group in made.items() if dist.get_rank() in ranks)


@torch.no_grad()
def average_gradients(reduction: Reduction, parameters: Iterable[torch.Tensor], bucket_bytes: int = 25 << 20) -> None:
    """Average the gradients of parameters in place, in buckets of about so many bytes.

    All ranks give the same parameters in the same order; those without a gradient must be the same on all ranks.
    """
    for gradients in buckets(parameters, bucket_bytes):
        lengths = [gradient.numel() for gradient in gradients]
        length = sum(lengths)
        buffer = gradients[0].new_zeros(length + -length % MULTIPLE)
        parts = buffer[:length].split(lengths)
        for part, gradient in zip(parts, gradients, strict=True):
            part.copy_(gradient.reshape(-1))
        average(reduction, buffer)
        for part, gradient in zip(parts, gradients, strict=True):
            gradient.copy_(part.view(gradient.shape))


def buckets(parameters: Iterable[torch.Tensor], bucket_bytes: int) -> Iterator[list[torch.Tensor]]:
    """The gradients in their order, those of one data type and device together."""
    filling: dict[tuple[torch.dtype, torch.device], list[torch.Tensor]] = {}
    for gradient in [parameter.grad for parameter in parameters if parameter.grad is not None]:
        refuse_sparse(gradient)
        bucket = filling.setdefault((gradient.dtype, gradient.device), [])
        if bucket and sum(map(bytes_of, (*bucket, gradient))) > bucket_bytes:
            yield bucket.copy()
            bucket.clear()
        bucket.append(gradient)
    yield from filling.values()


@torch.no_grad()
def average(reduction: Reduction, buffer: torch.Tensor) -> torch.Tensor:
    """The average, in place; divided first, so that it overflows no sooner than with DistributedDataParallel."""
    buffer.div_(prod(SIZES[place] for place in REDUCTION[0]))
    return reduction(buffer, out=buffer)


def refuse_sparse(gradient: torch.Tensor) -> None:
    """Raise TypeError for a gradient that is not dense."""
    if gradient.layout is not torch.strided:
        raise TypeError(f"a gradient is {gradient.layout}; sparse gradients are not supported")


def bytes_of(tensor: torch.Tensor) -> int:
    """What the elements of a tensor take."""
    return tensor.numel() * tensor.element_size()


def named(ranks: Ranks) -> str:
    """Some ranks in a message: all of them, or the first ones."""
    return ", ".join(map(str, ranks)) if len(ranks) <= 8 else f"{', '.join(map(str, ranks[:8]))}, ..."
'''

CHECK = '''

def check(device: torch.device) -> int:
    """How many gradients on this rank differ from those of plain DistributedDataParallel, over several steps."""
    reduction, group = Reduction(), reduction_group()
    plain, hooked = (DistributedDataParallel(tiny(device), process_group=group, bucket_cap_mb=0.01) for _ in range(2))
    register(hooked, reduction)
    alone = tiny(device)
    models = [plain, hooked, alone]
    optimizers = [torch.optim.SGD(model.parameters(), lr=0.1) for model in models]
    wrong = 0
    for step in range(5):
        inputs = torch.randn(8, 33, generator=torch.Generator().manual_seed(WORLD * step + reduction.rank)).to(device)
        for model, optimizer in zip(models, optimizers, strict=True):
            optimizer.zero_grad()
            model(inputs).square().mean().backward()
        average_gradients(reduction, alone.parameters(), bucket_bytes=10_000)
        wrong += sum(map(differ, hooked.parameters(), plain.parameters()))
        wrong += sum(map(differ, alone.parameters(), plain.parameters()))
        for optimizer in optimizers:
            optimizer.step()
    return wrong


def tiny(device: torch.device) -> torch.nn.Module:
    """A model whose parameters have odd lengths, the same every time."""
    torch.manual_seed(0)
    inner = [torch.nn.Linear(57, 57), torch.nn.Tanh()]
    return torch.nn.Sequential(torch.nn.Linear(33, 57), torch.nn.Tanh(), *inner, torch.nn.Linear(57, 7)).to(device)


def differ(found: torch.Tensor, expected: torch.Tensor) -> bool:
    """Whether two parameters have different gradients; the order of additions may matter in the last digits."""
    if found.grad is None or expected.grad is None:
        return True
    return not bool((found.grad - expected.grad).abs().max() <= 1e-4 * expected.grad.abs().max())
'''
