"""What a rank of test_shared_groups.py does: counts its threads before, while and after it times files."""

from pathlib import Path

import torch

from p2smt.run.rank.modules import load_module
from p2smt.run.rank.shared_groups import SharedGroups
from p2smt.run.rank.stepping import drawn, ends_by_turns, own_seconds


def while_open(paths):
    """The threads before, while as many steps are there as there are files, and behind them."""
    counts = [_threads()]
    with SharedGroups() as groups:
        for path in paths:
            module = load_module(path)
            given, batch = drawn(module)
            groups.step(module, given, device=torch.device("cpu"))(batch)
            counts.append(_threads())
    return [*counts, _threads()]


def around_timing(paths):
    """The threads before files are timed by turns, and each alone, and behind that."""
    before = _threads()
    ends_by_turns(paths, 1, 1, 1)
    for path in paths:
        own_seconds(path, 0.0)
    return [before, _threads()]


def _threads():
    return sum(1 for _ in Path("/proc/self/task").iterdir())
