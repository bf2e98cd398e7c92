"""Settings of packaged models, importable without torch so that the command line can list them."""

from dataclasses import dataclass, replace
from enum import StrEnum

from p2smt.errors import CaptureError


class Size(StrEnum):
    """Configurations: `small` runs in the numpy interpreter, `paper` uses the sizes of the papers."""

    SMALL = "small"
    PAPER = "paper"


class Example(StrEnum):
    """Packaged models."""

    MLP = "mlp"
    VGG = "vgg"
    VIT = "vit"
    BERT = "bert"
    MOE = "bert-moe"
    GPT = "gpt"


class OptimizerName(StrEnum):
    """Optimizers of the packaged models."""

    SGD = "sgd"
    MOMENTUM = "momentum"
    ADAM = "adam"
    ADAMW = "adamw"
    LAMB = "lamb"
    LARS = "lars"
    NONE = "none"


class AttentionForm(StrEnum):
    """Forms of attention in the program."""

    PARTS = "parts"
    WHOLE = "whole"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Settings of a transformer; VGG and perceptrons use some of them. `capacity` scales the slots per expert."""

    batch: int
    layers: int
    hidden: int
    heads: int = 1
    sequence: int = 1
    vocabulary: int = 10
    experts: int = 0
    capacity: float = 2.5
    dropout: float = 0.1
    image: int = 32


_SMALL = Settings(batch=3, layers=2, hidden=8, heads=2, sequence=6, vocabulary=11, experts=4, image=8)
_PAPER = Settings(batch=64, layers=8, hidden=768, heads=12, sequence=128, vocabulary=33278, experts=16)
_OWN = {
    (Example.MLP, Size.PAPER): replace(_PAPER, batch=1024, layers=2, hidden=1024),
    (Example.VGG, Size.SMALL): replace(_SMALL, layers=4, image=16),
    (Example.VGG, Size.PAPER): replace(_PAPER, layers=16, vocabulary=10),
    (Example.VIT, Size.PAPER): replace(_PAPER, vocabulary=10),
    (Example.MOE, Size.PAPER): replace(_PAPER, batch=32),
    (Example.GPT, Size.PAPER): replace(
        _PAPER, batch=8, layers=24, hidden=1024, heads=16, sequence=1024, vocabulary=50257
    ),
}


def settings_of(
    example: Example,
    size: Size,
    batch: int | None = None,
    layers: int | None = None,
    experts: int | None = None,
    dropout: float | None = None,
) -> Settings:
    """Return the configuration of a model, with overrides. CaptureError if the model does not support an override."""
    made = _OWN.get((example, size), _SMALL if size is Size.SMALL else _PAPER)
    if layers is not None and example is Example.VGG:
        raise CaptureError("VGG19 has its 16 convolutions; --layers is for the other models")
    if experts is not None and example is not Example.MOE:
        raise CaptureError("--experts is for model bert-moe only; leave it out")
    made = replace(
        made,
        batch=batch or made.batch,
        layers=layers or made.layers,
        experts=experts or made.experts,
        dropout=made.dropout if dropout is None else dropout,
    )
    if min(made.batch, made.layers) < 1 or (example is Example.MOE and made.experts < 2):
        raise CaptureError(
            f"batch {made.batch}, layers {made.layers}, experts {made.experts}; they have to be positive, and "
            "experts at least 2, because every token goes to two"
        )
    return made
