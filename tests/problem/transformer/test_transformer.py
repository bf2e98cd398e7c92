"""Transformers and their parallelism: parameters as published, rules by the text of their messages, files."""

import tomllib
from collections import Counter
from dataclasses import replace
from importlib import resources
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st
from problem.refusal import refusal

from p2smt.errors import ProblemError
from p2smt.problem.system.text import find_system
from p2smt.problem.transformer.check import check_transformer
from p2smt.problem.transformer.file import TransformerEntry, described
from p2smt.problem.transformer.model import Experts, Parallelism, Transformer, Zero
from p2smt.problem.transformer.parameters import embedding_weights, parameters, stage_weights
from p2smt.problem.transformer.traffic import axes_and_reductions
from p2smt.problem.typed import convert_checked


def transformer(**given):
    entry = {"sequence": 2048, "batch": 64} | given
    return described(convert_checked(entry, TransformerEntry, "FILE", ProblemError))


def llama(layers, hidden, ffn, heads, kv_heads, vocabulary, **more):
    sizes = {"layers": layers, "hidden": hidden, "ffn": ffn, "heads": heads, "kv_heads": kv_heads}
    return transformer(**sizes, vocabulary=vocabulary, **more)


def gpt(layers, hidden, heads, positions):
    sizes = {"layers": layers, "hidden": hidden, "ffn": 4 * hidden, "heads": heads, "positions": positions}
    return transformer(**sizes, vocabulary=50257, gated=False, biases=True, tied=True)


PUBLISHED = {
    # Numbers of elements of the released weights; GPT-3: Brown et al. 2020 give 175.0 billion in table 2.1, and
    # Narayanan et al. 2021 equation 2, 12 l h^2 (1 + 13 / (12 h) + (V + s) / (12 l h)), gives all but the last norm.
    "GPT-2": (gpt(12, 768, 12, 1024), 124_439_808),
    "GPT-3": (gpt(96, 12288, 96, 2048), 12 * 96 * 12288**2 + 13 * 96 * 12288 + (50257 + 2048) * 12288 + 2 * 12288),
    "Llama 2 7B": (llama(32, 4096, 11008, 32, 32, 32000), 6_738_415_616),
    "Llama 2 70B": (llama(80, 8192, 28672, 64, 8, 32000), 68_976_648_192),
    "Llama 3 8B": (llama(32, 4096, 14336, 32, 8, 128256), 8_030_261_248),
    "Llama 3 70B": (llama(80, 8192, 28672, 64, 8, 128256), 70_553_706_496),
    "Mixtral 8x7B": (
        llama(32, 4096, 14336, 32, 8, 32000, experts={"count": 8, "per_token": 2}),
        46_702_792_704,
    ),
    "Mixtral 8x22B": (
        llama(56, 6144, 16384, 48, 8, 32000, experts={"count": 8, "per_token": 2}),
        140_620_634_112,
    ),
    "DeepSeekMoE 16B": (
        llama(
            *(28, 2048, 10944, 16, 16, 102400),
            experts={"count": 64, "per_token": 6, "ffn": 1408, "shared": 2, "dense_first": 1},
        ),
        16_375_728_128,
    ),
}


@pytest.mark.parametrize(("model", "published"), PUBLISHED.values(), ids=PUBLISHED)
def test_models_have_as_many_parameters_as_published(model, published):
    assert parameters(model) == published


def test_gpt3_has_about_175_billion_parameters():
    assert parameters(PUBLISHED["GPT-3"][0]) == pytest.approx(174.6e9, rel=1e-4)


@given(st.integers(1, 4), st.integers(1, 4), st.integers(1, 4))
def test_every_layer_is_in_one_stage(pp, chunks, piece):
    layers, cut = pp * chunks * piece, Parallelism(pp=pp, chunks=chunks)
    for stage in range(pp):
        assert cut.layers_of(stage, layers) == tuple(i for i in range(layers) if i // piece % pp == stage)


@given(
    model=st.sampled_from([model for model, _ in PUBLISHED.values()]),
    stages=st.sampled_from([1, 2, 4]),
    tp=st.sampled_from([1, 2, 4]),
    ep=st.sampled_from([1, 2, 8]),
)
def test_the_parts_of_all_devices_are_the_whole_model(model, stages, tp, ep):
    cut = Parallelism(dp=ep, pp=stages, tp=tp, ep=ep if model.experts else 1)
    parts = [stage_weights(model, cut, stage) for stage in range(stages)]
    padding = embedding_weights(model, cut).total - model.vocabulary * model.hidden
    copies = 1 if model.tied and stages == 1 else 2
    more = padding * copies + (model.tied and stages > 1) * model.vocabulary * model.hidden
    assert sum(dense.total + experts.total * cut.ep for dense, experts in parts) == parameters(model) + more
    for weights in (weights for part in parts for weights in part):
        assert weights.on_device(tp) * tp == weights.total + (tp - 1) * weights.whole


DENSE = llama(8, 1024, 4096, 16, 8, 32000)
MIXTURE = replace(DENSE, experts=Experts(count=8, per_token=2, ffn=1024))


BROKEN = [
    (DENSE, {}, "dp, tp, cp, pp are all 1; one device has nothing to reduce, so make one of them larger"),
    (DENSE, {"dp": 0}, "dp 0 is out of range; give a whole number from 1 to 1000000000"),
    (
        DENSE,
        {"dp": 10**5000},
        "dp of more than 12 digits is out of range; give a whole number from 1 to 1000000000",
    ),
    (replace(DENSE, layers=5000), {"dp": 2}, "layers 5000 is out of range; a transformer has at most 4096"),
    (
        replace(DENSE, positions=-1),
        {"dp": 2},
        "positions -1 is out of range; give a whole number from 0 to 1000000000",
    ),
    (
        replace(DENSE, hidden=1028),
        {"tp": 8},
        "tp 8 does not divide hidden 1028; tensor parallelism cuts every matrix, so choose a divisor",
    ),
    (
        DENSE,
        {"tp": 32},
        "tp 32 does not divide heads 16; tensor parallelism cuts every matrix, so choose a divisor",
    ),
    (
        DENSE,
        {"tp": 16},
        "tp 16 does not divide kv_heads 8; tensor parallelism cuts every matrix, so choose a divisor",
    ),
    (
        replace(DENSE, kv_heads=6),
        {"dp": 2},
        "kv_heads 6 do not divide heads 16; every key is shared by the same number of queries, so choose a "
        "divisor of heads",
    ),
    (
        DENSE,
        {"dp": 2, "sequence_parallel": True},
        "sequence_parallel needs tensor parallelism, but tp is 1; leave it out",
    ),
    (
        replace(DENSE, micro_batch=4),
        {"dp": 12},
        "batch 64 is not a multiple of dp 12 x micro_batch 4 = 48 sequences; choose a multiple",
    ),
    (
        replace(DENSE, sequence=2052),
        {"cp": 4},
        "2 x cp 8 does not divide sequence 2052; every device takes equally many tokens, so choose a divisor",
    ),
    (
        replace(DENSE, sequence=2052),
        {"tp": 8, "sequence_parallel": True},
        "cp x tp 8 does not divide sequence 2052; every device takes equally many tokens, so choose a divisor",
    ),
    (
        replace(DENSE, sequence=2052),
        {"cp": 2, "tp": 4, "sequence_parallel": True},
        "cp x tp 8 does not divide sequence 2052; every device takes equally many tokens, so choose a divisor",
    ),
    (
        DENSE,
        {"pp": 4, "chunks": 4},
        (
            "layers 8 are fewer than pp 4 x chunks 4; every chunk of a stage needs a layer, so choose "
            "fewer stages or chunks"
        ),
    ),
    (DENSE, {"dp": 2, "chunks": 2}, "chunks 2 need several stages, but pp is 1; leave chunks out"),
    (DENSE, {"dp": 2, "ep": 2}, "ep 2 needs experts, but the transformer has none; set ep to 1"),
    (
        MIXTURE,
        {"dp": 2, "ep": 4},
        "ep 4 does not divide dp 2; experts are distributed over data-parallel devices, so choose a divisor",
    ),
    (
        MIXTURE,
        {"dp": 16, "ep": 16},
        "ep 16 does not divide experts.count 8; every device has equally many experts, so choose a divisor",
    ),
    (
        MIXTURE,
        {"tp": 2},
        ("experts with tp 2 need sequence parallelism, as in Megatron-LM; set sequence_parallel = true"),
    ),
    (
        replace(MIXTURE, experts=replace(MIXTURE.experts, per_token=9)),
        {"dp": 2},
        "experts.per_token 9 is more than experts.count 8; give at most experts.count",
    ),
    (
        replace(MIXTURE, experts=replace(MIXTURE.experts, dense_first=8)),
        {"dp": 2},
        (
            "experts.dense_first 8 and every 1 leave none of the 8 layers with experts; decrease them "
            "or leave experts out"
        ),
    ),
    (
        replace(MIXTURE, experts=replace(MIXTURE.experts, capacity=float("nan"))),
        {"dp": 2},
        "experts.capacity nan is out of range; give a number above 0 and at most 100",
    ),
    (
        replace(DENSE, gradients="float31"),
        {"dp": 2},
        "gradients 'float31' is not a data type; choose one of float16, bfloat16, float32, float64, int8, uint8, "
        "int32, int64, complex64",
    ),
]


def test_a_broken_rule_is_named():
    for model, cut, message in BROKEN:
        assert refusal(check_transformer, model, Parallelism(**cut)) == message


def entries(text):
    tables = tomllib.loads(text)
    return (
        described(convert_checked(tables["transformer"], TransformerEntry, "FILE", ProblemError)),
        convert_checked(tables["parallelism"], Parallelism, "FILE", ProblemError),
    )


SMALL = "[transformer]\nlayers=2\nhidden=8\nffn=16\nheads=4\nvocabulary=10\nsequence=8\nbatch=2\n"


def test_what_a_file_leaves_open_is_filled_in():
    model, cut = entries(SMALL + "[transformer.experts]\ncount=2\nper_token=1\n[parallelism]\nzero=3\n")
    assert (model.kv_heads, model.head_size, model.gated, model.micro_batch) == (4, 2, True, 1)
    assert model.experts == Experts(count=2, per_token=1, ffn=16)
    assert cut == Parallelism(zero=Zero.PARAMETERS)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("layer = 3\n[parallelism]", "FILE: unknown key 'layer'; did you mean layers? (known: layers, hidden, "),
        (
            "[transformer.experts]\ncount = 2\ntop_k = 1\n[parallelism]",
            "FILE: unknown key 'experts.top_k'; did you mean ",
        ),
        (
            "[transformer.experts]\ncount = 2\nper_token = 1\nffn = 0\n[parallelism]\ndp = 2",
            "experts.ffn 0 is out of range; give a whole number from 1 to ",
        ),
        ("kv_heads = 2.5\n[parallelism]", "FILE: kv_heads: expected int | null, got float; write it as a whole number"),
        ("[parallelism]\nzero = 4", "FILE: zero: invalid enum value 4"),
        ("[parallelism]\ndp = true", "FILE: dp: expected int, got bool; write it as a whole number"),
        ("[parallelism]", "dp, tp, cp, pp are all 1; "),
    ],
)
def test_a_mistake_in_a_file_is_named(text, message):
    with pytest.raises(ProblemError) as error:
        axes_and_reductions(*entries(SMALL + text))
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("heads=3", "heads 3 do not divide hidden 8; choose a divisor, or give head_size too"),
        ("heads=0", "heads 0 is out of range; give a whole number from 1 to 1000000000"),
        (
            f"heads={'9' * 4000}",
            "heads of more than 12 digits is out of range; give a whole number from 1 to 1000000000",
        ),
    ],
)
def test_heads_that_do_not_divide_hidden_are_refused(change, message):
    with pytest.raises(ProblemError) as error:
        axes_and_reductions(*entries(SMALL.replace("heads=4", change) + "[parallelism]\ndp=2"))
    assert str(error.value) == message


EXAMPLES = {
    name: resources.files("p2smt.problem").joinpath("examples", f"{name}.toml").read_text(encoding="utf-8")
    for name in ("dense-70b", "moe", "long-context")
}


@pytest.mark.parametrize("text", EXAMPLES.values(), ids=EXAMPLES)
def test_the_examples_are_jobs_for_512_devices(text):
    axes, reductions = axes_and_reductions(*entries(text))
    assert prod(axis.size for axis in axes) == find_system(tomllib.loads(text)["system"]).devices == 512
    assert reductions


def test_every_key_stands_in_the_examples():
    text = "\n".join(EXAMPLES.values())
    keys = {*TransformerEntry.__struct_fields__, *Parallelism.__dataclass_fields__, *Experts.__dataclass_fields__}
    assert {key for key in keys if f"{key} = " not in text and f"[transformer.{key}]" not in text} == set()


def test_the_long_context_moves_the_bytes_that_its_text_speaks_of():
    axes, reductions = axes_and_reductions(*entries(EXAMPLES["long-context"]))
    moved = Counter()
    for one in reductions:
        moved[tuple(axes[axis].name for axis in one.axes)] += one.payload.bytes * one.times
    assert (round(moved["cp",] / 1e9), round(moved["tp",] / 1e9)) == (825, 44)
    assert round(moved["cp",] * (15 - 7) / 64 / 1e9) == 103


def test_the_entries_have_the_keys_of_what_they_describe():
    assert {*TransformerEntry.__struct_fields__} == {*Transformer.__dataclass_fields__}
