"""What a rank does in the tests of emitted schedules; loaded in processes of its own."""

import os
import signal

import torch
import torch.distributed as dist

from p2smt.run.rank.modules import load_module


def check(path, real, watched=True):
    """How many tensors the file itself finds to differ from those of the program as it was.

    `watched` by torch, which compares what ranks call, and takes as long again.
    """
    dist.set_debug_level(dist.DebugLevel.DETAIL if watched else dist.DebugLevel.OFF)
    return load_module(path).check(torch.device("cpu"), getattr(torch, real))


def check_symmetric(path, real):
    """Check a file as `check` does, as if ranks shared memory, with torch's own fallbacks of its operations.

    Returns the number of tensors that differ, and the operations that were called, each with its dimension.
    """
    from torch.distributed import _symmetric_memory as symmetric

    called = []
    scattering, gathering = torch.ops.symm_mem.fused_matmul_reduce_scatter, torch.ops.symm_mem.fused_all_gather_matmul
    library = torch.library.Library("symm_mem", "IMPL")

    def scatter(x, w, op, dim, name):
        called.append(("scatter", dim))
        return symmetric._fused_matmul_reduce_scatter_fallback(x, w, op, dim, name)

    def gather(x, others, dim, name, *, return_A=True):  # noqa: N803
        called.append(("gather", dim))
        return symmetric._fused_all_gather_matmul_fallback(x, others, dim, name, return_A=return_A)

    library.impl(scattering.default, scatter, "CPU")
    library.impl(gathering.default, gather, "CPU")
    module = load_module(path)
    module.shares_memory = lambda axis, by_columns=False: axis.size > 1
    return module.check(torch.device("cpu"), getattr(torch, real)), sorted(set(called))


def closed(path):
    """What is said of a step that is closed, and whether one that shares its groups leaves them alone."""
    module = load_module(path)
    with module.Step() as step:
        batch, scalars = module.example(step.ranks, 0, module.REAL)
        with module.Step(ranks=step.ranks) as other:
            other(batch, **scalars)
        step(batch, **scalars)
    step.close()
    try:
        step.state_dict()
        step(batch, **scalars)
    except RuntimeError as error:
        return str(error)
    return ""


def copied(path):
    """The bytes of chunks that a step copies out of tensors, and into them."""
    module, found = load_module(path), []
    taken, put = module.Block.of, module.Block.put

    def of(block, x, dim):
        chunk = taken(block, x, dim)
        if chunk._base is None:
            found.append(chunk.nbytes)
        return chunk

    def into(block, whole, dim, x):
        found.append(x.nbytes)
        put(block, whole, dim, x)

    module.Block.of, module.Block.put = of, into
    with module.Step() as step:
        batch, scalars = module.example(step.ranks, 0, module.REAL)
        step(batch, **scalars)
    return sum(found)


def threads():
    """How many threads this rank has."""
    return len(os.listdir("/proc/self/task"))


def stepped(path, state, steps):
    """The checkpoint after some steps from another one, as lists, and how many elements this rank keeps."""
    module = load_module(path)
    batches = torch.Generator().manual_seed(dist.get_rank())
    scalars = {name: 0.5 for name, each in module.TENSORS.items() if each.kind == "scalar" and name != "step"}
    with module.Step(read(state), real=torch.float64) as step:
        for _ in range(steps):
            given = [(name, each.shape) for name, each in module.TENSORS.items() if each.kind == "input"]
            step({name: torch.randn(shape, generator=batches, dtype=torch.float64) for name, shape in given}, **scalars)
        return written(step.state_dict()), sum(each.numel() for each in step.held.values())


def reread(path, state):
    """The checkpoint of a step that begins with one."""
    with load_module(path).Step(read(state), real=torch.float64) as step:
        return written(step.state_dict())


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
