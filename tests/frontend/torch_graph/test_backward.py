"""Hooks, checkpoints, dropout between layers and closures: a captured step does as PyTorch does, or is refused."""

import pytest
import torch
from frontend.torch_graph.eager import captured, compared
from looped import looped
from tiers import sample
from torch import nn
from torch.nn import functional
from torch.utils.checkpoint import checkpoint

from p2smt.errors import CaptureError
from p2smt.frontend.torch_graph.hooks import refuse_hidden_hooks
from p2smt.frontend.torch_graph.live import live_program, live_training
from p2smt.tensor.printer import print_program


def net():
    return nn.Sequential(nn.Linear(8, 6), nn.ReLU(), nn.Linear(6, 4))


def plain(module, x, y):
    return functional.cross_entropy(module(x), y)


def step(prepare=lambda module, optimizer: None, loss=plain, module=net):
    """A function of the user's; `prepare` is given module and optimizer."""

    def function():
        torch.manual_seed(1)
        made = module()
        optimizer = torch.optim.SGD(made.parameters(), lr=0.1)
        prepare(made, optimizer)
        return made, {"x": torch.randn(4, 8), "y": torch.randint(0, 4, (4,))}, loss, optimizer

    return function


def live(function):
    """The program of a module that has elements, as `p2smt.shard` reads it."""
    return live_program(live_training(*function(), None)).program


def halved(module, optimizer):
    module[0].weight.register_hook(lambda gradient: gradient * 0.5)


def halved_twice(module, optimizer):
    module[0].weight.register_hook(lambda gradient: gradient * 0.5)
    module[0].weight.register_hook(lambda gradient: gradient + 1.0)


def clamped(module, optimizer):
    def clamp(parameter):
        parameter.grad.clamp_(-0.01, 0.01)

    for each in module.parameters():
        each.register_post_accumulate_grad_hook(clamp)


def converted():
    module = net()
    halved(module, None)
    return module.double().float()


def first_block(module, x, y):
    hidden = checkpoint(lambda a: torch.relu(module[0](a)), x.clone().requires_grad_(), use_reentrant=True)
    return functional.cross_entropy(module[2](hidden), y)


def last_block(module, x, y):
    return functional.cross_entropy(checkpoint(module[2], torch.relu(module[0](x)), use_reentrant=True), y)


def auxiliary(module, x, y):
    """What a loss differentiates by itself is added to the gradients."""
    module(x).square().mean().backward()
    return plain(module, x, y)


class Averaged(nn.Module):
    """A layer beside a moving average of it, which the loss changes."""

    def __init__(self):
        super().__init__()
        self.layer, self.average = nn.Linear(8, 4), nn.Linear(8, 4).requires_grad_(False)

    def forward(self, x):
        with torch.no_grad():
            for old, new in zip(self.average.parameters(), self.layer.parameters(), strict=True):
                old.mul_(0.9).add_(new, alpha=0.1)
        return self.layer(x) - self.average(x)


def with_weight_norm():
    return nn.Sequential(torch.nn.utils.weight_norm(nn.Linear(8, 4)), nn.Tanh())


RIGHT = {
    "averaged": step(module=Averaged),
    "weight norm": step(module=with_weight_norm),
    "halved": step(halved),
    "halved twice": step(halved_twice),
    "clamped": step(clamped),
    "converted": step(module=converted),
    "first block": step(loss=first_block),
    "last block": step(loss=last_block),
    "auxiliary": step(loss=auxiliary),
}


@pytest.mark.filterwarnings("ignore:.*weight_norm")
@pytest.mark.parametrize("name", sample(RIGHT, 2))
def test_gradients_are_where_pytorch_leaves_them(name):
    program = captured(RIGHT[name])
    assert compared(RIGHT[name], program, 2) < 1e-5
    assert print_program(live(RIGHT[name])) == print_program(program)


def clipped_by_closure(module, optimizer):
    def clip(*_):
        for each in module.parameters():
            if each.grad is not None:
                each.grad.clamp_(-0.01, 0.01)

    optimizer.register_step_pre_hook(clip)


def averaged_by_closure(module, optimizer):
    module.register_buffer("average", torch.zeros(6, 8))
    optimizer.register_step_post_hook(lambda *_: module.average.mul_(0.9).add_(module[0].weight, alpha=0.1))


def clipped_and_caught(module, optimizer):
    def clip(*_):
        for each in module.parameters():
            try:
                each.grad.clamp_(-0.01, 0.01)
            except Exception:
                continue

    optimizer.register_step_pre_hook(clip)


def replaced_step(module, optimizer):
    before = optimizer.step
    optimizer.step = lambda *_: [each.grad.mul_(0.5) for each in module.parameters()] and before()


def kept_node(module, optimizer):
    node = torch.autograd.graph.get_gradient_edge(module[0].weight).node
    node.register_prehook(lambda gradients: tuple(each * 0.5 for each in gradients))
    module.kept = [node]


def kept_tensor(module, optimizer):
    module.kept = module[0].weight + 1


def with_kept_tensor(module, x, y):
    return plain(module, x, y) + module.kept.sum()


def of_several(module, optimizer):
    module.handle = torch.autograd.graph.register_multi_grad_hook(list(module.parameters()), lambda gradients: None)


def stepping_in_backward(module, optimizer):
    for each in module.parameters():
        each.register_post_accumulate_grad_hook(lambda parameter: torch.optim.SGD([parameter], 0.1).step() and None)


OUTSIDE = torch.zeros(4)


def writing_outside(module, x, y):
    OUTSIDE.add_(1.0)
    return plain(module, x, y) + OUTSIDE.sum() * 0


@pytest.mark.filterwarnings("ignore:.*weight_norm")
def test_tensors_that_modules_keep_may_hold_nodes_without_hooks():
    module = with_weight_norm()
    refuse_hidden_hooks(module)
    node = torch.autograd.graph.get_gradient_edge(module[0].weight_g).node
    for register in (node.register_hook, node.register_prehook):
        handle = register(lambda *_: None)
        with pytest.raises(CaptureError, match=r"the autograd node of 0\.weight_g"):
            refuse_hidden_hooks(module)
        handle.remove()


REFUSED = {
    "clipped by closure": (
        step(clipped_by_closure),
        "0.weight is used there (grad) without being an argument of the step",
    ),
    "averaged by closure": (
        step(averaged_by_closure),
        "average is used there (mul_) without being an argument of the step",
    ),
    "clipped and caught": (
        step(clipped_and_caught),
        "0.weight is used there (grad) without being an argument of the step",
    ),
    "replaced step": (step(replaced_step), "the optimizer's step is replaced by another function"),
    "kept node": (step(kept_node), "something keeps the autograd node of 0.weight, which may have hooks"),
    "kept tensor": (step(kept_tensor, with_kept_tensor), "the loss uses a tensor that is neither parameter nor buffer"),
    "of several": (step(of_several), "something keeps the autograd node of 0.weight, which may have hooks"),
    "stepping in backward": (step(stepping_in_backward), "the loss changes the parameter"),
    "writing outside": (
        step(loss=writing_outside),
        "aten.add_.Tensor is called there: it writes into a tensor that is neither",
    ),
}


@looped("name", sample(REFUSED, 2))
@looped("read", [captured, live])
def test_what_is_not_followed_is_refused_by_both_ways(name, read):
    function, message = REFUSED[name]
    with pytest.raises(CaptureError) as refused:
        read(function)
    assert message in str(refused.value)


def reached_in_the_loss():
    module, batch, _, optimizer = step()()
    return module, batch, lambda _, x, y: plain(module, x, y), optimizer


def test_a_module_that_a_loss_reaches_by_a_closure_is_refused_where_a_copy_runs():
    with pytest.raises(
        CaptureError,
        match=r"0.weight is used there \(linear\) without being an argument of the "
        "step",
    ):
        live(reached_in_the_loss)


def test_a_schedule_of_learning_rates_wraps_the_step_and_changes_nothing():
    scheduled = step(lambda module, optimizer: torch.optim.lr_scheduler.StepLR(optimizer, 10))
    assert print_program(captured(scheduled)) == print_program(captured(step()))


class Recurrent(nn.Module):
    """Two layers, with dropout between them."""

    def __init__(self, kind):
        super().__init__()
        self.layers = kind(8, 4, num_layers=2, dropout=0.5)

    def forward(self, x):
        return self.layers(x.unsqueeze(0))[0].squeeze(0)


@pytest.mark.parametrize("kind", sample((nn.LSTM, nn.GRU, nn.RNN), 1))
def test_recurrent_layers_drop_out_between_them(kind):
    function = step(module=lambda: Recurrent(kind))
    program = captured(function)
    assert "dropout(" in print_program(program)
    assert compared(function, program, 2) < 1e-5
