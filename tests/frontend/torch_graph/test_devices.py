"""Models on another device are traced where they are: `meta` stands here for a device that this machine lacks."""

import pytest
import torch
from torch import nn
from torch.nn import functional

import p2smt
from p2smt.errors import CaptureError
from p2smt.tensor.dtype import DType
from p2smt.tensor.printer import print_program


class Placed(nn.Sequential):
    """Asks for its device by name, in the ways that models do."""

    def forward(self, x):
        kind = "meta" if self[0].weight.is_meta else "cpu"
        h = x.to(kind) + torch.arange(4, device=self[0].weight.device) + torch.zeros(4, device=torch.device(kind))
        return super().forward(h + h.new_zeros(4, device=kind))


def made(device):
    with torch.device(device):
        module = Placed(nn.Linear(4, 8), nn.GELU(), nn.LayerNorm(8), nn.Linear(8, 3))
    return module, (torch.empty(6, 4), torch.zeros(6, dtype=torch.int64))


def test_a_model_elsewhere_has_the_program_of_one_here():
    def loss(module, x, y):
        return functional.cross_entropy(module(x), y)

    there, here = (print_program(p2smt.capture(module, loss, batch)) for module, batch in map(made, ("meta", "cpu")))
    assert there == here


def test_a_scaled_loss_is_refused_in_a_capture_and_scaled_behind_it():
    module, batch = made("cpu")
    scaler = torch.amp.GradScaler("cpu", init_scale=4.0)

    def loss(module, x, y):
        return scaler.scale(functional.cross_entropy(module(x), y))

    with pytest.raises(CaptureError, match=r"GradScaler\.scale is not supported"):
        p2smt.capture(module, loss, batch)
    assert scaler.scale(torch.ones(())).item() == 4.0


def test_autocasting_elsewhere_is_done_here_by_the_rules_of_that_device():
    def loss(module, x, y):
        with torch.autocast("meta", dtype=torch.bfloat16):
            return functional.cross_entropy(module(x), y)

    module, batch = made("meta")
    lines = print_program(p2smt.capture(module, loss, batch)).splitlines()
    cast = [each for each in lines if "cast(m.3.weight" in each]
    assert cast[0].endswith(f"dtype={DType.BF16})")
    norm = next(each for each in lines if " = layernorm(" in each or "layernorm(" in each)
    widened = norm.partition("layernorm(")[2].partition(",")[0]
    assert next(each for each in lines if each.startswith(f"{widened} = ")).endswith(f"dtype={DType.F32})")


def test_a_module_on_two_devices_is_refused():
    module, batch = made("cpu")
    module[3].to("meta")
    with pytest.raises(CaptureError, match=r"on several devices \(2.bias is on cpu, 3.bias is on meta\)"):
        p2smt.capture(module, lambda module, x, y: module(x).sum(), batch)
