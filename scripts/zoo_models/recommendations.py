"""Recommendation: tables of many fields, towers, and histories of items."""

from collections.abc import Callable, Iterator

import torch
from torch import nn
from torch.nn import functional

from zoo_models.small_parts import FIELDS, ITEMS, ROWS, Net, mlp, table
from zoo_models.training import Step, trained


def clicks(dense=4):
    return {
        "fields": torch.randint(0, ITEMS, (ROWS, FIELDS)),
        "dense": torch.randn(ROWS, dense),
        "clicked": torch.randint(0, 2, (ROWS,)).float(),
    }


def click_loss(net, fields, dense, clicked):
    return functional.binary_cross_entropy_with_logits(net(fields, dense), clicked)


def dlrm():
    def forward(net, fields, dense):
        x = torch.cat(
            [net.bottom(dense)[:, None], torch.stack([e(fields[:, i]) for i, e in enumerate(net.tables)], 1)], 1
        )
        pairs = x @ x.transpose(1, 2)
        i, j = torch.tril_indices(x.shape[1], x.shape[1], offset=-1)
        return net.top(torch.cat([x[:, 0], pairs[:, i, j]], 1)).squeeze(1)

    tables = nn.ModuleList(table(8) for _ in range(FIELDS))
    net = Net(forward, bottom=mlp(4, 16, 8), tables=tables, top=mlp(8 + 6, 16, 1))
    return trained(net, clicks(), click_loss)


def deepfm():
    def forward(net, fields, dense):
        e = net.factors(fields)
        pairs = 0.5 * (e.sum(1).square() - e.square().sum(1)).sum(1)
        return net.first(fields).sum((1, 2)) + pairs + net.deep(torch.cat([e.flatten(1), dense], 1)).squeeze(1)

    net = Net(forward, first=table(1), factors=table(8), deep=mlp(FIELDS * 8 + 4, 16, 1))
    return trained(net, clicks(), click_loss)


def dcn():
    def forward(net, fields, dense):
        first = x = torch.cat([net.table(fields).flatten(1), dense], 1)
        for cross in net.crosses:
            x = first * cross(x) + x
        return net.head(torch.cat([x, net.deep(first)], 1)).squeeze(1)

    width = FIELDS * 8 + 4
    net = Net(
        forward,
        table=table(8),
        crosses=nn.ModuleList(nn.Linear(width, width) for _ in range(2)),
        deep=mlp(width, 16, 8),
        head=nn.Linear(width + 8, 1),
    )
    return trained(net, clicks(), click_loss)


def wide_and_deep():
    def forward(net, fields, dense):
        bag = net.wide(fields)
        return (bag + net.deep(torch.cat([net.table(fields).flatten(1), dense], 1))).squeeze(1)

    net = Net(forward, wide=nn.EmbeddingBag(ITEMS, 1, mode="sum"), table=table(8), deep=mlp(FIELDS * 8 + 4, 16, 1))
    return trained(net, clicks(), click_loss)


def two_tower():
    def forward(net, users, items):
        u, v = (
            functional.normalize(tower(e(x)), dim=-1)
            for tower, e, x in ((net.left, net.users, users), (net.right, net.items, items))
        )
        return u @ v.T / 0.1

    def loss(net, users, items):
        return functional.cross_entropy(net(users, items), torch.arange(len(users)))

    net = Net(forward, users=table(8), items=table(8), left=mlp(8, 16, 8), right=mlp(8, 16, 8))
    return trained(net, {"users": torch.randint(0, ITEMS, (ROWS,)), "items": torch.randint(0, ITEMS, (ROWS,))}, loss)


def neural_cf():
    def forward(net, users, items):
        product = net.u1(users) * net.i1(items)
        deep = net.deep(torch.cat([net.u2(users), net.i2(items)], -1))
        return torch.sigmoid(net.head(torch.cat([product, deep], -1))).squeeze(-1)

    def loss(net, users, items, seen):
        return functional.binary_cross_entropy(net(users, items), seen)

    net = Net(forward, u1=table(8), i1=table(8), u2=table(8), i2=table(8), deep=mlp(16, 16, 8), head=nn.Linear(16, 1))
    batch = {
        "users": torch.randint(0, ITEMS, (ROWS,)),
        "items": torch.randint(0, ITEMS, (ROWS,)),
        "seen": torch.rand(ROWS),
    }
    return trained(net, batch, loss)


def matrix_factorization():
    def forward(net, users, items):
        return (net.u(users) * net.v(items)).sum(1) + net.bu(users).squeeze() + net.bv(items).squeeze()

    net = Net(forward, u=table(8), v=table(8), bu=table(1), bv=table(1))
    batch = {
        "users": torch.randint(0, ITEMS, (ROWS,)),
        "items": torch.randint(0, ITEMS, (ROWS,)),
        "rating": torch.rand(ROWS),
    }
    return trained(net, batch, lambda m, users, items, rating: functional.mse_loss(m(users, items), rating))


def mmoe():
    def forward(net, x):
        experts = torch.stack([each(x) for each in net.experts], 1)
        return [
            tower((gate(x).softmax(-1)[..., None] * experts).sum(1)).squeeze(-1)
            for gate, tower in zip(net.gates, net.towers, strict=True)
        ]

    def loss(net, x, first, second):
        a, b = net(x)
        return functional.binary_cross_entropy_with_logits(a, first) + functional.mse_loss(b, second)

    net = Net(
        forward,
        experts=nn.ModuleList(mlp(6, 16, 8) for _ in range(3)),
        gates=nn.ModuleList(nn.Linear(6, 3) for _ in range(2)),
        towers=nn.ModuleList(mlp(8, 8, 1) for _ in range(2)),
    )
    batch = {"x": torch.randn(ROWS, 6), "first": torch.randint(0, 2, (ROWS,)).float(), "second": torch.randn(ROWS)}
    return trained(net, batch, loss)


def sasrec():
    def forward(net, history):
        length = history.shape[1]
        mask = torch.ones(length, length, dtype=torch.bool).triu(1)
        x = net.items(history) + net.places(torch.arange(length))
        x = net.encoder(x, mask=mask, src_key_padding_mask=history == 0)
        return x @ net.items.weight.T

    def loss(net, history, following):
        return functional.cross_entropy(net(history).flatten(0, 1), following.flatten(), ignore_index=0)

    layer = nn.TransformerEncoderLayer(16, 2, 32, dropout=0.1, batch_first=True, norm_first=True)
    net = Net(
        forward,
        items=nn.Embedding(ITEMS, 16, padding_idx=0),
        places=nn.Embedding(8, 16),
        encoder=nn.TransformerEncoder(layer, 2, enable_nested_tensor=False),
    )
    history = torch.randint(1, ITEMS, (ROWS, 8))
    return trained(net, {"history": history, "following": torch.randint(0, ITEMS, (ROWS, 8))}, loss)


def deep_interest():
    def forward(net, history, item):
        seen, asked = net.items(history), net.items(item)[:, None].expand(-1, history.shape[1], -1)
        score = net.attention(torch.cat([seen, asked, seen - asked, seen * asked], -1))
        score = score.masked_fill((history == 0)[..., None], -1e9).softmax(1)
        return net.head(torch.cat([(score * seen).sum(1), asked[:, 0]], -1)).squeeze(-1)

    net = Net(
        forward,
        items=table(8),
        attention=nn.Sequential(nn.Linear(32, 16), nn.PReLU(), nn.Linear(16, 1)),
        head=mlp(16, 8, 1),
    )
    batch = {
        "history": torch.randint(0, ITEMS, (ROWS, 6)),
        "item": torch.randint(1, ITEMS, (ROWS,)),
        "clicked": torch.rand(ROWS),
    }
    return trained(
        net,
        batch,
        lambda m, history, item, clicked: functional.binary_cross_entropy_with_logits(m(history, item), clicked),
    )


def gru4rec():
    net = Net(
        lambda net, x: net.head(net.gru(net.items(x))[0][:, -1]),
        items=table(8),
        gru=nn.GRU(8, 16, batch_first=True),
        head=nn.Linear(16, ITEMS),
    )

    def bpr(net, history, good, bad):
        scores = net(history)
        return -functional.logsigmoid(scores.gather(1, good[:, None]) - scores.gather(1, bad[:, None])).mean()

    batch = {
        "history": torch.randint(0, ITEMS, (ROWS, 6)),
        "good": torch.randint(0, ITEMS, (ROWS,)),
        "bad": torch.randint(0, ITEMS, (ROWS,)),
    }
    return trained(net, batch, bpr)


MODELS = {
    "recommendation": (
        dlrm,
        deepfm,
        dcn,
        wide_and_deep,
        two_tower,
        neural_cf,
        matrix_factorization,
        mmoe,
        sasrec,
        deep_interest,
        gru4rec,
    ),
}


def models() -> Iterator[tuple[str, str, Callable[[], Step]]]:
    """Family, name and step of each."""
    for family, makes in MODELS.items():
        for make in makes:
            yield family, make.__name__, make
