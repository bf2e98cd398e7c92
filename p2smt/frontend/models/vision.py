"""Sizes of vision transformers from their configs: ViT of transformers, and DiT of diffusers."""

from p2smt.frontend.models.config import Config, optional_size, size
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
    hidden, patch = size(config, place, "hidden_size"), size(config, place, "patch_size")
    tokens = (size(config, place, "image_size") // patch) ** 2 + 1
    labels = config.get("id2label")
    return TransformerEntry(
        layers=size(config, place, "num_hidden_layers"),
        hidden=hidden,
        ffn=optional_size(config, "intermediate_size") or 4 * hidden,
        heads=size(config, place, "num_attention_heads"),
        vocabulary=len(labels) if isinstance(labels, dict) and labels else _CLASSES,
        sequence=tokens,
        positions=tokens,
        batch=batch,
        micro_batch=micro_batch,
        gated=False,
        biases=True,
        vision=Vision(patch=(optional_size(config, "num_channels") or 3) * patch**2),
    )


def diffusion_transformer(config: Config, place: str, batch: int, micro_batch: int) -> TransformerEntry:
    """Return a DiT: every token of a latent image is projected to the numbers of its patch."""
    heads, patch = size(config, place, "num_attention_heads"), size(config, place, "patch_size")
    hidden = heads * size(config, place, "attention_head_dim")
    channels = optional_size(config, "in_channels") or 4
    tokens = ((optional_size(config, "sample_size") or 32) // patch) ** 2
    return TransformerEntry(
        layers=size(config, place, "num_layers"),
        hidden=hidden,
        ffn=4 * hidden,
        heads=heads,
        vocabulary=(optional_size(config, "out_channels") or 2 * channels) * patch**2,
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
            labels=size(config, place, "num_embeds_ada_norm") + 1,
        ),
    )
