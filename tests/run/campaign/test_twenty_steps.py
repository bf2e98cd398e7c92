"""Steps on real ranks equal PyTorch's on one device, twenty in the full tier and three in the standard one.

`campaign.py` does so for all models in all shardings.
"""

import pytest
import torch
from run.campaign.campaign import KEPT, LOSS, TYPES, deviations
from run.campaign.models import trained
from run.campaign.shardings import MESH
from tiers import is_full, sample

pytestmark = pytest.mark.slow

SOME = (
    (
        "small",
        "3 unlike",
        tuple(sample(("data parallel, states sliced (ZeRO-1, 2), proportional", "choice"), 1)),
        "proportional",
    ),
    pytest.param(
        "attention",
        "4, one useless",
        ("choice", "data parallel, all sliced (ZeRO-3), proportional"),
        "proportional",
        marks=pytest.mark.thorough,  # a rank without anything trains in tests/run/local/test_steps.py
    ),
    pytest.param(
        "mlp",
        MESH,
        ("choice", "data x tensor", "ZeRO-3 x tensor"),
        "",
        marks=pytest.mark.thorough,  # programs of two axes run in tests/run/local/test_steps.py
    ),
    pytest.param(
        "mlp",
        "4 in 2 x 2",
        ("data parallel, all sliced (ZeRO-3), even", "choice"),
        "even",
        marks=pytest.mark.thorough,  # types in tests/spmd/test_precision.py
    ),
    pytest.param(
        "small",
        "6 in 2 x 3, unlike",
        ("data parallel, states sliced (ZeRO-1, 2), proportional", "data parallel, proportional"),
        "proportional",
        marks=pytest.mark.thorough,  # the model above on three, by programs in tests/run/local/test_steps.py
    ),
)
"""Tied weights and parameters of length 1, clipping, dropout; a device that gets nothing; two axes; by programs.

Of the shares that are searched for each, the standard tier takes those of one name.
"""


@pytest.mark.parametrize(("model", "where", "names", "shares"), SOME)
def test_a_model_trains_as_on_one_device(model, where, names, shares):
    """In float64; by reduction programs in float32; everything in both in the full tier."""
    steps, shares = (20, ()) if is_full() else (3, (shares,))
    types = TYPES if is_full() else (torch.float32 if where == "4 in 2 x 2" else torch.float64,)
    found = list(deviations(model, where, steps, types, names, shares))
    assert len(found) == len(names) * len(types)
    assert [each for each in found if not each.is_right] == []
    if torch.float32 in types:
        assert max(each.losses for each in found if each.real is torch.float32) > 0, "float32 is not float64"


def test_a_step_that_is_left_out_is_seen():
    """A guard: after 19 steps the parameters are not those after 20."""
    one, other = (trained("mlp", steps, torch.float64) for steps in (19, 20))
    pairs = zip(one.module.parameters(), other.module.parameters(), strict=True)
    assert max(float((left - right).detach().abs().max()) for left, right in pairs) > KEPT[torch.float32]
    assert abs(one.losses[-1] - other.losses[-1]) > 100 * LOSS[torch.float32]
