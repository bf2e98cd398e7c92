"""The time of a step: its parts, the schedule of a pipeline, and the orders of Narayanan et al. 2021."""

from dataclasses import fields, replace
from itertools import product
from types import SimpleNamespace

import pytest

from p2smt.errors import ProblemError
from p2smt.job.step.cluster import cluster_of, usual_cluster
from p2smt.job.step.communication import ring_latency
from p2smt.job.step.setting import Setting
from p2smt.job.step.step_time import StepTime, step_time
from p2smt.job.step.traits import FIRST_MEGATRON, TRAITS, Traits
from p2smt.problem.system.text import find_system
from p2smt.problem.transformer.memory import stage_memory
from p2smt.problem.transformer.model import Experts, Transformer, Zero
from p2smt.problem.transformer.named import named_model
from p2smt.problem.transformer.split import Dispatcher, Framework, Pipeline, Precision, Recompute, Split


def setting(model="llama-8b", batch=256, devices=64, **parts):
    transformer = named_model(model, batch) if isinstance(model, str) else model
    return Setting(transformer=transformer, split=Split(**parts), cluster=usual_cluster("H100", devices))


def one_forward_one_backward(stages, micro):
    """What each stage does, and with which micro-batch: forward, then backward with all gradients."""
    for stage in range(stages):
        warm = min(stages - stage - 1, micro)
        steps = [("f", number) for number in range(warm)]
        for number in range(micro - warm):
            steps += [("f", warm + number), ("b", number)]
        yield steps + [("b", number) for number in range(micro - warm, micro)]


def zero_bubble(stages, micro):
    """ZB-H1 (Qi et al. 2024): `b` is the gradient of inputs; stage i puts off those of weights, `w`, by i of them."""
    for stage in range(stages):
        ahead = min(stages - stage, micro)
        steps = [("f", number) for number in range(ahead)]
        for number in range(micro):
            steps.append(("b", number))
            steps += [("w", number - stage)] if number >= stage else []
            steps += [("f", ahead + number)] if ahead + number < micro else []
        yield steps + [("w", number) for number in range(max(0, micro - stage), micro)]


def makespan(orders, seconds):
    """The end of a schedule, operation by operation: each waits for its stage and for its neighbour."""
    order, done = list(orders), {}
    stages = len(order)
    free, at = [0.0] * stages, [0] * stages
    while any(at[stage] < len(order[stage]) for stage in range(stages)):
        for stage in range(stages):
            if at[stage] == len(order[stage]):
                continue
            kind, number = order[stage][at[stage]]
            before = {"f": stage - 1, "b": stage + 1, "w": -1}[kind]
            needed = 0.0 if before in (-1, stages) else done.get((kind, number, before))
            if needed is None:
                continue
            free[stage] = max(free[stage], needed) + seconds[kind]
            done[kind, number, stage] = free[stage]
            at[stage] += 1
    return max(free)


def most_kept(steps):
    """The largest number of micro-batches whose activations a stage keeps at a time."""
    last = "w" if ("w", 0) in steps else "b"
    kept = [0]
    for kind, _ in steps:
        kept.append(kept[-1] + (kind == "f") - (kind == last))
    return max(kept)


@pytest.mark.parametrize(("stages", "dp"), [(2, 4), (4, 2), (8, 8)])
def test_a_pipeline_waits_as_its_schedule_does(stages, dp):
    asked = setting("llama-70b", pp=stages, dp=dp, devices=stages * dp, batch=16 * dp)
    found = step_time(asked)
    micro = asked.micro_batches
    after = found.gradients + found.optimizer
    slot = (found.seconds - after) / (micro + stages - 1)
    took = makespan(one_forward_one_backward(stages, micro), {"f": slot / 3, "b": 2 * slot / 3})
    assert took == pytest.approx(found.seconds - after)
    assert found.bubble == pytest.approx((stages - 1) * slot)


@pytest.mark.parametrize(("stages", "batch"), [(2, 4), (4, 4), (4, 16), (8, 12)])
def test_a_zero_bubble_schedule_waits_and_keeps_what_its_order_does(stages, batch):
    asked = setting("llama-70b", pp=stages, dp=2, devices=2 * stages, batch=2 * batch, pipeline=Pipeline.ZERO_BUBBLE)
    found, usual = step_time(asked), step_time(replace(asked, split=replace(asked.split, pipeline=Pipeline("1f1b"))))
    slot = usual.bubble / (stages - 1)
    weights = (usual.bubble - found.bubble) / 2 / (stages - 1)
    assert 0.2 * slot < weights < slot / 3  # a pass of three of the products, which are not all
    orders = list(zero_bubble(stages, batch))
    took = makespan(orders, {"f": 0.4 * (slot - weights), "b": 0.6 * (slot - weights), "w": weights})
    assert took == pytest.approx(batch * slot + found.bubble)
    kept = [most_kept(steps) for steps in orders]
    assert kept == [min(batch, stages)] * stages
    for stage in range(stages - 1):  # the last one has the output, too
        memory = {
            pipeline: stage_memory(asked.transformer, replace(asked.split, pipeline=pipeline), stage).activations
            for pipeline in Pipeline
        }
        one = memory[Pipeline.ONE_FORWARD_ONE_BACKWARD] / most_kept(
            list(one_forward_one_backward(stages, batch))[stage]
        )
        assert memory[Pipeline.ZERO_BUBBLE] == pytest.approx(kept[stage] * one)
        assert memory[Pipeline.GPIPE] == pytest.approx(batch * one)


@pytest.mark.thorough  # ZB-H1 without chunks, above
def test_interleaved_schedules_wait_as_those_of_torch_do():
    """The orders of operations that torch.distributed.pipelining gives to its ranks, played through."""
    schedules = pytest.importorskip("torch.distributed.pipelining.schedules")
    seconds = {"FORWARD": 1.0, "FULL_BACKWARD": 1.9, "BACKWARD_INPUT": 1.2, "BACKWARD_WEIGHT": 0.7}
    for ranks, chunks, rounds in product((2, 4, 8), (2, 3), (2, 3)):
        for name, wait in (("ScheduleInterleaved1F1B", 2.9), ("ScheduleInterleavedZeroBubble", 2.9 - 2 * 0.7)):
            known = {"num_stages": ranks * chunks, "group_size": ranks, "group_rank": 0, "group": None}
            stages = [
                SimpleNamespace(**known, stage_index=index * ranks, submod=None, has_backward=True)
                for index in range(chunks)
            ]
            order = getattr(schedules, name)(stages, rounds * ranks).pipeline_order
            took = played(order, ranks * chunks, {kind: each / chunks for kind, each in seconds.items()})
            assert took == pytest.approx(rounds * ranks * 2.9 + (ranks - 1) / chunks * wait), (name, ranks, chunks)


def played(order, stages, seconds):
    """The end of a schedule whose actions name a stage, a kind and a micro-batch."""
    queues = {rank: [each for each in actions if each is not None] for rank, actions in order.items()}
    done, free = {}, dict.fromkeys(order, 0.0)
    while any(queues.values()):
        for rank, queue in queues.items():
            while queue:
                stage, kind, number = queue[0].stage_index, queue[0].computation_type.name, queue[0].microbatch_index
                needed = {
                    "FORWARD": [("FORWARD", stage - 1, number)] if stage else [],
                    "BACKWARD_WEIGHT": [("BACKWARD_INPUT", stage, number)],
                }.get(
                    kind,
                    [("BACKWARD_INPUT", stage + 1, number)] if stage + 1 < stages else [("FORWARD", stage, number)],
                )
                if any(each not in done for each in needed):
                    break
                free[rank] = max(free[rank], *(done[each] for each in needed), 0.0) + seconds[kind]
                done["BACKWARD_INPUT" if kind == "FULL_BACKWARD" else kind, stage, number] = free[rank]
                del queue[0]
    return max(free.values())


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


@pytest.mark.parametrize(
    ("parts", "members", "cards", "links"),
    [
        ({}, 1, 0, 0),
        ({}, 8, 0, 7),
        ({}, 512, 63, 448),
        ({"tp": 8}, 4, 3, 0),
        ({"tp": 4}, 4, 1, 2),
        ({"tp": 2}, 12, 2, 9),
    ],
)
def test_a_ring_passes_as_many_cards_as_it_has_further_domains(parts, members, cards, links):
    assert ring_latency(setting(**parts), members) == pytest.approx(14e-6 * cards + 3.4e-6 * links)


def test_one_call_per_layer_takes_longer_on_more_devices():
    """The bytes per device stay the same; only the hops of the rings add up."""
    few, many = (step_time(setting(batch=2048, devices=n, dp=n, zero=Zero.PARAMETERS)) for n in (64, 1024))
    assert many.gathers / (2048 / 1024) > few.gathers / (2048 / 64)


def test_ring_attention_merges_one_part_less_than_it_has():
    """The bytes that are merged grow by one part for each further device, beside those sent."""
    fast = replace(usual_cluster("H100", 64), link=1e30, card=1e30)
    seconds = [
        step_time(replace(setting(batch=64, cp=cp, dp=64 // cp), cluster=fast)).context * (64 // cp) * cp
        for cp in (1, 2, 4)
    ]
    assert seconds[0] == 0
    assert seconds[2] == pytest.approx(3 * seconds[1])


def test_tokens_go_once_to_each_domain_that_has_an_expert_of_theirs():
    """Against the count over all choices of 2 of 4 experts with repetition: one per domain, and one per device."""
    experts = Experts(count=32, per_token=2, ffn=1024)
    asked = setting(replace(named_model("llama-8b", 256), experts=experts), devices=32, dp=32, ep=32)
    inside = replace(asked, constants=replace(asked.constants, expert_outside=0.0))
    beyond = step_time(asked).dispatch - step_time(inside).dispatch
    reached = [len({one, two} - {0}) for one in range(4) for two in range(4)]
    sent = 4 * asked.tokens * 4096 * 2 * sum(reached) / len(reached) / asked.card * asked.constants.expert_outside
    assert beyond == pytest.approx(asked.micro_batches * 32 * sent)
    near = replace(asked, split=replace(asked.split, ep=4))
    assert step_time(near).dispatch == pytest.approx(
        asked.micro_batches
        * 32
        * sent
        * asked.card
        / asked.link
        * asked.constants.expert_inside
        / asked.constants.expert_outside
    )


def test_an_all_to_all_sends_a_copy_for_every_expert():
    """Of 2 experts on 32 devices in 4 domains: 7/32 of the copies stay inside, 24/32 leave."""
    experts = Experts(count=32, per_token=2, ffn=1024)
    asked = setting(replace(named_model("llama-8b", 256), experts=experts), devices=32, dp=32, ep=32)
    copies = replace(asked, dispatcher=Dispatcher.ALLTOALL)
    token, known = asked.tokens * 4096 * 2 * 4 * asked.micro_batches * 32, asked.constants
    seconds = 2 * (7 / 32 / asked.link * known.expert_inside + 24 / 32 / asked.card * known.expert_outside)
    assert step_time(copies).dispatch == pytest.approx(token * seconds)
    assert step_time(asked).dispatch < step_time(copies).dispatch


def test_routed_experts_take_tokens_that_tensor_parallelism_leaves_cut():
    experts = Experts(count=32, per_token=2, ffn=1024)
    dense = named_model("llama-8b", 256)
    whole, half, shared = (
        step_time(setting(replace(dense, experts=one), tp=2, dp=32, sequence_parallel=True)).tensor
        for one in (None, experts, replace(experts, shared=1))
    )
    assert half == pytest.approx(whole / 2)
    assert shared == pytest.approx(whole)


def test_recomputing_norms_and_activation_functions_costs_little():
    model = named_model("qwen3-30b-a3b", 256, sequence=4096)
    none, some, full = (
        step_time(replace(setting(model, dp=64, ep=8, recompute=one), traits=TRAITS[Framework.MEGATRON])).seconds
        for one in Recompute
    )
    assert none < some < none + 0.15 * (full - none)


def test_tensor_parallel_groups_that_straddle_nodes_use_a_card():
    """Of 24 devices in nodes of 8, every third group of 3 lies in two nodes; so does none of 4."""
    faster = [
        step_time(asked).tensor / step_time(replace(asked, cluster=replace(asked.cluster, card=1e12))).tensor
        for asked in (setting("llama-8b", batch=24, devices=24, tp=tp, dp=24 // tp) for tp in (4, 3))
    ]
    assert faster[0] == 1
    assert faster[1] > 5


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


def test_parts_of_an_expert_get_the_tokens_of_all_devices_that_share_it():
    """Two halves of an expert do together what it does alone, each with all of its tokens."""
    experts = Experts(count=8, per_token=2, ffn=14336)
    asked = setting(replace(named_model("llama-8b", 256), experts=experts), tp=2, dp=32, ep=8, sequence_parallel=True)
    plain = replace(asked.constants, narrow_output=0.0, narrow_input=0.0, few_rows=0.0)
    whole, halves = (
        step_time(replace(asked, constants=plain, split=replace(asked.split, ep=ep, etp=etp)))
        for ep, etp in ((8, 1), (4, 2))
    )
    assert halves.experts == pytest.approx(whole.experts)
    assert halves.elementwise > whole.elementwise  # they sort twice as many tokens


def test_products_that_add_to_gradients_move_fewer_bytes():
    asked = setting("llama-8b", dp=64, zero=Zero.OPTIMISER)
    usual, fused = (step_time(replace(asked, traits=Traits(fused_accumulation=yes))) for yes in (False, True))
    saved = asked.constants.accumulation_bytes - asked.constants.accumulation_bytes_fused
    matrices = 32 * (2 * 4096 * 40 * 128 + 3 * 4096 * 14336)
    assert usual.launches - fused.launches == pytest.approx(asked.micro_batches * matrices * saved / asked.memory_rate)


def narayanan(layers, hidden, heads, batch, **parts):
    model = Transformer(
        layers=layers,
        hidden=hidden,
        ffn=4 * hidden,
        heads=heads,
        kv_heads=heads,
        head_size=hidden // heads,
        vocabulary=51200,
        sequence=2048,
        batch=batch,
        gated=False,
    )
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
        with pytest.raises(ProblemError, match=r"devices are of different kinds|different numbers of devices"):
            cluster_of(find_system(system))
    with pytest.raises(ProblemError, match="did you mean H100"):
        usual_cluster("H10", 8)


def test_usual_clusters_are_those_of_the_presets():
    for name, preset in (("H100", "dgx-h100:2x8"), ("H200", "hgx-h200:2x8"), ("B200", "hgx-b200:2x8")):
        usual, given = usual_cluster(name, 16), cluster_of(find_system(preset))
        assert (usual.name, usual.half, usual.memory, usual.domain) == (given.name, given.half, given.memory, 8)
        assert (usual.link, usual.card) == pytest.approx((given.link, given.card), rel=0.02)
