"""RMS norm is one operation in every form that models write it in, and what only looks like it is not."""

import pytest
import torch
from frontend.torch_graph.eager import captured, compared
from torch import nn
from torch.autograd import forward_ad
from torch.nn import functional
from torch.utils.checkpoint import checkpoint

from p2smt.errors import CaptureError
from p2smt.frontend.torch_graph.rms_norm import is_transformed
from p2smt.frontend.torch_graph.training import Training

WITHIN = 1e-12
WHOLE = ("weighted_rms_norm", "weighted_rms_norm_backward", "rms_norm_weight_backward")


@pytest.fixture(autouse=True)
def _float64():
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(before)


def llama(x, w):
    wide = x.to(torch.float64)
    variance = wide.pow(2).mean(-1, keepdim=True)
    return w * (wide * torch.rsqrt(variance + 1e-6)).to(x.dtype)


def gemma(x, w):
    scaled = x.double() * torch.pow(torch.mean(x**2, dim=-1, keepdim=True) + 1e-6, -0.5)
    return (scaled * (1.0 + w)).type_as(x)


def permuted(x, w):
    """Of columns that stay where they are: the views behind it hold for the strides that PyTorch gives."""
    y = llama((x * 1.0).transpose(0, 1), w)
    return y.transpose(0, 1).view(2, 40).view(2, 5, 8)


FORMS = {
    "permuted": permuted,
    "llama": llama,
    "gemma": gemma,
    "t5": lambda x, w: w * (x * torch.rsqrt(x.to(torch.float64).pow(2).mean(-1, keepdim=True) + 1e-6)),
    "quotient": lambda x, w: x / torch.sqrt(torch.mean(x * x, dim=(2,), keepdim=True) + 1e-5) * w,
    "square": lambda x, w: w * ((1e-5 + x.square().mean(2, True)).sqrt().reciprocal() * x),
    "inverse": lambda x, w: x * (1 / (x.pow(2).mean(-1, keepdim=True) + 1e-5).sqrt()) * w,
    "torch": lambda x, w: functional.rms_norm(x, (8,), w),
    "torch's own": lambda x, w: torch.rms_norm(x, (8,), w, 1e-3),
    "checkpointed": lambda x, w: checkpoint(llama, x, w, use_reentrant=False),
    "two dimensions": lambda x, w: functional.rms_norm(x, (5, 8), (x[0] * w), 1e-4),
    "constant row": lambda x, w: llama(x * 0 + 1, w) + llama(x * 0, w),
}
"""Whole, with weight."""


def _written(x, w):
    y = x.detach().clone()
    mean = y.pow(2).mean(-1, keepdim=True)
    y.add_(1)
    return y * torch.rsqrt(mean + 1e-6) * w


def _twice(x, w):
    """Of a normalised tensor that is written in place."""
    y = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)
    y.mul_(2)
    return y * w


def _under_no_grad(x, w):
    with torch.no_grad():
        scale = torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)
    return x * scale * w


def _mean_under_no_grad(x, w):
    with torch.no_grad():
        squares = x.pow(2)
    return x * torch.rsqrt(squares.mean(-1, keepdim=True) + 1e-6) * w


def _data_written(x, w):
    y = x * 1.0
    mean = y.pow(2).mean(-1, keepdim=True)
    y.data.mul_(3)
    return y * torch.rsqrt(mean + 1e-6) * w


def _storage_exchanged(x, w):
    y = x.detach() * 1.0
    mean = y.pow(2).mean(-1, keepdim=True)
    y.set_(y * 4)
    return y * torch.rsqrt(mean + 1e-6) * w


def _hooked(x, w):
    squares = x.pow(2)
    mean = squares.mean(-1, keepdim=True)
    squares.register_hook(lambda gradient: 3 * gradient)
    return x * torch.rsqrt(mean + 1e-6) * w


def _forward_derivative(x, w):
    with forward_ad.dual_level():
        return forward_ad.unpack_dual(llama(forward_ad.make_dual(x, torch.ones_like(x)), w)).tangent


OTHERS = {
    "under no_grad": _under_no_grad,
    "mean under no_grad": _mean_under_no_grad,
    "data written": _data_written,
    "storage exchanged": _storage_exchanged,
    "hooked": _hooked,
    "of another": lambda x, w: (x + 1) * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * w,
    "of columns": lambda x, w: x * torch.rsqrt(x.pow(2).mean(1, keepdim=True) + 1e-6) * w,
    "of all": lambda x, w: x * torch.rsqrt(x.pow(2).mean() + 1e-6) * w,
    "sum": lambda x, w: x * torch.rsqrt(x.pow(2).sum(-1, keepdim=True) + 1e-6) * w,
    "cube": lambda x, w: x * torch.rsqrt(x.pow(4).mean(-1, keepdim=True) + 1e-6) * w,
    "trained eps": lambda x, w: x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + w[0] ** 2) * w,
    "written": _written,
}


def _hooked_behind(x, w):
    y = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)
    y.register_hook(lambda gradient: 3 * gradient)
    return y * w


PARTLY = {
    "hooked behind": _hooked_behind,
    "without weight": lambda x, w: functional.rms_norm(x, (8,)) * w.sum(),
    "written behind": _twice,
    "weight of rows": lambda x, w: x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * x[0] * w,
}
"""Rows are normalised by one operation without weight; of those that are written in place it is alone."""


class Forms(nn.Module):
    def __init__(self, forms):
        super().__init__()
        self.forms = forms
        self.moved = nn.Parameter(torch.zeros(2, 5, 8))
        self.weights = nn.ParameterList(torch.linspace(0.5, 1.5, 8) for _ in forms)

    def forward(self, x, counts):
        x = x + self.moved
        return sum((form(x, w) * counts).sum() for form, w in zip(self.forms, self.weights, strict=True))


def step(forms):
    def function():
        torch.manual_seed(1)
        batch = {"x": torch.randn(2, 5, 8), "counts": torch.randn(2, 5, 8)}
        return Training(Forms(list(forms)), batch, lambda module, x, counts: module(x, counts))

    return function


def _operations(program):
    return [getattr(each.expression, "operation", "") for each in program.statements]


def test_forms_of_rms_norm_are_one_operation():
    program = captured(step(FORMS.values()))
    assert compared(step(FORMS.values()), program, 1) < WITHIN
    found = _operations(program)
    for name in WHOLE:
        assert found.count(name) == len(FORMS) + 1, name
    assert not {"rsqrt", "sqrt", "pow", "rms_norm"} & set(found)


def test_what_only_looks_like_rms_norm_is_not():
    forms = [*OTHERS.values(), *PARTLY.values()]
    program = captured(step(forms))
    assert compared(step(forms), program, 1) < WITHIN
    found = _operations(program)
    assert not set(WHOLE) & set(found)
    assert found.count("rms_norm_backward") == len(PARTLY)


def test_a_gradient_of_a_gradient_of_rms_norm_is_in_parts():
    def loss(module, x, counts):
        x = x.detach().requires_grad_()
        made = module(x, counts)
        return made + torch.autograd.grad(made, x, create_graph=True)[0].square().sum()

    def function():
        torch.manual_seed(1)
        batch = {"x": torch.randn(2, 5, 8), "counts": torch.randn(2, 5, 8)}
        return Training(Forms([llama]), batch, loss)

    assert compared(function, captured(function), 1) < WITHIN


def test_a_hook_on_a_part_of_a_norm_that_is_complete_is_refused():
    def late(x, w):
        y = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)
        made = y * w
        y.register_hook(lambda gradient: 3 * gradient)
        return made + y

    with pytest.raises(CaptureError, match="which became one operation"):
        captured(step([late]))


def test_inside_of_what_torch_transforms_norms_are_in_parts():
    seen = [is_transformed()]
    with forward_ad.dual_level():
        seen.append(is_transformed())
    torch.func.vmap(lambda x: seen.append(is_transformed()) or x)(torch.ones(2))
    assert seen == [False, True, True]


@pytest.mark.thorough  # when torch transforms is asked above
@pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated")
def test_a_forward_derivative_is_in_parts():
    assert compared(step([_forward_derivative]), captured(step([_forward_derivative])), 1) < WITHIN
