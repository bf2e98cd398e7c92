"""Conditions that hold of finite numbers: decided where nothing infinite gets there, else refused."""

import pytest
import torch
from frontend.torch_graph.eager import captured
from looped import looped
from torch import nn

from p2smt.errors import CaptureError
from p2smt.frontend.torch_graph.finiteness import Finiteness
from p2smt.frontend.torch_graph.graph import Meta, Reference, TorchNode

MASK = torch.tensor([0.0, float("-inf"), 0.0])


def _step(loss):
    def function():
        module = nn.Linear(3, 3)
        return module, {"x": torch.ones(2, 3)}, loss, torch.optim.SGD(module.parameters(), lr=0.1)

    return function


def _operations(loss):
    return [getattr(each.expression, "operation", "") for each in captured(_step(loss)).statements]


DECIDED = (
    lambda y: torch.isfinite(y).all(),
    lambda y: not torch.isinf(y).any(),
    lambda y: not torch.isnan(y).any(),
    lambda y: not (torch.isnan(y).any() | torch.isinf(y).any()),
    lambda y: torch.isfinite(y.masked_fill(y > 0, float("-inf")).softmax(1)).all(),
    lambda y: torch.isfinite((y + MASK).sigmoid()).all(),
)


@looped("condition", DECIDED)
def test_a_guard_against_overflow_is_as_of_finite_numbers(condition):
    def guarded(module, x):
        y = module(x)
        return y.sum() if condition(y) else y.exp().sum()

    assert "exp" not in _operations(guarded)


INFINITE = (
    lambda y: torch.isfinite(y.masked_fill(y > 0, float("-inf"))).all(),
    lambda y: torch.isinf(y + MASK).any(),
    lambda y: torch.isnan(y * MASK).any(),
    lambda y: torch.isfinite(torch.where(y > 0, y, torch.inf)).all(),
    lambda y: (y == y.flip(0)).all(),
    lambda y: (y.abs() == 3.0).any(),
)


@looped("condition", INFINITE)
def test_what_the_code_makes_infinite_is_not_decided(condition):
    with pytest.raises(CaptureError, match="it depends on the values of tensors"):
        captured(_step(lambda module, x: module(x).sum() if condition(module(x)) else x.sum()))


def test_truths_are_joined_as_in_three_valued_logic():
    def node(name, operation, *arguments):
        results = [Meta((2,), "bool")]
        return TorchNode(name=name, operation=operation, arguments=list(arguments), keywords={}, results=results)

    x, true, false, open_ = map(Reference, ("x", "true", "false", "open"))
    nodes = [
        node("x", "aten.exp.default", Reference("given")),
        node("true", "aten.eq.Tensor", x, x),
        node("false", "aten.isinf.default", x),
        node("open", "aten.gt.Scalar", x, 0.0),
    ]
    joined = {
        ("logical_and", true, open_): None,
        ("logical_and", open_, false): False,
        ("bitwise_or", open_, true): True,
        ("bitwise_or", open_, false): None,
        ("mul", true, true): True,
        ("logical_not", false): True,
        ("logical_not", open_): None,
    }
    for number, (name, *operands) in enumerate(joined):
        nodes.append(node(f"joined{number}", f"aten.{name}.default", *operands))
    known = Finiteness(nodes)
    found = [known.truth(Reference(f"joined{number}")) for number in range(len(joined))]
    assert found == list(joined.values())
