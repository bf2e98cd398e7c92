"""Forecasts of series."""

from collections.abc import Callable, Iterator

import torch
from torch import nn
from torch.nn import functional

from zoo_models.small_parts import ROWS, Net, mlp
from zoo_models.training import Step, trained


def series(channels=2, past=16, future=4):
    return {"past": torch.randn(ROWS, past, channels), "future": torch.randn(ROWS, future, channels)}


def forecast(net, past, future):
    return functional.mse_loss(net(past), future)


def dlinear():
    def forward(net, x):
        x = x.transpose(1, 2)
        padded = torch.cat([x[..., :1].repeat(1, 1, 2), x, x[..., -1:].repeat(1, 1, 2)], -1)
        trend = functional.avg_pool1d(padded, 5, 1)
        return (net.season(x - trend) + net.trend(trend)).transpose(1, 2)

    return trained(Net(forward, season=nn.Linear(16, 4), trend=nn.Linear(16, 4)), series(), forecast)


def nbeats():
    def forward(net, x):
        x = x.transpose(1, 2)
        answer = 0
        for block in net.blocks:
            back, ahead = block(x).split([16, 4], -1)
            x, answer = x - back, answer + ahead
        return answer.transpose(1, 2)

    return trained(Net(forward, blocks=nn.ModuleList(mlp(16, 32, 32, 20) for _ in range(3))), series(), forecast)


def deepar():
    def forward(net, x):
        y, _ = net.lstm(x)
        return net.mean(y), functional.softplus(net.scale(y)) + 1e-3

    def loss(net, past):
        mean, scale = net(past[:, :-1])
        return -torch.distributions.Normal(mean, scale).log_prob(past[:, 1:]).mean()

    net = Net(forward, lstm=nn.LSTM(2, 8, 2, batch_first=True), mean=nn.Linear(8, 2), scale=nn.Linear(8, 2))
    return trained(net, {"past": torch.randn(ROWS, 10, 2)}, loss)


def tcn():
    class Block(nn.Module):
        def __init__(self, before, after, dilation):
            super().__init__()
            self.pad = 2 * dilation
            self.conv = nn.utils.parametrizations.weight_norm(nn.Conv1d(before, after, 3, dilation=dilation))
            self.skip = nn.Conv1d(before, after, 1)

        def forward(self, x):
            return functional.relu(self.conv(functional.pad(x, (self.pad, 0))) + self.skip(x))

    body = nn.Sequential(Block(2, 8, 1), Block(8, 8, 2), Block(8, 8, 4))
    net = Net(
        lambda net, x: net.head(net.body(x.transpose(1, 2))[..., -1]).view(-1, 4, 2), body=body, head=nn.Linear(8, 8)
    )
    return trained(net, series(), forecast)


def tsmixer():
    def forward(net, x):
        for norm, time, channel in zip(net.norms, net.times, net.channels, strict=True):
            x = x + functional.relu(time(norm(x).transpose(1, 2))).transpose(1, 2)
            x = x + channel(x)
        return net.head(x.transpose(1, 2)).transpose(1, 2)

    net = Net(
        forward,
        norms=nn.ModuleList(nn.LayerNorm(2) for _ in range(2)),
        times=nn.ModuleList(nn.Linear(16, 16) for _ in range(2)),
        channels=nn.ModuleList(mlp(2, 8, 2) for _ in range(2)),
        head=nn.Linear(16, 4),
    )
    return trained(net, series(), forecast)


def reversible_norm():
    """iTransformer: a token for each channel, normalised by its own past."""

    def forward(net, x):
        mean, scale = x.mean(1, keepdim=True).detach(), (x.var(1, keepdim=True, unbiased=False) + 1e-5).sqrt().detach()
        y = net.encoder(net.into((x - mean).div(scale).transpose(1, 2)))
        return net.out(y).transpose(1, 2) * scale + mean

    layer = nn.TransformerEncoderLayer(16, 2, 32, dropout=0.0, activation="gelu", batch_first=True)
    net = Net(forward, into=nn.Linear(16, 16), encoder=nn.TransformerEncoder(layer, 2), out=nn.Linear(16, 4))
    return trained(net, series(3), forecast)


def time_sequence():
    """pytorch/examples time_sequence_prediction: two LSTM cells, step by step, and beyond the end."""

    def forward(net, x):
        h1 = c1 = h2 = c2 = torch.zeros(x.size(0), 9, dtype=x.dtype)
        found = []
        for piece in x.split(1, dim=1):
            h1, c1 = net.first(piece, (h1, c1))
            h2, c2 = net.second(h1, (h2, c2))
            found.append(net.head(h2))
        for _ in range(2):
            h1, c1 = net.first(found[-1], (h1, c1))
            h2, c2 = net.second(h1, (h2, c2))
            found.append(net.head(h2))
        return torch.cat(found, 1)

    net = Net(forward, first=nn.LSTMCell(1, 9), second=nn.LSTMCell(9, 9), head=nn.Linear(9, 1))
    return trained(
        net, {"x": torch.randn(ROWS, 5), "y": torch.randn(ROWS, 7)}, lambda m, x, y: functional.mse_loss(m(x), y)
    )


MODELS = {
    "time series": (
        dlinear,
        nbeats,
        deepar,
        tcn,
        tsmixer,
        reversible_norm,
        time_sequence,
    ),
}


def models() -> Iterator[tuple[str, str, Callable[[], Step]]]:
    """Family, name and step of each."""
    for family, makes in MODELS.items():
        for make in makes:
            yield family, make.__name__, make
