"""What a rank does in the tests of emitted steps; loaded in processes of its own."""

import os
import resource
import signal
from pathlib import Path

import torch
import torch.distributed as dist

from p2smt.run.rank.modules import load_module


def check(path, watched=True):
    """How many tensors the file itself finds to differ from those of one device.

    `watched` by torch, which compares what ranks call, and takes as long again.
    """
    dist.set_debug_level(dist.DebugLevel.DETAIL if watched else dist.DebugLevel.OFF)
    return load_module(path).check(torch.device("cpu"))


def train(path, state, batches, watched=True):
    """The losses of every step, and the checkpoint after the last; in float64."""
    dist.set_debug_level(dist.DebugLevel.DETAIL if watched else dist.DebugLevel.OFF)
    with load_module(path).Step(state, real=torch.float64) as step:
        losses = [step(batch)["loss"].item() for batch in batches]
        return losses, step.state_dict()


def parts(path, state, batches):
    """The losses where every rank gives its own part of the batch, and how many elements it keeps."""
    module = load_module(path)
    losses = []
    with module.Step(state, real=torch.float64) as step:
        for batch in batches:
            own = {name: step._own(name, module.TENSORS[name], each) for name, each in batch.items()}
            losses.append(step(own)["loss"].item())
        return losses, sum(each.numel() for each in step.held.values())


def refused(path, state, batch):
    """What making a step, and calling it, say."""
    try:
        load_module(path).Step(state, real=torch.float64)(batch)
    except (KeyError, RuntimeError, ValueError) as cause:
        return f"{type(cause).__name__}: {cause.args[0]}"
    return ""


def continued(path, other, state, batches):
    """A checkpoint of one sharding's steps, and what another makes of it before and after it goes on."""
    with load_module(path).Step(state, real=torch.float64) as step:
        for batch in batches[:2]:
            step(batch)
        checkpoint = step.state_dict()
    with load_module(other).Step(checkpoint, real=torch.float64) as again:
        reread = again.state_dict()
        return checkpoint, reread, [again(batch)["loss"].item() for batch in batches[2:]]


def closed(path, state, batch):
    """How many threads steps that are closed leave behind, and what is said of the last of them."""
    module = load_module(path)
    with module.Step(state, real=torch.float64) as step:
        step(batch)
    before = threads()
    for _ in range(4):
        with module.Step(state, real=torch.float64) as step:
            step(batch)
    try:
        step(batch)
    except RuntimeError as error:
        return threads() - before, str(error)
    return threads() - before, ""


def threads():
    """How many threads this rank has."""
    return len(os.listdir("/proc/self/task"))


def dying(path, state, batch):
    """One rank is killed in the middle of a step."""
    module = load_module(path)
    step = module.Step(state, real=torch.float64)
    plain = module.all_reduce

    def killed(*arguments):
        if dist.get_rank() == 1:
            os.kill(os.getpid(), signal.SIGKILL)
        return plain(*arguments)

    module.all_reduce = killed
    step(batch)


def starved(path, poor, room):
    """One rank may have so many bytes more than it has; what it keeps fits, a step does not, before it sends anything.

    The others make no second step, so that this rank alone fails.
    """
    module = load_module(path)
    state = {name: torch.zeros(each.shape) for name, each in module.TENSORS.items() if each.kind == "parameter"}
    step = module.Step(state)
    batch = {name: torch.zeros(each.shape) for name, each in module.TENSORS.items() if each.kind == "input"}
    step(batch)
    if dist.get_rank() == poor:
        pages = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[0])
        used = pages * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + room, resource.getrlimit(resource.RLIMIT_AS)[1]))
        step(batch)
