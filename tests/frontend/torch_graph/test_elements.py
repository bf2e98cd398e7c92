"""Elements of tensors that are made of numbers: as torch has them, and never where they are not known."""

import pytest
import torch
from frontend.torch_graph.eager import captured
from looped import looped
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.nn import functional

from p2smt.errors import CaptureError
from p2smt.frontend.torch_graph.elements import Computation, forget, known
from p2smt.frontend.torch_graph.joint import fake_tensors
from p2smt.tensor.expression import Number, parts


def _filled_behind(x):
    made = torch.empty(4)
    part = made[1:3]
    made.fill_(2.0)
    part.mul_(3)
    return made


def _twice(x):
    made = torch.arange(6).view(2, 3)
    made.t()[1].add_(10)
    return made


def _moved_in_place(x):
    """Of the shape that it began with, although the first and the last dimension are exchanged."""
    made = torch.arange(12).view(2, 3, 2)
    return made.transpose_(0, 1).transpose_(0, 2).transpose_(1, 2)


KNOWN = (
    lambda x: torch.linspace(0, 0.1, 5).square(),
    lambda x: torch.tensor([[1, 2], [3, 4]]).T.reshape(-1).cumsum(0),
    lambda x: torch.zeros_like(x).new_full((2,), 3) + torch.ones_like(x)[:2],
    lambda x: torch.eye(3).nonzero(),
    lambda x: torch.arange(8)[torch.arange(8) % 3 == 0],
    lambda x: torch.full((2, 2), -torch.inf).triu(1).flip(0),
    lambda x: torch.tensor([4, 1, 4]).unique(),
    _filled_behind,
    _twice,
)


def _known_elements(make):
    with fake_tensors():
        return known(make(torch.randn(3)))


@looped("make", KNOWN)
def test_elements_are_torchs(make):
    found, wanted = _known_elements(make), make(torch.randn(3))
    assert found is not None
    assert found.dtype == wanted.dtype
    assert torch.equal(found, wanted)


def _written_with_unknown(x):
    made = torch.zeros(4)
    view = made[:2]
    made[1:].copy_(x)
    return view


def _drawn_over(x):
    made = torch.ones(4)
    made.view(2, 2).normal_()
    return made


def _replaced(x):
    made = torch.ones(3)
    made.data = x
    return made


def _half_filled(x):
    made = torch.empty(4)
    made[:2].fill_(1)
    return made


UNKNOWN = (
    lambda x: x,
    lambda x: x * 0,
    torch.empty_like,
    lambda x: torch.empty(3),
    lambda x: torch.rand(3),
    lambda x: torch.arange(3) + x,
    lambda x: torch.zeros(3).bernoulli_(),
    _written_with_unknown,
    _drawn_over,
    _replaced,
    _half_filled,
    _moved_in_place,
    lambda x: torch.zeros(2000, 2000),
)


@looped("make", UNKNOWN)
def test_elements_that_depend_on_others_are_not_known(make):
    assert _known_elements(make) is None


def test_a_conversion_of_memory_that_nobody_has_written_is_not_known():
    """Torch's schema calls it a view, and it is a copy; so sums in bfloat16 make it, when they are first asked for."""
    with fake_tensors():
        memory, converted = torch.empty(3), torch.empty(3, dtype=torch.float64)
        Computation(torch.ops.aten.to.dtype, (memory, torch.float64), {}).keep(converted)
        assert known(converted) is None


def test_elements_that_a_call_leaves_within_another_are_forgotten():
    with fake_tensors():
        made = torch.ones(3)
        assert known(made) is not None
        Computation(torch.ops.aten.relu.default, (torch.empty(3),), {}).keep(made)
        assert known(made) is None


class Deep(nn.Module):
    def __init__(self):
        super().__init__()
        rates = [rate.item() for rate in torch.linspace(0, 0.5, 3)]
        self.layers = nn.ModuleList(nn.Sequential(nn.Linear(4, 4), nn.Dropout(rate)) for rate in rates)
        self.register_buffer("times", torch.tensor(2.0))

    def forward(self, x):
        for each in self.layers:
            x = each(x)
        return x


def _step(loss):
    def function():
        module = Deep()
        return module, {"x": torch.ones(2, 4)}, loss, torch.optim.SGD(module.parameters(), lr=0.1)

    return function


def test_a_constructor_asks_for_numbers():
    program = captured(_step(lambda module, x: module(x).sum()))
    shares = [
        each.expression.attributes[0]
        for each in program.statements
        if getattr(each.expression, "operation", "") == "dropout"
    ]
    assert sorted({*shares}) == [0.25, 0.5]


class _Table(nn.Module):
    """A table that is no buffer, which indexing asks for its device before it reads it."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 1)
        self.table = torch.tensor([0.5, 0.25, 0.75])

    def forward(self, x, at):
        return (self.layer(x)[:, 0] * self.table[at]).sum()


def test_elements_of_a_tensor_are_written_where_its_device_is_asked_for_first():
    def function():
        module = _Table()
        batch = {"x": torch.ones(2, 4), "at": torch.zeros(2, dtype=torch.long)}
        return module, batch, lambda module, x, at: module(x, at), torch.optim.SGD(module.parameters(), lr=0.1)

    written = [
        part.value
        for statement in captured(function).statements
        if statement.name.startswith("constant")
        for part in parts(statement.expression)
        if isinstance(part, Number)
    ]
    assert written == [0.5, 0.25, 0.75]


COUNTED = {"steps": 0}


def _counted_outside(module, x):
    """A tensor that the next step would find changed."""
    COUNTED["steps"] = COUNTED["steps"] + torch.ones(())
    return module(x).sum() * COUNTED["steps"]


def test_a_tensor_that_changes_outside_is_refused():
    def function():
        COUNTED["steps"] = torch.zeros(())
        return _step(_counted_outside)()

    with pytest.raises(CaptureError, match="the loss changes COUNTED"):
        captured(function)


def test_a_tensor_around_the_loss_is_a_constant():
    def function():
        rates = torch.linspace(0.2, 0.4, 3)
        return _step(lambda module, x: (module(x).sum() * rates[x[:1, 0].long()]).sum())()

    assert any(each.name.startswith("constant") for each in captured(function).statements)


ASKED = (
    lambda module, x: module(x).sum() if x.all() else module(x).mean(),
    lambda module, x: module(x).sum() * x.max().item(),
    lambda module, x: module(x).sum() * module.layers[0][0].bias.sum().item(),
    lambda module, x: module(x).sum() * module.times.item(),
    lambda module, x: functional.relu(module(x))[x > 0].median(),
)


@looped("loss", ASKED)
def test_batch_parameters_and_buffers_have_no_elements(loss):
    """Although here all of them are made of numbers."""
    with pytest.raises(CaptureError, match=r"depends? on"):
        captured(_step(loss))


def test_what_torch_remembers_of_a_number_is_forgotten_too():
    """Fake tensors keep numbers of their own, which of memory that nobody has written is whatever lay there."""
    with FakeTensorMode():
        made = torch.tensor(3.0)
        assert made.constant is not None
        forget(made)
        assert made.constant is None
