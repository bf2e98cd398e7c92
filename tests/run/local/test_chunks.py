"""Plans in chunks in real gloo processes: all goals, odd lengths, in place, under torch's checks; a rank that dies."""

import multiprocessing
from dataclasses import replace

import pytest
from support import plans, problem

from p2smt.collective import Collective
from p2smt.emit.torch.source import emit_torch
from p2smt.errors import RunError
from p2smt.run.local.cluster import Cluster


@pytest.fixture(scope="module")
def cluster():
    with Cluster(6, timeout_s=120) as running:
        yield running


@pytest.mark.parametrize("goal", Collective)
def test_chunks_give_what_the_plain_collective_gives(cluster, goal):
    """More chunks than elements, fewer with a rest, and few elements: one of these for each plan in turn."""
    found = plans(problem([2, 3], [6], goal=goal))
    chosen = [plan for plan in found if len(plan.steps) > 1][:: max(1, len(found) // 3)]
    assert chosen
    for number, plan in enumerate(chosen):
        chunks, elements = ((9, 7), (2, 1003), (5, 24))[number % 3]
        report = cluster.run(replace(plan, chunks=chunks), elements=elements, repeats=1)
        assert report.ok, (plan.program, chunks, elements)


def test_a_rank_that_dies_in_the_middle_is_named_and_nothing_is_left(monkeypatch):
    plan = replace(plans(problem([2, 2], [4]))[-1], chunks=4)
    line = "        for slot in range("
    dying = "        self.rank == 2 and len(chunks) > 1 and next(chunks[0]) is not None and os._exit(7)\n"
    text = emit_torch(plan).replace(line, dying + line)
    assert dying in text
    monkeypatch.setattr("p2smt.run.local.cluster.emit_torch", lambda _plan: text)
    before = {*multiprocessing.active_children()}
    with Cluster(4, timeout_s=60) as running, pytest.raises(RunError, match="rank 2 ended with exit code 7"):
        running.run(plan, elements=64)
    assert {*multiprocessing.active_children()} == before
