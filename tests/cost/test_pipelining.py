"""Plans in chunks: prices by hand, against the wire, as a schedule that no link and no group is too busy for."""

from dataclasses import replace
from math import prod

import numpy as np
import pytest
from cost.network.random_systems import costs, on_shared_cores, systems
from hypothesis import given, settings
from hypothesis import strategies as st
from support import plans, problem
from tiers import examples, is_full

from p2smt.collective import Collective
from p2smt.cost.above_wire import placement_wire
from p2smt.cost.cheapest import cheapest_plan
from p2smt.cost.cheapest_chunks import cheapest_chunked, in_chunks
from p2smt.cost.chunk_time_line import chunk_time_line
from p2smt.cost.network.backend import Gloo, Nccl, cost_of
from p2smt.cost.network.hop_cost import HopCost
from p2smt.cost.network.pipelining import MOST_CHUNKS, Pipelines
from p2smt.placement.enumeration import all_placements
from p2smt.problem.build import build_problem
from p2smt.problem.model import Axis, Payload, Search
from p2smt.problem.system.algorithm import Algorithm
from p2smt.problem.system.processors import Processors
from p2smt.problem.system.text import find_system
from p2smt.reduction.plan.chunking import payload_chunks, slots
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import CollectiveStep
from p2smt.reduction.plan.program_plan import program_plan
from p2smt.reduction.synth.session import Synthesizer

PLANS = 100 if is_full() else 6
THREE = "(node, InsideGroup, ReduceScatter); (node, Parallel(root), AllReduce); (node, InsideGroup, AllGather)"


def asked(text, bytes=2**30):
    system = find_system(text)
    return build_problem(system, [Axis("a", system.devices)], [0], Payload(bytes, "float32"), Search())


def test_three_steps_in_four_chunks_by_hand():
    """Slots: RS; RS and AR; RS, AR and AG twice; AR and AG; AG. Inside the node RS and AG take turns."""
    given = asked("dgx-h100:4x8")
    cost = cost_of(given.system, Nccl(Algorithm.RING))
    plan = program_plan(given, THREE)
    small = replace(plan, payload=Payload(2**28, "float32"))
    scatter, across, gather = (cost.step_cost(small, step) for step in plan.steps)
    both = scatter.seconds + gather.seconds
    assert max(scatter.seconds, gather.seconds) < across.seconds < both
    pipeline = Pipelines(cost).pipeline(replace(plan, chunks=4))
    wanted = [scatter.seconds, across.seconds, both, both, across.seconds, gather.seconds]
    assert pipeline.slots_s == pytest.approx(wanted)
    assert pipeline.bottleneck == "steps of the same groups"
    assert pipeline.full_slots == 2
    assert pipeline.first_s == pytest.approx(scatter.seconds + across.seconds + both)
    assert sum(pipeline.causes.values()) == pytest.approx(pipeline.seconds)
    assert cost.plan_seconds(replace(plan, chunks=4)) == pipeline.seconds < cost.plan_seconds(plan)


def random_plans(data):
    """Some plans of a random problem, with what prices them."""
    sizes = data.draw(st.sampled_from([(4,), (2, 3), (4, 2), (2, 2, 2), (2, 4, 2)]))
    system, devices = data.draw(systems(sizes)), prod(sizes)
    goal = data.draw(st.sampled_from(Collective))
    given = build_problem(
        system, [Axis("a", devices)], [0], Payload(1 << 16, "uint8"), goal=goal, search=Search(limit=4)
    )
    lowering = Lowering(given, all_placements(given).items[0])
    found = [lowering.plan(program) for program in Synthesizer().programs(given, lowering.hierarchy).items]
    return lowering, data.draw(costs(system)), found


def test_no_price_in_chunks_is_below_the_wire():
    ratios = []

    @settings(max_examples=PLANS)
    @given(st.data())
    def check(data):
        lowering, cost, found = random_plans(data)
        least = placement_wire(lowering).seconds
        for plan in data.draw(st.permutations(found))[:4]:
            for chunks in (2, 5, 64):
                seconds = Pipelines(cost).pipeline(replace(plan, chunks=chunks)).seconds
                assert seconds >= least * (1 - 1e-9)
                ratios.append(seconds / least)

    check()
    assert len(ratios) > 5 * PLANS


@settings(max_examples=80 if is_full() else 5)
@given(st.data())
def test_slots_are_long_enough_for_all_that_happens_in_them(data):
    """Counted hop by hop: in every slot each step has its time, each link and group its turn for all its bytes."""
    lowering, _, found = random_plans(data)
    system, algorithm = lowering.problem.system, data.draw(st.sampled_from(Algorithm))
    chunks = data.draw(st.integers(2, 6))
    pipelines, hops = Pipelines(cost_of(system, Nccl(algorithm))), HopCost(system, algorithm)
    moved = [plan for plan in found if all(isinstance(step, CollectiveStep) for step in plan.steps)]
    for plan in moved[:: max(1, len(moved) // 4)]:
        cut = replace(plan, chunks=chunks)
        pipeline = pipelines.pipeline(cut)
        part = replace(plan, payload=Payload(payload_chunks(cut)[0], plan.payload.dtype))  # elements are bytes
        costs = [hops.step_cost(part, step) for step in plan.steps]
        alike = all(len(step.portions) == 1 for step in plan.steps)  # else by level the largest counts for all
        for seconds, slot in zip(pipeline.slots_s, slots(chunks, len(costs)), strict=True):
            links, groups = {}, {}
            for _, step in slot:
                rule = plan.steps[step].groups
                groups[rule] = groups.get(rule, 0.0) + costs[step].seconds
                for load in costs[step].loads:
                    links[load.link.name] = links.get(load.link.name, 0.0) + load.seconds
            assert seconds >= max([*links.values(), *groups.values()]) * (1 - 1e-9)
            busiest, every = max(links.values()), sum(links.values())
            shown = busiest + ((1 - system.network.overlap) * (every - busiest))
            memory, begun = (sum(getattr(costs[step], what) for _, step in slot) for what in ("memory_s", "launch_s"))
            if alike:
                assert seconds == pytest.approx(max(shown, memory, begun, *groups.values()), rel=1e-9)


@settings(max_examples=examples(3))
@given(st.data())
def test_messages_of_gloo_are_sent_one_after_the_other_and_calls_of_nccl_begun_so(data):
    """Whatever is at work in a slot: a processor sends all messages, a thread begins all calls."""
    lowering, _, found = random_plans(data)
    chunks = data.draw(st.integers(2, 6))
    moved = [plan for plan in found if all(isinstance(step, CollectiveStep) for step in plan.steps)]
    for backend in (Gloo(), Nccl(Algorithm.RING)):
        cost = cost_of(lowering.problem.system, backend)
        for plan in moved[:: max(1, len(moved) // 4)]:
            part = replace(plan, payload=Payload(plan.payload.bytes // chunks, plan.payload.dtype))
            costs = [cost.step_cost(part, step) for step in plan.steps]
            own = [one.fixed_s if backend == Gloo() else one.launch_s for one in costs]
            taken = Pipelines(cost).pipeline(replace(plan, chunks=chunks)).slots_s
            for seconds, slot in zip(taken, slots(chunks, len(costs)), strict=True):
                assert seconds >= sum(own[step] for _, step in slot) * (1 - 1e-9)


@settings(max_examples=examples(3))
@given(st.data())
def test_cores_that_devices_share_have_time_for_all_steps_of_a_slot(data):
    """And a device's own core for its calls and messages, whose latency is no longer in turn."""
    lowering, _, found = random_plans(data)
    cost, chunks = cost_of(data.draw(on_shared_cores(lowering.problem.system)), Gloo()), data.draw(st.integers(2, 6))
    for plan in [one for one in found if all(isinstance(step, CollectiveStep) for step in one.steps)][::7]:
        cut = replace(plan, chunks=chunks)
        part = replace(plan, payload=Payload(payload_chunks(cut)[0], plan.payload.dtype))
        costs = [cost.step_cost(part, step) for step in plan.steps]
        for seconds, slot in zip(Pipelines(cost).pipeline(cut).slots_s, slots(chunks, len(costs)), strict=True):
            at_work = [costs[step] for _, step in slot]
            shared, own = (sum(getattr(one, what) for one in at_work) for what in ("processors_s", "own_s"))
            assert seconds >= max(shared, own) * (1 - 1e-9)
            assert seconds <= (max(shared, own) + sum(one.seconds for one in at_work)) * (1 + 1e-9)


def test_short_chunks_wait_for_shared_cores_by_hand():
    """24 calls, 88 messages that pass 208 ports: 48 inside nodes, 16 between them through four ports, 24 inside."""
    given = asked("node:2,gpu:4", 4096)
    plan = replace(program_plan(given, THREE), chunks=4)
    for cores, cause, seconds in ((2, "shared cores", 2880e-6), (16, "calls in turn", 720e-6 + 3 * 8.4e-6)):
        network = replace(given.system.network, processors=Processors(cores, 50e-6, 40e-6, 5e-6))
        cost = cost_of(replace(given.system, network=network), Gloo())
        pipeline = Pipelines(cost).pipeline(plan)
        assert (pipeline.bottleneck, pipeline.full_s) == (cause, pytest.approx(seconds))
        busy = dict(chunk_time_line(plan, cost).slots[2].busy)
        assert busy["shared cores"] == pytest.approx(5760e-6 / cores)


def test_short_chunks_on_gloo_take_their_messages_alone():
    """Three steps of a few bytes each: a full slot is all of their messages, one after the other."""
    given = asked("node:2,gpu:4", 4096)
    cost = cost_of(given.system, Gloo())
    plan = program_plan(given, THREE)
    pipeline = Pipelines(cost).pipeline(replace(plan, chunks=4))
    latency = sum(cost.step_cost(plan, step).fixed_s for step in plan.steps)
    assert pipeline.bottleneck == "calls in turn"
    assert pipeline.full_s == pytest.approx(latency)
    assert pipeline.seconds > cost.plan_seconds(plan)


def test_the_best_is_that_of_all_programs_and_numbers_of_chunks():
    """Cutting off by bounds loses nothing: three levels, where chunks win most, and a machine where they do not."""
    for text, gains in (("2x2x4", True), ("node:1,gpu:8", False)):
        given = asked(text, 2**26)
        cost = cost_of(given.system)
        found = plans(given)[:: 1 if len(plans(given)) < 200 else 24]
        pipelines = Pipelines(cost)
        counts = [2**power for power in range(1, 9)]
        assert counts[-1] == MOST_CHUNKS
        every = [
            pipelines.pipeline(replace(plan, chunks=chunks)).seconds
            for plan in found
            if len([step for step in plan.steps if isinstance(step, CollectiveStep)]) > 1
            for chunks in counts
        ]
        plan, seconds = pipelines.best(found)
        assert seconds == min(every) == cost.plan_seconds(plan)
        assert (seconds < min(map(cost.plan_seconds, found)) * 0.9) is gains


def test_plans_are_not_cut_off_by_what_one_number_of_chunks_alone_takes():
    """Where nothing but bytes takes time, and chunks that are rounded up carry more in some numbers than in others."""
    given = asked("2x4", 36_000)
    network = given.system.network
    links = tuple(replace(link, latency=0.0) for link in network.links)
    bytes_alone = replace(network, links=links, launch=0.0, memory_bandwidth=1e18)
    cost = cost_of(replace(given.system, network=bytes_alone))
    found = [plan for plan in plans(given) if sum(isinstance(step, CollectiveStep) for step in plan.steps) > 1]
    pipelines = Pipelines(cost)
    every = [[pipelines.pipeline(replace(plan, chunks=2**power)).seconds for power in range(1, 9)] for plan in found]
    assert pipelines.best(found)[1] == min(map(min, every))
    chunks = [payload_chunks(replace(found[0], chunks=2**power)) for power in range(1, 9)]
    assert len({len(lengths) * lengths[0] for lengths in chunks}) > 1


def test_chunks_that_lose_are_not_chosen():
    small = asked("2x4" if is_full() else "2x2", 4096)
    cost = cost_of(small.system)
    best = cheapest_plan(small, cost).plan
    assert cheapest_chunked(small, cost).plan == best
    assert in_chunks(best, cost, None) == best
    assert in_chunks(best, cost, 3) == replace(best, chunks=3)


def test_no_plan_becomes_slower_by_chunks_that_were_not_asked_for():
    gains = set()
    for size in (64, 4096, 2**24):
        given = asked("2x4", size)
        cost = cost_of(given.system)
        for plan in plans(given)[::9]:
            chosen = in_chunks(plan, cost, None)
            gains.add(cost.plan_seconds(chosen) < cost.plan_seconds(plan))
            assert chosen == plan or cost.plan_seconds(chosen) < cost.plan_seconds(plan)
    assert gains == {False, True}


def test_a_given_number_of_chunks_is_kept():
    given = problem([2, 4], [8])
    cost = cost_of(given.system)
    found = cheapest_chunked(given, cost, 5)
    assert (found.every, found.least_s) == (False, None)
    plan = found.plan
    assert plan.chunks == 5
    in_turn = [cost.plan_seconds(replace(one, chunks=5)) for one in plans(given)]
    assert cost.plan_seconds(plan) == pytest.approx(min(in_turn))


def test_all_numbers_of_chunks_are_claimed_just_where_none_was_given():
    """Over one level all programs of any length are known."""
    given = problem([4], [4])
    cost = cost_of(given.system)
    assert [cheapest_chunked(given, cost, chunks).every for chunks in (None, 4)] == [True, False]


def test_of_equally_fast_numbers_of_chunks_the_fewest_are_taken():
    """A scatter and a gather of the same groups take turns, in however many chunks; rates are powers of two."""
    given = problem([2], [2])
    network = given.system.network
    links = tuple(replace(link, latency=0.0, bandwidth=2.0**30) for link in network.links)
    alone = replace(network, links=links, launch=0.0, memory_bandwidth=float("inf"))
    cost = cost_of(replace(given.system, network=alone), Nccl(Algorithm.RING))
    text = "(root, InsideGroup, ReduceScatter); (root, InsideGroup, AllGather)"
    chosen = Pipelines(cost).best([program_plan(given, text)])
    assert (chosen[0].chunks, chosen[1]) == (2, cost.plan_seconds(program_plan(given, text)))


@pytest.mark.parametrize("goal", Collective)
def test_results_in_another_order_are_read_and_written_once_more(goal):
    given = problem([2, 4], [8], goal=goal)
    cost = cost_of(given.system)
    pipeline = Pipelines(cost).pipeline(replace(plans(given)[-1], chunks=4))
    once = given.payload.bytes / given.system.network.memory_bandwidth
    assert pipeline.joining_s == (0 if goal is Collective.ALL_REDUCE else 2 * once)
    assert pipeline.seconds == sum(pipeline.slots_s) + pipeline.joining_s


def test_a_plan_without_steps_takes_nothing_in_any_number_of_chunks():
    given = problem([2, 2], [4, 1], [1])
    cost = cost_of(given.system)
    plan = cheapest_plan(given, cost).plan
    assert plan.steps == ()
    assert cost.plan_seconds(replace(plan, chunks=4)) == 0
    assert cheapest_chunked(given, cost, 4).plan == replace(plan, chunks=4)


def test_a_short_payload_is_priced_in_as_many_chunks_as_it_has():
    """Sixteen elements, which a plan over four devices may cut into four at most."""
    given = asked("2x2", 64)
    cost = cost_of(given.system)
    for plan in plans(given)[::10]:
        most = 16 // plan.multiple
        priced = [cost.plan_seconds(replace(plan, chunks=chunks)) for chunks in (most, 100, 1024)]
        assert priced[0] == priced[1] == priced[2]


def test_the_payload_of_a_chunk_is_never_less_than_an_element_for_each_device():
    given = asked("2x4", 64)
    cost = cost_of(given.system)
    chosen = Pipelines(cost).best(plans(given))
    assert chosen is not None
    assert chosen[0].chunks == 2
    assert np.isfinite(chosen[1])
