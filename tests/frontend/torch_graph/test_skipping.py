"""Code that runs only where a mask selects rows: skipped as PyTorch does, with the parameters it leaves, or refused."""

import pytest
import torch
from frontend.torch_graph.eager import captured, compared
from looped import looped
from tiers import is_full
from torch import nn
from torch.nn import functional

from p2smt.errors import CaptureError
from p2smt.frontend.torch_graph.training import Training

WITHIN = 1e-12


@pytest.fixture(autouse=True)
def _float64():
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(before)


class Net(nn.Module):
    """A gate chooses an expert for each row; where `narrow` is true, the last one gets none."""

    def __init__(self, function):
        super().__init__()
        self.function = function
        self.gate, self.token = nn.Linear(2, 3), nn.Parameter(torch.zeros(2))
        self.experts = nn.ModuleList(nn.Linear(2, 2, bias=False) for _ in range(3))
        self.stacked = nn.Parameter(torch.zeros(3, 2, 2))

    def forward(self, x, narrow):
        share, chosen = self.gate(x).softmax(-1).topk(2, dim=-1)
        return (x + self.function(self, x, share, torch.where(narrow, 0, chosen))).square().sum()


def step(function, optimizer=torch.optim.AdamW, *, narrow=True, **settings):
    def made():
        torch.manual_seed(1)
        net = Net(function)
        batch = {"x": torch.randn(5, 2), "narrow": torch.tensor(narrow)}
        return Training(net, batch, lambda m, **given: m(**given), optimizer(net.parameters(), lr=0.1, **settings))

    return made


def continued(net, x, share, chosen):
    out = torch.zeros_like(x)
    for number, expert in enumerate(net.experts):
        row, place = torch.where(chosen == number)
        if row.numel() == 0:
            continue
        out.index_add_(0, row, expert(x[row]) * share[row, place, None])
    return out


def guarded(net, x, share, chosen):
    out = torch.zeros_like(x)
    for place in range(2):
        for number in range(3):
            mask = chosen[:, place] == number
            if mask.any():
                out[mask] += net.experts[number](x[mask]) * share[mask, place : place + 1]
    return out


def hit(net, x, share, chosen):
    """The loop of Mixtral, over the experts that have a row."""
    out, hot = torch.zeros_like(x), functional.one_hot(chosen, 3).permute(2, 1, 0)
    for expert in torch.greater(hot.sum(dim=(-1, -2)), 0).nonzero():
        place, row = torch.where(hot[expert[0]])
        found = net.experts[expert](x[row]) + functional.linear(x[row], net.stacked[expert[0]])
        out.index_add_(0, row, found * share[row, place, None])
    return out


def counted(net, x, share, chosen):
    """Also a row that nothing in the block depends on, and a number that is infinite where nothing is selected."""
    out = continued(net, x, share, chosen)
    for number, expert in enumerate(net.experts):
        rows = (chosen[:, 0] == number).nonzero(as_tuple=True)[0]
        if len(rows) > 0:
            part = 1.0 / (chosen[:, 0] == number).sum()
            out.index_add_(0, rows, expert(x[rows]) * part)
        mask = chosen[:, 1] == number
        if not mask.any():
            pass
        else:
            out[mask] = net.token
    return out


CASES = (continued, guarded, hit, counted)


@looped("function", CASES if is_full() else CASES[:1])
def test_skipped_code_leaves_parameters_as_pytorch_does(function):
    program = captured(step(function))
    assert any(each.name == "experts.2.weight.updates" for each in program.sources)
    assert max(compared(step(function, narrow=narrow), program, 3) for narrow in (True, False)) < WITHIN


OPTIMIZERS = (
    (torch.optim.SGD, {"momentum": 0.9, "weight_decay": 0.1}),
    (torch.optim.SGD, {}),
    (torch.optim.Adam, {"weight_decay": 0.1, "amsgrad": True}),
)


@pytest.mark.thorough  # test_skipped_code_leaves_parameters_as_pytorch_does, with AdamW
@looped("optimizer", OPTIMIZERS)
def test_other_optimizers_leave_them_too(optimizer):
    made = step(guarded, optimizer[0], **optimizer[1])
    assert compared(made, captured(made), 3) < WITHIN


def read_behind(net, x, share, chosen):
    mask, total = chosen == 2, torch.zeros(())
    if mask.any():
        total.add_(net.experts[0](x[mask[:, 0]]).sum())
    return total


def mean(net, x, share, chosen):
    mask, out = chosen[:, 0] == 2, torch.zeros_like(x)
    if mask.any():
        out[mask] = x[mask] - x[mask].mean(0)
    return out


def of_another_mask(net, x, share, chosen):
    (row,), out = torch.where(chosen[:, 0] == 0), torch.zeros_like(x)
    if (chosen[:, 0] == 2).any():
        out.index_add_(0, row, x[row])
    return out


def appended(net, x, share, chosen):
    mask, out, seen = chosen[:, 0] == 2, torch.zeros_like(x), []
    if mask.any():
        _ = seen.append(1)
        out[mask] = x[mask]
    return out * len(seen)


def kept(net, x, share, chosen):
    mask, out = chosen[:, 0] == 2, torch.zeros_like(x)
    if mask.any():
        out[mask] = _noting(net, x[mask])
    return out


def _noting(net, rows):
    net.calls = getattr(net, "calls", 0) + 1
    return net.experts[2](rows)


def stopped(net, x, share, chosen):
    out = torch.zeros_like(x)
    for number in range(3):
        mask = chosen[:, 0] == number
        if not mask.any():
            break
        out[mask] = x[mask]
    return out


REFUSED = (
    (read_behind, "made in code that may be skipped"),
    (appended, "changes a list there"),
    (mean, "may give no number if it selects none"),
    (of_another_mask, "a mask that this condition does not count"),
    (kept, "the loss changes calls, and has code that may be skipped"),
    (stopped, "it depends on the values of tensors"),
)
FEW = 2


@looped("case", REFUSED if is_full() else REFUSED[:FEW])
def test_code_that_leaves_more_behind_is_refused(case):
    function, said = case
    with pytest.raises(CaptureError, match=said):
        captured(step(function))


@pytest.mark.thorough  # test_code_that_leaves_more_behind_is_refused
def test_recorded_optimizers_know_no_parameters_without_gradients():
    with pytest.raises(CaptureError, match="recorded, which knows no parameters without gradients"):
        captured(step(continued, torch.optim.Adagrad))
