"""Sizes of a transformer from Hugging Face's `config.json`."""

import json

from p2smt.errors import ProblemError
from p2smt.frontend.models import kinds, vectors, vision
from p2smt.frontend.models.config import Config, listed, optional_size, size
from p2smt.problem.transformer.file import ExpertsEntry, TransformerEntry, described
from p2smt.problem.transformer.model import Latent, Transformer
from p2smt.problem.typed import why_malformed


def parse_config(text: str, place: str, batch: int, sequence: int | None, micro_batch: int = 1) -> Transformer:
    """Return the transformer of a config, trained on `batch` sequences of `sequence` tokens.

    If `sequence` is None, the config's own maximum is used, up to 8192. Raises ProblemError for text that is not
    a config of a decoder.
    """
    try:
        config = json.loads(text)
    except (ValueError, RecursionError) as mistake:
        why = why_malformed(mistake)
        raise ProblemError(f"{place} is not JSON: {why}; give the model's config.json as it was published") from mistake
    if not isinstance(config, dict):
        raise ProblemError(f"{place} is not a config.json; it has to be an object with hidden_size and the like")
    # Multimodal configurations nest the language model's settings.
    if isinstance(config.get("text_config"), dict):
        config = {**config, **config["text_config"]}
    if image := vision.image_entry(config, place, batch, micro_batch):
        return described(image)
    kind = kinds.kind_of(config)
    kinds.check_decoder(config, kind, place)
    config = kinds.with_defaults(config, kind)
    own = optional_size(config, "max_position_embeddings", "n_positions", "max_seq_len") or 2048
    latent, window = _latent(config), _window(config, kind)
    _check_lists(config, place)
    sizes = _sizes(config, kind, place, latent)
    entry = TransformerEntry(
        layers=size(config, place, "num_hidden_layers", "n_layer", "n_layers"),
        hidden=sizes.hidden,
        ffn=sizes.ffn,
        heads=sizes.heads,
        kv_heads=sizes.kv_heads,
        head_size=sizes.head,
        vocabulary=sizes.vocabulary,
        # Training sequences are rarely as long as the 128k positions that models support.
        sequence=min(own, 8192) if sequence is None else sequence,
        batch=batch,
        micro_batch=micro_batch,
        gated=kinds.is_gated(kind),
        biases=kinds.has_biases(kind),
        tied=bool(config.get("tie_word_embeddings", kinds.ties_embeddings(kind))),
        positions=own + kinds.UNUSED_POSITIONS.get(kind, 0) if kinds.learns_positions(kind) else 0,
        attention_biases=kinds.attention_biases(kind, config),
        qk_norm=kinds.norms_queries(kind, config),
        sinks=kind == "gpt_oss",
        layer_vectors=vectors.layer_vectors(kind, config, sizes),
        end_vectors=vectors.end_vectors(kind, config, sizes),
        norms=sizes.norms,
        window=window,
        full_every=_full_every(config, kind) if window else 1,
        experts=_experts(config, kind, sizes.ffn, place),
        latent=latent,
    )
    return described(entry)


def _sizes(config: Config, kind: str, place: str, latent: Latent | None) -> vectors.Sizes:
    hidden, heads = (
        size(config, place, "hidden_size", "n_embd", "n_embed", "d_model"),
        size(config, place, "num_attention_heads", "n_head", "n_heads"),
    )
    if heads > hidden:
        raise ProblemError(
            f"{place}: {heads} attention heads have less than one element each of hidden size {hidden}; give as many "
            "heads as the model has"
        )
    # n_inner is null in GPT-2's configuration, which stands for 4 * hidden.
    ffn = optional_size(config, "intermediate_size", "n_inner", "ffn_dim") or 4 * hidden
    return vectors.Sizes(
        hidden=hidden,
        ffn=ffn,
        heads=heads,
        kv_heads=optional_size(config, "num_key_value_heads", "num_kv_heads", "kv_n_heads") or heads,
        head=(latent.key_size if latent else None) or optional_size(config, "head_dim") or hidden // heads,
        vocabulary=size(config, place, "vocab_size"),
        norms=kinds.norms_per_layer(kind, config),
    )


def _check_lists(config: Config, place: str) -> None:
    key = listed(config, "hidden_size", "intermediate_size", "num_attention_heads", "num_key_value_heads", *_COUNTS)
    if key is not None:
        raise ProblemError(
            f"{place}: {key} is a list, one size per layer; steps are predicted for layers of one size, so give one "
            "that comes close"
        )


def _window(config: Config, kind: str) -> int:
    # Tokens of a chunk attend to half of it in the mean, as many as with a window of half its size.
    chunk = (optional_size(config, "attention_chunk_size") or 0) // 2
    return (optional_size(config, "sliding_window") or chunk) if kinds.is_windowed(kind, config) else 0


def _full_every(config: Config, kind: str) -> int:
    layers = config.get("layer_types")
    if isinstance(layers, list) and layers:
        full = layers.count("full_attention")
        return max(1, round(len(layers) / full)) if full else 0
    return optional_size(config, "sliding_window_pattern") or kinds.usual_full_every(kind)


_PERIODS = ("moe_layer_freq", "moe_layer_interval", "decoder_sparse_step", "interleave_moe_layer_step")
_CHOSEN = ("num_experts_per_tok", "experts_per_token", "moe_topk", "moe_top_k", "moe_k")
_COUNTS = ("num_local_experts", "n_routed_experts", "num_experts", "moe_num_experts")


def _experts(config: Config, kind: str, ffn: int, place: str) -> ExpertsEntry | None:
    count = optional_size(config, *_COUNTS)
    if count is None or count == 1:
        unread = next((key for key in config if "expert" in key and (optional_size(config, key) or 0) > 1), None)
        if count is None and unread is not None:
            raise ProblemError(
                f"{place} has {unread[:40]}, but none of {', '.join(_COUNTS)}; say how many experts there are by one "
                "of these keys"
            )
        return None
    inner = optional_size(config, "moe_intermediate_size") or ffn
    shared = optional_size(config, "n_shared_experts", "moe_num_shared_experts") or 0
    if not shared and (size := optional_size(config, "shared_expert_intermediate_size")):
        shared = max(1, size // inner)
    return ExpertsEntry(
        count=count,
        per_token=optional_size(config, *_CHOSEN) or 1,
        ffn=inner,
        shared=shared,
        dense_first=optional_size(config, "first_k_dense_replace", "moe_layer_start_index") or 0,
        every=optional_size(config, *_PERIODS) or 1,
        biases=kind == "gpt_oss",
        router_biases=kinds.has_router_biases(kind, config),
    )


def _latent(config: Config) -> Latent | None:
    keys = optional_size(config, "kv_lora_rank")
    if keys is None:
        return None
    return Latent(
        queries=optional_size(config, "q_lora_rank") or 0,  # null: queries are projected at once
        keys=keys,
        key_size=optional_size(config, "qk_nope_head_dim") or 128,
        rotary=optional_size(config, "qk_rope_head_dim") or 64,
        value_size=optional_size(config, "v_head_dim") or 128,
    )
