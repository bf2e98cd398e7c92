"""Operations that are recorded as others, a few; the others are among those of `test_modules.py`, in the full tier."""

import pytest
import torch
from frontend.torch_graph import decomposed_cases
from frontend.torch_graph.eager import captured, compared
from frontend.torch_graph.module_cases import IMAGE, SEQUENCE, Fn
from frontend.torch_graph.test_modules import step
from looped import looped
from torch.nn import functional

from p2smt.errors import CaptureError

FEW = ("reflected along", "bag", "whole numbers", "diagonals", "orders", "bits")


@pytest.fixture(autouse=True)
def _float64():
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(before)


def test_a_few_are_captured_right():
    cases = [case for case in decomposed_cases.CASES if case[0] in FEW]
    assert len(cases) == len(FEW)
    assert compared(step(cases), captured(step(cases)), 1) < 1e-12


def _joined(x):
    """Targets one behind the other."""
    return functional.ctc_loss(x.transpose(0, 1), torch.tensor([1, 1, 2]), (5, 5), (2, 1))


REFUSED = {
    "windows of different sizes": (
        lambda x: functional.adaptive_max_pool2d(x, 4),
        IMAGE,
        "take output sizes that divide",
    ),
    "targets in one row": (_joined, SEQUENCE, "pad concatenated targets"),
    "product of what is scattered": (
        lambda x: x.scatter_reduce(0, (x > 0).long(), x, "prod"),
        SEQUENCE,
        'which has "sum", "mean", "amax" and "amin"',
    ),
    "bicubic": (
        lambda x: functional.grid_sample(x, x[:, :3, :, :2], "bicubic", align_corners=False),
        IMAGE,
        "bilinear",
    ),
    "counts of any length": (lambda x: x * x.argmax(1).flatten().bincount()[0], SEQUENCE, "pass minlength"),
    "counts of what is rounded": (
        lambda x: x * (x % 3).long().flatten().bincount(minlength=3).sum(),
        SEQUENCE,
        "has more than 3 elements where a number is 3 or larger",
    ),
    "counts in few bits": (
        lambda x: x * x.flatten().argmax()[None].bfloat16().long().bincount(minlength=x.numel()).sum(),
        SEQUENCE,
        "or larger, and that depends on the values",
    ),
    "counts of what is wrapped": (
        lambda x: x * x.long().clamp(max=2).to(torch.uint8).flatten().bincount(minlength=3).sum(),
        SEQUENCE,
        "use one_hot(x, 3).sum(0), which takes no such number, or bincount of x.clamp(0, 2)",
    ),
    "counts of numbers of the batch": (
        lambda x: x * x.long().flatten().bincount(minlength=9).sum(),
        SEQUENCE,
        "or larger, and that depends on the values of tensors, which have none while a step is captured; use one_hot",
    ),
}


@looped("name", REFUSED)
def test_others_are_refused_with_line_and_way_out(name):
    function, shape, said = REFUSED[name]
    with pytest.raises(CaptureError) as refused:
        captured(step([(name, lambda: Fn(function), shape)]))
    assert said in str(refused.value)
    assert f"{__file__}:" in str(refused.value)
