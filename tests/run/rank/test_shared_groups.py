"""Groups of steps that take turns: as many threads for many files as for one, and none that stay."""

from pathlib import Path

import pytest

from p2smt.emit.torch.program.source import emit_program
from p2smt.run.local.calls import CallRanks
from p2smt.run.rank.message import Seat
from p2smt.tensor.text.parser import parse_program

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="threads are counted in /proc")

RANK = str(Path(__file__).with_name("thread_counts.py"))
STEP = """program summed
mesh device={ranks}
input x : f32[{length}] partial(+)
y = AllReduce(x)
output y
"""


@pytest.fixture
def running():
    with CallRanks([Seat()] * 2, timeout_s=60.0) as running:
        yield running


def written(running, lengths):
    paths = [str(running.folder / f"step{length}.py") for length in lengths]
    for path, length in zip(paths, lengths, strict=True):
        Path(path).write_text(emit_program(parse_program(STEP.format(ranks=2, length=length))), encoding="utf-8")
    return paths


def test_steps_share_groups_as_long_as_they_are_there(running):
    """Threads of idle groups wake a hundred times a second, at the expense of what is timed."""
    for before, first, *more, behind in running.call(RANK, "while_open", written(running, (4, 8, 16)), timeout_s=60.0):
        assert before < first
        assert more == [first, first]
        assert behind == before


def test_ranks_that_timed_files_keep_no_threads_of_theirs(running):
    for before, behind in running.call(RANK, "around_timing", written(running, (4, 8, 16)), timeout_s=60.0):
        assert behind == before
