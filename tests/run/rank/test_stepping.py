"""Timing a step on one rank."""

from types import SimpleNamespace

import pytest
import torch

from p2smt.run.rank import stepping


@pytest.mark.parametrize(
    ("before", "each", "long", "mean"),
    [(9.0, 0.0, 1.0, 9.0), (0.0, 9.0, 1.0, 9.0), (0.0, 0.5, 2.0, 0.5), (0.0, 1.5, 2.0, 1.5), (1.0, 0.5, 2.0, 1.0)],
)
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


def test_matrices_are_drawn_as_small_as_layers_draw_theirs():
    """Else training blows up within a few steps, and times are those of zeros and of what is no number."""
    shapes = {"w": (64, 300), "k": (32, 8, 3, 3), "b": (300,), "one": (1, 1), "empty": (0, 4), "m": (64, 300)}
    tensors = {
        name: SimpleNamespace(kind="state" if name == "m" else "parameter", shape=shape)
        for name, shape in shapes.items()
    }
    tensors["x"] = SimpleNamespace(kind="input", shape=(8, 4))
    module = SimpleNamespace(
        TENSORS=tensors, REAL=torch.float32, drawn=lambda tensor, real: 0.3 * torch.randn(tensor.shape, dtype=real)
    )
    given, batch = stepping.drawn(module)
    assert {name: tuple(each.shape) for name, each in given.items()} == shapes
    assert given["w"].std().item() == pytest.approx((3 * 300) ** -0.5)
    assert given["k"].std().item() == pytest.approx((3 * 72) ** -0.5)
    for name in ("b", "m"):
        assert given[name].std().item() == pytest.approx(0.3, rel=0.2)
    assert all(each.isfinite().all() for each in (*given.values(), *batch.values()))
    again, _ = stepping.drawn(module)
    assert all(torch.equal(each, again[name]) for name, each in given.items())
