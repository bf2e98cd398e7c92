"""Evaluation by layer: the module's own results, with the weights of no more submodules than run at one time."""

import gc
import weakref

import pytest
import torch
from torch import nn

from p2smt.run.training.gathered import with_gathered_weights

HERE = torch.device("cpu")


class Model(nn.Module):
    """Submodules that read their weights in unlike ways, and a weight that is read under two names."""

    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(9, 8)
        self.layers = nn.ModuleList(nn.TransformerEncoderLayer(8, 2, 16, batch_first=True) for _ in range(3))
        self.recurrent = nn.LSTM(8, 8, batch_first=True)
        self.norm = nn.BatchNorm1d(8)
        self.bounded = nn.utils.parametrizations.weight_norm(nn.Linear(8, 8))
        self.out = nn.Linear(8, 9, bias=False)
        self.out.weight = self.words.weight
        self.register_buffer("scale", torch.ones(8))

    def forward(self, x):
        """Logits; the buffer is written over, as caches are."""
        made = self.words(x)
        for layer in self.layers:
            made = layer(made)
        self.scale = self.scale + 1
        made = self.recurrent(made)[0] * self.scale
        made = self.norm(made.mT).mT
        return nn.functional.linear(self.bounded(made), self.words.weight) + self.out(made)


def test_results_are_those_of_the_module_and_few_weights_are_held_at_a_time():
    torch.manual_seed(0)
    module, trained = Model().double(), Model().double().eval()
    x = torch.randint(0, 9, (2, 5))
    # A forward in training, so that the statistics are not those of the beginning.
    trained.train()(x)
    trained.eval()
    values = {**dict(trained.named_parameters()), **dict(trained.named_buffers())}
    values["scale"] = torch.ones(8, dtype=torch.float64)
    known = {name: name for name, _ in module.named_parameters(remove_duplicate=False)} | {
        name: name for name, _ in module.named_buffers()
    }
    known["out.weight"] = "words.weight"
    held, most, order = [], [0], []

    def whole(name):
        gc.collect(1)  # a full collection takes tens of milliseconds in a process that has run many tests
        made = values[name].detach().clone()
        held[:] = [each for each in held if each() is not None] + [weakref.ref(made)]
        most[0], _ = max(most[0], len(held)), order.append(name)
        return made

    trained.scale = torch.ones(8, dtype=torch.float64)
    wanted = trained(x)
    before = {name: (id(each), each.clone()) for name, each in module.named_parameters()}
    with with_gathered_weights(module, known, whole, {}, mode=False, device=HERE):
        found = module(x)
        assert not module.training
    assert torch.allclose(found, wanted, atol=1e-12)
    assert module.training
    assert before.keys() == {name for name, _ in module.named_parameters()}
    for name, each in module.named_parameters():
        assert id(each) == before[name][0]
        assert torch.equal(each, before[name][1])
    # A transformer layer has twelve tensors, a recurrent one four, which it keeps until it is called again.
    assert most[0] <= 12 + 4 + 3 < len(known)
    assert {*order} == {*known.values()} - {"norm.num_batches_tracked"}


def test_an_error_of_the_module_leaves_it_as_it_was():
    module = nn.Sequential(nn.Linear(2, 2), nn.Linear(3, 2))
    own = dict(module.named_parameters())
    with pytest.raises(RuntimeError, match="mat1 and mat2"):  # noqa: SIM117
        with with_gathered_weights(module, {name: name for name in own}, own.__getitem__, {}, mode=False, device=HERE):
            module(torch.ones(1, 2))
    assert all(each is own[name] for name, each in module.named_parameters())
    assert not any(each._forward_hooks or each._forward_pre_hooks for each in module.modules())
    assert type(module[0]._parameters) is dict
