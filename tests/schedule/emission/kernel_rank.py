"""What a rank does in the tests of Triton's kernels, which its interpreter runs; loaded in processes of its own."""

import os
import sys

import torch
import torch.distributed as dist

from p2smt.run.rank.modules import load_module

# Of triton's own functions those are interpreted that are loaded when this is set, and torch may have loaded it.
os.environ["TRITON_INTERPRET"] = "1"
for _name in [each for each in sys.modules if each.partition(".")[0] == "triton" and not each.startswith("triton._C")]:
    del sys.modules[_name]
STEPS = 2


def interpreted():
    """Whether files that are loaded from now on have their kernels run by the interpreter."""
    return os.environ["TRITON_INTERPRET"]


def check(path, real, watched=True):
    """How many tensors the file itself finds to differ from those of the program as it was.

    `watched` by torch, which compares what ranks call, and takes as long again.
    """
    dist.set_debug_level(dist.DebugLevel.DETAIL if watched else dist.DebugLevel.OFF)
    module = load_module(path)
    assert module.INTERPRETED
    return module.check(torch.device("cpu"), getattr(torch, real))


def apart(path, other, real):
    """How far outputs and states are from those of the file whose kernels are torch's, beside the largest of each."""
    modules = [load_module(path), load_module(other)]
    kind = getattr(torch, real)
    state = modules[0].beginning(kind)
    steps = [module.Step(state, real=kind) for module in modules]
    found = [0.0]
    for number in range(STEPS):
        batch, scalars = modules[0].example(steps[0].ranks, number, kind)
        ours, theirs = (step(batch, **scalars) for step in steps)
        found += [_apart(ours[name], each) for name, each in theirs.items() if each is not None]
    found += [_apart(steps[0].held[name], each) for name, each in steps[1].held.items() if each is not None]
    return max(found)


def _apart(found, expected):
    assert found.dtype is expected.dtype
    assert found.shape == expected.shape
    found, expected = found.double(), expected.double()
    assert torch.equal(found.isnan(), expected.isnan())
    if torch.equal(found, expected) or not expected.numel():
        return 0.0
    return float((found - expected).nan_to_num().abs().max() / expected.nan_to_num().abs().max().clamp(min=1e-30))
