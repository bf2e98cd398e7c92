"""The memory formula, against tensors listed one by one, and what is published of it."""

from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import ceil, prod

import pytest

from p2smt.problem.transformer.memory import USABLE, FrameworkFootprint, device_memory, fits, split_memory, stage_memory
from p2smt.problem.transformer.model import Experts, Latent, Parallelism, Transformer, Zero
from p2smt.problem.transformer.named import named_model
from p2smt.problem.transformer.parameters import parameters
from p2smt.problem.transformer.split import Recompute, Split, split_of

SMALL = {
    "layers": 8,
    "hidden": 64,
    "heads": 8,
    "kv_heads": 4,
    "head_size": 8,
    "vocabulary": 512,
    "sequence": 32,
    "batch": 32,
}
GATED = Transformer(**SMALL, ffn=96)
PLAIN = Transformer(**SMALL, ffn=256, gated=False, micro_batch=2)
MOE = Transformer(**SMALL, ffn=96, experts=Experts(count=8, per_token=2, ffn=32, shared=1, dense_first=2, every=2))


def tensors(transformer, split, layer):
    """What one layer keeps of one micro batch: the shapes of its tensors on one device."""
    tokens = transformer.micro_batch * transformer.sequence // split.cp
    part, inputs = split.tp, tokens // (split.tp if split.sequence_parallel else 1)
    width, keys = transformer.heads * transformer.head_size, transformer.kv_heads * transformer.head_size
    found = [(inputs, transformer.hidden)] * 2  # into the norm, into the projections
    found += [(tokens, width // part), (tokens, keys // part), (tokens, keys // part), (tokens, width // part)]
    found += [(inputs, transformer.hidden)] * 2
    inner = 3 if transformer.gated else 2
    experts = transformer.experts
    if experts is None or not transformer.has_experts(layer):
        return found + [(tokens, transformer.ffn // part)] * inner
    routed = tokens * experts.per_token
    # Tensor parallelism splits experts, too: a device holds a part of each, and gets the tokens of all tp devices.
    found += [(routed, transformer.hidden)] + [(routed, experts.ffn // part)] * inner
    return found + [(tokens, experts.ffn // part)] * inner * experts.shared


def in_flight(micro, split, stage):
    """The most pieces of layers whose forward pass is done and whose backward pass is not, on one stage.

    Forward passes that a stage does before its first backward pass (Megatron-LM's schedules), and one more.
    """
    if split.chunks == 1:
        return min(split.pp - stage - 1, micro) + (1 if micro > split.pp - stage - 1 else 0)
    warm = (split.pp - stage - 1) * 2 + (split.chunks - 1) * split.pp
    return min(warm + 1, micro * split.chunks)


def activations(transformer, split, stage):
    micro = transformer.batch // split.dp // transformer.micro_batch
    tokens = transformer.micro_batch * transformer.sequence // split.cp
    layers = split.layers_of(stage, transformer.layers)
    kept = sum(prod(shape) for layer in layers for shape in tensors(transformer, split, layer)) * 2
    size = kept * in_flight(micro, split, stage) / split.chunks
    if stage == split.pp - 1:
        inputs = tokens // (split.tp if split.sequence_parallel else 1)
        size += 2 * 2 * inputs * transformer.hidden
    return size


def chosen(transformer, split, recompute=Recompute.NONE):
    return split_of(split, transformer.micro_batch, recompute)


SPLITS = [
    Parallelism(dp=dp, tp=tp, cp=cp, pp=pp, chunks=chunks if pp > 1 else 1, sequence_parallel=tp > 1)
    for dp, tp, cp, pp, chunks in product((1, 4), (1, 2, 4), (1, 2), (1, 2, 4), (1, 2))
]


@pytest.mark.parametrize("transformer", [GATED, PLAIN, MOE], ids=["gated", "plain", "moe"])
def test_activations_are_those_of_the_tensors_listed_one_by_one(transformer):
    few = replace(transformer, batch=4 * transformer.micro_batch)  # fewer micro batches than stages, where dp is 4
    for given, split in product((transformer, few), SPLITS):
        stages = [stage_memory(given, chosen(given, split), stage) for stage in range(split.pp)]
        assert [memory.activations for memory in stages] == [
            round(activations(given, split, stage)) for stage in range(split.pp)
        ]
        tokens = given.micro_batch * given.sequence // split.cp
        logits = [0] * (split.pp - 1) + [12 * tokens * given.vocabulary // split.tp]
        assert [memory.logits for memory in stages] == logits
        assert device_memory(given, split) == max(stages, key=lambda memory: memory.total)


def test_a_layer_keeps_what_korthikanti_counts():
    """34 s b h bytes with 4 h inner elements and a dropout mask of one byte after each part; there are none here."""
    plain = Transformer(
        layers=1, hidden=64, ffn=256, heads=8, kv_heads=8, head_size=8, vocabulary=1, sequence=16, batch=1, gated=False
    )
    two = Transformer(
        layers=2, hidden=64, ffn=256, heads=8, kv_heads=8, head_size=8, vocabulary=1, sequence=16, batch=1, gated=False
    )
    more = device_memory(two, Parallelism()).activations - device_memory(plain, Parallelism()).activations
    assert more == (34 - 2) * 16 * 64


@pytest.mark.parametrize(("zero", "per_parameter", "spread"), [(Zero.NONE, 18, 0), (1, 6, 12), (2, 2, 16), (3, 0, 18)])
def test_states_take_the_bytes_that_zero_counts(zero, per_parameter, spread):
    model, copies = named_model("llama-8b", 64), 8
    memory = device_memory(model, Parallelism(dp=copies, zero=Zero(zero)))
    states = memory.parameters + memory.gradients + memory.optimiser
    assert states == pytest.approx(parameters(model) * (per_parameter + spread / copies), rel=1e-6)


def test_experts_are_spread_over_fewer_devices():
    """With ep 4 of dp 8 a device has 2 of 8 experts, of which two devices keep one optimiser state together."""
    memory = {ep: device_memory(MOE, Parallelism(dp=8, ep=ep, zero=Zero.OPTIMISER)) for ep in (1, 4, 8)}
    expert = 3 * 64 * 32
    layers = sum(map(MOE.has_experts, range(8)))
    assert memory[1].parameters - memory[4].parameters == 2 * layers * expert * (8 - 2)
    assert memory[1].optimiser == pytest.approx(memory[8].optimiser, abs=16)


def test_recomputation_keeps_inputs_alone():
    split = Parallelism(dp=2, tp=2, sequence_parallel=True)
    full, less = (device_memory(GATED, split, recompute=recompute) for recompute in (False, True))
    assert (less.parameters, less.optimiser) == (full.parameters, full.optimiser)
    layer, inputs, output = sum(map(prod, tensors(GATED, split, 0))), 32 * 64 // 2, 2 * 2 * 32 * 64 // 2
    assert full.activations == 2 * 8 * layer + output
    assert less.activations == 2 * (8 * inputs + layer) + output


def test_what_fits_leaves_room():
    memory = device_memory(GATED, Parallelism(dp=2))
    assert fits(memory, int(memory.total / USABLE) + 1)
    assert not fits(memory, memory.total)


def test_a_stage_that_recomputes_has_its_largest_layer_at_work_wherever_it_stands():
    """The first layers are dense, and the largest is among those with experts."""
    mixture = replace(MOE, experts=replace(MOE.experts, ffn=96))
    split, layers = Parallelism(pp=2), range(8)
    sizes = [2 * sum(map(prod, tensors(mixture, split, layer))) for layer in layers]
    assert sizes[0] < max(sizes[:4]) == sizes[2]
    micro, inputs = mixture.batch, 2 * mixture.sequence * mixture.hidden
    first = stage_memory(mixture, chosen(mixture, split, Recompute.FULL), 0)
    assert first.activations == 4 * inputs * in_flight(micro, split, 0) + sizes[2]


def test_shares_of_states_are_rounded_up():
    """Eight devices have the states of an odd number of parameters together: the largest share is counted."""
    odd = Transformer(**SMALL | {"hidden": 61}, ffn=96)
    count = parameters(odd)
    assert count % 2
    for zero, whole in ((Zero.NONE, 3), (Zero.OPTIMISER, 2), (Zero.GRADIENTS, 1), (Zero.PARAMETERS, 0)):
        memory = device_memory(odd, Parallelism(dp=8, zero=zero))
        sizes = [count * 12, count * 4, count * 2]
        expected = [size if place + whole > 2 else ceil(Fraction(size, 8)) for place, size in enumerate(sizes)]
        assert [memory.optimiser, memory.gradients, memory.parameters] == expected


def test_zero_3_gathers_two_layers_and_the_embeddings():
    model = named_model("llama-8b", 64)
    memory = device_memory(model, Parallelism(dp=8, zero=Zero.PARAMETERS))
    layer = 2 * 4096 * (32 + 8) * 128 + 3 * 4096 * 14336 + 2 * 4096
    assert memory.gathered == pytest.approx(2 * (2 * layer + 2 * 128256 * 4096), rel=1e-4)
    assert device_memory(model, Parallelism(dp=8, zero=Zero.GRADIENTS)).gathered == 0


def test_in_a_pipeline_zero_3_keeps_parameters_together():
    sharded, kept = (split_memory(GATED, Split(dp=4, zero=zero, pp=2)) for zero in (Zero.PARAMETERS, Zero.OPTIMISER))
    assert (sharded.parameters, sharded.gradients, sharded.gathered) == (kept.parameters, kept.gradients, 0)
    assert split_memory(GATED, Split(dp=4, zero=Zero.PARAMETERS)).gathered > 0


def test_products_in_eight_bits_keep_their_inputs_in_one_byte():
    """Behind each of two norms, and in front of the last product of the feed-forward part."""
    plain, small = (
        split_memory(GATED, Split(), FrameworkFootprint(eight_bits=eight)).activations for eight in (False, True)
    )
    assert plain - small == 32 * 32 * 8 * (2 * 64 + 96) // 32


def test_selective_recomputation_is_between_none_and_full():
    split = Split(dp=2)
    half = FrameworkFootprint(selective=0.5)
    none, some, full = (
        split_memory(GATED, replace(split, recompute=recompute), half).activations for recompute in Recompute
    )
    assert full < some < none
    assert split_memory(GATED, replace(split, recompute=Recompute.SELECTIVE)).activations == none


def test_megatron_keeps_no_outputs_of_norms_and_activation_functions_of_experts():
    """Of each layer with experts: one number per hidden element, and one per inner element of a routed token."""
    fine, split = FrameworkFootprint(fine=True), Split(dp=2)
    none, some = (
        split_memory(MOE, replace(split, recompute=recompute), fine)
        for recompute in (Recompute.NONE, Recompute.SELECTIVE)
    )
    dropped = (64 + 2 * 32) * 2 * 32  # bytes of a layer: hidden, 2 experts with 32 inner elements; 32 tokens
    assert none.activations - some.activations == (sum(map(MOE.has_experts, range(8))) - 1) * dropped  # one is at work
    dense = replace(MOE, experts=None)
    assert split_memory(dense, replace(split, recompute=Recompute.SELECTIVE), fine) == split_memory(dense, split, fine)


def test_latent_attention_keeps_latents_twice_and_what_is_projected_from_them():
    latent = Latent(queries=24, keys=16, key_size=8, rotary=4, value_size=6)
    small, large = (replace(GATED, latent=latent, layers=layers) for layers in (1, 2))
    kept = split_memory(large, Split(dp=32)).activations - split_memory(small, Split(dp=32)).activations
    projected = 8 * (2 * (8 + 4) + 2 * 6)  # heads: queries and keys, values and outputs
    assert kept == 2 * 32 * (4 * 64 + 2 * (24 + 16) + 4 + projected + 3 * 96)


def test_the_stage_that_takes_most_is_found_without_looking_at_all():
    """Uneven stages, dense layers first, few micro-batches: as the largest of all stages."""
    experts = replace(MOE.experts, dense_first=3, every=1)
    for layers, pp, chunks, batch in product((9, 14, 22), (1, 2, 3, 4), (1, 2), (2, 16)):
        if layers < pp * chunks:
            continue
        model = replace(MOE, layers=layers, batch=batch, experts=experts)
        split = Split(pp=pp, chunks=chunks if pp > 1 else 1)
        stages = [stage_memory(model, split, stage).total for stage in range(pp)]
        assert split_memory(model, split).total == max(stages)
