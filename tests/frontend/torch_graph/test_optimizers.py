"""Optimizers that a user writes: captured as they step, several steps long, or refused; none is wrong."""

import math
from functools import cache

import pytest
import torch
from frontend.torch_graph.eager import captured, compared
from looped import looped
from tiers import sample
from torch import nn

from p2smt.errors import CaptureError
from p2smt.frontend.torch_graph.examples.optimizers import Lamb, Lars
from p2smt.tensor.expression import SourceKind
from p2smt.tensor.printer import print_program
from p2smt.tensor.text.parser import parse_program


@pytest.fixture(autouse=True)
def _float64():
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(before)


def stepping(each):
    """An optimizer that does this, without gradients of its own, to every parameter that has a gradient."""

    class Stepping(torch.optim.Optimizer):
        def __init__(self, parameters):
            super().__init__(parameters, {"lr": 0.1})
            self.count, self.listed = 0, []

        @torch.no_grad()
        def step(self, closure=None):
            self.count += 1
            for group in self.param_groups:
                group["step"] = group.get("step", 0) + 1
                for parameter in group["params"]:
                    each(self, group, parameter, self.state[parameter])

    return Stepping


def counted(optimizer, group, parameter, state):
    parameter.sub_(parameter.grad * (group["lr"] / group["step"] ** 0.5)).mul_(1 - 0.1**optimizer.count)


def lion(optimizer, group, parameter, state):
    mean = state.setdefault("mean", torch.zeros_like(parameter))
    parameter.add_(torch.sign(0.9 * mean + 0.1 * parameter.grad), alpha=-0.01)
    mean.mul_(0.99).add_(parameter.grad, alpha=0.01)


def assigned(optimizer, group, parameter, state):
    state["mean"] = 0.9 * state.get("mean", torch.zeros_like(parameter)) + parameter.grad
    state["steps"] = state.get("steps", torch.zeros(())) + 1
    parameter.data.addcdiv_(state["mean"], 1 - 0.9 ** state["steps"], value=-0.1)


def centred(optimizer, group, parameter, state):
    parameter.grad.clamp_(-0.1, 0.1)
    parameter.sub_(0.1 * (parameter.grad - parameter.grad.mean(-1, keepdim=True)))
    parameter.grad = None


def factored(optimizer, group, parameter, state):
    """As Adafactor: row and column means."""
    square = parameter.grad.square() + 1e-30
    sizes = {"rows": (-1, square.shape[:-1]), "columns": (0, square.shape[1:])}
    for key, (dim, shape) in sizes.items():
        state.setdefault(key, torch.zeros(shape)).lerp_(square.mean(dim), 0.5)
    rows, columns = (state[key] for key in sizes)
    scale = (rows.unsqueeze(-1) * columns / rows.mean()).sqrt()
    parameter.sub_(0.01 * parameter.grad / scale)


def hooked(parameters):
    made = torch.optim.SGD(parameters, 0.1)

    def halved(optimizer, *_):
        for each in optimizer.param_groups[0]["params"]:
            each.grad.mul_(0.5)

    made.register_step_pre_hook(halved)
    return made


RIGHT = {
    "lamb": Lamb,
    "lars": Lars,
    "counted": stepping(counted),
    "lion": stepping(lion),
    "assigned": stepping(assigned),
    "centred": stepping(centred),
    "factored": stepping(factored),
    "hooked": hooked,
    "rmsprop": lambda parameters: torch.optim.RMSprop(parameters, 0.01, momentum=0.5, centered=True),
    "adadelta": torch.optim.Adadelta,
}


def begun(optimizer, group, parameter, state):
    mean = state.setdefault("mean", parameter.grad.clone())
    parameter.sub_(mean.mul_(0.9).add_(parameter.grad))


def listed(optimizer, group, parameter, state):
    optimizer.listed.append(torch.zeros_like(parameter))
    parameter.sub_(optimizer.listed[0].sum() + parameter.grad)


def decayed(optimizer, group, parameter, state):
    group["lr"] *= 0.9
    parameter.sub_(group["lr"] * parameter.grad)


def rooted(optimizer, group, parameter, state):
    parameter.sub_(parameter.grad / math.sqrt(optimizer.count))


def replaced(optimizer, group, parameter, state):
    parameter.data = parameter - parameter.grad


_TIMES = [0]


def hidden(optimizer, group, parameter, state):
    _TIMES[0] += 1
    parameter.sub_(parameter.grad / _TIMES[0])


REFUSED = {
    "begun": (begun, "the first step of Stepping differs from the later steps in more than its initial states"),
    "listed": (listed, "neither parameter nor gradient nor in its states; keep it in self.state[parameter]"),
    "decayed": (decayed, "lr of Stepping is "),
    "rooted": (rooted, "reads the value of a tensor or of the step number"),
    "replaced": (replaced, "the data of a tensor is replaced there, which is not supported"),
    "hidden": (hidden, "a step of Stepping computes something else than the step before it"),
}


def step(optimizer, max_norm=None):
    def function():
        torch.manual_seed(1)
        module = nn.Sequential(nn.Linear(4, 3), nn.Tanh(), nn.Linear(3, 2))
        batch = (torch.randn(5, 4),)
        return module, batch, lambda m, x: m(x).square().mean(), optimizer(module.parameters()), max_norm

    return function


OF_ANOTHER = ("lars", "adadelta", "counted", "rmsprop")
"""What these do lamb, centred and assigned do too; torch's own have a test below."""


@cache
def program_of(name):
    return captured(step_of(name))


def step_of(name):
    return step(RIGHT[name], 0.5 if name in ("lamb", "lion") else None)


@pytest.mark.parametrize(
    "name",
    # lamb, rmsprop and assigned do what these do
    [pytest.param(name, marks=[pytest.mark.thorough] * (name in OF_ANOTHER)) for name in RIGHT],
)
def test_an_optimizer_steps_as_it_does_in_pytorch(name):
    function, program = step_of(name), program_of(name)
    assert parse_program(print_program(program)) == program
    assert compared(function, program) < 1e-12
    assert len([each for each in program.statements if each.name.endswith(".new")]) >= 4


@looped("name", REFUSED)
def test_what_is_not_followed_is_refused(name):
    each, message = REFUSED[name]
    with pytest.raises(CaptureError) as refused:
        captured(step(stepping(each)))
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


class Around(torch.optim.Optimizer):
    """Steps with another one."""

    def __init__(self, parameters, kept):
        super().__init__(list(parameters), {})
        self.inner = kept(torch.optim.SGD(self.param_groups[0]["params"], 0.1))

    @torch.no_grad()
    def step(self, closure=None):
        inner = self.inner[0] if isinstance(self.inner, list) else self.inner
        inner.step()
        for parameter in self.param_groups[0]["params"]:
            parameter.mul_(0.9)


@pytest.mark.parametrize("kept", [lambda inner: inner, lambda inner: [inner]], ids=["plain", "in a list"])
def test_an_optimizer_inside_another_is_refused(kept):
    with pytest.raises(
        CaptureError,
        match=r"without being an argument|which is not supported|neither parameter "
        "nor gradient",
    ):
        captured(step(lambda parameters: Around(parameters, kept)))


def test_states_are_called_after_their_parameters():
    program = program_of("lamb")
    states = [source.name for source in program.sources if source.kind is SourceKind.STATE]
    assert states[:2] == ["0.weight.exp_avg", "0.weight.exp_avg_sq"] or states[0].startswith("m.0.weight.")
    assert "step" in {source.name for source in program.sources if source.kind is SourceKind.SCALAR}


def test_the_optimizer_is_left_as_it_is():
    module, batch, loss, optimizer, _ = step(stepping(listed))()
    before = dict(vars(optimizer)), [dict(group) for group in optimizer.param_groups]
    with pytest.raises(CaptureError):
        captured(lambda: (module, batch, loss, optimizer))
    assert (dict(vars(optimizer)), optimizer.param_groups) == before
    assert optimizer.listed == []


TORCHS = (
    torch.optim.NAdam,
    torch.optim.RAdam,
    torch.optim.Adamax,
    torch.optim.Adagrad,
    torch.optim.ASGD,
    torch.optim.Rprop,
    torch.optim.Adafactor,
    lambda parameters: torch.optim.Adagrad(parameters, 0.1, 0.3, initial_accumulator_value=0.2),
    lambda parameters: torch.optim.AdamW(parameters, lr=torch.tensor(1e-3)),
)


@looped("make", sample(TORCHS, 1))
def test_torchs_own_optimizers_step_as_they_do(make):
    """Seven steps: from the sixth on RAdam is rectified."""

    def step():
        torch.manual_seed(0)
        module = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
        return module, {"x": torch.randn(5, 3)}, lambda module, x: module(x).square().sum(), make(module.parameters())

    assert compared(step, captured(step), 7) < 1e-12
