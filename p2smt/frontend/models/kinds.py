"""Properties that Hugging Face's model classes fix, and so leave out of `config.json`, by `model_type`."""

from p2smt.errors import ProblemError
from p2smt.frontend.models.config import Config
from p2smt.problem.transformer.model import Biases

_TWO_MATRICES = frozenset(
    ("gpt2", "gpt_bigcode", "gpt_neo", "gpt_neox", "gptj", "opt", "mpt", "bloom", "falcon", "phi", "starcoder2")
) | {"apertus", "arcee", "nemotron"}
"""Kinds whose feed-forward layers have no gate. `phi3` and `phimoe` have one."""

_BIASED = frozenset(("gpt2", "gpt_bigcode", "gpt_neox", "opt", "bloom", "phi", "starcoder2"))
_TIED = frozenset(
    ("gemma", "gemma2", "gemma3", "gpt2", "gpt_bigcode", "gpt_neo", "opt", "bloom", "mpt", "falcon", "starcoder2")
) | {"cohere", "cohere2"}
"""Kinds whose class keeps PretrainedConfig's default, true; published files of them have no `tie_word_embeddings`."""

_NORMED_QUERIES = ("qwen3", "gemma3", "apertus")
_FOUR_NORMS = ("gemma2", "gemma3", "glm4")
_ONE_NORM = ("cohere", "cohere2", "gptj", "phi")  # attention and feed-forward part read the same norm
_BIASED_INWARD = frozenset(("glm", "glm4", "glm4_moe", "seed_oss"))  # `attention_bias` leaves out the last product
_BIASED_ROUTER = frozenset(("gpt_oss", "ernie4_5_moe", "glm4_moe"))
_LEARNED_POSITIONS = ("gpt2", "gpt_bigcode", "opt")
UNUSED_POSITIONS = {"opt": 2}
"""Embeddings of positions that come before the first token's."""

_ALWAYS_WINDOWED = frozenset(("gpt_oss", "gemma3"))  # `use_sliding_window` has no meaning there

_FULL_EVERY = {"gpt_oss": 2, "gemma2": 2, "gemma3": 6, "llama4": 4, "mistral": 0, "mixtral": 0, "phi3": 0}
"""The period of layers that attend to all tokens where `layer_types` does not say; 0: no layer does."""

_DEFAULTS: dict[str, Config] = {
    # Google's files leave out what Gemma3TextConfig defaults to.
    "gemma3": {
        "vocab_size": 262208,
        "num_attention_heads": 8,
        "num_key_value_heads": 4,
        "head_dim": 256,
        "max_position_embeddings": 131072,
    },
    # intermediate_size is an expert's; layers without experts have intermediate_size_mlp. One expert is shared.
    "llama4": {"n_shared_experts": 1},
}

_OTHER_KINDS = {
    "an encoder": ("bert", "roberta", "xlm-roberta", "distilbert", "albert", "electra", "deberta", "modernbert"),
    "an encoder with a decoder": ("t5", "mt5", "umt5", "bart", "mbart", "pegasus", "marian", "whisper", "m2m_100"),
    "a model with cross-attention to images": ("mllama", "idefics"),
    "a model with a dense part beside its experts": ("arctic", "longcat_flash"),
    "a model with sparse attention": ("deepseek_v32", "deepseek_v4", "glm_moe_dsa"),
    "a model whose layers have sizes of their own": ("gemma3n", "nemotron-nas", "openelm", "hunyuan_v1_moe"),
    "a model with experts of attention": ("jetmoe", "moa"),
    "a state-space model": ("mamba", "falcon_mamba", "rwkv", "jamba", "zamba", "bamba", "nemotron_h", "falcon_h1"),
    "a model with linear attention": ("qwen3_next", "qwen3_5", "minimax_text_01", "kimi_linear", "recurrent_gemma"),
}
_ATTENTION = ("full_attention", "sliding_attention", "chunked_attention")


def kind_of(config: Config) -> str:
    """Return the model's kind, without the suffix of a language model inside a multimodal one.

    >>> kind_of({"model_type": "gemma3_text"})
    'gemma3'
    """
    return str(config.get("model_type", "")).removesuffix("_text")


def check_decoder(config: Config, kind: str, place: str) -> None:
    """Raise ProblemError for models whose layers are not attention under a causal mask: their prices would be wrong."""
    found = next((what for what, kinds in _OTHER_KINDS.items() if kind.startswith(kinds)), None)
    if found is None and config.get("is_encoder_decoder") is True:
        found = "an encoder with a decoder"
    layers = config.get("layer_types")
    if found is None and isinstance(layers, list) and (other := [one for one in layers if one not in _ATTENTION]):
        found = f"a model with layers of type {str(other[0])[:40]}"
    if found is not None:
        raise ProblemError(
            f"{place}: {kind[:40] or 'the model'} is {found}; steps are predicted for decoders with attention in every "
            "layer, so give such a model, or a TOML with [transformer] that comes close"
        )


def with_defaults(config: Config, kind: str) -> Config:
    """Return the config with the defaults of the kind's class."""
    filled = {**_DEFAULTS.get(kind, {}), **config}
    if kind == "llama4":
        inner = {"moe_intermediate_size": filled.get("intermediate_size")}
        dense = filled.get("intermediate_size_mlp", filled.get("intermediate_size"))
        return {**filled, **inner, "intermediate_size": dense}
    if kind == "falcon" and not filled.get("new_decoder_architecture") and filled.get("multi_query", True):
        return {**filled, "num_kv_heads": 1, "num_key_value_heads": 1}
    if kind == "dbrx":  # sizes are in two objects inside
        parts = [one for name in ("attn_config", "ffn_config") if isinstance(one := filled.get(name), dict)]
        filled |= {key: value for part in parts for key, value in part.items()}
        return {**filled, "intermediate_size": filled.get("ffn_hidden_size")}
    if kind == "gpt_bigcode" and filled.get("multi_query", True):
        return {**filled, "num_key_value_heads": 1}
    return filled


def is_gated(kind: str) -> bool:
    """True if feed-forward layers have three matrices."""
    return kind not in _TWO_MATRICES


def has_biases(kind: str) -> bool:
    """True if all matrices and norms of a layer have biases."""
    return kind in _BIASED


def ties_embeddings(kind: str) -> bool:
    """True if the output uses the token embedding unless the config says otherwise."""
    return kind in _TIED


def learns_positions(kind: str) -> bool:
    """True if positions have embeddings of their own."""
    return kind in _LEARNED_POSITIONS


def norms_queries(kind: str, config: Config) -> bool:
    """True if queries and keys are normalised by learned factors, the same ones for every head."""
    return kind.startswith(_NORMED_QUERIES) or (kind == "glm4_moe" and config.get("use_qk_norm") is True)


def norms_per_layer(kind: str, config: Config) -> int:
    """Return the number of norms per layer; Falcon's first layers share one between both parts."""
    if kind == "falcon" and config.get("parallel_attn", True) and not config.get("new_decoder_architecture"):
        return 1
    if kind in _ONE_NORM or (kind == "stablelm" and config.get("use_parallel_residual") is True):
        return 1
    if kind == "olmo":  # its norms have no parameters
        return 0
    return 4 if kind in _FOUR_NORMS else 2


def attention_biases(kind: str, config: Config) -> Biases:
    """Return the matrices of the attention that have biases."""
    if config.get("attention_bias", kind == "glm"):
        return Biases.QKV if kind in _BIASED_INWARD else Biases.ALL
    inward = kind.startswith("qwen2") or (kind == "stablelm" and config.get("use_qkv_bias") is True)
    return Biases.QKV if inward else Biases.NONE


def has_router_biases(kind: str, config: Config) -> bool:
    """True if the router has one bias per expert."""
    return kind in _BIASED_ROUTER or config.get("topk_method") == "noaux_tc"


def is_windowed(kind: str, config: Config) -> bool:
    """True if the config's `sliding_window` is in use."""
    return kind in _ALWAYS_WINDOWED or config.get("use_sliding_window", True) is not False


def usual_full_every(kind: str) -> int:
    """Return the period of layers that attend to all tokens, where the config does not say."""
    return _FULL_EVERY.get(kind, 1)
