"""Bursts: counted by hand, without them, against the bytes that pass; and chunks that gain only without them."""

from dataclasses import replace
from itertools import pairwise

import pytest
from cost.test_pipelining import random_plans
from hypothesis import given, settings
from hypothesis import strategies as st
from support import plans
from tiers import examples, is_full

from p2smt.cost.above_wire import placement_wire
from p2smt.cost.bursts import seconds_with_bursts
from p2smt.cost.cheapest import cheapest_plan
from p2smt.cost.cheapest_chunks import cheapest_chunked, in_chunks
from p2smt.cost.explanation import explain
from p2smt.cost.extrapolation import is_extrapolated
from p2smt.cost.network.backend import Gloo, cost_of
from p2smt.cost.network.pipelining import WORTH, Pipelines
from p2smt.cost.ranking import rank
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.build import build_problem
from p2smt.problem.model import Axis, Payload, Search
from p2smt.problem.system.build import build_system
from p2smt.problem.system.link import Link, Wiring
from p2smt.problem.system.network import Level, Network, System
from p2smt.reduction.plan.chunking import payload_chunks, slots
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.program_plan import program_plan
from p2smt.reduction.synth.session import Synthesizer
from p2smt.report.content.collect_chunks import chunks_content

LATENCY = 2e-4
RATES = {"rack": 6.25e6, "host": 12.5e6}
TWO_LEVELS = "(rack, InsideGroup, ReduceScatter); (rack, Parallel(root), AllReduce); (rack, InsideGroup, AllGather)"


def racks(bursts):
    """Two racks of four hosts; their ports' rates and bursts."""
    links = tuple(
        Link(
            name=name,
            level=name,
            wiring=Wiring.PORT,
            bandwidth=rate,
            latency=LATENCY,
            uplink=name == "host",
            burst=bursts.get(name, 0),
        )
        for name, rate in RATES.items()
    )
    network = Network(links, memory_bandwidth=1e12, machine="host", launch=0.0)
    return build_system(System((Level("rack", 2), Level("host", 4)), network))


def asked(bytes, **bursts):
    return build_problem(racks(bursts), [Axis("a", 8)], [0], Payload(bytes, "float32"), Search())


def busy(cost, step, plan):
    """The seconds of every link in a step."""
    return {load.link.name: load.seconds for load in cost.step_cost(plan, step).loads if load.seconds}


def test_every_step_of_another_link_finds_a_burst_saved_up():
    """Hosts' ports take all bytes, racks' ports those of the step in the middle; a second later both are as before."""
    burst = 9375
    given = asked(10**6, rack=burst, host=burst)
    plan, cost = program_plan(given, TWO_LEVELS), cost_of(given.system, Gloo())
    scatter, across, gather = (busy(cost, step, plan) for step in plan.steps)
    assert set(scatter) == set(gather) == {"host"}
    assert across["rack"] > max(across["host"], 2 * burst / RATES["rack"])
    prices = cost.plan_seconds(plan)
    fast, slow = burst / RATES["host"], burst / RATES["rack"]
    assert seconds_with_bursts(plan, cost) == pytest.approx(prices - fast - slow)  # the host's port was not idle after
    idle = replace(given.system.network.links[1], uplink=False)
    apart = replace(
        given,
        system=replace(
            given.system, network=replace(given.system.network, links=(given.system.network.links[0], idle))
        ),
    )
    cost = cost_of(apart.system, Gloo())
    assert set(busy(cost, plan.steps[1], plan)) == {"rack"}
    assert seconds_with_bursts(plan, cost) == pytest.approx(cost.plan_seconds(plan) - 2 * fast - slow)


def test_short_steps_take_as_long_as_if_links_had_no_rate():
    given = asked(800, rack=10**6, host=10**6)
    plan, cost = program_plan(given, TWO_LEVELS), cost_of(given.system, Gloo())
    steps = [cost.step_cost(plan, step) for step in plan.steps]
    assert min(step.links_s for step in steps) > 0
    wanted = sum(step.fixed_s + step.memory_s for step in steps)
    assert seconds_with_bursts(plan, cost) == pytest.approx(wanted)


def with_bursts(system, burst):
    """The system, each of whose ports has a burst."""
    links = tuple(replace(link, burst=burst if link.wiring is Wiring.PORT else 0) for link in system.network.links)
    return replace(system, network=replace(system.network, links=links))


def test_bursts_save_something_and_no_more_than_one_after_every_rest_of_a_link():
    """Against what passes: a burst at the start, and one more each time that a link begins again."""
    saved, costly, near = [], [], []

    @settings(max_examples=examples(6))
    @given(st.data())
    def check(data):
        lowering, cost, found = random_plans(data)
        whole = data.draw(st.sampled_from(found))
        plan = replace(whole, chunks=data.draw(st.sampled_from([1, 2, 5])))
        price, burst = cost.plan_seconds(plan), data.draw(st.sampled_from([0, 100, 10_000]))
        assert seconds_with_bursts(plan, cost) == pytest.approx(price)
        shaped = replace(cost, system=with_bursts(cost.system, burst))
        seconds = seconds_with_bursts(plan, shaped)
        assert shaped.plan_seconds(plan) == price
        assert seconds <= price * (1 + 1e-9)
        asked, matrix = replace(lowering.problem, system=shaped.system), plan.matrix
        least = placement_wire(Lowering(asked, matrix))
        assert seconds >= least.seconds * (1 - 1e-9)
        assert least.seconds >= max(least.busy)
        near.append(least.seconds and seconds / least.seconds)
        saved.append(seconds < price)
        stages, chunks = Pipelines(cost).stages(plan), len(payload_chunks(plan))
        for link in shaped.system.network.links:
            uses = [
                sum(used for _, stage in slot for name, used in stages[stage].busy if name == link.name)
                for slot in slots(chunks, len(stages))
            ]
            rests = sum(bool(use) and not before for before, use in pairwise([0, *uses]))
            assert seconds >= (sum(uses) - rests * link.burst / link.bandwidth) * (1 - 1e-9)
            costly.append(rests > 1)

    check()
    assert any(saved)
    assert any(costly) or not is_full()
    assert min(filter(None, near)) < 1.5


def test_the_wire_of_links_with_bursts_is_shorter_by_one():
    burst = 9375
    plain, shaped = (
        placement_wire(Lowering(asked(10**6, rack=size), ParallelismMatrix(((2, 4),)))) for size in (0, burst)
    )
    saved = burst / RATES["rack"]
    assert shaped.busy == pytest.approx((plain.busy[0] - saved, plain.busy[1]))
    assert shaped.seconds == pytest.approx(max(plain.seconds - saved, plain.busy[1]))
    short = placement_wire(Lowering(asked(800, rack=burst, host=burst), ParallelismMatrix(((2, 4),))))
    assert (short.seconds, *short.busy) == (0, 0, 0)


@pytest.mark.thorough  # the gain itself is compared with a time line
def test_chunks_are_proposed_where_they_gain_with_bursts_too():
    """Ten kilobytes: 2 chunks gain by their price; one piece finds a burst saved up in every step.

    With bursts less than a tenth is no gain: 48 kB in 2 chunks would take 1.08 times less.
    """
    proposed = set()
    for bytes, burst in ((10_000, 0), (10_000, 9375), (48_000, 9375), (10**7, 9375)):
        given = asked(bytes, rack=burst, host=burst)
        cost = cost_of(given.system, Gloo())
        alone = cheapest_plan(given, cost).plan
        best, _ = Pipelines(cost).best(plans(given))
        assert cost.plan_seconds(best) * WORTH < cost.plan_seconds(alone)
        worth = not burst or 1.1 * seconds_with_bursts(best, cost) <= seconds_with_bursts(alone, cost)
        found = cheapest_chunked(given, cost)
        assert (found.plan.chunks > 1, found.every) == (worth, worth and not burst)
        assert found.seconds == pytest.approx(cost.plan_seconds(found.plan))
        assert worth or found.plan == alone
        own = replace(best, chunks=1)
        faster = not burst or 1.1 * seconds_with_bursts(best, cost) <= seconds_with_bursts(own, cost)
        assert in_chunks(own, cost, None) == (best if faster else own)
        synthesis = Synthesizer().synthesize(given)
        assert (explain(alone, synthesis, cost).chunked is not None) == worth
        (ranked,) = rank(synthesis, cost)
        assert (chunks_content(ranked, cost, None) is not None) == (worth and not is_extrapolated(given.system, bytes))
        proposed.add((bytes, burst, worth))
    assert proposed == {(10_000, 0, True), (10_000, 9375, False), (48_000, 9375, False), (10**7, 9375, True)}
