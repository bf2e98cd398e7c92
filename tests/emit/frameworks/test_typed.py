"""What is typed reproduces the split, all of it; frameworks' own checks, restated from their sources."""

import json
import re
import tomllib
from dataclasses import replace
from itertools import product, takewhile

import pytest

from p2smt.emit.frameworks.megatron import flags, layout, swaps
from p2smt.emit.frameworks.nearest import changes, nearest
from p2smt.emit.frameworks.typed import dispatcher_of, refusal, typed
from p2smt.problem.transformer.model import Zero, chunk_layers
from p2smt.problem.transformer.named import named_model
from p2smt.problem.transformer.split import Dispatcher, Framework, Pipeline, Precision, Recompute, Split

DENSE = named_model("llama-70b", 512)
BIG = named_model("llama-405b", 512)
MIXTURE = named_model("qwen3-30b-a3b", 512, sequence=4096)
SPLIT = Split(tp=8, pp=4, dp=8, sequence_parallel=True)


def arguments(lines):
    """Flags and values of a command line, as argparse would take them."""
    words = re.findall(r"'[^']*'|\S+", " ".join(lines))
    found = {}
    for word, after in zip(words, [*words[1:], "--end"], strict=True):
        if word.startswith("--"):
            found[word[2:].replace("-", "_")] = True if after.startswith("--") else after.strip("'")
    if "recompute_modules" in found:  # nargs='*'
        at = words.index("--recompute-modules") + 1
        found["recompute_modules"] = list(takewhile(lambda word: not word.startswith("--"), words[at:]))
    return found


def megatron_accepts(given, world, layers, heads, experts):
    """The checks of Megatron-LM's `validate_args`, `initialize_model_parallel` and MoE layer, as they stand there."""
    size = {name: int(given.get(f"{name}_parallel_size", 1)) for name in ("tensor_model", "pipeline_model", "context")}
    tp, pp, cp = size["tensor_model"], size["pipeline_model"], size["context"]
    ep, etp = int(given.get("expert_model_parallel_size", 1)), int(given.get("expert_tensor_parallel_size", tp))
    assert world % (tp * pp * cp) == 0
    dp = world // (tp * pp * cp)
    assert int(given["global_batch_size"]) % (int(given["micro_batch_size"]) * dp) == 0
    assert heads % tp == 0
    assert cp == 1 or int(given["seq_length"]) % (2 * cp) == 0
    micro = int(given["global_batch_size"]) // (int(given["micro_batch_size"]) * dp)
    chunks = 1
    if "pipeline_model_parallel_layout" in given:
        stages = unrolled(given["pipeline_model_parallel_layout"]).split("|")
        assert len(stages) % pp == 0
        assert "".join(stages).count("t") == layers
        assert (stages[0][0], stages[-1][-1]) == ("E", "L")
        assert "num_layers_per_virtual_pipeline_stage" not in given
        chunks = len(stages) // pp
    else:
        assert layers % pp == 0
        if "num_layers_per_virtual_pipeline_stage" in given:
            each = int(given["num_layers_per_virtual_pipeline_stage"])
            assert (layers // pp) % each == 0
            chunks = layers // pp // each
    assert chunks == 1 or (pp > 1 and micro % pp == 0)
    if given.get("overlap_param_gather"):
        assert given.get("use_distributed_optimizer")
        assert given.get("overlap_grad_reduce")
    if given.get("use_megatron_fsdp"):
        assert given["ckpt_format"] == "fsdp_dtensor"
    config_accepts(given, ep * etp)
    if given.get("recompute_granularity") == "full":
        assert "recompute_method" in given
        assert "recompute_num_layers" in given
    if ep > 1:
        assert experts
        assert experts % ep == 0
    assert not experts or tp == 1 or given.get("sequence_parallel")
    assert world % (ep * etp * pp) == 0
    copies = world // (ep * etp * pp)
    assert not given.get("use_tp_pp_dp_mapping") or pp == 1 or copies == dp
    return chunks


def config_accepts(given, expert_devices):
    """The checks of `TransformerConfig` and of the token dispatchers."""
    if given.get("recompute_granularity") == "selective":
        assert "recompute_method" not in given
        modules = {"core_attn", "moe_act", "layernorm", "mla_up_proj", "mlp", "moe", "shared_experts"}
        assert set(given["recompute_modules"]) <= modules
        assert "moe_act" not in given["recompute_modules"] or given.get("moe_grouped_gemm")
        if {"moe_act", "layernorm"} & set(given["recompute_modules"]):
            assert given.get("fp8_recipe", "delayed" if "fp8_format" in given else "none") != "delayed"
    if given.get("moe_token_dispatcher_type") == "flex":
        assert given["moe_flex_dispatcher_backend"] in ("deepep", "hybridep")
        assert given["moe_router_dtype"] == "fp32"
        assert expert_devices > 1
    assert not given.get("tp_comm_overlap") or given.get("sequence_parallel")


def unrolled(text):
    """A layout string with its multiplications written out, as Megatron-LM's parser does it."""
    for pattern in (r"\(([^)]+)\)\*(\d+)", r"(.)\*(\d+)"):
        text = re.sub(pattern, lambda found: found.group(1) * int(found.group(2)), text)
    return text


def test_megatron_takes_what_is_typed():
    """Every split that is not refused passes the checks, and gives back the split."""
    taken = 0
    for model, tp, pp, cp, ep, chunks, zero, size in product(
        (DENSE, BIG, MIXTURE), (1, 4), (1, 4, 8), (1, 2), (1, 4), (1, 2), Zero, (1, 4)
    ):
        split = Split(
            tp=tp,
            pp=pp,
            cp=cp,
            dp=8,
            ep=ep,
            chunks=chunks,
            zero=zero,
            micro_batch=size,
            sequence_parallel=tp > 1,
            recompute=list(Recompute)[(tp + pp + size) % 3],
        )
        if refusal(Framework.MEGATRON, model, split) is not None:
            continue
        sent = dispatcher_of(Framework.MEGATRON, list(Dispatcher)[(tp + ep + size) % 3], split)
        precision = (Precision.BF16, Precision.FP8)[size > 1]
        given = arguments(flags(model, split, precision, dispatcher=sent, swapped=ep == 4))
        experts = model.experts.count if model.experts else 0
        assert megatron_accepts(given, split.devices, model.layers, model.heads, experts) == chunks
        assert ("use_distributed_optimizer" in given) == (zero >= Zero.OPTIMISER)
        # Megatron asserts a distributed optimizer; without the flag, copies in 8 bits would lie beside the weights.
        assert ("fp8_param_gather" in given) == (zero >= Zero.OPTIMISER and precision is Precision.FP8)
        assert ("sequence_parallel" in given) == (tp > 1)
        assert ("use_tp_pp_dp_mapping" in given) == (ep == 4 and swaps(model, split))
        taken += 1
    assert taken > 100


def test_layouts_have_the_layers_of_the_stages():
    for layers, pieces in product((61, 94, 126), (2, 4, 8, 16)):
        model = replace(BIG, layers=layers)
        text = layout(model, Split(pp=pieces))
        if layers % pieces == 0:
            assert text is None
            continue
        stages = unrolled(text).split("|")
        assert tuple(stage.count("t") for stage in stages) == chunk_layers(layers, pieces)


def test_mapping_with_data_outermost_only_where_both_meshes_have_as_many_replicas():
    assert swaps(DENSE, Split(tp=2, pp=2, dp=4))
    assert not swaps(DENSE, Split(tp=2, pp=2, dp=4, cp=2))
    assert not swaps(MIXTURE, Split(tp=2, pp=2, dp=4, ep=4))
    assert swaps(MIXTURE, Split(tp=2, pp=2, dp=4, ep=2))  # 8 devices of a stage hold 4 copies, as dp
    assert swaps(MIXTURE, Split(tp=2, dp=4, ep=4))


def test_torchtitan_has_expert_parallelism_and_its_tables_are_toml():
    split = Split(
        tp=2,
        dp=32,
        ep=8,
        zero=Zero.PARAMETERS,
        replicate=4,
        micro_batch=2,
        sequence_parallel=True,
        recompute=Recompute.FULL,
    )
    tables = tomllib.loads("\n".join(typed(Framework.TORCHTITAN, MIXTURE, split, Precision.FP8)))
    degrees = tables["parallelism"]
    assert degrees["expert_parallel_degree"] == 8
    assert (degrees["data_parallel_replicate_degree"], degrees["data_parallel_shard_degree"]) == (4, 8)
    product_of = degrees["data_parallel_replicate_degree"] * degrees["data_parallel_shard_degree"]
    assert product_of * degrees["tensor_parallel_degree"] * degrees["context_parallel_degree"] == split.devices
    assert tables["training"] == {"local_batch_size": 2, "global_batch_size": 512, "seq_len": 4096}
    assert tables["activation_checkpoint"]["mode"] == "full"
    assert refusal(Framework.TORCHTITAN, DENSE, SPLIT).startswith("ZeRO 1 is not a mode of TorchTitan")


def test_torchtitan_counts_all_micro_batches_of_a_pipeline_as_its_local_batch():
    split = Split(tp=8, pp=4, dp=8, zero=Zero.PARAMETERS, micro_batch=2, sequence_parallel=True)
    tables = tomllib.loads("\n".join(typed(Framework.TORCHTITAN, DENSE, split, Precision.BF16)))
    assert tables["training"]["local_batch_size"] == 64
    assert tables["parallelism"]["pipeline_parallel_microbatch_size"] == 2
    assert tables["parallelism"]["pipeline_parallel_schedule"] == "1F1B"


@pytest.mark.parametrize("zero", [Zero.GRADIENTS, Zero.PARAMETERS])
def test_deepspeeds_pipeline_excludes_zero_2_and_3(zero):
    split = replace(SPLIT, zero=zero)
    assert "incompatible with pipeline parallelism" in refusal(Framework.DEEPSPEED, DENSE, split)
    assert refusal(Framework.DEEPSPEED, DENSE, replace(split, pp=1, dp=32)) is None


def test_deepspeeds_configuration_is_json_whose_sizes_agree():
    lines = typed(Framework.DEEPSPEED, DENSE, SPLIT, Precision.BF16)
    assert lines[-1] == 'ProcessTopology(axes=["pipe", "data", "model"], dims=[4, 8, 8])'
    document = json.loads("\n".join(lines[:-1]))
    steps = document["gradient_accumulation_steps"]
    assert document["train_batch_size"] == document["train_micro_batch_size_per_gpu"] * steps * SPLIT.dp
    assert (document["zero_optimization"]["stage"], document["pipeline"]) == (1, {"stages": 4})


def test_torch_shards_over_the_mesh():
    split = Split(tp=8, dp=32, zero=Zero.PARAMETERS, replicate=4, sequence_parallel=True)
    lines = typed(Framework.TORCH, DENSE, split, Precision.BF16)
    assert lines[0] == 'mesh = init_device_mesh("cuda", (4, 8, 8), mesh_dim_names=("dp_replicate", "dp_shard", "tp"))'
    assert 'mesh["dp_replicate", "dp_shard"], reshard_after_forward=True' in lines[-1]
    assert "torch.distributed.pipelining" in refusal(Framework.TORCH, DENSE, replace(split, pp=2, dp=16))


def test_nemo_has_the_fields_of_megatron():
    lines = typed(Framework.NEMO, BIG, replace(SPLIT, pp=8, dp=4), Precision.FP8)
    assert "cfg.model.tensor_model_parallel_size = 8" in lines
    assert 'cfg.model.pipeline_model_parallel_layout = "Et*15|(t*16|)*6t*15L"' in lines
    assert lines[-1] == 'cfg.mixed_precision = "bf16_with_fp8_current_scaling_mixed"'


def test_tokens_are_sent_by_what_the_framework_has():
    split = Split(dp=16, ep=8, zero=Zero.PARAMETERS, recompute=Recompute.SELECTIVE)
    sent = {
        (framework, wanted): dispatcher_of(framework, wanted, split) for framework in Framework for wanted in Dispatcher
    }
    able = (Framework.MEGATRON, Framework.NEMO)
    assert {one for one, used in sent.items() if used is one[1]} == {
        *product(able, Dispatcher),
        *product(Framework, [Dispatcher.ALLTOALL]),
        (Framework.TORCHTITAN, Dispatcher.DEEPEP),
    }
    assert dispatcher_of(Framework.MEGATRON, Dispatcher.DEEPEP, replace(split, ep=1)) is Dispatcher.ALLTOALL
    lines = typed(Framework.NEMO, MIXTURE, split, Precision.BF16, dispatcher=Dispatcher.DEEPEP)
    assert 'cfg.model.moe_flex_dispatcher_backend = "deepep"' in lines
    assert 'cfg.model.recompute_modules = ["layernorm", "moe_act"]' in lines
    lines = typed(Framework.TORCHTITAN, MIXTURE, split, Precision.BF16, dispatcher=Dispatcher.DEEPEP)
    assert 'expert_parallel_comm_backend = "deepep"' in lines
    folded = replace(split, etp=2, tp=2, dp=8, sequence_parallel=True)  # TorchTitan has DeepEP for whole experts alone
    assert not any("deepep" in line for line in typed(Framework.TORCHTITAN, MIXTURE, folded, Precision.BF16))


def test_the_nearest_job_that_a_framework_runs():
    interleaved = replace(SPLIT, chunks=5)
    found = nearest(Framework.DEEPSPEED, DENSE, interleaved)
    assert changes(interleaved, found) == ("chunks 1",)
    for framework in Framework:
        found = nearest(framework, DENSE, interleaved)
        assert found.devices == interleaved.devices
        assert refusal(framework, DENSE, found) is None
    assert changes(SPLIT, nearest(Framework.TORCHTITAN, DENSE, SPLIT)) == ("ZeRO 3",)


def test_schedules_of_stages_are_typed_where_a_framework_has_them():
    sharded = replace(SPLIT, zero=Zero.PARAMETERS)
    kinds = {
        Pipeline.GPIPE: (1, "GPipe"),
        Pipeline.ZERO_BUBBLE: (2, "InterleavedZeroBubble"),
        Pipeline.ONE_FORWARD_ONE_BACKWARD: (2, "Interleaved1F1B"),
    }
    for pipeline, (chunks, name) in kinds.items():
        split = replace(sharded, pipeline=pipeline, chunks=chunks)
        assert refusal(Framework.TORCHTITAN, DENSE, split) is None
        table = tomllib.loads("\n".join(typed(Framework.TORCHTITAN, DENSE, split, Precision.BF16)))
        assert table["parallelism"]["pipeline_parallel_schedule"] == name
    alone = replace(SPLIT, pipeline=Pipeline.ZERO_BUBBLE)
    assert refusal(Framework.TORCHTITAN, DENSE, replace(alone, zero=Zero.PARAMETERS)).endswith("several chunks a stage")
    for framework in (Framework.MEGATRON, Framework.NEMO, Framework.DEEPSPEED):
        assert "zero-bubble" in refusal(framework, DENSE, alone)
        assert changes(alone, nearest(framework, DENSE, alone)) == ("pipeline 1f1b",)
