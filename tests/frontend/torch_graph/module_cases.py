"""Small modules in the manner of public ones, each with the kind of input that it takes."""

import math

import torch
from torch import nn
from torch.nn import functional

ROWS, SEQUENCE, IMAGE, WORDS = (3, 6), (2, 5, 8), (2, 4, 6, 6), (2, 5)
VOCABULARY = 7


class Fn(nn.Module):
    """A function, with modules that it is given."""

    def __init__(self, function, *modules):
        super().__init__()
        self.function = function
        self.modules_given = nn.ModuleList(modules)

    def forward(self, x):
        return self.function(x, *self.modules_given)


class Weighted(nn.Module):
    """A function of the input and of parameters of these shapes."""

    def __init__(self, function, *shapes):
        super().__init__()
        self.function = function
        self.weights = nn.ParameterList(nn.Parameter(torch.ones(shape)) for shape in shapes)

    def forward(self, x):
        return self.function(x, *self.weights)


class Residual(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return x + self.inner(x)


class RMSNorm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * self.weight


class Highway(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.gate, self.change = nn.Linear(width, width), nn.Linear(width, width)

    def forward(self, x):
        share = torch.sigmoid(self.gate(x))
        return share * functional.relu(self.change(x)) + (1 - share) * x


class SqueezeExcite(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.down, self.up = nn.Linear(channels, 2), nn.Linear(2, channels)

    def forward(self, x):
        scale = torch.sigmoid(self.up(functional.relu(self.down(x.mean((2, 3))))))
        return x * scale[:, :, None, None]


class Rotary(nn.Module):
    def forward(self, x):
        positions, width = x.shape[1], x.shape[2]
        angles = torch.arange(positions)[:, None] / (100 ** (torch.arange(0, width, 2) / width))
        left, right = x.chunk(2, dim=-1)
        return torch.cat([left * angles.cos() - right * angles.sin(), left * angles.sin() + right * angles.cos()], -1)


class Attention(nn.Module):
    def __init__(self, width, heads, groups=None, mask=None, parts=False):
        super().__init__()
        self.heads, self.groups, self.mask, self.parts = heads, groups or heads, mask, parts
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width // heads * self.groups)
        self.value = nn.Linear(width, width // heads * self.groups)

    def split(self, x, heads):
        return x.view(*x.shape[:2], heads, -1).transpose(1, 2)

    def forward(self, x):
        query = self.split(self.query(x), self.heads)
        key, value = (self.split(one(x), self.groups) for one in (self.key, self.value))
        if self.groups < self.heads:
            key, value = (one.repeat_interleave(self.heads // self.groups, 1) for one in (key, value))
        if self.parts:
            scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
            later = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1)
            mixed = scores.masked_fill(later, float("-inf")).softmax(-1) @ value
        else:
            mask = None if self.mask is None else torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).tril(self.mask)
            mixed = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        return mixed.transpose(1, 2).reshape(x.shape)


class Recurrent(nn.Module):
    def __init__(self, cell, width, state):
        super().__init__()
        self.cell, self.state = cell(width, state), state

    def forward(self, x):
        state = torch.zeros(x.shape[0], self.state)
        results = []
        for position in range(2):
            state = self.cell(x[:, position], state)
            results.append(state)
        return torch.stack(results, 1)


class Mixture(nn.Module):
    def __init__(self, width, experts):
        super().__init__()
        self.gate = nn.Linear(width, experts)
        self.experts = nn.ModuleList(nn.Linear(width, width) for _ in range(experts))

    def forward(self, x):
        shares = self.gate(x).softmax(-1)
        return sum(shares[..., number, None] * one(x) for number, one in enumerate(self.experts))


class Tied(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, width)
        self.out = nn.Linear(width, VOCABULARY, bias=False)
        self.out.weight = self.words.weight

    def forward(self, x):
        return self.out(torch.tanh(self.words(x)))


def lstm_cell(width, state):
    class Cell(nn.Module):
        def __init__(self):
            super().__init__()
            self.both = nn.Linear(width + state, 4 * state)

        def forward(self, x, hidden):
            into, forget, out, change = self.both(torch.cat([x, hidden], -1)).chunk(4, -1)
            cell = torch.sigmoid(forget) * hidden + torch.sigmoid(into) * torch.tanh(change)
            return torch.sigmoid(out) * torch.tanh(cell)

    return Cell()


def block(width):
    return nn.Sequential(
        Residual(nn.Sequential(nn.LayerNorm(width), Attention(width, 2))),
        Residual(nn.Sequential(nn.LayerNorm(width), nn.Linear(width, 12), nn.GELU(), nn.Linear(12, width))),
    )


def relative(x, bias):
    scores = x @ x.transpose(1, 2)
    offsets = torch.arange(5)[:, None] - torch.arange(5)[None, :] + 4
    return (scores + bias[offsets]).softmax(-1) @ x


ACTIVATIONS = (
    "relu",
    "gelu",
    "silu",
    "elu",
    "selu",
    "celu",
    "tanh",
    "sigmoid",
    "softplus",
    "leaky_relu",
    "hardtanh",
    "relu6",
    "logsigmoid",
    "softsign",
    "tanhshrink",
    "mish",
)
UNARY = ("exp", "sin", "cos", "neg", "abs", "square", "erf", "sign", "reciprocal", "sgn")
POSITIVE = ("sqrt", "rsqrt", "log", "log1p", "log2")
BOTH = {
    "add": lambda x, w: x + w,
    "sub": lambda x, w: x - 2 * w,
    "mul": lambda x, w: x * w,
    "div": lambda x, w: x / w,
    "rsub": lambda x, w: 3 - x * w,
    "maximum": torch.maximum,
    "minimum": torch.minimum,
    "where": lambda x, w: torch.where(x > w, x * 2, w),
    "lerp": lambda x, w: torch.lerp(x, w, 0.3),
    "addcmul": lambda x, w: torch.addcmul(x, x, w, value=0.5),
    "pow": lambda x, w: x.abs().pow(3.5) * w,
    "cube": lambda x, w: x**3 * w,
    "power of a number": lambda x, w: 2.0 ** (x * w),
    "largest of two": lambda x, w: torch.max(x, w) - torch.min(w, 2 * x),
    "power of 0 and 1": lambda x, w: x.pow(0) * w + (x * w).pow(1),
    "hypot": lambda x, w: (x * x + w * w).sqrt(),
}
REDUCED = {
    "sum": lambda x: x.sum(),
    "sum of rows": lambda x: x.sum(1),
    "sum kept": lambda x: x / x.abs().sum(0, keepdim=True),
    "mean": lambda x: x.mean(0),
    "amax": lambda x: x.amax(1),
    "amin": lambda x: x.amin(0),
    "max": lambda x: x.max(),
    "max with indices": lambda x: x.max(1).values,
    "min with indices": lambda x: x.min(-1)[0],
    "var": lambda x: x.var(1),
    "std": lambda x: x.std(0),
    "biased var": lambda x: x.var(1, unbiased=False),
    "norm": lambda x: x.norm(),
    "norms": lambda x: x.norm(dim=1),
    "l1": lambda x: x.abs().sum(1),
    "norms of 1 and infinity": lambda x: torch.linalg.vector_norm(x, 1, 1) * torch.linalg.vector_norm(x, math.inf, 1),
    "several gathered": lambda x: x.gather(1, torch.arange(6).view(3, 2)) ** 2,
    "gathered of one that is repeated": lambda x: x[:1].expand(3, 6).gather(1, torch.arange(3)[:, None]).sin(),
    "not a number": lambda x: x * torch.logical_not(x.relu()),
    "elu in place": lambda x: functional.elu(x * 2, alpha=1.5, inplace=True),
    "losses of rows": lambda x: functional.cross_entropy(x, torch.arange(3), reduction="none"),
    "dropped never and always": lambda x: functional.dropout(x, 0.0) + functional.dropout(x, 1.0),
    "logsumexp": lambda x: torch.logsumexp(x, 1),
    "softmax": lambda x: x.softmax(1),
    "softmax of columns": lambda x: x.softmax(0),
    "log softmax": lambda x: x.log_softmax(-1),
    "softmin": lambda x: functional.softmin(x, 1),
    "normalize": lambda x: functional.normalize(x, dim=1),
    "topk": lambda x: x.topk(2, -1).values,
    "var_mean": lambda x: sum(torch.var_mean(x, 1)),
    "standardized": lambda x: (x - x.mean(1, keepdim=True)) / x.std(1, keepdim=True),
    "cosine": lambda x: functional.cosine_similarity(x[:1], x[1:], dim=1),
    "distances": lambda x: (x[:, None] - x[None]).square().sum(-1),
    "sort": lambda x: x.sort(-1).values,
    "cumsum": lambda x: x.cumsum(1),
    "entropy": lambda x: -(x.softmax(1) * x.log_softmax(1)).sum(1),
}


def _written(x):
    made = torch.zeros_like(x)
    made[:, 1] = x[:, 0]
    made[:, 2:4] = 2 * x[:, 2:4]
    return made * x


MOVED = {
    "transpose": lambda x: x.transpose(1, 2) @ x,
    "permute": lambda x: x.permute(2, 0, 1).tanh(),
    "view": lambda x: x.view(10, 8).sum(0),
    "split heads": lambda x: x.view(2, 5, 2, 4).transpose(1, 2).exp(),
    "flatten": lambda x: x.flatten(1),
    "unflatten": lambda x: x.unflatten(2, (4, 2)).amax(2),
    "chunk": lambda x: x.chunk(2, -1)[0] * x.chunk(2, -1)[1].sigmoid(),
    "split": lambda x: torch.cat(x.split([3, 5], -1)[::-1], -1),
    "split off nothing": lambda x: torch.cat([x.exp(), x.split([8, 0], -1)[1].sin()], -1),
    "cat": lambda x: torch.cat([x, 2 * x], 1),
    "stack": lambda x: torch.stack([x, x.tanh()], 0),
    "slice": lambda x: x[:, 1:4] - x[:, :3],
    "last": lambda x: x[:, -1],
    "first": lambda x: x[:, 0] * x[:, 1],
    "negative slice": lambda x: x[..., :-2],
    "pad": lambda x: functional.pad(x, (1, 2)).tanh(),
    "negative pad": lambda x: functional.pad(x, (-1, 1)),
    "expand": lambda x: x.sum(1, keepdim=True).expand(2, 5, 8) * x,
    "repeat": lambda x: x.repeat(1, 2, 1).tanh(),
    "repeat interleave": lambda x: x.repeat_interleave(2, 1).tanh(),
    "tile": lambda x: x.tile((2,)).sin(),
    "roll": lambda x: x.roll(1, 1) * x,
    "flip": lambda x: x.flip(1) * x,
    "unbind": lambda x: sum(part * number for number, part in enumerate(x.unbind(1))),
    "squeeze": lambda x: x[:, :1].squeeze(1) * x[:, 1],
    "movedim": lambda x: x.movedim(2, 1).tanh(),
    "shift": lambda x: torch.cat([torch.zeros(2, 1, 8), x[:, :-1]], 1) * x,
    "tril": lambda x: (x @ x.mT).tril() @ x,
    "eye": lambda x: x @ torch.eye(8),
    "select": lambda x: x.select(1, 2),
    "diff": lambda x: x.diff(dim=1),
    "einsum": lambda x: torch.einsum("bsd,btd->bst", x, x),
    "outer": lambda x: x[:, :, :, None] * x[:, :, None, :],
    "mean pool": lambda x: x.mean(1),
    "patches": lambda x: x.reshape(2, 5, 2, 4).permute(0, 2, 1, 3).reshape(2, 2, 20).tanh(),
    "numbered": lambda x: x + torch.arange(5)[:, None],
    "index add": lambda x: torch.zeros(4, 4, 8).index_add(0, torch.arange(2), x[:, :4], alpha=2) + x.sum(),
    "index of first": lambda x: x.transpose(0, 1)[torch.arange(3)],
    "every other": lambda x: x[:, 1::2] @ x[:, ::3].mT,
    "written by mask": lambda x: x.tanh().index_put((x > 0.1,), torch.tensor(0.0)) * x,
    "columns of rows": lambda x: (
        x[0].tanh().index_put((torch.arange(5), torch.tensor([1, 0, -1, 2, 7])), x[1, :, 0])
        * x[0][torch.arange(5), torch.tensor([1, 0, -1, 2, 7])][:, None]
    ),
    "clamp": lambda x: x.clamp(-0.5, 0.5),
    "clamp min": lambda x: x.clamp(min=0.1),
    "masked": lambda x: x.masked_fill(x < 0, 0.1),
    "hard": lambda x: (x > 0) * x,
    "both": lambda x: ((x > 0) & (x < 1)) * x,
    "either": lambda x: ((x < 0) | (x > 1)) * x,
    "not": lambda x: (~(x > 0)) * x,
    "detached": lambda x: x * x.detach(),
    "straight through": lambda x: x + (x.sign() - x).detach(),
    "winners": lambda x: functional.one_hot(x.topk(1, -1).indices[..., 0], 8) * x,
    "in place": lambda x: x.clone().mul_(2).add_(1).tanh_(),
    "written": _written,
    "full": lambda x: x * torch.full((8,), 0.5) + torch.ones_like(x),
}


LAYERS = [
    ("linear", lambda: nn.Linear(6, 4), ROWS),
    ("linear without bias", lambda: nn.Linear(6, 4, bias=False), ROWS),
    ("linear of sequences", lambda: nn.Linear(8, 3), SEQUENCE),
    ("bilinear", lambda: Fn(lambda x, m: m(x, x.tanh()), nn.Bilinear(6, 6, 3)), ROWS),
    ("perceptron", lambda: nn.Sequential(nn.Linear(6, 9), nn.ReLU(), nn.Linear(9, 2)), ROWS),
    ("prelu", nn.PReLU, ROWS),
    ("glu", nn.GLU, ROWS),
    ("gelu of tanh", lambda: nn.GELU(approximate="tanh"), ROWS),
    ("hardswish", nn.Hardswish, ROWS),
    ("hardsigmoid", nn.Hardsigmoid, ROWS),
    ("threshold", lambda: nn.Threshold(0.1, 0), ROWS),
    ("softshrink", nn.Softshrink, ROWS),
    (
        "swiglu",
        lambda: Weighted(lambda x, a, b, c: (functional.silu(x @ a) * (x @ b)) @ c, (8, 5), (8, 5), (5, 8)),
        SEQUENCE,
    ),
    ("layer norm", lambda: nn.LayerNorm(8), SEQUENCE),
    ("layer norm of two dimensions", lambda: nn.LayerNorm((5, 8)), SEQUENCE),
    ("layer norm without weight", lambda: nn.LayerNorm(8, elementwise_affine=False), SEQUENCE),
    ("group norm", lambda: nn.GroupNorm(2, 4), IMAGE),
    ("layer norm without bias", lambda: nn.LayerNorm(8, bias=False), SEQUENCE),
    ("instance norm", lambda: nn.InstanceNorm2d(4), IMAGE),
    ("batch norm", lambda: nn.BatchNorm2d(4), IMAGE),
    ("batch norm of rows", lambda: nn.BatchNorm1d(6), ROWS),
    ("batch norm fixed", lambda: nn.BatchNorm2d(4).eval(), IMAGE),
    ("batch norm without statistics", lambda: nn.BatchNorm2d(4, track_running_stats=False), IMAGE),
    ("rms norm", lambda: RMSNorm(8), SEQUENCE),
    ("torch's rms norm", lambda: nn.RMSNorm(8), SEQUENCE),
    ("dropout", lambda: nn.Dropout(0.3), SEQUENCE),
    ("dropout of channels", lambda: nn.Dropout2d(0.3), IMAGE),
    ("alpha dropout", lambda: nn.AlphaDropout(0.3), ROWS),
    ("residual", lambda: Residual(nn.Sequential(nn.LayerNorm(8), nn.Linear(8, 8))), SEQUENCE),
    ("highway", lambda: Highway(6), ROWS),
    ("convolution", lambda: nn.Conv2d(4, 3, 3, padding=1), IMAGE),
    ("convolution with stride", lambda: nn.Conv2d(4, 3, 2, stride=2), IMAGE),
    ("pointwise convolution", lambda: nn.Conv2d(4, 5, 1), IMAGE),
    ("depthwise convolution", lambda: nn.Conv2d(4, 4, 3, groups=4, padding=1), IMAGE),
    ("grouped convolution", lambda: nn.Conv2d(4, 6, 3, groups=2), IMAGE),
    ("convolution without bias", lambda: nn.Conv2d(4, 3, 3, bias=False), IMAGE),
    ("separable", lambda: nn.Sequential(nn.Conv2d(4, 4, 3, groups=4), nn.Conv2d(4, 5, 1)), IMAGE),
    ("max pool", lambda: nn.MaxPool2d(2), IMAGE),
    ("overlapping max pool", lambda: nn.MaxPool2d(3, 1), IMAGE),
    ("average pool", lambda: nn.AvgPool2d(2), IMAGE),
    ("adaptive pool", lambda: nn.AdaptiveAvgPool2d(4), IMAGE),
    ("dilation", lambda: nn.Conv2d(4, 3, 3, dilation=2), IMAGE),
    ("dilation, stride and padding", lambda: nn.Conv2d(4, 6, (3, 2), 2, 1, dilation=2, groups=2), IMAGE),
    ("dilated sequences", lambda: nn.Conv1d(5, 3, 3, padding=2, dilation=2), SEQUENCE),
    ("transposed", lambda: nn.ConvTranspose2d(4, 3, 2), IMAGE),
    ("transposed with all", lambda: nn.ConvTranspose2d(4, 6, 3, 2, 1, output_padding=1, groups=2), IMAGE),
    ("transposed, padded unevenly", lambda: nn.ConvTranspose2d(4, 3, 3, padding=(1, 0), dilation=2), IMAGE),
    ("transposed sequences", lambda: nn.ConvTranspose1d(5, 3, 3, 2, 1, bias=False), SEQUENCE),
    (
        "there and back",
        lambda: nn.Sequential(nn.Conv2d(4, 3, 3, 2, 1), nn.Tanh(), nn.ConvTranspose2d(3, 4, 4, 2, 1)),
        IMAGE,
    ),
    ("convolution of sequences", lambda: nn.Conv1d(5, 3, 3, padding=1), SEQUENCE),
    ("strided convolution of sequences", lambda: nn.Conv1d(5, 3, 2, 2), SEQUENCE),
    ("convolution with a row of zeros", lambda: nn.Conv2d(4, 3, (1, 3), padding=(0, 1)), IMAGE),
    (
        "causal convolution",
        lambda: Fn(lambda x, m: m(functional.pad(x.mT, (2, 0))).mT, nn.Conv1d(8, 8, 3, groups=8)),
        SEQUENCE,
    ),
    ("global pool", lambda: nn.AdaptiveAvgPool2d(1), IMAGE),
    ("vgg block", lambda: nn.Sequential(nn.Conv2d(4, 4, 3, padding=1), nn.ReLU(inplace=True), nn.MaxPool2d(2)), IMAGE),
    (
        "residual block",
        lambda: Residual(
            nn.Sequential(nn.Conv2d(4, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.Conv2d(4, 4, 3, padding=1))
        ),
        IMAGE,
    ),
    ("squeeze and excite", lambda: SqueezeExcite(4), IMAGE),
    (
        "convnext",
        lambda: Residual(
            Fn(
                lambda x, a, b, c: c(functional.gelu(b(a(x.permute(0, 2, 3, 1))))).permute(0, 3, 1, 2),
                nn.LayerNorm(4),
                nn.Linear(4, 8),
                nn.Linear(8, 4),
            )
        ),
        IMAGE,
    ),
    (
        "patches of images",
        lambda: Fn(lambda x, m: m(x).flatten(2).transpose(1, 2), nn.Conv2d(4, 5, 3, stride=3)),
        IMAGE,
    ),
    ("channel shuffle", lambda: nn.ChannelShuffle(2), IMAGE),
    ("pixel shuffle", lambda: nn.PixelShuffle(2), IMAGE),
    ("pixel unshuffle", lambda: nn.PixelUnshuffle(2), IMAGE),
    ("zero pad", lambda: nn.ZeroPad2d(1), IMAGE),
    ("nearest upsampling", lambda: Fn(lambda x: x.repeat_interleave(2, 2).repeat_interleave(2, 3).tanh()), IMAGE),
    ("flattened", lambda: nn.Sequential(nn.Flatten(), nn.Linear(144, 3)), IMAGE),
    ("attention", lambda: Attention(8, 2), SEQUENCE),
    ("attention of one head", lambda: Attention(8, 1), SEQUENCE),
    ("attention in parts", lambda: Attention(8, 2, parts=True), SEQUENCE),
    ("grouped queries", lambda: Attention(8, 4, 2), SEQUENCE),
    ("one key for all", lambda: Attention(8, 4, 1), SEQUENCE),
    ("masked attention", lambda: Attention(8, 2, mask=0), SEQUENCE),
    ("attention that sees nothing first", lambda: Attention(8, 2, mask=-1), SEQUENCE),
    (
        "torch's attention",
        lambda: Fn(lambda x, m: m(x, x, x, need_weights=False)[0], nn.MultiheadAttention(8, 2, batch_first=True)),
        SEQUENCE,
    ),
    ("torch's encoder layer", lambda: nn.TransformerEncoderLayer(8, 2, 12, 0.1, batch_first=True), SEQUENCE),
    ("torch's encoder layer, norm first", lambda: nn.TransformerEncoderLayer(8, 2, 12, 0.0, norm_first=True), SEQUENCE),
    (
        "torch's decoder layer",
        lambda: Fn(lambda x, m: m(x, x.tanh()), nn.TransformerDecoderLayer(8, 2, 12, 0.0, batch_first=True)),
        SEQUENCE,
    ),
    ("block", lambda: block(8), SEQUENCE),
    ("rotary", Rotary, SEQUENCE),
    ("linear attention", lambda: Fn(lambda x: (functional.elu(x) + 1) @ ((functional.elu(x) + 1).mT @ x)), SEQUENCE),
    ("relative positions", lambda: Weighted(relative, (9,)), SEQUENCE),
    ("mixer", lambda: Fn(lambda x, m: x + m(x.mT).mT, nn.Linear(5, 5)), SEQUENCE),
    ("recurrent", lambda: Recurrent(nn.RNNCell, 8, 3), SEQUENCE),
    ("gated recurrent", lambda: Recurrent(nn.GRUCell, 8, 3), SEQUENCE),
    ("lstm cell", lambda: Recurrent(lstm_cell, 8, 3), SEQUENCE),
    ("lstm", lambda: Fn(lambda x, m: m(x[:, :2])[0], nn.LSTM(8, 3, batch_first=True)), SEQUENCE),
    ("gru", lambda: Fn(lambda x, m: m(x[:, :2])[0], nn.GRU(8, 3, batch_first=True)), SEQUENCE),
    ("torch's weight norm", lambda: nn.utils.parametrizations.weight_norm(nn.Linear(6, 4)), ROWS),
    ("numbers in the code", lambda: Fn(lambda x: x * torch.tensor([1.0, 2.0, 3.0, -1.0, 0.5, 7.0])), ROWS),
    ("a number in the code", lambda: Fn(lambda x: x.tanh() * torch.tensor(2.5)), ROWS),
    ("mixture of experts", lambda: Mixture(8, 3), SEQUENCE),
    ("low rank", lambda: Weighted(lambda x, w, a, b: x @ (w + 2 * a @ b), (6, 6), (6, 2), (2, 6)), ROWS),
    (
        "hypernetwork",
        lambda: Fn(lambda x, m: torch.bmm(m(x).view(3, 4, 6), x[:, :, None])[:, :, 0], nn.Linear(6, 24)),
        ROWS,
    ),
    ("weight norm", lambda: Weighted(lambda x, v, g: x @ (g * v / v.norm(dim=0)), (6, 4), (4,)), ROWS),
    ("factorization machine", lambda: Weighted(lambda x, v: ((x @ v) ** 2 - (x**2) @ (v**2)).sum(1) / 2, (6, 3)), ROWS),
    ("temperature", lambda: Weighted(lambda x, t: (x / t.exp()).softmax(-1), ()), ROWS),
    (
        "contrastive",
        lambda: Fn(
            lambda x: (functional.normalize(x, dim=1) @ functional.normalize(x.tanh(), dim=1).T / 0.1).log_softmax(1)
        ),
        ROWS,
    ),
    ("length 1", lambda: Weighted(lambda x, w: x * w, (1, 1)), ROWS),
    ("length 1 in the middle", lambda: Weighted(lambda x, w: (x[:, None] + w).tanh(), (3, 1, 6)), ROWS),
    ("embedding", lambda: nn.Embedding(VOCABULARY, 4), WORDS),
    ("embedding with padding", lambda: nn.Embedding(VOCABULARY, 4, padding_idx=2), WORDS),
    ("tied", lambda: Tied(4), WORDS),
    ("bag of words", lambda: Fn(lambda x, m: m(x).mean(1), nn.Embedding(VOCABULARY, 4)), WORDS),
    ("one hot", lambda: Weighted(lambda x, w: functional.one_hot(x, VOCABULARY) * w, (VOCABULARY,)), WORDS),
    ("looked up by index", lambda: Weighted(lambda x, w: w[x].tanh(), (VOCABULARY, 3)), WORDS),
    ("index select", lambda: Weighted(lambda x, w: w.index_select(0, x.flatten()).sin(), (VOCABULARY, 3)), WORDS),
    (
        "positions",
        lambda: Fn(lambda x, a, b: a(x) + b(torch.arange(x.shape[1])), nn.Embedding(VOCABULARY, 4), nn.Embedding(5, 4)),
        WORDS,
    ),
    ("words that are masked", lambda: Fn(lambda x, m: m(x) * (x != 0)[..., None], nn.Embedding(VOCABULARY, 4)), WORDS),
]
LOSSES = {
    "mse": lambda x: functional.mse_loss(x, x.detach().tanh()),
    "mse sum": lambda x: functional.mse_loss(x, torch.ones_like(x), reduction="sum"),
    "l1 loss": lambda x: functional.l1_loss(x, torch.zeros_like(x)),
    "smooth l1": lambda x: functional.smooth_l1_loss(2 * x, x.detach()),
    "huber": lambda x: functional.huber_loss(2 * x, torch.zeros_like(x), delta=0.5),
    "cross entropy": lambda x: functional.cross_entropy(x, torch.arange(3)),
    "smoothed": lambda x: functional.cross_entropy(x, torch.arange(3), label_smoothing=0.1),
    "ignored class": lambda x: functional.cross_entropy(x, torch.arange(3), ignore_index=1),
    "the first class ignored": lambda x: functional.cross_entropy(x, torch.arange(3), ignore_index=0),
    "the last class ignored": lambda x: functional.cross_entropy(x, torch.tensor([0, 5, 2]), ignore_index=5),
    "no class ignored": lambda x: functional.cross_entropy(x, torch.arange(3), ignore_index=6),
    "soft targets": lambda x: functional.cross_entropy(x, x.detach().tanh().softmax(1)),
    "nll sum": lambda x: functional.nll_loss(x.log_softmax(1), torch.arange(3), reduction="sum"),
    "nll of rows": lambda x: functional.nll_loss(x.log_softmax(1), torch.arange(3), reduction="none"),
    "weighted classes": lambda x: functional.cross_entropy(x, torch.arange(3), weight=torch.arange(6) + 1.0),
    "bce": lambda x: functional.binary_cross_entropy(x.sigmoid(), torch.ones_like(x) * 0.3),
    "bce with logits": lambda x: functional.binary_cross_entropy_with_logits(x, (x > 0.1).to(x.dtype)),
    "kl": lambda x: functional.kl_div(x.log_softmax(1), x.detach().tanh().softmax(1), reduction="batchmean"),
    "hinge": lambda x: functional.relu(1 - x * x.sign().detach()).mean(),
    "margin": lambda x: functional.margin_ranking_loss(x[0], x[1], torch.ones(6)),
    "soft margin": lambda x: functional.soft_margin_loss(x, torch.ones_like(x)),
    "poisson": lambda x: functional.poisson_nll_loss(x, torch.ones_like(x)),
    "triplet": lambda x: functional.triplet_margin_loss(x[:1], x[1:2], x[2:]),
}


def _named(table, shape, prepared=lambda x: x):
    return [(name, lambda made=made: Fn(lambda x: made(prepared(x))), shape) for name, made in table.items()]


def _seen(norm):
    """Running statistics that are not those of the beginning."""
    norm.running_mean.fill_(0.3)
    norm.running_var.fill_(2.0)
    return norm


OPTIONS = [
    ("celu of another slope", lambda: nn.CELU(0.4), ROWS),
    ("celu of a negative one", lambda: nn.CELU(-0.4), ROWS),
    ("elu of another slope", lambda: nn.ELU(0.4), ROWS),
    ("softplus, steeper and straight earlier", lambda: nn.Softplus(2.5, 1.0), ROWS),
    ("leaky relu of another slope", lambda: nn.LeakyReLU(0.3), ROWS),
    ("hardtanh within other bounds", lambda: nn.Hardtanh(-0.3, 0.6), ROWS),
    ("threshold below zero", lambda: nn.Threshold(-0.4, 0.7), ROWS),
    ("glu of channels", lambda: nn.GLU(1), IMAGE),
    ("prelu of channels", lambda: nn.PReLU(4), IMAGE),
    (
        "two layer norms that differ in eps",
        lambda: Fn(lambda x, a, b: a(x) + 2 * b(x), nn.LayerNorm(6, 0.1), nn.LayerNorm(6, 1.0)),
        ROWS,
    ),
    ("group norm of one channel each", lambda: nn.GroupNorm(4, 4, eps=0.3), IMAGE),
    ("batch norm that forgets sooner", lambda: nn.BatchNorm2d(4, momentum=0.3, eps=0.1), IMAGE),
    ("batch norm with what it has seen", lambda: _seen(nn.BatchNorm2d(4)).eval(), IMAGE),
    ("weight norm of columns", lambda: nn.utils.parametrizations.weight_norm(nn.Linear(6, 4), dim=1), ROWS),
    ("weight norm of all", lambda: nn.utils.parametrizations.weight_norm(nn.Linear(6, 4), dim=None), ROWS),
    ("padded above and below alone", lambda: nn.Conv2d(4, 3, 3, padding=(2, 0)), IMAGE),
    ("padded with the first word", lambda: nn.Embedding(VOCABULARY, 4, padding_idx=0), WORDS),
    ("dropout that is over", lambda: nn.Dropout(0.3).eval(), ROWS),
    (
        "shares of a product and a sum",
        lambda: Weighted(lambda x, w, b: torch.addmm(b, x, w, beta=0.3, alpha=1.7), (6, 4), (4,)),
        ROWS,
    ),
    (
        "shares of products and a sum",
        lambda: Weighted(lambda x, b: torch.baddbmm(b, x, x.mT, beta=0.3, alpha=-2), (5, 5)),
        SEQUENCE,
    ),
    ("looked up from the end", lambda: Weighted(lambda x, w: w[x - 3].tanh(), (VOCABULARY, 3)), WORDS),
    *_named(
        {
            "sorted downwards": lambda x: x.sort(-1, descending=True).values * torch.arange(6.0),
            "ranks": lambda x: x * x.argsort(-1) * x.min(1, keepdim=True).indices,
            "variance of two fewer": lambda x: torch.var(x, 1, correction=2),
            "smooth l1, sooner straight": lambda x: functional.smooth_l1_loss(x, 0 * x, beta=0.3),
            "sum of huber": lambda x: functional.huber_loss(x, 0 * x, delta=2.0, reduction="sum"),
            "weighted bce with logits": lambda x: functional.binary_cross_entropy_with_logits(
                x, 0 * x + 0.3, torch.arange(6.0), reduction="sum"
            ),
            "bce with large logits": lambda x: functional.binary_cross_entropy_with_logits(900 * x, 0 * x + 0.3),
            "the first class weighted and ignored": lambda x: functional.cross_entropy(
                x, torch.arange(3), ignore_index=0, weight=torch.arange(6) + 1.0
            ),
            "a target that is no class": lambda x: functional.cross_entropy(x, torch.tensor([1, -100, 2])),
            "logsumexp of large ones": lambda x: torch.logsumexp(900 * x, 1),
            "logsigmoid of large ones": lambda x: functional.logsigmoid(900 * x),
            "cut before and behind the end": lambda x: x[:, 2:100] * x[:, -100:4],
            "cut of one that is repeated": lambda x: x.sum(1, keepdim=True).expand(3, 6)[:, 1:4] * x[:, :3],
            "cut of rows that are repeated": lambda x: x[0].expand(5, 6)[1:4] * x,
            "counted by twos": lambda x: x * torch.arange(2.0, 14.0, 2.0) * torch.arange(1, 12, 2),
            "counted downwards": lambda x: x * torch.arange(5.0, -1.0, -1.0),
            "truths of numbers": lambda x: (x * (x > 0)).bool() * x * (x > 0).sum(1, keepdim=True),
            "roots below the line": lambda x: x.exp() ** -0.5 * x.exp() ** -2 * x.exp() ** 0.25,
            "none of what has no logarithm": lambda x: torch.xlogy((x > 0) * x.detach(), x.exp()),
            "bounds that are crossed": lambda x: x.clamp(0.5, -0.5) * x,
        },
        ROWS,
    ),
    *_named(
        {
            "below and above other diagonals": lambda x: (x @ x.mT).tril(-1) @ x + (x @ x.mT).triu(2) @ x + x.tril(1),
            "rolled back, and along two": lambda x: x.roll((-1, 2), (1, 2)) * x,
            "padded in front, cut behind": lambda x: functional.pad(x, (2, -1, -1, 3)),
            "scaled attention of what came before": lambda x: functional.scaled_dot_product_attention(
                x, x, x, scale=0.7, is_causal=True
            ),
            "attention to nothing": lambda x: functional.scaled_dot_product_attention(
                x, x, x, attn_mask=torch.zeros(5, 5, dtype=torch.bool)
            ),
            "indices from the end": lambda x: x.transpose(0, 1)[torch.tensor([0, -1, -3])],
            "put from the end": lambda x: (
                torch.zeros(4, 4, 8).index_put((torch.arange(2) - 1,), x[:, :4], accumulate=True) * x.sum()
            ),
        },
        SEQUENCE,
    ),
    (
        "classes of pixels",
        lambda: Fn(
            lambda x: functional.cross_entropy(
                x, torch.arange(2).repeat_interleave(36).view(2, 6, 6) + 1, ignore_index=1, reduction="sum"
            )
        ),
        IMAGE,
    ),
]
"""Where an argument is another than the one that is taken if nothing is said."""


CASES = [
    *LAYERS,
    *_named({name: getattr(functional, name) for name in ACTIVATIONS}, ROWS),
    *_named({name: getattr(torch, name) for name in UNARY}, ROWS),
    *_named({name: getattr(torch, name) for name in POSITIVE}, ROWS, lambda x: x.exp() + 0.1),
    *((f"{name} of both", lambda made=made: Weighted(made, (6,)), ROWS) for name, made in BOTH.items()),
    *_named(REDUCED, ROWS),
    *_named(MOVED, SEQUENCE),
    *_named(LOSSES, ROWS),
    *OPTIONS,
]

AGAIN = (
    "linear without bias",
    "linear of sequences",
    "perceptron",
    "swiglu",
    "layer norm",
    "group norm",
    "batch norm",
    "batch norm of rows",
    "rms norm",
    "dropout",
    "residual",
    "highway",
    "convolution",
    "pointwise convolution",
    "depthwise convolution",
    "separable",
    "max pool",
    "dilation",
    "dilated sequences",
    "transposed",
    "transposed sequences",
    "there and back",
    "convolution of sequences",
    "strided convolution of sequences",
    "global pool",
    "vgg block",
    "residual block",
    "squeeze and excite",
    "convnext",
    "patches of images",
    "pixel shuffle",
    "zero pad",
    "nearest upsampling",
    "flattened",
    "attention",
    "attention of one head",
    "grouped queries",
    "one key for all",
    "masked attention",
    "torch's attention",
    "torch's encoder layer",
    "torch's encoder layer, norm first",
    "block",
    "linear attention",
    "relative positions",
    "mixer",
    "recurrent",
    "lstm cell",
    "lstm",
    "mixture of experts",
    "low rank",
    "hypernetwork",
    "weight norm",
    "factorization machine",
    "temperature",
    "contrastive",
    "embedding",
    "bag of words",
    "one hot",
    "looked up by index",
    "positions",
    "relu",
    "elu",
    "tanh",
    "sigmoid",
    "hardtanh",
    "logsigmoid",
    "softsign",
    "tanhshrink",
    "exp",
    "sin",
    "cos",
    "neg",
    "abs",
    "square",
    "sign",
    "rsqrt",
    "add of both",
    "mul of both",
    "cube of both",
    "sum",
    "sum of rows",
    "sum kept",
    "var",
    "norms",
    "l1",
    "losses of rows",
    "logsumexp",
    "softmax",
    "softmax of columns",
    "log softmax",
    "softmin",
    "topk",
    "distances",
    "sort",
    "entropy",
    "transpose",
    "permute",
    "view",
    "split heads",
    "flatten",
    "unflatten",
    "cat",
    "slice",
    "last",
    "first",
    "pad",
    "expand",
    "repeat",
    "repeat interleave",
    "flip",
    "shift",
    "tril",
    "select",
    "diff",
    "einsum",
    "outer",
    "mean pool",
    "patches",
    "numbered",
    "masked",
    "hard",
    "detached",
    "straight through",
    "in place",
    "l1 loss",
    "huber",
    "cross entropy",
    "smoothed",
    "nll sum",
    "poisson",
)
"""Neighbours of other cases, for the full tier alone.

Measured case by case: no line of `p2smt/frontend/torch_graph` is reached, no operation is written, and no operation of
torch is lowered with arguments of other kinds, that the other cases lack. Cases at a boundary are not among them.
"""


REFUSED = [
    ("bessel", lambda: Fn(torch.special.i0), ROWS, "aten.i0.default"),
    ("values", lambda: Fn(lambda x: torch.linalg.eigvalsh(x[:, :3] @ x[:, :3].T)), ROWS, "aten._linalg_eigh.default"),
    ("floor of a quotient", lambda: Fn(lambda x: torch.div(x, 3, rounding_mode="floor") * x), ROWS, "aten.div."),
    ("quotient cut", lambda: Fn(lambda x: torch.div(x, x + 9, rounding_mode="trunc") * x), ROWS, "aten.div."),
    ("remainder", lambda: Fn(lambda x: x % 3), ROWS, "aten.remainder"),
    ("item", lambda: Fn(lambda x: x * x.sum().item()), ROWS, "aten._local_scalar_dense.default"),
    ("nonzero", lambda: Fn(lambda x: x[x > 0].median()), ROWS, "median"),
    ("branch on values", lambda: Fn(lambda x: x if x.sum() > 0 else 2 * x), ROWS, "aten._local_scalar_dense.default"),
    ("random numbers", lambda: Fn(lambda x: x * torch.randint(1 << 30, (3, 6))), ROWS, "from more than 2^24"),
    ("two dilations", lambda: nn.Conv2d(4, 3, 2, dilation=(1, 2)), IMAGE, "aten.convolution.default"),
    (
        "scattered by reduce",
        lambda: Fn(
            lambda x: torch.zeros(3, 6).scatter(1, torch.zeros(3, 6, dtype=torch.long), x.detach(), reduce="add") + x
        ),
        ROWS,
        "aten.scatter.reduce",
    ),
    (
        "scattered along rows",
        lambda: Fn(lambda x: torch.zeros(3, 6).scatter(0, torch.zeros(3, 6, dtype=torch.long), x)),
        ROWS,
        "several indices per row, which may repeat, are not supported",
    ),
    ("order zero", lambda: Fn(lambda x: torch.linalg.vector_norm(x, 0, dim=1)), ROWS, "norms of order 0 are not"),
    ("dilated max pool", lambda: nn.MaxPool2d(2, dilation=2), IMAGE, "pooling with dilation is not"),
    (
        "checked values",
        lambda: Fn(lambda x: functional.gaussian_nll_loss(x, 0 * x, x * x)),
        ROWS,
        "aten._local_scalar_dense",
    ),
]
"""Each with the operation that is named."""
