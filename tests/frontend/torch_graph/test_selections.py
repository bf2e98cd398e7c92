"""Rows that masks select are computed as PyTorch computes them, or refused; so are those that nothing selects."""

import pytest
import torch
from frontend.torch_graph.eager import captured, compared
from looped import looped
from tiers import is_full
from torch import nn
from torch.nn import functional
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
from torch.utils.checkpoint import checkpoint

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
    """Parameters that a function uses beside a batch: some layers, a table, and a tensor that moves the input."""

    def __init__(self, function):
        super().__init__()
        self.function = function
        self.one, self.two = nn.Linear(4, 4), nn.Linear(4, 3)
        self.norm, self.table = nn.LayerNorm(4), nn.Embedding(5, 4)
        self.token, self.moved = nn.Parameter(torch.zeros(4)), nn.Parameter(torch.zeros(3, 5, 4))

    def forward(self, batch):
        used = {name: value.square().sum() for name, value in self.named_parameters()}
        return self.function(self, **batch) + 0.01 * sum(used.values())


def step(function):
    def made():
        torch.manual_seed(1)
        net = Net(function)
        batch = {
            "x": torch.randn(3, 5, 4),
            "y": torch.randn(3, 5, 4),
            "mask": torch.rand(3, 5) > 0.4,
            "labels": torch.randint(-1, 3, (3, 5)),
        }
        return Training(net, batch, lambda m, **batch: m(batch), torch.optim.SGD(net.parameters(), lr=0.1))

    return made


def looped_experts(net, x, y, mask, labels):
    """The old loop of Mixtral."""
    rows = (x + net.moved).flatten(0, 1)
    score, which = net.two(rows).softmax(-1).topk(2, dim=-1)
    out = torch.zeros_like(rows)
    for number, expert in enumerate((net.one, net.norm, nn.Identity())):
        row, place = torch.where(which == number)
        out.index_add_(0, row, expert(rows[row]) * score[row, place, None])
    return (out * y.flatten(0, 1)).sum()


def transposed_experts(net, x, y, mask, labels):
    rows = (x + net.moved).flatten(0, 1)
    score, which = net.two(rows).softmax(-1).topk(2, dim=-1)
    out = torch.zeros_like(rows)
    hot = functional.one_hot(which, 3).permute(2, 1, 0)
    for number in range(3):
        place, row = torch.where(hot[number])
        found = rows[None, row].reshape(-1, 4)
        out.index_add_(0, row, net.one(found).relu() * score[row, place, None])
    return (out * y.flatten(0, 1)).sum()


def written_experts(net, x, y, mask, labels):
    rows, out = x + net.moved, torch.zeros_like(y)
    for number in range(3):
        chosen = labels == number
        out[chosen] = net.one(rows[chosen]) * (number + 1)
        out[chosen] += net.token
    return (out * y).sum()


def tokens(net, x, y, mask, labels):
    hidden = (x + net.moved).clone()
    hidden[mask] = net.token
    return (net.one(hidden)[~mask] - y[~mask]).square().mean()


def logarithms(net, x, y, mask, labels):
    """Of rows that are left out it is infinite, and so is its derivative."""
    z = x * net.token + net.moved
    z = z * (z > 0)
    positive = z > 0
    return (z[positive].log() * 0.3).sum() + (z[positive].log()[:, None] @ net.two.weight[:1, :1]).sum()


def masked_numbers(net, x, y, mask, labels):
    """Targets without numbers, as where data are missing."""
    y = torch.where(y > 1, torch.nan, y)
    known = ~torch.isnan(y)
    return (
        functional.mse_loss((x * net.token + net.moved)[known], y[known])
        + functional.linear(y[known].unsqueeze(1), net.one.weight[:, :1]).square().mean()
    )


def narrowed(net, x, y, mask, labels):
    found = (x + net.moved)[mask]
    wanted = labels[mask]
    is_known = wanted != -1
    hot, is_class = torch.zeros(3, 5, 3), mask & (labels >= 0)
    hot[is_class, labels[is_class]] = 0.5
    hot[is_class, labels[is_class] - 2] = y[is_class, 0]
    total = (net.two(x + net.moved) * hot).sum()
    return total + functional.cross_entropy(net.two(found[is_known]), wanted[is_known])


def written_between(net, x, y, mask, labels):
    mask, rows = mask.clone(), x + net.moved
    first = rows[mask.clone()]
    mask[0] = True
    second = rows[mask]
    return first.square().sum() + second.mean() + first.numel() / mask.numel()


def source_written(net, x, y, mask, labels):
    rows = (x + net.moved).clone()
    first = rows[mask]
    rows.mul_(2)
    first += 1
    return first.square().sum() + rows.sum()


def checkpointed(net, x, y, mask, labels):
    return checkpoint(lambda z: net.one(z[mask]).relu().square().mean(), x + net.moved, use_reentrant=False)


def lengths(net, x, y, mask, labels):
    found = (x + net.moved)[mask]
    assert found.shape[1] == found.size(-1) == 4
    assert found.dim() == 2
    assert found.requires_grad
    total = found.square().sum() / found.shape[0] + found.sum() / found.numel()
    return total + (found * y[mask]).view(found.shape[0], 2, 2).transpose(1, 2).reshape(-1).mean()


def indexed(net, x, y, mask, labels):
    rows = (x + net.moved).reshape(15, 4)
    (place,) = torch.where(mask.reshape(15))
    found = net.one(rows[place]) + net.table(labels.reshape(15)[place] + 1)
    out = rows.clone()
    out[place] = found
    return (out * y.reshape(15, 4)).sum() + rows.index_select(0, mask.reshape(15).nonzero().squeeze(1)).square().sum()


def with_losses(net, x, y, mask, labels):
    found, wanted = (x + net.moved)[mask], y[mask]
    classes = labels[mask].clamp(min=0)
    logits = net.two(found)
    total = functional.cross_entropy(logits, classes) + functional.cross_entropy(
        logits, classes, label_smoothing=0.1, ignore_index=2, weight=torch.tensor([1.0, 2.0, 3.0]), reduction="sum"
    )
    total = total + functional.nll_loss(logits.log_softmax(-1), classes, reduction="none").square().mean()
    total = total + functional.cross_entropy(logits, wanted[:, :3].softmax(-1))
    total = total + functional.l1_loss(found, wanted) + functional.smooth_l1_loss(found, wanted, reduction="sum")
    total = total + functional.binary_cross_entropy_with_logits(found, wanted.sigmoid(), pos_weight=torch.tensor(2.0))
    total = total + functional.kl_div(found.log_softmax(-1), wanted.softmax(-1), reduction="batchmean")
    return total + functional.huber_loss(found, wanted)


def reductions(net, x, y, mask, labels):
    found = (x + net.moved)[mask]
    total = found.sum(0).square().sum() + found.mean(0, keepdim=True).square().sum() + found.mean((0, 1))
    total = total + found.sum(-1).square().mean() + found.max(-1).values.sum() + found.amax(0).sum() + found.min()
    total = total + found.logsumexp(-1).mean() + found.norm(dim=-1).sum() + found.var(1).mean() + found.std(-1).sum()
    is_large = found > 0.5
    total = total + is_large.any(0).double().sum() + is_large.all() + is_large.any() * 2 + is_large.double().mean()
    return total + found.max(y[mask]).sum() + torch.max(found, y[mask]).sum()


def by_row(net, x, y, mask, labels):
    found = (x + net.moved)[mask]
    left, right = found.chunk(2, dim=-1)
    total = (left * right.sigmoid()).sum() + functional.glu(found).square().sum() + found.cumsum(-1).square().mean()
    total = total + functional.normalize(found, dim=-1).sum() + functional.cosine_similarity(found, y[mask]).mean()
    total = total + net.norm(found).square().mean() + functional.softmax(net.two(found), -1).amax(-1).mean()
    total = total + found.gather(1, labels[mask].clamp(min=0)[:, None]).sum() + (found @ net.one.weight).square().mean()
    total = total + torch.cat([found, y[mask]], -1).square().mean() + (found @ net.token).square().sum()
    total = total + functional.one_hot(labels[mask] + 1, 5).double().mean(0).square().sum() + found.topk(2).values.sum()
    return total + functional.rms_norm(found, (4,)).sum() + found.argmax(-1).double().mean()


def pointwise(net, x, y, mask, labels):
    found = (x + net.moved)[mask]
    total = (2 * found + found / 3 - found**2 + (-found).abs()).sum() + (found * net.token + net.token).square().mean()
    total = total + torch.where(found > 0, found, y[mask] * net.token).sum() + found.masked_fill(found > 1, 0).sum()
    total = total + functional.relu(net.one(found), inplace=True).sum() + functional.gelu(found).mean()
    found = found.clone()
    found *= 2
    found[:, 0].add_(1)
    total = total + (found + torch.ones(2, 1, 4) * net.token).square().mean()
    return total + (found.detach() * net.token).sum() + found.to(torch.float64).double().clone().sum()


def other_dimensions(net, x, y, mask, labels):
    rows = x + net.moved
    total = rows[:, mask[0]].square().mean() + rows[:, mask[0], 1:].sum(1).square().sum() + rows[..., mask[0], :].sum()
    total = total + rows[mask, 0].square().sum() + rows[0, mask[1]].mean() + rows[mask][:, 1:, None].square().sum()
    total = total + rows.masked_select(y > 0).square().sum() + torch.masked_select(rows, mask[..., None]).mean()
    return total + rows[x > 0].square().mean() + rows[mask, labels[mask].clamp(min=0)].square().sum()


def of_nothing(net, x, y, mask, labels):
    none = labels > 7
    out = x + net.moved
    out[none] = net.token
    return out.square().mean() + x[none].sum() + net.one(out[none]).square().sum()


CASES = (
    *(looped_experts, logarithms, narrowed, indexed, transposed_experts, written_experts, tokens, masked_numbers),
    *(checkpointed, written_between, source_written, lengths, with_losses, reductions, by_row, pointwise),
    *(of_nothing, other_dimensions),
)
FEW = 4


@looped("function", CASES if is_full() else CASES[:FEW])
def test_selected_rows_are_computed_as_pytorch_does(function):
    assert compared(step(function), captured(step(function)), 2) < WITHIN


def compared_counts(net, x, y, mask, labels):
    found = (x + net.moved)[mask]
    return found.sum() if found.numel() > 0 else x.sum()


def of_other_masks(net, x, y, mask, labels):
    return ((x + net.moved)[mask] * y[labels > 0]).sum()


def of_other_rows(net, x, y, mask, labels):
    return ((x + net.moved)[mask] * torch.ones(9, 1)).sum()


def written_partly(net, x, y, mask, labels):
    out = (x + net.moved).clone()
    row, _ = torch.where(mask)
    out[row] = 0.0
    return out.sum()


def _of(function):
    """A function of the selected rows, and of the same of others."""
    return lambda net, x, y, mask, labels: function((x + net.moved)[mask], y[mask])


class _Doubled(torch.autograd.Function):
    """A function that hides its gradient from whoever computes with other rows."""

    @staticmethod
    def forward(ctx, x):
        return 2 * x

    @staticmethod
    def backward(ctx, gradient):
        return 3 * gradient


UNKNOWN = (
    compared_counts,
    of_other_masks,
    of_other_rows,
    written_partly,
    _of(lambda rows, y: rows.sum() * len(y.tolist())),
    _of(lambda rows, y: rows.sort(0).values[0].sum()),
    _of(lambda rows, y: (rows @ y.T).sum()),
    _of(lambda rows, y: rows.std()),
    _of(lambda rows, y: _Doubled.apply(rows).sum()),
    _of(lambda rows, y: sum(each.sum() for each in rows)),
    _of(lambda rows, y: torch.cat([rows, y]).sum()),
    _of(lambda rows, y: rows.softmax(0).square().sum()),
    _of(lambda rows, y: rows.squeeze().sum()),
    _of(lambda rows, y: rows[0].sum()),
    _of(lambda rows, y: rows.sum() * (rows.shape == y[y > 0].shape)),
    _of(lambda rows, y: rows.register_hook(lambda g: g * 2).sum()),
    _of(lambda rows, y: functional.batch_norm(rows, None, None, training=True).sum()),
)


@looped("function", UNKNOWN if is_full() else UNKNOWN[:FEW])
def test_what_needs_the_number_of_rows_is_refused_with_its_line(function):
    with pytest.raises(CaptureError, match=r"test_selections.py:\d+: .*depends? on the values of tensors"):
        captured(step(function))


class Reader(nn.Module):
    """A recurrent layer that stops where sequences end."""

    def __init__(self, layer, total_length):
        super().__init__()
        self.layer = layer(2, 2, batch_first=True, bidirectional=is_full())
        self.head = nn.Linear(2 * (1 + is_full()), 3)
        self.total_length = total_length

    def forward(self, x, labels, lengths):
        rows, targets = (
            pack_padded_sequence(each, lengths, batch_first=True, enforce_sorted=False) for each in (x, labels)
        )
        found, last = self.layer(rows)
        made, _ = pad_packed_sequence(found, batch_first=True, padding_value=0.5, total_length=self.total_length)
        states = sum(each.square().sum() for each in (last if isinstance(last, tuple) else (last,)))
        return (made.sin() * made).sum() + states + functional.cross_entropy(self.head(found[0]), targets[0])


def read(layer, total_length):
    def made():
        torch.manual_seed(1)
        batch = {"x": torch.randn(2, 3, 2), "labels": torch.randint(0, 3, (2, 3)), "lengths": torch.tensor([1, 3])}
        net = Reader(layer, total_length)
        return Training(net, batch, lambda m, **batch: m(**batch), torch.optim.SGD(net.parameters(), lr=0.1))

    return made


LAYERS = (nn.RNN, nn.GRU, nn.LSTM) if is_full() else (nn.RNN,)


@looped("layer", LAYERS)
def test_packed_sequences_end_where_their_lengths_say(layer):
    assert compared(read(layer, 4), captured(read(layer, 4)), 2) < WITHIN


def test_the_longest_sequence_of_a_batch_is_not_known():
    with pytest.raises(CaptureError, match=r"test_selections.py:\d+: .*pass total_length"):
        captured(read(nn.RNN, None))
