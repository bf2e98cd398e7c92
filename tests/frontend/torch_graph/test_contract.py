"""What a user's function may give, and what is said of anything else."""

import random

import numpy as np
import pytest
import torch
from frontend.torch_graph.eager import captured, compared
from looped import looped
from torch import nn
from torch.utils.checkpoint import checkpoint

from p2smt.errors import CaptureError
from p2smt.tensor.expression import SourceKind


def linear():
    return nn.Linear(6, 3)


def shared():
    made = nn.Sequential(nn.Linear(6, 6), nn.Linear(6, 6))
    made[1].weight = nn.Parameter(made[0].weight.t())
    return made


def given(module=linear, batch=None, loss=lambda m, x: m(x).sum(), optimizer=lambda parameters: None):
    def function():
        made = module()
        return made, (torch.randn(4, 6),) if batch is None else batch(), loss, optimizer(made.parameters())

    return function


def replaced(module, x):
    module.bias.data = module.bias * 2
    return module(x).sum()


def changed(module, x):
    with torch.no_grad():
        module.weight.clamp_(-1, 1)
    return module(x).sum()


def drawn(module, x):
    return module(x * random.uniform(0.5, 1)).sum()


def drawn_by_numpy(module, x):
    factor = np.random.beta(0.4, 0.4)
    return module(x * factor).sum()


def from_elsewhere():
    outside = torch.randn(3)
    return given(loss=lambda m, x: (m(x) * outside).sum())()


SAID = (
    (given(loss=drawn), "test_contract.py:47: the step draws numbers of Python's or numpy's generator"),
    (given(loss=drawn_by_numpy), "test_contract.py:51: the step draws numbers of Python's or numpy's generator"),
    (
        lambda: None,
        "the function returns NoneType; it has to return module, batch, loss, optimizer, and the norm that ",
    ),
    (lambda: (1, 2, 3, 4), "module is int and loss int; they are an nn.Module and a function: loss(module, *batch)"),
    (given(batch=lambda: [1, 2]), "the batch is a tuple or dict of tensors, in the order in which loss(module, "),
    (given(optimizer=lambda _: 3), "optimizer is of type int; it must be a torch.optim.Optimizer or None"),
    (given(optimizer=torch.optim.LBFGS), "a step of LBFGS may compute the loss several times, by a closure"),
    (given(optimizer=lambda p: torch.optim.SGD(p, 0.1, 0.9, dampening=0.5)), "SGD with dampening=0.5"),
    (given(loss=lambda m, x: m(x)), "of shape [4, 3]; it has to be one tensor without dimensions that depends on"),
    (given(loss=lambda m, x: (m(x), x)), "the loss is tuple; it has to be one tensor"),
    (given(loss=lambda m, x: x.sum()), "of shape []; it has to be one tensor without dimensions that depends on"),
    (given(module=shared), "0.weight and 1.weight are two parameters with one storage; make them one nn.Parameter"),
    (given(loss=replaced), "test_contract.py:36: the data of a tensor is replaced there"),
    (given(loss=changed), "the loss changes the parameter weight; only the optimizer may"),
    (from_elsewhere, "the loss uses a tensor that is neither parameter nor buffer of the module, nor in the batch"),
)


@looped(("function", "message"), SAID)
def test_what_is_no_step_is_one_message(function, message):
    with pytest.raises(CaptureError) as refused:
        captured(function)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


class Counting(nn.Module):
    """Buffers that the forward pass changes, a parameter that is frozen, one that is not used, and one of length 1."""

    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(6, 6)
        self.frozen = nn.Parameter(torch.ones(6), requires_grad=False)
        self.unused = nn.Parameter(torch.ones(2))
        self.short = nn.Parameter(torch.ones(1, 6))
        self.register_buffer("seen", torch.zeros((), dtype=torch.long))
        self.register_buffer("average", torch.zeros(6))

    def forward(self, x):
        self.seen += 1
        made = self.inner(x) * self.frozen + self.short
        self.average.mul_(0.9).add_(made.detach().mean(0), alpha=0.1)
        return made * self.average


@pytest.mark.parametrize(
    "optimizer",
    [
        lambda p: torch.optim.SGD(p, 0.1, momentum=0.9, nesterov=True, weight_decay=0.01),
        lambda p: torch.optim.SGD(p, 0.1, maximize=True),
        lambda p: torch.optim.Adam(p, 0.1, weight_decay=0.1, amsgrad=True),
        lambda p: torch.optim.AdamW(p, 0.1, weight_decay=0.3),
    ],
    ids=["sgd", "maximize", "adam", "adamw"],
)
def test_buffers_and_all_kinds_of_parameters(optimizer):
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        function = given(Counting, loss=lambda m, x: m(x).square().mean(), batch=_batch, optimizer=optimizer)
        program = captured(function)
        kinds = {source.name: source.kind for source in program.sources}
        assert kinds["average"] == kinds["seen"] == SourceKind.STATE
        assert kinds["unused"] == kinds["frozen"] == SourceKind.PARAMETER
        assert {each.name for each in program.statements} >= {
            "average.new",
            "seen.new",
            "short.new",
            "inner.weight.new",
        }
        assert not {"unused.new", "frozen.new"} & {each.name for each in program.statements}
        assert compared(function, program) < 1e-12
    finally:
        torch.set_default_dtype(before)


def _batch():
    torch.manual_seed(3)
    return (torch.randn(4, 6),)


class Kept(nn.Module):
    """What it does is said by `how`, which may leave something to the next step."""

    def __init__(self, how):
        super().__init__()
        self.inner = nn.Linear(6, 6)
        self.register_buffer("seen", torch.tensor(2.0))
        self.how = how

    def forward(self, x):
        return self.how(self, self.inner(x))


def times(module, x):
    module.times = getattr(module, "times", 0) + 1
    return x * module.times


def left(module, x):
    before = getattr(module, "left", None)
    module.left = x.detach()
    return x if before is None else x + before


def noted(module, x):
    module.noted = x.detach()
    return x * x


def asked(module, x):
    module.seen += 1
    return x * float(module.seen)


def rebuilt(module, x):
    """In the first step layers are built that then take those of others, as in BigBird."""
    if not hasattr(module, "rebuilt"):
        module.rebuilt = nn.Sequential(nn.Linear(6, 6))
        module.rebuilt[0] = module.inner
    return torch.tanh(module.rebuilt(x))


def again(module, x):
    return checkpoint(lambda y: torch.tanh(module.inner(y)) * y, x, use_reentrant=False)


def dropping(module, x):
    return checkpoint(lambda y: nn.functional.dropout(y, 0.5), x, use_reentrant=False)


def same_numbers(module, x):
    state = torch.get_rng_state()
    made = nn.functional.dropout(x, 0.5)
    torch.set_rng_state(state)
    return made + nn.functional.dropout(x, 0.5)


def matched(module, x):
    return x[:, np.argsort(x.detach().numpy()[0])]


@pytest.mark.parametrize(
    ("how", "message"),
    [
        (times, "the loss changes times, and computes something else in the next step"),
        (left, "the loss changes left, and computes something else in the next step"),
        (asked, "_local_scalar_dense.default is called there: it depends on the values of tensors"),
        (
            matched,
            "Tensor.numpy is called there: it depends on the values of tensors, which have none while a step is ",
        ),
        (
            same_numbers,
            "the state of the random number generator is set there, which a program cannot do; set it outside the step",
        ),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_what_a_step_leaves_to_the_next_other_than_in_buffers_is_refused(how, message):
    with pytest.raises(CaptureError) as refused:
        captured(given(module=lambda: Kept(how)))
    assert message in str(refused.value)


def test_what_is_checkpointed_drops_the_same_when_it_is_computed_again():
    """Twice, so that the second one's numbers are not those of the first."""

    def twice(module, x):
        return dropping(module, dropping(module, x * x).exp()) + nn.functional.dropout(x, 0.5)

    function = given(module=lambda: Kept(twice), batch=_batch)
    program = captured(function)
    assert compared(function, program, 2) < 1e-5
    seeds = [
        each.expression.attributes[1]
        for each in program.statements
        if getattr(each.expression, "operation", "") == "dropout"
    ]
    assert len(set(seeds)) == 3 < len(seeds)


@pytest.mark.parametrize("how", [noted, rebuilt, again])
def test_what_is_kept_and_not_used_is_left_out_and_what_is_checkpointed_is_computed_again(how):
    function = given(module=lambda: Kept(how), batch=_batch, optimizer=lambda p: torch.optim.SGD(p, 0.1))
    program = captured(function)
    assert compared(function, program) < 1e-5
    names = [each.name for each in program.statements if each.name.startswith("recomputed.")]
    assert bool(names) == (how is again), "what is checkpointed is told apart from what the backward pass computes"


class Twice(nn.Module):
    """A layer that stands in two places."""

    def __init__(self):
        super().__init__()
        self.first = nn.Linear(6, 6)
        self.again = self.first

    def forward(self, x):
        return self.again(torch.tanh(self.first(x)))


def test_a_layer_that_stands_in_two_places_has_its_first_name():
    function = given(module=Twice, optimizer=lambda parameters: torch.optim.SGD(parameters, lr=0.1))
    program = captured(function)
    parameters = [source.name for source in program.sources if source.kind is SourceKind.PARAMETER]
    assert parameters == ["first.weight", "first.bias"]
    assert compared(function, program) < 1e-5
