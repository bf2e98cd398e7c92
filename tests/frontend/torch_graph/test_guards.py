"""Checks of values that only raise or tell are not in the program; conditions that decide more are refused."""

import pytest
import torch
from frontend.torch_graph.eager import captured
from frontend.torch_graph.guard_cases import CHECKS, DECIDING
from looped import looped
from torch import nn

from p2smt.errors import CaptureError


def _captured(check):
    def loss(module, x, y):
        check(x, y)
        return module(x).sum()

    def function():
        module = nn.Linear(3, 3)
        return module, {"x": torch.ones(2, 3), "y": torch.arange(2)}, loss, torch.optim.SGD(module.parameters(), lr=0.1)

    return captured(function)


@looped("check", CHECKS)
def test_a_check_passes_and_leaves_nothing(check):
    kinds = [getattr(each.expression, "operation", "") for each in _captured(check).statements]
    assert kinds == [getattr(each.expression, "operation", "") for each in _captured(lambda x, y: None).statements]


@looped("check", DECIDING)
def test_what_decides_more_than_an_error_is_refused(check):
    with pytest.raises(CaptureError, match=r"guard_cases.py:\d+: .*it depends on the values of tensors"):
        _captured(check)
