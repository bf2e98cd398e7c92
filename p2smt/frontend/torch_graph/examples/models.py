"""The packaged models and their training steps. Sizes that the papers give are in `settings.py`.

VGG19, ViT, BERT and BERT-MoE follow HAP (section 7.1 and its published configuration): images of 3 x 32 x 32 in
10 classes; patches of 4 x 4 with a class token and learned positions; a language model with an untied decoder
weight and sinusoidal positions; experts in every second layer.
"""

from collections.abc import Callable, Iterable, Mapping

import torch
from torch import Tensor, nn
from torch.nn import functional

from p2smt.frontend.torch_graph.examples.optimizers import Lamb, Lars
from p2smt.frontend.torch_graph.examples.transformer import PostNorm, PreNorm
from p2smt.frontend.torch_graph.settings import Example, OptimizerName, Settings
from p2smt.frontend.torch_graph.training import Training

_VGG19 = (64, 64, 0, 128, 128, 0, 256, 256, 256, 256, 0, 512, 512, 512, 512, 0, 512, 512, 512, 512, 0)
_VGG_SMALL = (2, 0, 3, 3, 0, 4, 0)
_CLASSES = 10


class Perceptron(nn.Module):
    """An MLP whose layers come in pairs, as Megatron splits them: columns, then rows."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        hidden = settings.hidden
        widths = [(hidden, 4 * hidden), (4 * hidden, hidden)]
        self.layers = nn.ModuleList(nn.Linear(*widths[number % 2]) for number in range(settings.layers))

    def forward(self, x: Tensor) -> Tensor:
        """The output for [batch, hidden], with relu between layers."""
        for number, layer in enumerate(self.layers):
            x = layer(x if number == 0 else functional.relu(x))
        return x


class VGG(nn.Module):
    """VGG19 (configuration E) without batch norm; a 0 in its configuration is a pooling layer."""

    def __init__(self, settings: Settings, channels: tuple[int, ...]) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        before = 3
        for width in channels:
            layers += [nn.Conv2d(before, width, 3, padding=1), nn.ReLU()] if width else [nn.MaxPool2d(2)]
            before = width or before
        wide, side = (4096, 7) if channels == _VGG19 else (12, 3)
        self.features = nn.Sequential(*layers)
        self.pool = nn.AdaptiveAvgPool2d(side)
        self.classifier = nn.Sequential(
            nn.Linear(before * side * side, wide),
            nn.ReLU(),
            nn.Dropout(settings.dropout),
            nn.Linear(wide, wide),
            nn.ReLU(),
            nn.Dropout(settings.dropout),
            nn.Linear(wide, _CLASSES),
        )

    def forward(self, x: Tensor) -> Tensor:
        """The output for [batch, 3, height, width]."""
        made: Tensor = self.classifier(torch.flatten(self.pool(self.features(x)), 1))
        return made


class ViT(nn.Module):
    """A vision transformer."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        patches = (settings.image // 4) ** 2
        self.embed = nn.Conv2d(3, settings.hidden, 4, stride=4)
        self.token = nn.Parameter(torch.zeros(1, 1, settings.hidden))
        self.positions = nn.Parameter(torch.zeros(1, patches + 1, settings.hidden))
        self.blocks = nn.ModuleList(PostNorm(settings, False, False) for _ in range(settings.layers))
        self.decoder = nn.Linear(settings.hidden, _CLASSES)

    def forward(self, x: Tensor) -> Tensor:
        """The output for [batch, 3, height, width]."""
        x = self.embed(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.token.expand(x.shape[0], -1, -1), x], dim=1) + self.positions
        for block in self.blocks:
            x = block(x)
        made: Tensor = self.decoder(x[:, 0])
        return made


class Bert(nn.Module):
    """A BERT language model, optionally with experts in every second layer."""

    def __init__(self, settings: Settings, experts: bool) -> None:
        super().__init__()
        hidden, positions = settings.hidden, torch.arange(settings.sequence).unsqueeze(1)
        # Sinusoidal positions (Vaswani et al. 2017): the two features of a pair share a rate.
        rates = 10000 ** (-2 * (torch.arange(hidden) // 2) / hidden)
        even = (torch.arange(hidden) % 2) == 0
        self.register_buffer("sines", torch.where(even, torch.sin(positions * rates), torch.cos(positions * rates)))
        self.scale = hidden**0.5
        self.encoder = nn.Embedding(settings.vocabulary, hidden)
        self.blocks = nn.ModuleList(
            PostNorm(settings, True, experts and number % 2 == 1) for number in range(settings.layers)
        )
        self.decoder = nn.Linear(hidden, settings.vocabulary)

    def forward(self, x: Tensor) -> Tensor:
        """The output for tokens of shape [batch, positions]."""
        made: Tensor = self.encoder(x) * self.scale + self.get_buffer("sines")
        for block in self.blocks:
            made = block(made)
        decoded: Tensor = self.decoder(made)
        return decoded


class GPT(nn.Module):
    """A language model with learned positions, whose decoder shares the embedding's weight."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.words = nn.Embedding(settings.vocabulary, settings.hidden)
        self.positions = nn.Embedding(settings.sequence, settings.hidden)
        self.dropout = nn.Dropout(settings.dropout)
        self.blocks = nn.ModuleList(PreNorm(settings) for _ in range(settings.layers))
        self.norm = nn.LayerNorm(settings.hidden)
        self.decoder = nn.Linear(settings.hidden, settings.vocabulary, bias=False)
        self.decoder.weight = self.words.weight

    def forward(self, x: Tensor) -> Tensor:
        """The output for tokens of shape [batch, positions]."""
        made: Tensor = self.dropout(self.words(x) + self.positions(torch.arange(x.shape[1])))
        for block in self.blocks:
            made = block(made)
        decoded: Tensor = self.decoder(self.norm(made))
        return decoded


def _squares(module: nn.Module, x: Tensor, y: Tensor) -> Tensor:
    return functional.mse_loss(module(x), y)


def _classes(module: nn.Module, x: Tensor, y: Tensor) -> Tensor:
    return functional.cross_entropy(module(x), y)


def _words(module: nn.Module, x: Tensor, y: Tensor) -> Tensor:
    return functional.cross_entropy(module(x).flatten(0, 1), y.flatten())


_LOSS: Mapping[Example, Callable[[nn.Module, Tensor, Tensor], Tensor]] = {
    Example.MLP: _squares,
    Example.VGG: _classes,
    Example.VIT: _classes,
    Example.BERT: _words,
    Example.GPT: _words,
    Example.MOE: _words,
}
_MADE: Mapping[Example, Callable[[Settings], nn.Module]] = {
    Example.MLP: Perceptron,
    Example.VGG: lambda settings: VGG(settings, _VGG19 if settings.layers == 16 else _VGG_SMALL),
    Example.VIT: ViT,
    Example.BERT: lambda settings: Bert(settings, False),
    Example.MOE: lambda settings: Bert(settings, True),
    Example.GPT: GPT,
}


def _batch(example: Example, settings: Settings, module: nn.Module) -> tuple[Tensor, Tensor]:
    batch = settings.batch
    match example:
        case Example.MLP:
            x = torch.randn(batch, settings.hidden)
            return x, torch.randn_like(module(x))
        case Example.VGG | Example.VIT:
            return torch.randn(batch, 3, settings.image, settings.image), torch.randint(0, _CLASSES, (batch,))
        case Example.BERT | Example.MOE | Example.GPT:
            shape = (batch, settings.sequence)
            return torch.randint(0, settings.vocabulary, shape), torch.randint(0, settings.vocabulary, shape)


_OPTIMIZER: Mapping[OptimizerName, Callable[[Iterable[nn.Parameter]], torch.optim.Optimizer | None]] = {
    OptimizerName.SGD: lambda parameters: torch.optim.SGD(parameters, lr=0.01),
    OptimizerName.MOMENTUM: lambda parameters: torch.optim.SGD(parameters, lr=0.01, momentum=0.9),
    OptimizerName.ADAM: torch.optim.Adam,
    OptimizerName.ADAMW: torch.optim.AdamW,
    OptimizerName.LAMB: Lamb,
    OptimizerName.LARS: Lars,
    OptimizerName.NONE: lambda parameters: None,
}


def training_step(
    example: Example, settings: Settings, optimizing: OptimizerName = OptimizerName.ADAM, max_norm: float | None = None
) -> Training:
    """A packaged model with a batch, its loss (means over the batch) and an optimizer."""
    module = _MADE[example](settings)
    x, y = _batch(example, settings, module)
    return Training(module, {"x": x, "y": y}, _LOSS[example], _OPTIMIZER[optimizing](module.parameters()), max_norm)
