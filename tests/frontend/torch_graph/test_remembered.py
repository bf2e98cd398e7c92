"""Tensors that cached functions remember: neither traced, nor left without elements."""

from functools import cache
from weakref import proxy

import torch
from torch import nn

from p2smt.frontend.torch_graph.live import capture
from p2smt.frontend.torch_graph.remembered import nothing_remembered
from p2smt.tensor.expression import SourceKind


def test_a_table_that_is_made_once_is_made_again_in_a_capture_and_behind_it():
    """As a model's positions, which it was called with before, and is called with after."""

    @cache
    def table(length):
        return torch.arange(length), torch.ones(length)

    def loss(module, x):
        places, ones = table(x.shape[1])
        return (module(x) * ones[:3] + places[:3]).sum()

    module, x = nn.Linear(6, 3), torch.randn(4, 6)
    before = loss(module, x).item()
    program = capture(module, loss, (x,), optimizer=torch.optim.SGD(module.parameters(), lr=0.1))
    assert [each.name for each in program.sources if each.kind is SourceKind.STATE] == []
    assert loss(module, x).item() == before
    assert table.cache_info().currsize == 1


def test_a_table_that_is_made_first_in_a_capture_has_elements_behind_it():
    @cache
    def table(length):
        return torch.arange(length).float()

    def loss(module, x):
        return (module(x) * table(3)).sum()

    module, x = nn.Linear(6, 3), torch.randn(4, 6)
    capture(module, loss, (x,), optimizer=torch.optim.SGD(module.parameters(), lr=0.1))
    assert loss(module, x).item() == (module(x) * torch.tensor([0.0, 1.0, 2.0])).sum().item()


def test_proxies_whose_objects_are_gone_are_passed_over():
    """Compilers keep such proxies; whoever asks them for their class is told that there is none."""

    class Gone:
        pass

    proxies = [proxy(Gone())]

    @cache
    def held(key):
        return proxies

    held(0)
    with nothing_remembered():
        assert held.cache_info().currsize == 1
