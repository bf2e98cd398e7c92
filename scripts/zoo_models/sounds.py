"""Speech and sounds."""

from collections.abc import Callable, Iterator

import torch
from torch import nn
from torch.nn import functional

from zoo_models.small_parts import ROWS, Net
from zoo_models.training import CLASSES, Step, trained


def m5_audio():
    def block(before, after, kernel, stride=1):
        return nn.Sequential(
            nn.Conv1d(before, after, kernel, stride), nn.BatchNorm1d(after), nn.ReLU(), nn.MaxPool1d(2)
        )

    net = Net(
        lambda net, x: (
            net.head(functional.avg_pool1d(y := net.body(x), y.shape[-1]).permute(0, 2, 1)).log_softmax(2).squeeze(1)
        ),
        body=nn.Sequential(block(1, 8, 16, 4), block(8, 8, 3), block(8, 16, 3)),
        head=nn.Linear(16, CLASSES),
    )
    return trained(
        net,
        {"wave": torch.randn(ROWS, 1, 200), "y": torch.randint(0, CLASSES, (ROWS,))},
        lambda m, wave, y: functional.nll_loss(m(wave), y),
    )


def deepspeech():
    def forward(net, x):
        x = functional.hardtanh(net.norm(net.conv(x[:, None])), 0, 20)
        x = x.flatten(1, 2).transpose(1, 2)
        return net.head(net.rnn(x)[0]).log_softmax(-1).transpose(0, 1)

    def loss(net, x, text):
        y = net(x)
        return functional.ctc_loss(y, text, torch.full((ROWS,), y.shape[0]), torch.full((ROWS,), 3))

    net = Net(
        forward,
        conv=nn.Conv2d(1, 4, (3, 3), (2, 1), (1, 1)),
        norm=nn.BatchNorm2d(4),
        rnn=nn.GRU(16, 8, bidirectional=True, batch_first=True),
        head=nn.Linear(16, 7),
    )
    return trained(net, {"x": torch.randn(ROWS, 8, 10), "text": torch.randint(1, 7, (ROWS, 3))}, loss)


def wavenet():
    def forward(net, x):
        x = net.into(net.words(x).transpose(1, 2))
        skips = 0
        for n, (gate, res, skip) in enumerate(zip(net.gates, net.residuals, net.skips, strict=True)):
            a, b = gate(functional.pad(x, (2**n, 0))).chunk(2, 1)
            y = torch.tanh(a) * torch.sigmoid(b)
            skips, x = skips + skip(y), x + res(y)
        return net.head(functional.relu(skips))

    net = Net(
        forward,
        words=nn.Embedding(16, 6),
        into=nn.Conv1d(6, 6, 1),
        gates=nn.ModuleList(nn.Conv1d(6, 12, 2, dilation=2**n) for n in range(3)),
        residuals=nn.ModuleList(nn.Conv1d(6, 6, 1) for _ in range(3)),
        skips=nn.ModuleList(nn.Conv1d(6, 8, 1) for _ in range(3)),
        head=nn.Conv1d(8, 16, 1),
    )
    return trained(
        net, {"x": torch.randint(0, 16, (2, 12))}, lambda m, x: functional.cross_entropy(m(x[:, :-1]), x[:, 1:])
    )


def conformer():
    class Block(nn.Module):
        def __init__(self, w=8):
            super().__init__()
            self.f1, self.f2 = (
                nn.Sequential(nn.LayerNorm(w), nn.Linear(w, 4 * w), nn.SiLU(), nn.Dropout(0.1), nn.Linear(4 * w, w))
                for _ in range(2)
            )
            self.norm, self.attention = nn.LayerNorm(w), nn.MultiheadAttention(w, 2, dropout=0.1, batch_first=True)
            self.cnorm, self.up, self.depth, self.bn, self.down = (
                nn.LayerNorm(w),
                nn.Conv1d(w, 2 * w, 1),
                nn.Conv1d(w, w, 3, padding=1, groups=w),
                nn.BatchNorm1d(w),
                nn.Conv1d(w, w, 1),
            )
            self.last = nn.LayerNorm(w)

        def forward(self, x, mask):
            x = x + 0.5 * self.f1(x)
            y = self.norm(x)
            x = x + self.attention(y, y, y, key_padding_mask=mask, need_weights=False)[0]
            y = functional.glu(self.up(self.cnorm(x).transpose(1, 2)), 1)
            x = x + self.down(functional.silu(self.bn(self.depth(y)))).transpose(1, 2)
            return self.last(x + 0.5 * self.f2(x))

    def forward(net, x, length):
        mask = torch.arange(x.shape[1])[None] >= length[:, None]
        x = net.into(x)
        for each in net.blocks:
            x = each(x, mask)
        return net.head(x.masked_fill(mask[..., None], 0).sum(1) / length[:, None])

    net = Net(
        forward, into=nn.Linear(5, 8), blocks=nn.ModuleList(Block() for _ in range(2)), head=nn.Linear(8, CLASSES)
    )
    return trained(
        net,
        {"x": torch.randn(ROWS, 8, 5), "length": torch.randint(4, 9, (ROWS,)), "y": torch.randint(0, CLASSES, (ROWS,))},
        lambda m, x, length, y: functional.cross_entropy(m(x, length), y),
    )


def spectrogram():
    def forward(net, wave):
        s = torch.stft(wave, 16, 8, window=torch.hann_window(16), return_complex=True).abs().square()
        return net.head(torch.log(net.mel(s.transpose(1, 2)).relu() + 1e-3).mean(1))

    net = Net(forward, mel=nn.Linear(9, 6), head=nn.Linear(6, CLASSES))
    return trained(
        net,
        {"wave": torch.randn(ROWS, 64), "y": torch.randint(0, CLASSES, (ROWS,))},
        lambda m, wave, y: functional.cross_entropy(m(wave), y),
    )


def tacotron_attention():
    def forward(net, text, mels):
        memory = net.encoder(net.words(text))[0]
        keys = net.key(memory)
        h = c = torch.zeros(text.shape[0], 8)
        context, weights, found = torch.zeros(text.shape[0], 8), torch.zeros(text.shape), []
        for t in range(mels.shape[1]):
            before = mels[:, t - 1] if t else torch.zeros_like(mels[:, 0])
            h, c = net.cell(torch.cat([net.prenet(before), context], 1), (h, c))
            place = net.location(weights[:, None]).transpose(1, 2)
            score = net.score(torch.tanh(keys + net.query(h)[:, None] + place)).squeeze(-1)
            weights = score.softmax(-1)
            context = torch.bmm(weights[:, None], memory).squeeze(1)
            found.append(net.out(torch.cat([h, context], 1)))
        return torch.stack(found, 1)

    net = Net(
        forward,
        words=nn.Embedding(16, 6),
        encoder=nn.LSTM(6, 4, batch_first=True, bidirectional=True),
        key=nn.Linear(8, 8),
        query=nn.Linear(8, 8),
        location=nn.Conv1d(1, 8, 3, padding=1),
        score=nn.Linear(8, 1),
        prenet=nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Dropout(0.5)),
        cell=nn.LSTMCell(14, 8),
        out=nn.Linear(16, 4),
    )
    return trained(
        net,
        {"text": torch.randint(0, 16, (2, 6)), "mels": torch.randn(2, 4, 4)},
        lambda m, text, mels: functional.l1_loss(m(text, mels), mels),
    )


MODELS = {
    "audio": (
        m5_audio,
        deepspeech,
        wavenet,
        conformer,
        spectrogram,
        tacotron_attention,
    ),
}


def models() -> Iterator[tuple[str, str, Callable[[], Step]]]:
    """Family, name and step of each."""
    for family, makes in MODELS.items():
        for make in makes:
            yield family, make.__name__, make
