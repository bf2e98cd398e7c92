"""The bytes of a training step against the figures of the papers, and against counts by hand."""

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from p2smt.collective import Collective, Exchange, NeighbourSend
from p2smt.errors import ProblemError
from p2smt.problem.transformer.model import Experts, Parallelism, Transformer, Zero
from p2smt.problem.transformer.parameters import embedding_weights, parameters
from p2smt.problem.transformer.traffic import axes_and_reductions

GPT3 = Transformer(
    layers=96,
    hidden=12288,
    ffn=49152,
    heads=96,
    kv_heads=96,
    head_size=128,
    vocabulary=51200,
    positions=2048,
    gated=False,
    biases=True,
    tied=True,
    sequence=2048,
    batch=1536,
    activations="float16",
    gradients="float16",
)
LLAMA_70B = Transformer(
    layers=80, hidden=8192, ffn=28672, heads=64, kv_heads=8, head_size=128, vocabulary=128256, sequence=8192, batch=64
)
LLAMA_405B = replace(LLAMA_70B, layers=126, hidden=16384, ffn=53248, heads=128, sequence=131072)
MIXTRAL = Transformer(
    layers=32,
    hidden=4096,
    ffn=14336,
    heads=32,
    kv_heads=8,
    head_size=128,
    vocabulary=32000,
    sequence=4096,
    batch=64,
    experts=Experts(count=8, per_token=2, ffn=14336),
)
SENT = {Collective.ALL_REDUCE: 2, Collective.REDUCE_SCATTER: 1, Collective.ALL_GATHER: 1, Exchange.ALL_TO_ALL: 1}
"""What a device sends of its whole tensor, times n / (n - 1), in a ring of n or to each of them."""


def reductions_over(names, model, cut):
    axes, reductions = axes_and_reductions(model, cut)
    chosen = [one for one in reductions if tuple(axes[axis].name for axis in one.axes) == names]
    added = [one for one in chosen if not isinstance(one.goal, NeighbourSend)]
    return {(one.goal, one.payload.dtype, one.payload.elements): one.times for one in added}


def sent(names, model, cut):
    """Elements that a device sends per step in the reductions over some axes, times n / (n - 1)."""
    found = reductions_over(names, model, cut).items()
    return sum(SENT[wanted] * elements * times for (wanted, _, elements), times in found)


def test_a_layer_sends_8bsh_with_tensor_parallelism():
    """Narayanan et al. 2021, section 3.2: 8 b s h (t - 1) / t per layer, device and micro batch."""
    cut = Parallelism(tp=8, dp=8, pp=1)
    per_layer = sent(("tp",), GPT3, cut) - sent(("tp",), replace(GPT3, layers=95), cut)
    assert per_layer == 8 * 2048 * 12288 * (1536 // 8)


def test_sequence_parallelism_sends_as_much_and_gathers_two_inputs_again():
    """Korthikanti et al. 2022, section 4.2.2: reduce-scatter + all-gather = all-reduce; two all-gathers more."""
    whole = Parallelism(tp=8, dp=8)
    cut, micro, activation = replace(whole, sequence_parallel=True), 1536 // 8, 2048 * 12288
    found = reductions_over(("tp",), GPT3, cut)
    assert found == {
        (Collective.ALL_GATHER, "float16", activation): micro * (6 * 96 + 3),
        (Collective.REDUCE_SCATTER, "float16", activation): micro * (4 * 96 + 2),
    }
    assert sent(("tp",), GPT3, cut) == sent(("tp",), GPT3, whole) + micro * (2 * 96 + 1) * activation


@pytest.mark.parametrize(
    ("zero", "volume"), [(Zero.NONE, 2), (Zero.OPTIMISER, 2), (Zero.GRADIENTS, 2), (Zero.PARAMETERS, 3)]
)
def test_zero_sends_two_or_three_times_the_parameters(zero, volume):
    """Rajbhandari et al. 2020, section 7: 2 psi per step for stages 0 to 2, 3 psi for stage 3."""
    model = replace(GPT3, batch=64)
    assert sent(("dp",), model, Parallelism(dp=64, zero=zero)) == pytest.approx(volume * parameters(model), rel=1e-8)


@pytest.mark.parametrize(
    ("zero", "volume"), [(Zero.NONE, 2), (Zero.OPTIMISER, 2), (Zero.GRADIENTS, 25), (Zero.PARAMETERS, 72)]
)
def test_stages_2_and_3_reduce_after_each_of_24_micro_batches(zero, volume):
    found = sent(("dp",), GPT3, Parallelism(dp=64, zero=zero))
    assert found == pytest.approx(volume * parameters(GPT3), rel=1e-8)


def test_gradients_are_those_of_the_largest_stage_in_their_own_type():
    layer = 2 * 8192 * (8192 + 1024) + 3 * 8192 * 28672
    largest = (20 * layer + 128256 * 8192) // 8 + 20 * 2 * 8192 + 8192
    cut = Parallelism(tp=8, pp=4, dp=4, cp=2, sequence_parallel=True, zero=Zero.OPTIMISER)
    assert reductions_over(("dp", "cp"), LLAMA_70B, cut) == {
        (Collective.REDUCE_SCATTER, "float32", largest): 1,
        (Collective.ALL_GATHER, "bfloat16", largest): 1,
    }


def test_keys_and_values_are_a_sixteenth_of_the_queries_in_llama_405b():
    """Dubey et al. 2024, section 3.3.2 and table 4: tp 8, cp 16, 131072 tokens, 8 keys for 128 queries."""
    cut = Parallelism(tp=8, cp=16, dp=8, pp=1, sequence_parallel=True)
    queries = 131072 * 128 * 128 // 8
    assert reductions_over(("cp",), LLAMA_405B, cut) == {
        (Collective.ALL_GATHER, "bfloat16", 2 * queries // 16): 2 * 126 * 8,
        (Collective.REDUCE_SCATTER, "bfloat16", 2 * queries // 16): 126 * 8,
    }


def test_tokens_of_mixtral_go_to_their_experts_and_back():
    """Lepikhin et al. 2020: two all-to-alls forward, two backward; 2 x 4096 tokens of 4096 elements are 64 MiB."""
    cut = Parallelism(dp=16, ep=8)
    _, reductions = axes_and_reductions(MIXTRAL, cut)
    (exchange,) = (one for one in reductions if one.goal is Exchange.ALL_TO_ALL)
    assert (exchange.payload.bytes, exchange.times) == (64 << 20, 4 * 32 * 4)
    expert, attention = 3 * 4096 * 14336, 2 * 4096 * (4096 + 1024)
    dense = 32 * (attention + 2 * 4096 + 8 * 4096) + 2 * 32000 * 4096 + 4096
    assert reductions_over(("dp",), MIXTRAL, cut) == {(Collective.ALL_REDUCE, "float32", 32 * expert): 1}
    assert reductions_over(("dp", "ep"), MIXTRAL, cut) == {(Collective.ALL_REDUCE, "float32", dense): 1}


def test_of_the_smallest_capacity_some_token_is_sent():
    """A thousandth of two experts for each of 4096 tokens is eight; a millionth of that is none, but one is sent."""
    for capacity, tokens in ((1e-3, 8), (1e-9, 1), (1 / 8192, 1), (2.6 / 8192, 3)):
        model = replace(MIXTRAL, experts=replace(MIXTRAL.experts, capacity=capacity))
        _, reductions = axes_and_reductions(model, Parallelism(dp=16, ep=8))
        (exchange,) = (one for one in reductions if one.goal is Exchange.ALL_TO_ALL)
        assert exchange.payload.elements == tokens * 4096


def test_the_vocabulary_is_filled_up_to_a_multiple_of_tensor_parallel_devices():
    model = replace(LLAMA_70B, vocabulary=50257)
    for tp, rows in ((1, 50257), (2, 50258), (4, 50260), (8, 50264)):
        embedding = embedding_weights(model, Parallelism(dp=2, tp=tp))
        assert (embedding.split, embedding.whole) == (rows * 8192, 0)
        assert embedding.on_device(tp) * tp == rows * 8192


def test_experts_on_all_data_parallel_devices_are_reduced_over_parts_of_the_sequence_alone():
    axes, reductions = axes_and_reductions(MIXTRAL, Parallelism(dp=8, ep=8, cp=2))
    assert [(axis.name, axis.size) for axis in axes] == [("ep", 8), ("cp", 2)]
    gradients = {one.name: one.axes for one in reductions if one.overlap == "gradients"}
    assert gradients == {"gradients": (0, 1), "gradients of experts": (1,)}


def test_an_expert_takes_its_capacity():
    model = replace(MIXTRAL, experts=replace(MIXTRAL.experts, capacity=1.25))
    cut = Parallelism(dp=8, ep=8, tp=2, sequence_parallel=True)
    assert reductions_over(("ep",), model, cut)[Exchange.ALL_TO_ALL, "bfloat16", 5120 * 4096] == 4 * 32 * 8
    scattered = (Collective.REDUCE_SCATTER, "bfloat16", 2 * 5120 * 4096)
    assert reductions_over(("tp",), model, cut)[scattered] == 2 * 32 * 8


def test_every_reduction_is_that_of_the_stage_where_it_is_largest():
    """Two dense layers, of four blocks and the embedding, then two with experts, two blocks and the output."""
    model = replace(MIXTRAL, layers=4, experts=replace(MIXTRAL.experts, dense_first=2))
    cut, micro, activation = Parallelism(pp=2, dp=8, ep=8, tp=2, sequence_parallel=True), 64 // 8, 4096 * 4096
    assert reductions_over(("tp",), model, cut) == {
        (Collective.ALL_GATHER, "bfloat16", activation): micro * (3 * 4 + 1),
        (Collective.REDUCE_SCATTER, "bfloat16", activation): micro * (2 * 4 + 1),
        (Collective.ALL_GATHER, "bfloat16", 2 * activation): micro * 2 * 2,
        (Collective.REDUCE_SCATTER, "bfloat16", 2 * activation): micro * 2 * 2,
    }
    assert reductions_over(("ep",), model, cut)[Exchange.ALL_TO_ALL, "bfloat16", activation] == micro * 4 * 2


def sent_to_neighbours(model, cut):
    """The bytes that a device sends to its neighbour stages in one step."""
    _, reductions = axes_and_reductions(model, cut)
    sends = (one for one in reductions if isinstance(one.goal, NeighbourSend))
    return {one.goal: one.payload.bytes * one.times for one in sends}


@pytest.mark.parametrize(("pp", "chunks", "sends"), [(8, 1, 2), (8, 3, 6), (2, 1, 1), (2, 3, 5), (1, 1, 0)])
def test_a_stage_sends_activations_to_its_neighbours(pp, chunks, sends):
    """Narayanan et al. 2021, section 3.2: b s h per micro batch and direction; section 2.2.2: chunks times more."""
    cut = Parallelism(pp=pp, chunks=chunks, dp=8, tp=8)
    micro, activation = 1536 // 8, 2048 * 12288 * 2
    goal = NeighbourSend.NEXT if chunks == 1 else NeighbourSend.AROUND
    wanted = {goal: sends * micro * activation} if sends else {}
    assert sent_to_neighbours(GPT3, cut) == wanted
    cut_along_the_sequence = replace(cut, sequence_parallel=True)
    assert sent_to_neighbours(GPT3, cut_along_the_sequence) == {goal: of // 8 for goal, of in wanted.items()}


def messages(pp, chunks):
    """What every stage sends, chunk by chunk."""
    counts, pieces = [0] * pp, pp * chunks
    for piece in range(pieces):
        counts[piece % pp] += (piece < pieces - 1) + (piece > 0)
    return counts


@given(st.integers(2, 6), st.integers(1, 4))
def test_the_busiest_stage_is_counted(pp, chunks):
    model = replace(GPT3, layers=pp * chunks, batch=1)
    one = 2048 * 12288 * 2
    (found,) = sent_to_neighbours(model, Parallelism(pp=pp, chunks=chunks)).values()
    assert found == max(messages(pp, chunks)) * one


def test_a_tied_embedding_is_reduced_between_two_stages():
    found = reductions_over(("pp",), GPT3, Parallelism(pp=2, tp=8, dp=2))
    assert found == {(Collective.ALL_REDUCE, "float16", 51200 // 8 * 12288): 1}
    assert not reductions_over(("pp",), GPT3, Parallelism(pp=4, tp=8, dp=2))
    assert not reductions_over(("pp",), replace(GPT3, tied=False), Parallelism(pp=2, tp=8, dp=2))


def test_stages_alone_send():
    axes, (only,) = axes_and_reductions(GPT3, Parallelism(pp=8))
    assert (len(axes), only.goal, only.times) == (1, NeighbourSend.NEXT, 2 * 1536)
    with pytest.raises(
        ProblemError, match="dp, tp, cp, pp are all 1; one device has nothing to reduce, so make one of"
    ):
        axes_and_reductions(GPT3, Parallelism())


cuts = st.builds(
    Parallelism,
    dp=st.sampled_from([1, 2, 4, 8]),
    tp=st.sampled_from([1, 2, 4]),
    cp=st.sampled_from([1, 2, 4]),
    pp=st.sampled_from([1, 2, 4, 8]),
    ep=st.sampled_from([1, 2, 4, 8]),
    chunks=st.sampled_from([1, 2]),
    sequence_parallel=st.booleans(),
    zero=st.sampled_from(Zero),
)


@pytest.mark.parametrize("pp", [1, 2])
@pytest.mark.parametrize("model", [LLAMA_70B, LLAMA_405B], ids=["70B", "405B"])
def test_pieces_of_stage_3_have_every_parameter(model, pp):
    """As many pieces as a stage has layers; the last is filled up where they do not divide the parameters."""

    def elements(zero):
        _, reductions = axes_and_reductions(replace(model, vocabulary=51_201), Parallelism(dp=4, pp=pp, zero=zero))
        (gathered,) = (one for one in reductions if one.name == "parameters")
        return gathered.payload.elements

    whole, pieces = elements(Zero.OPTIMISER), model.layers // pp
    assert whole % pieces
    assert whole <= elements(Zero.PARAMETERS) * pieces < whole + pieces


@given(st.sampled_from([LLAMA_70B, MIXTRAL]), cuts)
def test_whatever_is_accepted_makes_sense(model, cut):
    try:
        axes, reductions = axes_and_reductions(model, cut)
    except ProblemError:
        assume(False)
    names = [axis.name for axis in axes]
    assert names == [name for name in ("pp", "dp", "ep", "cp", "tp") if name in names]
    assert [axis.size for axis in axes] == [cut.axes[name] for name in names]
    for one in reductions:
        assert list(one.axes) == sorted(set(one.axes))
        assert {*one.axes} <= {*range(len(axes))}
        assert one.payload.bytes > 0 < one.times
    twice, again = axes_and_reductions(replace(model, batch=2 * model.batch), cut)
    assert twice == axes
    for one, other in zip(reductions, again, strict=True):
        per_micro_batch = not one.overlap or (one.overlap == "gradients" and cut.zero >= Zero.GRADIENTS)
        per_micro_batch |= one.overlap == "parameters" and cut.zero is Zero.PARAMETERS
        assert other == replace(one, times=one.times * (2 if per_micro_batch else 1))
