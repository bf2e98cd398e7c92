"""Networks as functions of coordinates and of other networks, solved or differentiated in the step."""

from collections.abc import Callable, Iterator

import torch
from torch import nn
from torch.nn import functional

from zoo_models.small_parts import ROWS, Net, mlp
from zoo_models.training import Step, trained


def nerf():
    def forward(net, points, steps):
        waves = torch.cat([f(points * 2.0**k) for k in range(3) for f in (torch.sin, torch.cos)], -1)
        color, density = net.body(waves).split([3, 1], -1)
        alpha = 1 - torch.exp(-functional.softplus(density.squeeze(-1)) * steps)
        left = torch.cumprod(torch.cat([torch.ones_like(alpha[:, :1]), 1 - alpha + 1e-10], -1), -1)[:, :-1]
        return ((alpha * left)[..., None] * color.sigmoid()).sum(1)

    return trained(
        Net(forward, body=mlp(18, 16, 16, 4)),
        {"points": torch.randn(ROWS, 6, 3), "steps": torch.rand(ROWS, 6), "y": torch.rand(ROWS, 3)},
        lambda m, points, steps, y: functional.mse_loss(m(points, steps), y),
    )


def siren():
    def forward(net, x):
        for layer in net.layers:
            x = torch.sin(3 * layer(x))
        return net.head(x)

    return trained(
        Net(forward, layers=nn.ModuleList([nn.Linear(2, 16), nn.Linear(16, 16)]), head=nn.Linear(16, 1)),
        {"x": torch.rand(ROWS, 2), "y": torch.rand(ROWS, 1)},
        lambda m, x, y: functional.mse_loss(m(x), y),
    )


def physics_informed():
    def loss(net, x):
        x = x.requires_grad_() if not x.requires_grad else x
        u = net(x)
        first = torch.autograd.grad(u.sum(), x, create_graph=True)[0]
        second = torch.autograd.grad(first.sum(), x, create_graph=True)[0]
        return (second + u).square().mean() + (net(torch.zeros(1, 1)) - 1).square().mean()

    return trained(
        nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 16), nn.Tanh(), nn.Linear(16, 1)),
        {"x": torch.rand(ROWS, 1)},
        loss,
    )


def neural_ode():
    def forward(net, y):
        h = 0.25
        for _ in range(4):
            a = net.field(y)
            b = net.field(y + h / 2 * a)
            c = net.field(y + h / 2 * b)
            d = net.field(y + h * c)
            y = y + h / 6 * (a + 2 * b + 2 * c + d)
        return y

    return trained(
        Net(forward, field=nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 2))),
        {"x": torch.randn(ROWS, 2), "y": torch.randn(ROWS, 2)},
        lambda m, x, y: functional.mse_loss(m(x), y),
    )


def kan():
    """A Kolmogorov-Arnold layer: B-splines of the inputs by the recursion."""
    grid = torch.linspace(-1.75, 1.75, 8)

    def forward(net, x):
        y = x[..., None]
        basis = ((y >= grid[:-1]) & (y < grid[1:])).to(x.dtype)
        for k in (1, 2):
            basis = (y - grid[: -(k + 1)]) / (grid[k:-1] - grid[: -(k + 1)]) * basis[..., :-1] + (grid[k + 1 :] - y) / (
                grid[k + 1 :] - grid[1:-k]
            ) * basis[..., 1:]
        return functional.linear(functional.silu(x), net.base) + torch.einsum("bik,oik->bo", basis, net.spline)

    net = Net(forward, base=nn.Parameter(torch.randn(2, 3)), spline=nn.Parameter(torch.randn(2, 3, 5)))
    return trained(
        net, {"x": torch.rand(ROWS, 3) - 0.5, "y": torch.randn(ROWS, 2)}, lambda m, x, y: functional.mse_loss(m(x), y)
    )


def hypernetwork():
    def forward(net, x, task):
        w = net.make(task).view(len(x), 3, 4)
        return torch.einsum("bi,boi->bo", x, w)

    return trained(
        Net(forward, make=mlp(2, 16, 12)),
        {"x": torch.randn(ROWS, 4), "task": torch.randn(ROWS, 2), "y": torch.randn(ROWS, 3)},
        lambda m, x, task, y: functional.mse_loss(m(x, task), y),
    )


def maml():
    from torch.func import functional_call

    def loss(net, x, y):
        weights = dict(net.named_parameters())
        inner = functional.mse_loss(functional_call(net, weights, (x[:2],)), y[:2])
        slopes = torch.autograd.grad(inner, list(weights.values()), create_graph=True)
        quick = {name: w - 0.1 * g for (name, w), g in zip(weights.items(), slopes, strict=True)}
        return functional.mse_loss(functional_call(net, quick, (x[2:],)), y[2:])

    return trained(
        nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1)),
        {"x": torch.randn(4, 3), "y": torch.randn(4, 1)},
        loss,
    )


MODELS = {
    "coordinates": (
        nerf,
        siren,
        physics_informed,
        neural_ode,
        kan,
        hypernetwork,
        maml,
    ),
}


def models() -> Iterator[tuple[str, str, Callable[[], Step]]]:
    """Family, name and step of each."""
    for family, makes in MODELS.items():
        for make in makes:
            yield family, make.__name__, make
