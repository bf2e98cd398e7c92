"""Densities, codes and contrasts."""

import copy
from collections.abc import Callable, Iterator

import torch
from torch import nn
from torch.nn import functional

from zoo_models.small_parts import ROWS, Net, mlp
from zoo_models.training import Step, trained


def vq_vae():
    def loss(net, x):
        z = net.into(x)
        apart = z.square().sum(1, keepdim=True) - 2 * z @ net.book.weight.T + net.book.weight.square().sum(1)
        q = net.book(apart.argmin(1))
        passed = z + (q - z).detach()
        return (
            functional.mse_loss(net.out(passed), x)
            + functional.mse_loss(q, z.detach())
            + 0.25 * functional.mse_loss(z, q.detach())
        )

    return trained(
        Net(None, into=mlp(12, 16, 4), out=mlp(4, 16, 12), book=nn.Embedding(8, 4)), {"x": torch.randn(ROWS, 12)}, loss
    )


def wgan_gp():
    def loss(net, real, fake, share):
        mixed = (share * real + (1 - share) * fake).requires_grad_()
        slope = torch.autograd.grad(net(mixed).sum(), mixed, create_graph=True)[0]
        return net(fake).mean() - net(real).mean() + 10 * ((slope.norm(2, dim=1) - 1) ** 2).mean()

    return trained(
        mlp(6, 16, 16, 1),
        {"real": torch.randn(ROWS, 6), "fake": torch.randn(ROWS, 6), "share": torch.rand(ROWS, 1)},
        loss,
    )


def real_nvp():
    def loss(net, x):
        total = 0
        for _number, layer in enumerate(net.layers):
            a, b = x.chunk(2, -1)
            scale, shift = layer(a).chunk(2, -1)
            scale = torch.tanh(scale)
            x = torch.cat([b * scale.exp() + shift, a], -1)
            total = total + scale.sum(-1)
        return -(torch.distributions.Normal(0.0, 1.0).log_prob(x).sum(-1) + total).mean()

    return trained(Net(None, layers=nn.ModuleList(mlp(3, 16, 6) for _ in range(3))), {"x": torch.randn(ROWS, 6)}, loss)


def gaussian_mixture():
    def loss(net, x, y):
        logits, mean, log_scale = net(x).chunk(3, -1)
        mix = torch.distributions.Categorical(logits=logits)
        parts = torch.distributions.Normal(mean, log_scale.exp())
        return -torch.distributions.MixtureSameFamily(mix, parts).log_prob(y).mean()

    return trained(mlp(3, 16, 12), {"x": torch.randn(ROWS, 3), "y": torch.randn(ROWS)}, loss)


def ddpm():
    def loss(net, x, t):
        beta = torch.linspace(1e-4, 0.02, 10)
        alpha = (1 - beta).cumprod(0)
        noise = torch.randn_like(x)
        a = alpha[t][:, None]
        at = torch.cat([torch.sin(t[:, None] * f) for f in (0.1, 1.0)], 1)
        return functional.mse_loss(net(torch.cat([a.sqrt() * x + (1 - a).sqrt() * noise, at], 1)), noise)

    return trained(mlp(8, 16, 6), {"x": torch.randn(ROWS, 6), "t": torch.randint(0, 10, (ROWS,))}, loss)


def flow_matching():
    def loss(net, x):
        start, t = torch.randn_like(x), torch.rand(len(x), 1)
        return functional.mse_loss(net(torch.cat([t * x + (1 - t) * start, t], 1)), x - start)

    return trained(mlp(7, 16, 6), {"x": torch.randn(ROWS, 6)}, loss)


def simclr():
    def loss(net, a, b):
        z = functional.normalize(torch.cat([net(a), net(b)]), dim=1)
        scores = (z @ z.T / 0.5).masked_fill(torch.eye(2 * ROWS, dtype=torch.bool), float("-inf"))
        return functional.cross_entropy(scores, torch.arange(2 * ROWS).roll(ROWS))

    return trained(mlp(6, 16, 8), {"a": torch.randn(ROWS, 6), "b": torch.randn(ROWS, 6)}, loss)


def byol():
    def loss(net, a, b):
        with torch.no_grad():
            for p, q in zip(net.target.parameters(), net.online.parameters(), strict=True):
                p.mul_(0.99).add_(q, alpha=0.01)
            t = net.target(b)
        return 2 - 2 * functional.cosine_similarity(net.predict(net.online(a)), t, dim=-1).mean()

    online = nn.Sequential(nn.Linear(6, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 8))
    return trained(
        Net(None, online=online, target=copy.deepcopy(online).requires_grad_(False), predict=mlp(8, 16, 8)),
        {"a": torch.randn(ROWS, 6), "b": torch.randn(ROWS, 6)},
        loss,
    )


def barlow():
    def loss(net, a, b):
        x, y = ((z - z.mean(0)) / z.std(0) for z in (net(a), net(b)))
        c = x.T @ y / ROWS
        return (torch.diagonal(c) - 1).square().sum() + 0.005 * (c - torch.diag(torch.diagonal(c))).square().sum()

    return trained(mlp(6, 16, 8), {"a": torch.randn(ROWS, 6), "b": torch.randn(ROWS, 6)}, loss)


MODELS = {
    "densities": (
        vq_vae,
        wgan_gp,
        real_nvp,
        gaussian_mixture,
        ddpm,
        flow_matching,
    ),
    "contrasts": (
        simclr,
        byol,
        barlow,
    ),
}


def models() -> Iterator[tuple[str, str, Callable[[], Step]]]:
    """Family, name and step of each."""
    for family, makes in MODELS.items():
        for make in makes:
            yield family, make.__name__, make
