"""What a rank does in the tests of emitted goals; loaded in processes of its own."""

from datetime import timedelta

import torch
import torch.distributed as dist

from p2smt.run.rank.modules import load_module

TIMEOUT = timedelta(seconds=60)


def results(asked):
    """What this rank gives to each of these files, of a length each, and what the file makes of it, as lists."""
    found, groups = [], {}
    for path, length in asked:
        random = torch.Generator().manual_seed(dist.get_rank())
        given = torch.randint(-50, 50, (length,), generator=random)
        found.append((given.tolist(), load_module(path).Reduction(TIMEOUT, groups)(given).tolist()))
    return found


def checks(paths):
    """How many results each file's own check finds wrong on this rank."""
    return [load_module(path).check(torch.device("cpu")) for path in paths]


def refusals(path, outs):
    """What the emitted file says to results of other lengths, types and shapes; the tensor has 9 elements."""
    reduction = load_module(path).Reduction(TIMEOUT)
    said = []
    for shape, dtype in outs:
        try:
            reduction(torch.zeros(9), out=torch.zeros(shape, dtype=getattr(torch, dtype)))
            said.append("")
        except ValueError as error:
            said.append(str(error))
    return said
