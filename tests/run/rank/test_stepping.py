"""Timing a step on one rank."""

from types import SimpleNamespace

import pytest

from p2smt.run.rank import stepping


@pytest.mark.parametrize(
    ("before", "each", "long", "mean"),
    [(9.0, 0.0, 1.0, 9.0), (0.0, 9.0, 1.0, 9.0), (0.0, 0.5, 2.0, 0.5), (0.0, 1.5, 2.0, 1.5), (1.0, 0.5, 2.0, 1.0)],
)  # fmt: skip
def test_a_rank_that_waits_before_it_begins_still_takes_one_step(before, each, long, mean, monkeypatch):
    now, reads = [0.0], [0]

    def clock():
        reads[0] += 1
        if reads[0] == 2:
            now[0] += before
        return now[0]

    def step():
        now[0] += each

    monkeypatch.setattr(stepping, "time", SimpleNamespace(monotonic=clock))
    assert stepping.mean_seconds(step, long) == mean
