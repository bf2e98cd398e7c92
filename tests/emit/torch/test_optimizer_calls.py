"""Optimizer steps as one call: the same as PyTorch's optimizers, and only where nothing else sees what it writes."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
import torch
from emit.torch.one_rank import defined, given_to
from looped import looped

from p2smt.emit.torch.program.source import emit_program
from p2smt.frontend.torch_graph.live import capture
from p2smt.tensor.expression import Output, ProgramAxis
from p2smt.tensor.interpreter import run
from p2smt.tensor.program import versions
from p2smt.tensor.reals import Reals
from p2smt.tensor.text.parser import parse_program

STEPS = 3
ADAM = {"lr": 0.02, "betas": (0.8, 0.95), "eps": 1e-3}


def model():
    torch.manual_seed(3)
    return torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 2)).double()


def loss(module, x):
    return (module(x) ** 2).mean()


def begun(text, state):
    names = {"__name__": "emitted"}
    exec(compile(text, "emitted", "exec"), names)
    ranks = names["OneDevice"](torch.device("cpu"), torch.float64)
    return names["Step"](state, ranks=ranks, real=torch.float64, strict=False)


@looped(
    ("make", "call"),
    [
        (lambda of: torch.optim.SGD(of, 0.1), "sgd(given, gradients, lr=0.1)"),
        (
            lambda of: torch.optim.SGD(of, 0.1, momentum=0.9, nesterov=True, weight_decay=0.3),
            "sgd(given, gradients, lr=0.1, momentum=0.9, nesterov=True, weight_decay=0.3)",
        ),
        (
            lambda of: torch.optim.Adam(of, **ADAM, weight_decay=0.1, amsgrad=True),
            "adam(given, gradients, step, lr=0.02, betas=(0.8, 0.95), eps=0.001, weight_decay=0.1, amsgrad=True)",
        ),
        (
            lambda of: torch.optim.AdamW(of, **ADAM, weight_decay=0.07),
            "adamw(given, gradients, step, lr=0.02, betas=(0.8, 0.95), eps=0.001, weight_decay=0.07)",
        ),
    ],
)
def test_one_call_does_what_the_optimizer_of_torch_does(make, call):
    module = model()
    x = torch.randn(5, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    program = capture(module, loss, (x,), optimizer=make(module.parameters()))
    program = replace(program, outputs=(*program.outputs, Output("gradient.m.2.bias")))
    text = emit_program(program.on(ProgramAxis("rank", 1)))
    assert f"    {call}" in text
    optimizer = make(module.parameters())
    step = begun(text, {f"m.{name}": each for name, each in module.state_dict().items()})
    for _ in range(STEPS):
        outputs = step({"x": x})
        optimizer.zero_grad()
        loss(module, x).backward()
        assert torch.allclose(outputs["gradient.m.2.bias"], module[2].bias.grad, rtol=1e-12)
        optimizer.step()
    found = step.state_dict()["module"]
    assert all(torch.allclose(found[f"m.{name}"], each, rtol=1e-12) for name, each in module.state_dict().items())


GIVEN = """program one
mesh r=2
input g : f32[3, 3]{layout}
parameter p : f32[3, 3]
state p.momentum : f32[3, 3]
state q : f32[3, 3]
"""
KEPT = "m1 = update(p.momentum, p.momentum * 0.9 + g)\n"


@looped(
    ("lines", "calls"),
    [
        (f"{KEPT}p1 = update(p, p - m1 * 0.1)\n", 1),
        ("d = g + p * 0.5\np1 = update(p, p - d * 0.1)\n", 1),
        # numbers in statements of their own
        (f"n = 0.1 / 2\n{KEPT}p1 = update(p, p - m1 * n)\n", 1),
        # the new version is read elsewhere, or the old one later
        (f"{KEPT}p1 = update(p, p - m1 * 0.1)\nq1 = update(q, q * 0.5 + p1 * 0.5)\n", 0),
        (f"{KEPT}p1 = update(p, p - m1 * 0.1)\nq1 = update(q, q * 0.5 + m1 * 0.5)\n", 0),
        (f"{KEPT}p1 = update(p, p - m1 * 0.1)\nq1 = update(q, q * 0.5 + p * 0.5)\n", 0),
        # the gradient is the parameter in other places
        ("v = transpose(p, 1, 0)\np1 = update(p, p - v * 0.1)\n", 0),
        # not the formula
        ("m1 = update(p.momentum, p.momentum * 0.9 - g)\np1 = update(p, p - m1 * 0.1)\n", 0),
        ("m1 = update(p.momentum, p.momentum * 0.9 + g)\np1 = update(p, p - (g + m1 * 0.8) * 0.1)\n", 0),
        ("m1 = update(q, q * 0.9 + g)\np1 = update(p, p - m1 * 0.1)\n", 0),
        ("p1 = update(p, p * 0.9 - g * 0.1)\n", 0),
    ],
)
def test_what_others_see_is_written_line_by_line(lines, calls):
    program = parse_program(f"{GIVEN.format(layout='')}{lines}output g\n")
    assert emit_program(program).count("    sgd(given") == calls
    generator = np.random.default_rng(5)
    arrays = {name: generator.normal(size=(3, 3)) for name in ("g", "p", "p.momentum", "q")}
    expected = run(program, given_to(program, arrays, Reals()), Reals(), 1)
    tensors = {name: torch.tensor(array) for name, array in arrays.items()}
    state = {"module": tensors, "optimizer": {"p": {"momentum": tensors["p.momentum"]}}}
    step = begun(emit_program(program), state)
    step({"g": tensors["g"]})
    new = versions(program)
    assert all(np.allclose(step.held[name], expected[new.get(name, name)][0].array) for name in new)


@looped(
    ("gradient", "calls"),
    [("AllReduce(sum(g, 0))", 0), ("AllReduce(w)", 0), ("a", 1)],
)
def test_a_gradient_has_to_be_there_on_every_rank(gradient, calls):
    lines = f"w = sum(g, 0)\na = AllReduce(w)\np1 = update(p, p - {gradient} * 0.1)\n"
    program = parse_program(
        f"program two\nmesh r=2\ninput g : f32[4, 3] sliced(0)\nparameter p : f32[3]\n{lines}"
        "s = AllReduce(sum(w))\noutput s\n"
    )
    assert emit_program(program).count("    sgd(given") == calls


def test_a_parameter_of_one_rank_is_updated_there_alone():
    program = parse_program(
        "program root\nmesh r=2\ninput g : f32[3] on_rank(1)\nparameter p : f32[3] on_rank(1)\n"
        "p1 = update(p, p - g * 0.1)\noutput g on_rank(1)\n"
    )
    assert "sgd(given" not in emit_program(program)


def test_sgd_in_half_precision_changes_every_parameter():
    """The fused kernel of torch 2.13 for CPUs leaves parameters of more than a few elements as they were."""
    sgd = defined()["sgd"]
    for dtype, momentum, nesterov in product((torch.bfloat16, torch.float16), (0.0, 0.5), (False, True)):
        start, slope = torch.linspace(1, 2, 100, dtype=dtype), torch.full((100,), 0.25, dtype=dtype)
        given = {"w": start.clone(), "w.momentum": torch.zeros_like(start)}
        alone = torch.nn.Parameter(start.clone())
        its = torch.optim.SGD([alone], 0.5, momentum, weight_decay=0.25, nesterov=nesterov and momentum > 0)
        for _ in range(2):
            sgd(given, {"w": slope}, lr=0.5, momentum=momentum, nesterov=nesterov and momentum > 0, weight_decay=0.25)
            alone.grad = slope.clone()
            its.step()
        assert torch.equal(given["w"], alone.detach()), (dtype, momentum, nesterov)


@pytest.mark.thorough  # shorter paths are followed above
def test_a_gradient_behind_many_statements_is_followed_no_further_than_it_needs_to_be():
    """A path through a whole step is longer than Python's stack is deep."""

    def halved_often(module, x):
        y = module(x)
        for _ in range(400):
            y = 0.99 * y
        return (y**2).mean()

    module = model()
    program = capture(
        module, halved_often, {"x": torch.ones(2, 3).double()}, optimizer=torch.optim.AdamW(module.parameters())
    )
    assert "_fused_adamw" in emit_program(program.on(ProgramAxis("rank", 1)))
