"""Norms of one rank are PyTorch's own calls, with the same statistics, under autocast too."""

import torch
from looped import looped
from tiers import sample

from p2smt.emit.torch.program.source import emit_program
from p2smt.frontend.torch_graph.live import capture
from p2smt.tensor.expression import ProgramAxis

STEPS = 2


def module():
    torch.manual_seed(5)
    layers = torch.nn.Conv2d(2, 3, 3), torch.nn.BatchNorm2d(3), torch.nn.ReLU(), torch.nn.Flatten()
    return torch.nn.Sequential(*layers, torch.nn.Linear(3 * 2 * 2, 2))


def loss(of, x):
    return (of(x) ** 2).mean()


def under_autocast(of, x):
    with torch.autocast("cpu", torch.bfloat16):
        return (of(x) ** 2).mean()


@looped("loss", sample([under_autocast, loss], 1))
def test_a_step_is_that_of_pytorch(loss):
    alone, x = module(), torch.randn(4, 2, 4, 4, generator=torch.Generator().manual_seed(1))
    optimizer = torch.optim.SGD(alone.parameters(), 0.1)
    text = emit_program(capture(alone, loss, (x,), optimizer=optimizer).on(ProgramAxis("rank", 1)))
    assert "kept_local_batch_norm(" in text
    assert "batch_norm_squares" not in text
    names = {"__name__": "emitted"}
    exec(compile(text, "emitted", "exec"), names)
    ranks = names["OneDevice"](torch.device("cpu"), torch.float32)
    step = names["Step"]({f"m.{name}": each for name, each in alone.state_dict().items()}, ranks=ranks)
    for _ in range(STEPS):
        outputs = step({"x": x})
        optimizer.zero_grad()
        expected = loss(alone, x)
        expected.backward()
        optimizer.step()
        assert torch.allclose(outputs["loss"], expected.detach(), rtol=1e-5)
    found = step.state_dict()["module"]
    assert all(torch.allclose(found[f"m.{name}"], each, rtol=1e-4) for name, each in alone.state_dict().items())


def test_a_layer_norm_whose_weight_has_another_type_is_one_call():
    """Autocast on CPUs gives it numbers in bf16 and weights in float32."""
    torch.manual_seed(5)
    module = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.LayerNorm(4), torch.nn.Linear(4, 2))
    optimizer = torch.optim.SGD(module.parameters(), 0.1)
    program = capture(module, under_autocast, (torch.randn(5, 3),), optimizer=optimizer)
    text = emit_program(program.on(ProgramAxis("rank", 1)))
    assert "kept_weighted_layernorm(" in text
    assert "layernorm_gradients(" in text
