"""Language models of transformers: causal, mixtures of experts, encoders, encoder-decoders, state spaces."""

from collections.abc import Callable, Iterator
from functools import partial

import torch
import transformers

from zoo_models.training import WORDS, Step, tokens, with_labels

_SMALL = {
    "vocab_size": WORDS,
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "max_position_embeddings": 64,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
}
_GROUPED = {**_SMALL, "num_key_value_heads": 2}
_GPT2 = {
    "vocab_size": WORDS,
    "n_embd": 32,
    "n_layer": 2,
    "n_head": 4,
    "n_positions": 64,
    "bos_token_id": 1,
    "eos_token_id": 2,
}

CAUSAL = {
    "gpt2": ("GPT2", _GPT2),
    "gpt_neo": (
        "GPTNeo",
        {**_SMALL, "num_layers": 2, "num_heads": 4, "attention_types": [[["global", "local"], 1]], "window_size": 8},
    ),
    "gpt_neox": ("GPTNeoX", _SMALL),
    "gptj": ("GPTJ", {**_GPT2, "rotary_dim": 4}),
    "opt": ("OPT", {**_SMALL, "ffn_dim": 64, "word_embed_proj_dim": 32}),
    "llama": ("Llama", _GROUPED),
    "mistral": ("Mistral", {**_GROUPED, "sliding_window": 8}),
    "qwen2": ("Qwen2", _GROUPED),
    "qwen3": ("Qwen3", {**_GROUPED, "head_dim": 8}),
    "gemma": ("Gemma", {**_GROUPED, "head_dim": 8}),
    "gemma2": ("Gemma2", {**_GROUPED, "head_dim": 8, "sliding_window": 8}),
    "gemma3": ("Gemma3", {**_GROUPED, "head_dim": 8, "sliding_window": 8}),
    "phi": ("Phi", _GROUPED),
    "phi3": ("Phi3", _GROUPED),
    "falcon": ("Falcon", _SMALL),
    "stablelm": ("StableLm", _GROUPED),
    "olmo": ("Olmo", _GROUPED),
    "olmo2": ("Olmo2", _GROUPED),
    "cohere": ("Cohere", _GROUPED),
    "granite": ("Granite", _GROUPED),
    "starcoder2": ("Starcoder2", _GROUPED),
    "bloom": ("Bloom", {"vocab_size": WORDS, "hidden_size": 32, "n_layer": 2, "n_head": 4}),
    "smollm3": ("SmolLM3", _GROUPED),
    "glm": ("Glm", {**_GROUPED, "head_dim": 8}),
}
_EXPERTS = {**_GROUPED, "num_local_experts": 4, "num_experts": 4, "num_experts_per_tok": 2, "head_dim": 8}
EXPERTS = {
    "mixtral": ("Mixtral", _EXPERTS),
    "qwen2_moe": ("Qwen2Moe", {**_EXPERTS, "moe_intermediate_size": 32, "shared_expert_intermediate_size": 32}),
    "qwen3_moe": ("Qwen3Moe", {**_EXPERTS, "moe_intermediate_size": 32}),
    "olmoe": ("Olmoe", _EXPERTS),
    "gpt_oss": ("GptOss", _EXPERTS),
    "phimoe": ("Phimoe", _EXPERTS),
    "granitemoe": ("GraniteMoe", _EXPERTS),
    "deepseek_v2": (
        "DeepseekV2",
        {
            **_SMALL,
            "n_routed_experts": 4,
            "num_experts_per_tok": 2,
            "moe_intermediate_size": 32,
            "n_shared_experts": 1,
            "kv_lora_rank": 16,
            "q_lora_rank": 16,
            "qk_rope_head_dim": 8,
            "qk_nope_head_dim": 8,
            "v_head_dim": 8,
            "first_k_dense_replace": 1,
            "n_group": 1,
            "topk_group": 1,
        },
    ),
    "deepseek_v3": (
        "DeepseekV3",
        {
            **_SMALL,
            "n_routed_experts": 4,
            "num_experts_per_tok": 2,
            "moe_intermediate_size": 32,
            "n_shared_experts": 1,
            "kv_lora_rank": 16,
            "q_lora_rank": 16,
            "qk_rope_head_dim": 8,
            "qk_nope_head_dim": 8,
            "v_head_dim": 8,
            "first_k_dense_replace": 1,
            "n_group": 1,
            "topk_group": 1,
        },
    ),
}
STATES = {
    "mamba": ("Mamba", {"vocab_size": WORDS, "hidden_size": 16, "num_hidden_layers": 2, "state_size": 4}),
    "mamba2": (
        "Mamba2",
        {
            "vocab_size": WORDS,
            "hidden_size": 16,
            "num_hidden_layers": 1,
            "state_size": 4,
            "head_dim": 8,
            "num_heads": 4,
            "n_groups": 1,
            "chunk_size": 4,
        },
    ),
}
MASKED = {
    "bert": ("Bert", _SMALL),
    "roberta": ("Roberta", {**_SMALL, "pad_token_id": 1}),
    "electra": ("Electra", {**_SMALL, "embedding_size": 32}),
    "albert": ("Albert", {**_SMALL, "embedding_size": 16}),
    "modernbert": ("ModernBert", {**_SMALL, "cls_token_id": 1, "sep_token_id": 2}),
    "distilbert": ("DistilBert", {"vocab_size": WORDS, "dim": 32, "hidden_dim": 64, "n_layers": 2, "n_heads": 4}),
    "deberta_v2": (
        "DebertaV2",
        {
            **_SMALL,
            "relative_attention": True,
            "position_buckets": 8,
            "pos_att_type": ["p2c", "c2p"],
            "max_relative_positions": -1,
            "norm_rel_ebd": "layer_norm",
            "share_att_key": True,
        },
    ),
    "mpnet": ("MPNet", _SMALL),
    "xlm_roberta": ("XLMRoberta", {**_SMALL, "pad_token_id": 1}),
}
_PAIR = {
    "vocab_size": WORDS,
    "d_model": 32,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 64,
    "decoder_ffn_dim": 64,
    "max_position_embeddings": 64,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "decoder_start_token_id": 1,
}
_T5 = {
    "vocab_size": WORDS,
    "d_model": 32,
    "d_kv": 8,
    "d_ff": 64,
    "num_layers": 2,
    "num_heads": 4,
    "decoder_start_token_id": 0,
    "pad_token_id": 0,
}
PAIRS = {
    "t5": ("T5", _T5),
    "bart": ("Bart", _PAIR),
    "mt5": ("MT5", _T5),
    "pegasus": ("Pegasus", _PAIR),
    "mbart": ("MBart", _PAIR),
    "marian": ("Marian", _PAIR),
}


def _given(words: torch.Tensor) -> dict[str, torch.Tensor]:
    return {"input_ids": words, "attention_mask": torch.ones_like(words), "labels": words.clone()}


def _config(name: str, settings: dict[str, object]) -> object:
    return getattr(transformers, f"{name}Config")(**settings)


def _causal(name: str, settings: dict[str, object]) -> Step:
    suffix = "LMHeadModel" if name == "GPT2" else "ForCausalLM"
    kind = getattr(transformers, f"{name}{suffix}")
    config = getattr(transformers, "Gemma3TextConfig" if name == "Gemma3" else f"{name}Config")(**settings)
    return with_labels(kind(config), _given(tokens()))


def _masked(name: str, settings: dict[str, object]) -> Step:
    model = getattr(transformers, f"{name}ForMaskedLM")(_config(name, settings))
    return with_labels(model, _given(tokens()))


def _pair(name: str, settings: dict[str, object]) -> Step:
    kind = f"{name}MTModel" if name == "Marian" else f"{name}ForConditionalGeneration"
    model = getattr(transformers, kind)(_config(name, settings))
    return with_labels(model, _given(tokens()))


_FAMILIES = (
    ("causal", CAUSAL, _causal),
    ("experts", EXPERTS, _causal),
    ("state space", STATES, _causal),
    ("encoder", MASKED, _masked),
    ("encoder-decoder", PAIRS, _pair),
)


def models() -> Iterator[tuple[str, str, Callable[[], Step]]]:
    """Family, name and step of each."""
    for family, table, make in _FAMILIES:
        for name, given in table.items():
            yield family, name, partial(make, *given)
