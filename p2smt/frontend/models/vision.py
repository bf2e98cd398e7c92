"""Sizes of vision transformers from their configs: ViT of transformers, and DiT of diffusers."""

from p2smt.errors import ProblemError
from p2smt.frontend.models.kinds import Config
from p2smt.problem.transformer.file import TransformerEntry
from p2smt.problem.transformer.model import Vision

_VIT = ("vit", "deit")
_CLASSES = 1000


def image_entry(config: Config, place: str, batch: int, micro_batch: int) -> TransformerEntry | None:
    """Return the ViT or DiT of a config; None if it is neither."""
    if config.get("model_type") in _VIT:
        return image_classifier(config, place, batch, micro_batch)
    if "attention_head_dim" in config and "num_embeds_ada_norm" in config and "patch_size" in config:
        return diffusion_transformer(config, place, batch, micro_batch)
    return None


def image_classifier(config: Config, place: str, batch: int, micro_batch: int) -> TransformerEntry:
    """Return a ViT: square images are cut into square patches, and a class token is added."""
    hidden, patch = _size(config, place, "hidden_size"), _size(config, place, "patch_size")
    tokens = (_size(config, place, "image_size") // patch) ** 2 + 1
    labels = config.get("id2label")
    return TransformerEntry(
        layers=_size(config, place, "num_hidden_layers"),
        hidden=hidden,
        ffn=_size(config, place, "intermediate_size", 4 * hidden),
        heads=_size(config, place, "num_attention_heads"),
        vocabulary=len(labels) if isinstance(labels, dict) and labels else _CLASSES,
        sequence=tokens,
        positions=tokens,
        batch=batch,
        micro_batch=micro_batch,
        gated=False,
        biases=True,
        vision=Vision(patch=_size(config, place, "num_channels", 3) * patch**2),
    )


def diffusion_transformer(config: Config, place: str, batch: int, micro_batch: int) -> TransformerEntry:
    """Return a DiT: every token of a latent image is projected to the numbers of its patch."""
    heads, patch = _size(config, place, "num_attention_heads"), _size(config, place, "patch_size")
    hidden = heads * _size(config, place, "attention_head_dim")
    channels = _size(config, place, "in_channels", 4)
    tokens = (_size(config, place, "sample_size", 32) // patch) ** 2
    return TransformerEntry(
        layers=_size(config, place, "num_layers"),
        hidden=hidden,
        ffn=4 * hidden,
        heads=heads,
        vocabulary=_size(config, place, "out_channels", 2 * channels) * patch**2,
        sequence=tokens,
        positions=tokens,
        batch=batch,
        micro_batch=micro_batch,
        gated=False,
        biases=True,
        # One more label stands for images without one (classifier-free guidance).
        vision=Vision(
            patch=channels * patch**2,
            pooled=False,
            modulated=True,
            labels=_size(config, place, "num_embeds_ada_norm") + 1,
        ),
    )


def _size(config: Config, place: str, key: str, otherwise: int | None = None) -> int:
    value = config.get(key)
    if isinstance(value, int) and value > 0:
        return value
    if otherwise is None:
        raise ProblemError(f"{place} has no {key}; it is needed to count the model's parameters")
    return otherwise
