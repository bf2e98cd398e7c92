"""What a rank does in the tests of emitted schedules; loaded in processes of its own."""

import os
import signal
from contextlib import contextmanager

import torch
import torch.distributed as dist

from p2smt.run.rank.modules import load_module


def check(path, real):
    """How many tensors the file itself finds to differ from those of the program as it was."""
    dist.set_debug_level(dist.DebugLevel.DETAIL)
    with groups_of_its_own():
        return load_module(path).check(torch.device("cpu"), getattr(torch, real))


@contextmanager
def groups_of_its_own():
    """Process groups that are made meanwhile are gone behind it, and with them the threads of each."""
    made, plain = [], dist.new_group

    def new_group(*arguments, **options):
        made.append(plain(*arguments, **options))
        return made[-1]

    dist.new_group = new_group
    try:
        yield
    finally:
        dist.new_group = plain
        for group in made:
            if group is not dist.GroupMember.NON_GROUP_MEMBER:
                dist.destroy_process_group(group)


def threads():
    """How many threads this rank has."""
    return len(os.listdir("/proc/self/task"))


def stepped(path, state, steps):
    """The checkpoint after some steps from another one, as lists, and how many elements this rank keeps."""
    module = load_module(path)
    step = module.Step(read(state), real=torch.float64)
    batches = torch.Generator().manual_seed(dist.get_rank())
    scalars = {name: 0.5 for name, each in module.TENSORS.items() if each.kind == "scalar" and name != "step"}
    for _ in range(steps):
        given = [(name, each.shape) for name, each in module.TENSORS.items() if each.kind == "input"]
        step({name: torch.randn(shape, generator=batches, dtype=torch.float64) for name, shape in given}, **scalars)
    return written(step.state_dict()), sum(each.numel() for each in step.held.values())


def reread(path, state):
    """The checkpoint of a step that begins with one."""
    return written(load_module(path).Step(read(state), real=torch.float64).state_dict())


def written(state):
    """A checkpoint as numbers."""
    return {name: each.tolist() if isinstance(each, torch.Tensor) else each for name, each in state.items()}


def read(state):
    """A checkpoint of numbers."""
    return {
        name: torch.tensor(each, dtype=torch.float64) if isinstance(each, list) else each
        for name, each in state.items()
    }


def dying(path):
    """One rank is killed while collectives of a loop are under way."""
    module = load_module(path)
    plain = module.waited

    def killed(pending):
        if dist.get_rank() == 1:
            os.kill(os.getpid(), signal.SIGKILL)
        return plain(pending)

    module.waited = killed
    module.check(torch.device("cpu"))


def unlike(path, kind):
    """One rank brings a gradient that is an element shorter, or of another type."""
    module = load_module(path)
    step = module.Step()
    batch, scalars = module.example(step.ranks, 0, module.REAL)
    if dist.get_rank() == 1:
        batch = {name: tensor[:-1] if kind == "shorter" else getattr(tensor, kind)() for name, tensor in batch.items()}
    step(batch, **scalars)
