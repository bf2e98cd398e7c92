"""The time of a step: its parts, the schedule of a pipeline, and the orders of Narayanan et al. 2021."""

from dataclasses import fields, replace

import pytest

from p2smt.errors import ProblemError
from p2smt.job.step.cluster import cluster_of, usual_cluster
from p2smt.job.step.setting import Setting
from p2smt.job.step.step_time import StepTime, step_time
from p2smt.job.step.traits import FIRST_MEGATRON
from p2smt.problem.system.text import find_system
from p2smt.problem.transformer.model import Experts, Transformer, Zero
from p2smt.problem.transformer.named import named_model
from p2smt.problem.transformer.split import Precision, Recompute, Split


def setting(model="llama-8b", batch=256, devices=64, **parts):
    transformer = named_model(model, batch) if isinstance(model, str) else model
    return Setting(transformer=transformer, split=Split(**parts), cluster=usual_cluster("H100", devices))


def one_forward_one_backward(stages, micro, forward, backward):
    """Seconds of the 1F1B schedule, operation by operation: each waits for its stage and for its neighbour."""
    order = []
    for stage in range(stages):
        warm = min(stages - stage - 1, micro)
        steps = [("f", number) for number in range(warm)]
        for number in range(micro - warm):
            steps += [("f", warm + number), ("b", number)]
        order.append(steps + [("b", number) for number in range(micro - warm, micro)])
    done, free, at = {}, [0.0] * stages, [0] * stages
    while any(at[stage] < len(order[stage]) for stage in range(stages)):
        for stage in range(stages):
            if at[stage] == len(order[stage]):
                continue
            kind, number = order[stage][at[stage]]
            ahead = stage - 1 if kind == "f" else stage + 1
            needed = 0.0 if ahead in (-1, stages) else done.get((kind, number, ahead))
            if needed is None:
                continue
            free[stage] = max(free[stage], needed) + (forward if kind == "f" else backward)
            done[kind, number, stage] = free[stage]
            at[stage] += 1
    return max(free)


@pytest.mark.parametrize(("stages", "dp"), [(2, 4), (4, 2), (8, 8)])
def test_a_pipeline_waits_as_its_schedule_does(stages, dp):
    asked = setting("llama-70b", pp=stages, dp=dp, devices=stages * dp, batch=16 * dp)
    found = step_time(asked)
    micro = asked.micro_batches
    after = found.gradients + found.optimizer
    slot = (found.seconds - after) / (micro + stages - 1)
    assert one_forward_one_backward(stages, micro, slot / 3, 2 * slot / 3) == pytest.approx(found.seconds - after)
    assert found.bubble == pytest.approx((stages - 1) * slot)


def test_the_parts_add_up_and_a_factor_scales_them():
    found = step_time(setting(tp=2, pp=2, dp=16, sequence_parallel=True))
    parts = [getattr(found, one.name) for one in fields(StepTime) if one.name != "hidden"]
    assert found.seconds == pytest.approx(sum(parts))
    assert found.computing + found.communication + found.bubble + found.optimizer == pytest.approx(found.seconds)
    assert min(parts) >= 0
    twice = step_time(replace(setting(tp=2, pp=2, dp=16, sequence_parallel=True), factor=2.0))
    assert twice.seconds == pytest.approx(2 * found.seconds)


def test_interleaving_shortens_the_wait_and_recomputation_costs_a_forward_pass():
    plain = step_time(setting("llama-70b", pp=4, dp=16))
    chunks = step_time(setting("llama-70b", pp=4, dp=16, chunks=5))
    assert chunks.bubble < plain.bubble / 4
    again = step_time(setting("llama-70b", pp=4, dp=16, recompute=Recompute.FULL))
    assert 1.25 < again.linear / plain.linear < 1.34


def test_what_makes_a_step_shorter():
    base = setting(tp=8, dp=8, sequence_parallel=True)
    faster = replace(base, cluster=replace(base.cluster, link=2 * base.cluster.link))
    assert step_time(faster).tensor < step_time(base).tensor
    assert step_time(replace(base, precision=Precision.FP8)).linear < 0.7 * step_time(base).linear
    gathered = setting(dp=64, zero=Zero.PARAMETERS)
    slow = replace(gathered, cluster=replace(gathered.cluster, card=1e9))
    assert step_time(slow).gathers > 10 * step_time(gathered).gathers
    inside = setting(dp=64, zero=Zero.PARAMETERS, replicate=8)
    assert step_time(inside).gathers < step_time(slow).gathers


def test_tokens_go_once_to_each_domain_that_has_an_expert_of_theirs():
    """Between domains, against the count over all choices of 2 of 4 experts with repetition, one expert per domain."""
    experts = Experts(count=32, per_token=2, ffn=1024)
    asked = setting(replace(named_model("llama-8b", 256), experts=experts), devices=32, dp=32, ep=32)
    inside = replace(asked, constants=replace(asked.constants, expert_outside=0.0))
    beyond = step_time(asked).dispatch - step_time(inside).dispatch
    reached = [len({one, two} - {0}) for one in range(4) for two in range(4)]
    sent = 4 * asked.tokens * 4096 * 2 * sum(reached) / len(reached) / asked.card * asked.constants.expert_outside
    assert beyond == pytest.approx(asked.micro_batches * 32 * sent)


def test_experts_of_folded_meshes_lie_next_to_each_other():
    experts = Experts(count=8, per_token=2, ffn=14336)
    mixture = replace(named_model("llama-8b", 256), experts=experts)
    asked = setting(mixture, tp=8, dp=8, ep=8, sequence_parallel=True)
    slower = replace(asked, cluster=replace(asked.cluster, card=1e9))
    assert step_time(asked).dispatch == step_time(slower).dispatch


def test_experts_cost_what_a_token_goes_through():
    experts = Experts(count=8, per_token=2, ffn=14336)
    dense = named_model("llama-8b", 256)
    mixture = replace(dense, experts=experts)
    one, two = (step_time(setting(model, dp=64)) for model in (dense, mixture))
    assert one.experts == 0 < two.experts
    assert two.dispatch == 0
    far, near = (step_time(setting(mixture, dp=64, ep=ep)).dispatch for ep in (16, 8))
    assert far > near > 0


def narayanan(layers, hidden, heads, batch, **parts):
    model = Transformer(
        layers=layers, hidden=hidden, ffn=4 * hidden, heads=heads, kv_heads=heads, head_size=hidden // heads,
        vocabulary=51200, sequence=2048, batch=batch, gated=False,
    )  # fmt: skip
    cluster = usual_cluster("A100-80", 64)
    split = Split(**parts, recompute=Recompute.FULL, zero=Zero.NONE)
    return step_time(
        Setting(transformer=model, split=split, cluster=cluster, traits=FIRST_MEGATRON, precision=Precision.FP16)
    ).seconds


@pytest.mark.parametrize("batch", [32, 128, 512])
def test_throughput_falls_with_stages_and_with_tensor_parallelism(batch):
    """Figures 14 and 15, 5.9 B parameters on 64 devices: the published order, degree by degree."""
    for axis in ("pp", "tp"):
        steps = [narayanan(32, 3840, 32, batch, **{axis: size}, dp=64 // size) for size in (2, 4, 8, 16, 32)]
        assert steps == sorted(steps)


@pytest.mark.parametrize("batch", [32, 128])
def test_tensor_parallelism_stays_inside_the_node(batch):
    """Figure 13, 162 B parameters: 8 x 8 is the best, or within 2 % of it."""
    steps = {tp: narayanan(32, 20480, 128, batch, tp=tp, pp=64 // tp) for tp in (2, 4, 8, 16, 32)}
    assert steps[8] < 1.02 * min(steps.values())
    assert steps[16] > steps[8]
    assert steps[2] > steps[4]


def test_clusters_come_from_systems():
    cluster = cluster_of(find_system("dgx-h100:16x8"))
    assert (cluster.devices, cluster.domain, cluster.name) == (128, 8, "H100")
    assert (cluster.link, cluster.card) == pytest.approx((450e9, 50e9))
    assert cluster_of(find_system("gb200-nvl72:2x72")).domain == 72
    assert cluster_of(find_system("dgx-h100"), memory=1e9).memory == 1e9
    for system in ("mixed-29", "lab-unlike"):
        with pytest.raises(ProblemError, match="unlike"):
            cluster_of(find_system(system))
    with pytest.raises(ProblemError, match="did you mean H100"):
        usual_cluster("H10", 8)


def test_usual_clusters_are_those_of_the_presets():
    for name, preset in (("H100", "dgx-h100:2x8"), ("H200", "hgx-h200:2x8"), ("B200", "hgx-b200:2x8")):
        usual, given = usual_cluster(name, 16), cluster_of(find_system(preset))
        assert (usual.name, usual.half, usual.memory, usual.domain) == (given.name, given.half, given.memory, 8)
        assert (usual.link, usual.card) == pytest.approx((given.link, given.card), rel=0.02)
