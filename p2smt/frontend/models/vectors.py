"""Parameters in vectors that Hugging Face's classes have beyond Llama's: biases, and norms of queries and keys.

They are less than a thousandth of a model, but a count that is printed is meant to be that of the published weights.
"""

from dataclasses import dataclass

from p2smt.frontend.models.config import Config

_BIASED_NORMS = frozenset(("falcon", "gptj", "nemotron", "phimoe", "stablelm"))
_BIASED_OUTPUT = frozenset(("gptj", "phi"))
_WIDE_QUERY_NORMS = frozenset(("minimax_m2", "olmo2", "olmo3", "olmoe"))
_GATE_OF_SHARED = frozenset(("qwen2_moe",))
_WIDE_NORM_KEYS = ("qk_layernorm", "use_qk_norm")  # of stablelm, and of cohere: a norm of its own for every head
_XIELU = {"apertus": 2}  # the activation function has two learned numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """Sizes of a model and of one of its layers."""

    hidden: int
    ffn: int
    heads: int
    kv_heads: int
    head: int
    vocabulary: int
    norms: int


def layer_vectors(kind: str, config: Config, sizes: Sizes) -> int:
    """Return the elements of a layer's vectors that no field of `Transformer` but `layer_vectors` counts.

    >>> olmo2 = Sizes(hidden=4096, ffn=11008, heads=32, kv_heads=32, head=128, vocabulary=100352, norms=2)
    >>> layer_vectors("olmo2", {}, olmo2)
    8192
    """
    found = sizes.norms * sizes.hidden if kind in _BIASED_NORMS else 0
    if kind == "gptj":
        found += sizes.ffn + sizes.hidden
    elif config.get("mlp_bias") is True:
        found += 2 * sizes.ffn + sizes.hidden
    if kind in _WIDE_QUERY_NORMS:
        found += (sizes.heads + sizes.kv_heads) * sizes.head
    elif kind == "phi" and config.get("qk_layernorm") is True:
        found += 4 * sizes.head
    elif kind in ("cohere", "stablelm") and any(config.get(key) is True for key in _WIDE_NORM_KEYS):
        found += (sizes.heads + sizes.kv_heads) * sizes.head
    return found + _XIELU.get(kind, 0) + (sizes.hidden if kind in _GATE_OF_SHARED else 0)


def end_vectors(kind: str, config: Config, sizes: Sizes) -> int:
    """Return those outside of layers: biases of the last norm and of the output, and BLOOM's norm of embeddings."""
    found = sizes.hidden if kind in _BIASED_NORMS else 0
    found += 2 * sizes.hidden if kind == "bloom" else 0
    biased = kind in _BIASED_OUTPUT or config.get("lm_head_bias") is True
    return found + (sizes.vocabulary if biased else 0)
