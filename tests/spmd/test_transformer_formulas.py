"""What formulas say of a transformer's traffic is what its captured step sends when it is cut so.

`data/blocks.tp` is `data/blocks.py` as `p2smt capture` writes it: a linear layer and two blocks, whose attention has a
matrix each for queries, keys and values.
"""

from pathlib import Path

import pytest
from spmd.joint_problems import cluster

from p2smt.collective import Collective
from p2smt.job.sharded import sharded_workload
from p2smt.problem.system.text import find_system
from p2smt.problem.transformer.model import Parallelism, Transformer, Zero
from p2smt.problem.transformer.traffic import axes_and_reductions
from p2smt.spmd.account.recognition import recognised
from p2smt.spmd.devices.shares import even
from p2smt.spmd.emission.emission import emit
from p2smt.spmd.engines.elimination import eliminate
from p2smt.spmd.model.build import build
from p2smt.spmd.model.classes import classes_of
from p2smt.spmd.model.graph import graph_of
from p2smt.spmd.model.options import OptionCache
from p2smt.spmd.model.pricing import on_one_axis
from p2smt.spmd.model.restriction import PerAxis
from p2smt.spmd.search.baselines import TensorParallel
from p2smt.spmd.search.sharding import shard
from p2smt.tensor.printer import print_program
from p2smt.tensor.text.parser import parse_program

DATA = Path(__file__).parent / "data"
BLOCKS = parse_program((DATA / "blocks.tp").read_text(encoding="utf-8"))
LAYERS = 2
HIDDEN, BATCH, LENGTH, BYTES = 8, 8, 16, 4
PARAMETERS = 8 * 8 + LAYERS * (4 * 8 * 8 + 2 * 8 * 32 + 4 * 8)


def described(**parallelism):
    """The formulas' reductions of two blocks of this size, in one micro batch."""
    transformer = Transformer(
        layers=LAYERS,
        hidden=HIDDEN,
        ffn=4 * HIDDEN,
        heads=4,
        kv_heads=4,
        head_size=2,
        vocabulary=8,
        sequence=LENGTH,
        batch=BATCH,
        micro_batch=BATCH // parallelism.get("dp", 1),
        gated=False,
        activations="float32",
        gradients="float32",
    )
    return axes_and_reductions(transformer, Parallelism(**parallelism))[1]


@pytest.fixture(scope="module")
def baselines():
    """The ways of the trade on two devices, whose links cost so little that nothing is computed twice."""
    return dict(shard(BLOCKS, cluster((10**6,) * 2, 1), (even(2),)).baselines)


def sent(program):
    """What is sent but for the loss."""
    job = sharded_workload(program, find_system("1x2"))
    return [each for each in job.reductions if each.payload.bytes > BYTES]


@pytest.mark.thorough  # capture is compared with PyTorch model by model
@pytest.mark.slow
def test_the_blocks_are_what_is_captured():
    from p2smt.frontend.torch_graph.capture import capture_function  # loads torch

    assert print_program(capture_function(DATA / "blocks.py", "step")) == print_program(BLOCKS)


def test_megatrons_blocks_send_four_activations_each():
    """The formula has 4 L + 2 all-reduces of one micro batch of b s h elements, two of them around the blocks: of an
    embedding that is cut by vocabulary, and of the output; here activations between the blocks are whole. The last one
    of the backward pass is not needed: gradients of what is before the first block are summed in its place, which are
    smaller: of the linear layer, and of the first norm's weight and bias."""
    graph = graph_of(BLOCKS)
    classes = classes_of(graph)
    weights = [f"m.{block}.{name}.weight" for block in (1, 2) for name in ("query", "first")]
    features = {classes.class_of[graph.named[weight], 0] for weight in weights}
    whole = frozenset(classes.class_of.values()) - features
    pricing = on_one_axis(graph, classes, cluster((10**6,) * 2, 1), even(2))
    sharding = build(OptionCache(pricing), PerAxis((TensorParallel(classes, whole),)))
    program = emit(sharding, eliminate(sharding.problem).answer.assignment)
    (megatron,) = [each for each in recognised(program) if each.name == "Megatron's tensor parallelism"]
    assert megatron.detail.startswith("m.1.query.weight, m.1.key.weight, m.1.value.weight by columns, m.1.out.weight")
    (formula,) = [each for each in described(tp=2) if each.goal is Collective.ALL_REDUCE]
    assert formula.payload.bytes == BATCH * LENGTH * HIDDEN * BYTES
    assert formula.times == 4 * LAYERS + 2
    assert {(each.goal, each.payload.bytes): each.times for each in sent(program)} == {
        (Collective.ALL_REDUCE, formula.payload.bytes): formula.times - 2 - 1,
        (Collective.ALL_REDUCE, HIDDEN * HIDDEN * BYTES): 1,
        (Collective.ALL_REDUCE, HIDDEN * BYTES): 2,
    }


def test_data_parallel_blocks_send_their_gradients_once(baselines):
    """All parameters; the formula has embeddings besides (vocabulary and output, untied) and a last norm instead of the
    linear layer, and its norms are without bias, as its blocks have no biases at all."""
    gradients = sent(baselines["data parallel, even"].program)
    assert {each.goal for each in gradients} == {Collective.ALL_REDUCE}
    total = sum(each.payload.bytes * each.times for each in gradients)
    assert total == PARAMETERS * BYTES
    (formula,) = described(dp=2)
    ends, norms = 2 * 8 * HIDDEN + HIDDEN, LAYERS * 2 * HIDDEN
    assert formula.payload.bytes * formula.times == (PARAMETERS - (8 * 8) - norms + ends) * BYTES


def test_sliced_parameters_are_gathered_and_their_gradients_scattered(baselines):
    """Per step and device the formula (ZeRO-3) has two gathers of all parameters; here one, as they are kept until they
    are read last, and one scattering of all gradients."""
    reductions = sent(baselines["data parallel, all sliced (ZeRO-3), even"].program)
    sums = {
        goal: sum(each.payload.bytes * each.times for each in reductions if each.goal is goal)
        for goal in (Collective.ALL_GATHER, Collective.REDUCE_SCATTER)
    }
    assert sums == {Collective.ALL_GATHER: PARAMETERS * BYTES, Collective.REDUCE_SCATTER: PARAMETERS * BYTES}
    formula = {each.goal: each.payload.bytes * each.times for each in described(dp=2, zero=Zero.PARAMETERS)}
    assert formula[Collective.ALL_GATHER] == 2 * formula[Collective.REDUCE_SCATTER]
