"""Models of PyTorch's examples and of maps of pixels."""

from collections.abc import Callable, Iterator

import torch
from torch import nn
from torch.nn import functional

from zoo_models.small_parts import ROWS, Net, mlp
from zoo_models.training import CLASSES, WORDS, Step, images, tokens, trained


def mnist():
    net = nn.Sequential(
        nn.Conv2d(1, 8, 3),
        nn.ReLU(),
        nn.Conv2d(8, 8, 3),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Dropout2d(0.25),
        nn.Flatten(),
        nn.Linear(8 * 36, 16),
        nn.ReLU(),
        nn.Dropout(0.5),
        nn.Linear(16, CLASSES),
    )
    batch = {"x": images(16, ROWS, 1), "y": torch.randint(0, CLASSES, (ROWS,))}
    return trained(net, batch, lambda m, x, y: functional.nll_loss(functional.log_softmax(m(x), 1), y))


def translation():
    def forward(net, source, target):
        mask = nn.Transformer.generate_square_subsequent_mask(target.shape[1])
        return net.head(
            net.both(
                net.words(source),
                net.words(target),
                tgt_mask=mask,
                tgt_is_causal=True,
                src_key_padding_mask=source == 0,
                memory_key_padding_mask=source == 0,
            )
        )

    net = Net(
        forward,
        words=nn.Embedding(WORDS, 16),
        both=nn.Transformer(16, 2, 1, 1, 32, 0.1, batch_first=True),
        head=nn.Linear(16, WORDS),
    )
    batch = {"source": tokens(2, 6), "target": tokens(2, 5)}
    return trained(
        net,
        batch,
        lambda m, source, target: functional.cross_entropy(
            m(source, target[:, :-1]).transpose(1, 2), target[:, 1:], ignore_index=0
        ),
    )


def vae():
    def forward(net, x):
        mean, log_var = net.into(x).chunk(2, -1)
        return net.out(mean + torch.randn_like(mean) * torch.exp(0.5 * log_var)), mean, log_var

    def loss(net, x):
        y, mean, log_var = net(x)
        return functional.binary_cross_entropy_with_logits(y, x, reduction="sum") - 0.5 * torch.sum(
            1 + log_var - mean.pow(2) - log_var.exp()
        )

    return trained(Net(forward, into=mlp(12, 16, 8), out=mlp(4, 16, 12)), {"x": torch.rand(ROWS, 12)}, loss)


def dcgan_generator():
    net = nn.Sequential(
        nn.ConvTranspose2d(6, 16, 4, 1, 0, bias=False),
        nn.BatchNorm2d(16),
        nn.ReLU(True),
        nn.ConvTranspose2d(16, 8, 4, 2, 1, bias=False),
        nn.BatchNorm2d(8),
        nn.ReLU(True),
        nn.ConvTranspose2d(8, 3, 4, 2, 1, bias=False),
        nn.Tanh(),
    )
    critic = nn.Sequential(
        nn.Conv2d(3, 8, 4, 2, 1), nn.LeakyReLU(0.2, inplace=True), nn.Conv2d(8, 1, 8, 1, 0), nn.Flatten()
    ).requires_grad_(False)
    both = Net(lambda net, z: net.critic(net.net(z)), net=net, critic=critic)
    return trained(
        both,
        {"z": torch.randn(ROWS, 6, 1, 1)},
        lambda m, z: functional.binary_cross_entropy_with_logits(m(z), torch.ones(ROWS, 1)),
    )


def super_resolution():
    net = nn.Sequential(
        nn.Conv2d(1, 8, 5, 1, 2),
        nn.ReLU(),
        nn.Conv2d(8, 8, 3, 1, 1),
        nn.ReLU(),
        nn.Conv2d(8, 4, 3, 1, 1),
        nn.PixelShuffle(2),
    )
    return trained(net, {"x": images(6, 2, 1), "y": images(12, 2, 1)}, lambda m, x, y: functional.mse_loss(m(x), y))


def neural_style():
    class Res(nn.Module):
        def __init__(self, w):
            super().__init__()
            self.pad, self.conv, self.norm = (
                nn.ReflectionPad2d(1),
                nn.Conv2d(w, w, 3),
                nn.InstanceNorm2d(w, affine=True),
            )

        def forward(self, x):
            return x + functional.relu(self.norm(self.conv(self.pad(x))))

    def gram(x):
        y = x.flatten(2)
        return y @ y.transpose(1, 2) / (y.shape[1] * y.shape[2])

    net = nn.Sequential(
        nn.ReflectionPad2d(1),
        nn.Conv2d(3, 6, 3),
        Res(6),
        nn.Upsample(scale_factor=2),
        nn.ReflectionPad2d(1),
        nn.Conv2d(6, 3, 3),
    )
    return trained(
        net,
        {"x": images(6), "y": images(12)},
        lambda m, x, y: functional.mse_loss(m(x), y) + 10 * functional.mse_loss(gram(m(x)), gram(y)),
    )


def siamese():
    def forward(net, a, b):
        return torch.sigmoid(net.head(torch.abs(net.tower(a) - net.tower(b)))).squeeze(1)

    net = Net(
        forward,
        tower=nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(36, 8)),
        head=nn.Linear(8, 1),
    )
    return trained(
        net,
        {"a": images(8, ROWS, 1), "b": images(8, ROWS, 1), "same": torch.rand(ROWS)},
        lambda m, a, b, same: functional.binary_cross_entropy(m(a, b), same),
    )


def triplet():
    return trained(
        mlp(6, 16, 4),
        {k: torch.randn(ROWS, 6) for k in ("anchor", "good", "bad")},
        lambda m, anchor, good, bad: functional.triplet_margin_loss(m(anchor), m(good), m(bad)),
    )


def unet():
    def double(a, b):
        return nn.Sequential(
            nn.Conv2d(a, b, 3, padding=1),
            nn.BatchNorm2d(b),
            nn.ReLU(True),
            nn.Conv2d(b, b, 3, padding=1),
            nn.BatchNorm2d(b),
            nn.ReLU(True),
        )

    def forward(net, x):
        a = net.one(x)
        b = net.two(functional.max_pool2d(a, 2))
        up = functional.interpolate(b, scale_factor=2, mode="bilinear", align_corners=True)
        return net.head(net.three(torch.cat([net.up(up), a], 1)))

    def loss(net, x, mask):
        y = net(x).squeeze(1)
        p = y.sigmoid()
        dice = 1 - (2 * (p * mask).sum((1, 2)) + 1) / (p.sum((1, 2)) + mask.sum((1, 2)) + 1)
        return functional.binary_cross_entropy_with_logits(y, mask) + dice.mean()

    net = Net(
        forward, one=double(1, 4), two=double(4, 8), up=nn.Conv2d(8, 4, 1), three=double(8, 4), head=nn.Conv2d(4, 1, 1)
    )
    return trained(net, {"x": images(8, 2, 1), "mask": torch.randint(0, 2, (2, 8, 8)).float()}, loss)


def yolo():
    def loss(net, x, boxes, there, classes):
        y = net(x).permute(0, 2, 3, 1)
        xy, wh, conf, cls = y[..., :2].sigmoid(), y[..., 2:4].exp(), y[..., 4], y[..., 5:]
        weight = there[..., None]
        return (
            (weight * (torch.cat([xy, wh], -1) - boxes)).square().sum()
            + functional.binary_cross_entropy_with_logits(conf, there, reduction="sum")
            + (there * functional.cross_entropy(cls.permute(0, 3, 1, 2), classes, reduction="none")).sum()
        ) / len(x)

    net = nn.Sequential(
        nn.Conv2d(3, 8, 3, 2, 1), nn.BatchNorm2d(8), nn.LeakyReLU(0.1), nn.Conv2d(8, 5 + CLASSES, 3, 2, 1)
    )
    return trained(
        net,
        {
            "x": images(16),
            "boxes": torch.rand(2, 4, 4, 4),
            "there": torch.randint(0, 2, (2, 4, 4)).float(),
            "classes": torch.randint(0, CLASSES, (2, 4, 4)),
        },
        loss,
    )


def capsules():
    def squash(v):
        n = v.square().sum(-1, keepdim=True)
        return n / (1 + n) * v / torch.sqrt(n + 1e-8)

    def forward(net, x):
        u = torch.einsum("bid,icdk->bick", squash(x), net.weight)
        logits = torch.zeros(u.shape[:3])
        for _turn in range(3):
            share = logits.softmax(-1)
            v = squash((share[..., None] * u).sum(1))
            logits = logits + (u * v[:, None]).sum(-1)
        return v.norm(dim=-1)

    def loss(net, x, y):
        v, t = net(x), functional.one_hot(y, CLASSES)
        return (
            (t * functional.relu(0.9 - v).square() + 0.5 * (1 - t) * functional.relu(v - 0.1).square()).sum(-1).mean()
        )

    return trained(
        Net(forward, weight=nn.Parameter(torch.randn(6, CLASSES, 4, 3))),
        {"x": torch.randn(ROWS, 6, 4), "y": torch.randint(0, CLASSES, (ROWS,))},
        loss,
    )


MODELS = {
    "tutorials": (
        mnist,
        translation,
        vae,
        dcgan_generator,
        super_resolution,
        neural_style,
        siamese,
        triplet,
    ),
    "maps": (
        unet,
        yolo,
        capsules,
    ),
}


def models() -> Iterator[tuple[str, str, Callable[[], Step]]]:
    """Family, name and step of each."""
    for family, makes in MODELS.items():
        for make in makes:
            yield family, make.__name__, make
