"""Plans in chunks in real gloo processes: all goals, odd lengths, in place; a rank that dies."""

import multiprocessing
from dataclasses import replace

import pytest
from support import plans, problem
from tiers import is_full

from p2smt.collective import Collective
from p2smt.emit.torch.source import emit_torch
from p2smt.errors import RunError
from p2smt.run.local.cluster import LocalCluster


def test_chunks_give_what_the_plain_collective_gives():
    """More chunks than elements, fewer with a rest, and few elements: one of these for each plan in turn.

    The standard tier takes the last plan of 2x2 for each goal, the full one three or four of 2x3 under torch's checks,
    which test_unlike.py has in both.
    """
    sizes = (2, 3) if is_full() else (2, 2)
    ranks = sizes[0] * sizes[1]
    with LocalCluster(ranks, timeout_s=120, debug=is_full()) as cluster:
        for first, goal in enumerate(Collective):
            found = plans(problem(sizes, [ranks], goal=goal))
            several = [plan for plan in found if len(plan.steps) > 1]
            chosen = several[:: max(1, len(found) // 3)] if is_full() else several[-1:]
            for number, plan in enumerate(chosen, start=0 if is_full() else first):
                chunks, elements = ((9, 7), (2, 1003), (5, 24))[number % 3]
                text, groups = emit_torch(replace(plan, chunks=chunks)), tuple(plan.groups(plan.reduction))
                report = cluster.time(text, goal, groups, elements, warmups=0, repeats=1, check=True)
                assert report.ok, (goal, plan.program, chunks, elements)


def test_a_rank_that_dies_in_the_middle_is_named_and_nothing_is_left(monkeypatch):
    plan = replace(plans(problem([2, 2], [4]))[-1], chunks=4)
    line = "        for slot in range("
    dying = "        self.rank == 2 and len(chunks) > 1 and next(chunks[0]) is not None and os._exit(7)\n"
    text = emit_torch(plan).replace(line, dying + line)
    assert dying in text
    monkeypatch.setattr("p2smt.run.local.cluster.emit_torch", lambda _plan: text)
    before = {*multiprocessing.active_children()}
    with LocalCluster(4, timeout_s=60) as running, pytest.raises(RunError, match="rank 2 ended with exit code 7"):
        running.run(plan, elements=64)
    assert {*multiprocessing.active_children()} == before
