"""Models from files: as many parameters as those of the same name."""

import json

import pytest
from frontend.models.published_configs import PUBLISHED_CONFIGS

from p2smt.errors import ProblemError
from p2smt.frontend.models.reading import read_model
from p2smt.problem.transformer.model import Biases
from p2smt.problem.transformer.named import named_model, named_models
from p2smt.problem.transformer.parameters import parameters

LLAMA = {
    "model_type": "llama",
    "hidden_size": 4096,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "intermediate_size": 14336,
    "vocab_size": 128256,
}
CONFIGS = {
    "llama-8b": LLAMA,
    "mixtral-8x7b": {
        **LLAMA,
        "model_type": "mixtral",
        "vocab_size": 32000,
        "num_local_experts": 8,
        "num_experts_per_tok": 2,
    },
    "qwen3-30b-a3b": {
        "model_type": "qwen3_moe",
        "hidden_size": 2048,
        "num_hidden_layers": 48,
        "num_attention_heads": 32,
        "num_key_value_heads": 4,
        "head_dim": 128,
        "intermediate_size": 6144,
        "vocab_size": 151936,
        "num_experts": 128,
        "num_experts_per_tok": 8,
        "moe_intermediate_size": 768,
        "decoder_sparse_step": 1,
        "sliding_window": None,
        "use_sliding_window": False,
    },
    "deepseek-v3": {
        "model_type": "deepseek_v3",
        "hidden_size": 7168,
        "num_hidden_layers": 61,
        "num_attention_heads": 128,
        "num_key_value_heads": 128,
        "intermediate_size": 18432,
        "vocab_size": 129280,
        "n_routed_experts": 256,
        "num_experts_per_tok": 8,
        "n_shared_experts": 1,
        "moe_intermediate_size": 2048,
        "first_k_dense_replace": 3,
        "moe_layer_freq": 1,
        "q_lora_rank": 1536,
        "kv_lora_rank": 512,
        "qk_nope_head_dim": 128,
        "qk_rope_head_dim": 64,
        "v_head_dim": 128,
        "topk_method": "noaux_tc",
    },
    "gpt-oss-20b": {
        "model_type": "gpt_oss",
        "hidden_size": 2880,
        "num_hidden_layers": 24,
        "num_attention_heads": 64,
        "num_key_value_heads": 8,
        "head_dim": 64,
        "intermediate_size": 2880,
        "vocab_size": 201088,
        "num_local_experts": 32,
        "num_experts_per_tok": 4,
        "attention_bias": True,
        "sliding_window": 128,
        "layer_types": ["sliding_attention", "full_attention"] * 12,
    },
    "gemma3-1b": {
        "model_type": "gemma3_text",
        "hidden_size": 1152,
        "num_hidden_layers": 26,
        "num_attention_heads": 4,
        "num_key_value_heads": 1,
        "head_dim": 256,
        "intermediate_size": 6912,
        "vocab_size": 262144,
        "sliding_window": 512,
        "sliding_window_pattern": 6,
    },
    "gpt2": {
        "model_type": "gpt2",
        "n_embd": 768,
        "n_layer": 12,
        "n_head": 12,
        "vocab_size": 50257,
        "n_positions": 1024,
    },
}


def test_a_config_has_the_parameters_of_its_model(tmp_path):
    for name, config in CONFIGS.items():
        path = tmp_path / "config.json"
        path.write_text(json.dumps(config), encoding="utf-8")
        found, known = read_model(str(path), 64, 4096), named_model(name, 64, 4096)
        assert parameters(found) == parameters(known) == named_models()[name].parameters, name
        assert (found.window, found.full_every) == (known.window, known.full_every), name


FALCON = {"model_type": "falcon", "hidden_size": 4544, "num_hidden_layers": 32, "num_attention_heads": 71}
PUBLISHED = {
    # What their classes default to, and what means something else than in Llama's. Falcon's norms have biases.
    6_921_720_704: FALCON | {"multi_query": True, "parallel_attn": True, "vocab_size": 65024},
    6_658_473_984: LLAMA
    | {"model_type": "opt", "intermediate_size": None, "ffn_dim": 16384, "vocab_size": 50272}
    | {"num_key_value_heads": None, "max_position_embeddings": 2048},
    3_821_079_552: LLAMA
    | {"model_type": "phi3", "hidden_size": 3072, "num_key_value_heads": 32, "vocab_size": 32064}
    | {"intermediate_size": 8192},
    176_247_271_424: {"model_type": "bloom", "n_embed": 14336, "n_layer": 70, "n_head": 112, "vocab_size": 250880},
    107_769_861_120: {
        "model_type": "llama4",
        "text_config": LLAMA
        | {"model_type": "llama4_text", "hidden_size": 5120, "num_hidden_layers": 48, "num_attention_heads": 40}
        | {"intermediate_size": 8192, "intermediate_size_mlp": 16384, "head_dim": 128, "vocab_size": 202048}
        | {"num_local_experts": 16, "num_experts_per_tok": 1, "interleave_moe_layer_step": 1},
    },
    27_009_346_304: {
        "model_type": "gemma3",
        "text_config": {"model_type": "gemma3_text", "hidden_size": 5376, "intermediate_size": 21504, "head_dim": 128}
        | {"num_hidden_layers": 62, "num_attention_heads": 32, "num_key_value_heads": 16, "sliding_window": 1024},
    },
    304_326_632: {"model_type": "vit", "hidden_size": 1024, "intermediate_size": 4096, "num_hidden_layers": 24}
    | {"num_attention_heads": 16, "image_size": 224, "patch_size": 16},
    675_129_632: {"attention_head_dim": 72, "num_attention_heads": 16, "num_layers": 28, "num_embeds_ada_norm": 1000}
    | {"patch_size": 2, "sample_size": 32, "in_channels": 4, "out_channels": 8},
}


def test_configs_of_other_kinds_have_the_parameters_that_were_published(tmp_path):
    path = tmp_path / "config.json"
    for count, config in (PUBLISHED | PUBLISHED_CONFIGS).items():
        path.write_text(json.dumps(config), encoding="utf-8")
        assert parameters(read_model(str(path), 64)) == count, config


def test_queries_that_are_projected_at_once_have_the_sizes_of_the_hidden_vector(tmp_path):
    """DeepSeek-V2-Lite was taken for a model without latent attention."""
    path = tmp_path / "config.json"
    path.write_text(json.dumps(PUBLISHED_CONFIGS[15_706_484_224]), encoding="utf-8")
    found = read_model(str(path), 64)
    assert found.latent is not None
    assert (found.latent.queries, found.latent.query_inputs(found.hidden), found.head_size) == (0, 2048, 128)


def test_windows_of_all_layers_and_of_some(tmp_path):
    path = tmp_path / "config.json"
    for more, windows in (
        ({"model_type": "mistral", "sliding_window": 4096}, (4096, 0)),
        ({"model_type": "mistral", "sliding_window": None}, (0, 1)),
        ({"model_type": "gemma2", "sliding_window": 4096}, (4096, 2)),
        ({"model_type": "olmo3", "sliding_window": 9, "layer_types": ["sliding_attention"] * 2}, (9, 0)),
    ):
        path.write_text(json.dumps(LLAMA | more), encoding="utf-8")
        found = read_model(str(path), 64)
        assert (found.window, found.full_every) == windows, more


def test_a_config_inside_another_and_what_it_leaves_open(tmp_path):
    path = tmp_path / "config.json"
    path.write_text(
        json.dumps({"model_type": "llava", "text_config": {**LLAMA, "model_type": "qwen2"}}), encoding="utf-8"
    )
    found = read_model(str(path), 64)
    assert (found.hidden, found.sequence, found.attention_biases) == (4096, 2048, Biases.QKV)


def test_a_table_of_a_job_file(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(
        "[transformer]\nlayers = 32\nhidden = 4096\nffn = 14336\nheads = 32\nkv_heads = 8\nvocabulary = 128256\n"
        "sequence = 2048\n",
        encoding="utf-8",
    )
    found = read_model(str(path), 64)
    assert (parameters(found), found.batch, found.sequence) == (8030261248, 64, 2048)
    assert read_model(str(path), 64, 4096).sequence == 4096


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.json", "{", "is not JSON"),
        ("a.json", "[]", "has to be an object"),
        ("a.json", '{"hidden_size": 64}', "has no num_attention_heads"),
        ("a.json", '{"model_type": "bert", "hidden_size": 64}', "bert is an encoder; steps are predicted for decoders"),
        ("a.json", '{"model_type": "new", "is_encoder_decoder": true}', "new is an encoder with a decoder"),
        ("a.json", '{"model_type": "mamba2"}', "is a state-space model"),
        ("a.json", '{"text_config": {"model_type": "mllama_text_model"}}', "with cross-attention to images"),
        ("a.json", '{"model_type": "arctic"}', "a dense part beside its experts"),
        ("a.json", '{"model_type": "gemma3n_text"}', "whose layers have sizes of their own"),
        (
            "a.json",
            json.dumps(LLAMA | {"intermediate_size": [1, 2]}),
            "intermediate_size is a list, one size per layer",
        ),
        ("a.json", json.dumps(LLAMA | {"experts_count": 8}), "has experts_count, but none of num_local_experts"),
        ("a.json", '{"layer_types": ["linear_attention"]}', "the model is a model with layers of type linear"),
        ("a.json", '{"model_type": "vit"}', "has no hidden_size"),
        ("a.toml", "[", "is not TOML"),
        ("a.toml", "[other]", r"has no \[transformer\] table"),
        ("a.toml", "[transformer]\nlayer = 1", "layer"),
    ],
)
def test_files_that_are_no_models(tmp_path, name, text, said):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ProblemError, match=said):
        read_model(str(path), 64)
