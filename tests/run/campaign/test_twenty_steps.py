"""Twenty steps on real ranks equal PyTorch's on one device; `campaign.py` does so for all models in all shardings."""

import pytest
import torch
from run.campaign.campaign import KEPT, LOSS, TYPES, deviations
from run.campaign.models import trained
from run.campaign.shardings import MESH

pytestmark = pytest.mark.slow

SOME = (
    ("small", "3 unlike", ("choice", "data parallel, states sliced (ZeRO-1, 2), proportional")),
    ("attention", "4, one useless", ("choice", "data parallel, all sliced (ZeRO-3), proportional")),
    ("mlp", MESH, ("choice", "data x tensor", "ZeRO-3 x tensor")),
    ("mlp", "4 in 2 x 2", ("choice", "data parallel, all sliced (ZeRO-3), even")),
    ("small", "6 in 2 x 3, unlike", ("data parallel, even", "data parallel, states sliced (ZeRO-1, 2), proportional")),
)
"""Tied weights and parameters of length 1, clipping, dropout; a device that gets nothing; two axes; by programs."""


@pytest.mark.parametrize(("model", "where", "names"), SOME)
def test_a_model_trains_as_on_one_device(model, where, names):
    found = list(deviations(model, where, names=names))
    assert len(found) == len(names) * len(TYPES)
    assert [each for each in found if not each.is_right] == []
    assert max(each.losses for each in found if each.real is torch.float32) > 0, "float32 is not float64"


def test_a_step_that_is_left_out_is_seen():
    """A guard: after 19 steps the parameters are not those after 20."""
    one, other = (trained("mlp", steps, torch.float64) for steps in (19, 20))
    pairs = zip(one.module.parameters(), other.module.parameters(), strict=True)
    assert max(float((left - right).detach().abs().max()) for left, right in pairs) > KEPT[torch.float32]
    assert abs(one.losses[-1] - other.losses[-1]) > 100 * LOSS[torch.float32]
