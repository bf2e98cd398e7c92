"""Words: recurrent models, structured losses, preferences, routing."""

from collections.abc import Callable, Iterator

import torch
from torch import nn
from torch.nn import functional

from zoo_models.small_parts import ROWS, Net
from zoo_models.training import CLASSES, WORDS, Step, tokens, trained


def word_language_model(kind):
    def make():
        def forward(net, x):
            return net.head(net.drop(net.rnn(net.drop(net.words(x)))[0]))

        net = Net(
            forward,
            words=nn.Embedding(WORDS, 8),
            rnn=kind(8, 8, 2, dropout=0.2),
            head=nn.Linear(8, WORDS),
            drop=nn.Dropout(0.2),
        )
        net.head.weight = net.words.weight
        return trained(
            net,
            {"x": tokens(5, 3), "y": tokens(5, 3)},
            lambda m, x, y: functional.cross_entropy(m(x).view(-1, WORDS), y.view(-1)),
        )

    return make


def crf():
    """A tagger with a linear chain: the log of the sum over all paths, less the score of one."""

    def loss(net, words, tags):
        scores = net.head(net.lstm(net.words(words))[0])
        total = scores[:, 0]
        for t in range(1, words.shape[1]):
            total = torch.logsumexp(total[:, :, None] + net.steps + scores[:, t, None], 1)
        gold = scores.gather(2, tags[..., None]).squeeze(-1).sum(1) + net.steps[tags[:, :-1], tags[:, 1:]].sum(1)
        return (torch.logsumexp(total, 1) - gold).mean()

    net = Net(
        None,
        words=nn.Embedding(WORDS, 8),
        lstm=nn.LSTM(8, 4, bidirectional=True, batch_first=True),
        head=nn.Linear(8, CLASSES),
        steps=nn.Parameter(torch.randn(CLASSES, CLASSES)),
    )
    return trained(net, {"words": tokens(2, 5), "tags": torch.randint(0, CLASSES, (2, 5))}, loss)


def seq2seq():
    def forward(net, source, target):
        memory, h = net.encoder(net.words(source))
        found = []
        for t in range(target.shape[1]):
            score = torch.bmm(memory, h[-1][:, :, None]).squeeze(-1).softmax(-1)
            context = torch.bmm(score[:, None], memory)
            y, h = net.decoder(torch.cat([net.words(target[:, t : t + 1]), context], -1), h)
            found.append(net.head(y))
        return torch.cat(found, 1)

    net = Net(
        forward,
        words=nn.Embedding(WORDS, 8),
        encoder=nn.GRU(8, 8, batch_first=True),
        decoder=nn.GRU(16, 8, batch_first=True),
        head=nn.Linear(8, WORDS),
    )
    return trained(
        net,
        {"source": tokens(2, 5), "target": tokens(2, 4)},
        lambda m, source, target: functional.cross_entropy(
            m(source, target[:, :-1]).flatten(0, 1), target[:, 1:].flatten()
        ),
    )


def dpo():
    def loss(net, good, bad):
        def log_p(model, ids):
            return model(ids[:, :-1]).log_softmax(-1).gather(2, ids[:, 1:, None]).squeeze(-1).sum(-1)

        with torch.no_grad():
            before = log_p(net.old, good) - log_p(net.old, bad)
        return -functional.logsigmoid(0.1 * (log_p(net.new, good) - log_p(net.new, bad) - before)).mean()

    new, old = (nn.Sequential(nn.Embedding(16, 8), nn.Linear(8, 16)) for _ in range(2))
    return trained(
        Net(None, new=new, old=old.requires_grad_(False)),
        {"good": torch.randint(0, 16, (2, 5)), "bad": torch.randint(0, 16, (2, 5))},
        loss,
    )


def perceiver():
    def forward(net, x):
        z = net.latents.expand(len(x), -1, -1)
        z = z + net.cross(z, x, x, need_weights=False)[0]
        for layer in net.layers:
            z = layer(z)
        return net.head(z.mean(1))

    net = Net(
        forward,
        latents=nn.Parameter(torch.randn(1, 3, 8)),
        cross=nn.MultiheadAttention(8, 2, batch_first=True, kdim=5, vdim=5),
        layers=nn.ModuleList([nn.TransformerEncoderLayer(8, 2, 16, 0.0, batch_first=True)]),
        head=nn.Linear(8, CLASSES),
    )
    return trained(
        net,
        {"x": torch.randn(ROWS, 9, 5), "y": torch.randint(0, CLASSES, (ROWS,))},
        lambda m, x, y: functional.cross_entropy(m(x), y),
    )


def switch_routing():
    """Top-1 routing with a capacity and the balance loss."""

    def loss(net, x):
        p = net.gate(x).softmax(-1)
        top, which = p.max(-1)
        hot = functional.one_hot(which, 3)
        place = (hot.cumsum(0) - 1) * hot
        keep = (place < 3) & (hot > 0)
        slot = functional.one_hot(place.sum(-1), 8)[..., :3] * keep.any(-1, keepdim=True)
        dispatch = (hot[..., None] * slot[:, None]).to(x.dtype)
        inside = torch.einsum("tec,td->ecd", dispatch, x)
        out = torch.einsum("ecd,edf->ecf", inside, net.weight).relu()
        y = torch.einsum("tec,ecf->tf", dispatch * top[:, None, None], out)
        return y.square().mean() + 0.01 * 3 * (hot.float().mean(0) * p.mean(0)).sum()

    return trained(
        Net(None, gate=nn.Linear(6, 3), weight=nn.Parameter(torch.randn(3, 6, 6))), {"x": torch.randn(8, 6)}, loss
    )


MODELS = {
    "words": (
        crf,
        seq2seq,
        dpo,
        perceiver,
        switch_routing,
    ),
}


def models() -> Iterator[tuple[str, str, Callable[[], Step]]]:
    """Family, name and step of each."""
    for family, makes in MODELS.items():
        for make in makes:
            yield family, make.__name__, make
    for kind in (nn.LSTM, nn.GRU, nn.RNN):
        yield "words", f"{kind.__name__.lower()}_words", word_language_model(kind)
