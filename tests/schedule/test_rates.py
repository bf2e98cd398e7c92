"""Rates of ranks: what calls and collectives take as measured, in prices, in files, and where they are missing."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import examples

from p2smt.cost.network.backend import Gloo, cost_of
from p2smt.cost.network.pattern import Pattern
from p2smt.errors import ProgramError
from p2smt.problem.system.text import find_system
from p2smt.run.local.calls import CallRanks
from p2smt.run.rank.message import Seat
from p2smt.schedule.check import check_schedule, on_ranks
from p2smt.schedule.chunks import chunked
from p2smt.schedule.cost.along import AxisDevices
from p2smt.schedule.cost.calls import calls
from p2smt.schedule.cost.estimate import estimate
from p2smt.schedule.cost.machine import Machine
from p2smt.schedule.cost.pricer import Pricer
from p2smt.schedule.cost.rates import (
    ELEMENTWISE,
    OPERANDS,
    Card,
    CollectiveRates,
    Curve,
    LinkTransfer,
    Rates,
    RatesByRanks,
    factor,
)
from p2smt.schedule.cost.rates_file import rates_text, read_rates
from p2smt.schedule.cost.stage import Stage
from p2smt.schedule.cost.time_line import time_line
from p2smt.schedule.cost.turning import turned_seconds
from p2smt.schedule.emission.source import emit_schedule
from p2smt.schedule.text.parser import parse_schedule
from p2smt.schedule.tuner.bound import least_seconds
from p2smt.tensor.text.parser import parse_program

RANK = str(Path(__file__).with_name("emission") / "schedule_rank.py")
CURVES = {ELEMENTWISE: Curve(((0.0, 1e-6), (1e6, 1e-6 + 1e-3))), "matmul": Curve(((1e3, 1e-5), (1e6, 1e-3)))}
TWICE = CollectiveRates(begin=1e-3, turn=1e-3, cards=(Card(1.25e7, ((0.0, 2.0),)),))
RATES = Rates(ranks=2, burst=0.0, calls=CURVES, ways={"AllReduce": TWICE}, part=0.0)
TAIL = """program tail
mesh rank=2
input x : f32[1000, 8] partial(+)
parameter b : f32[8]
sum = AllReduce(x)
out = relu(sum + b)
output out
"""


def machine(rates):
    """Two hosts of one rank each, cards of 100 Mb/s, no latency."""
    return on_hosts("node:2,gpu:1", rates)


def on_hosts(name, rates):
    """Hosts whose links are cards of 100 Mb/s, no latency."""
    system = find_system(name)
    cards = [replace(link, bandwidth=1.25e7, latency=0.0) for link in system.network.links]
    network = replace(system.network, links=tuple(cards), memory_bandwidth=1e15, launch=0.0)
    return Machine(cost_of(replace(system, network=network), Gloo()), backend=Gloo(), rates=rates)


def test_curves_are_linear_between_what_was_measured_and_in_proportion_behind_it():
    curve = Curve(((10.0, 1.0), (20.0, 3.0), (40.0, 4.0)))
    assert [curve.seconds(size) for size in (1, 10, 15, 20, 30, 40, 80)] == [1.0, 1.0, 2.0, 3.0, 3.5, 4.0, 8.0]


def test_a_statement_takes_what_its_calls_take():
    """8,000 elements of 4 bytes: the sum reads them and 8 more and writes them, relu reads and writes them."""
    on, program = machine(RATES), parse_program(TAIL)
    made = calls(program)
    assert [(call.operation, call.size) for call in made["out"]] == [("add", 64032), ("relu", 64000)]
    stage = Pricer(check_schedule(program, ()).scheduled, on).stage(("out",))
    assert stage.seconds == pytest.approx(2e-6 + ((64032 + 64000) * 1e-9))


def test_a_collective_takes_what_its_implementation_was_measured_to_take():
    """Two ranks send each other half of 32,000 bytes twice; links take twice as long as their bandwidth says."""
    found = {
        unit.name: unit.seconds
        for unit in estimate(check_schedule(parse_program(TAIL), ()).scheduled, machine(RATES)).units
    }
    assert found["sum"] == pytest.approx(1e-3 + (2 * 32000 / 1.25e7))
    assert set(found) == {"sum", "out"}


@pytest.mark.parametrize(("burst", "saved"), [(0.0, 0.0), (5000.0, 4e-4), (1e9, 1e-3)])
def test_cards_save_up_no_more_than_a_burst_and_than_while_a_call_begins(burst, saved):
    on = machine(replace(RATES, burst=burst))
    stage = Pricer(check_schedule(parse_program(TAIL), ()).scheduled, on).stage(("sum",))
    assert stage.seconds == pytest.approx(1e-3 + (2 * 32000 / 1.25e7) - saved)
    assert stage.on_chunk(1000) == pytest.approx(1e-3 + (2 * 32 / 1.25e7) - min(saved, 2 * 32 / 1.25e7))


def test_before_the_program_cards_saved_up_a_burst():
    """Of 64,000 bytes a burst of 5,000 is sent at once; the call itself begins in no time."""
    ways = {"AllReduce": replace(TWICE, begin=0.0, turn=0.0)}
    on = machine(replace(RATES, burst=5000.0, ways=ways))
    (unit, _) = estimate(check_schedule(parse_program(TAIL), ()).scheduled, on).units
    assert unit.name == "sum"
    assert unit.seconds == pytest.approx((2 * 32000 / 1.25e7) - (5000 / 1.25e7))


@pytest.mark.parametrize("steps", ["", "overlap sum, out chunks 4 dim 0\n"])
def test_what_no_schedule_does_without_leaves_out_what_cards_pass_at_once(steps):
    """A burst of all that is sent leaves links nothing to do, so that no bound goes by them."""
    on = machine(replace(RATES, burst=1e9, ways={"AllReduce": replace(TWICE, begin=1e-6, turn=1e-6)}))
    scheduled = check_schedule(parse_program(TAIL), parse_schedule(steps)).scheduled
    assert least_seconds(scheduled, Pricer(scheduled, on)) <= estimate(scheduled, on).seconds < 2 * 32000 / 1.25e7


def test_a_program_takes_something_beside_its_calls_once_and_its_time_line_has_it():
    scheduled = check_schedule(parse_program(TAIL), ()).scheduled
    plain, started = machine(RATES), machine(replace(RATES, start=7e-3))
    assert estimate(scheduled, started).seconds == pytest.approx(estimate(scheduled, plain).seconds + 7e-3)
    assert time_line(scheduled, Pricer(scheduled, started)).seconds == estimate(scheduled, started).seconds


def test_adam_makes_one_call_for_each_operation_on_tensors():
    text = """program adam
input g : f32[64] partial(+)
state p : f32[64]
state v : f32[64]
scalar lr, beta2, eps, step
avg = AllReduce(g) / ranks
v1 = update(v, v * beta2 + avg * avg * (1 - beta2))
p1 = update(p, p - lr * avg / (sqrt(v1 / (1 - pow(beta2, step))) + eps))
output p1
"""
    made = calls(on_ranks(parse_program(text), 2))
    assert Counter(call.operation for each in made.values() for call in each) == {
        "div": 3,
        "mul": 4,
        "add": 2,
        "update": 2,
        "sqrt": 1,
        "sub": 1,
    }
    assert made["v1"][-1].size == 2 * 64 * 4


def test_of_two_implementations_the_faster_one_is_taken():
    program = parse_program(TAIL)
    steps = parse_schedule("rs, ag = split sum rs-ag\n")
    scheduled = check_schedule(program, steps).scheduled
    gathers = {"AllGather": CollectiveRates(begin=1e-3, turn=0.0)}
    for own, library, way in ((1e-3, 2e-2, "AllToAll and a sum"), (2e-2, 1e-3, "ReduceScatter")):
        ways = {
            "AllToAll and a sum": CollectiveRates(begin=own, turn=0.0),
            "ReduceScatter": CollectiveRates(begin=library, turn=0.0),
            **gathers,
        }
        assert Pricer(scheduled, machine(replace(RATES, ways=ways))).ways("rs") == [way]


@pytest.mark.parametrize(
    ("begins", "way", "function"),
    [
        ({"AllGather": 2e-2, "AllToAll of copies": 1e-3}, "AllToAll of copies", "all_gather_exchanged("),
        ({"AllGather": 1e-3, "AllToAll of copies": 2e-2}, "AllGather", "all_gather("),
        ({"AllGather": 1.0}, "AllGather", "all_gather("),
    ],
)
def test_a_gather_is_an_exchange_where_that_was_measured_to_be_faster(begins, way, function):
    text = "program gathered\nmesh rank=2\ninput x : f32[1000] sliced(0)\nwhole = AllGather(x, 0)\noutput whole\n"
    found = check_schedule(parse_program(text), ())
    ways = {name: CollectiveRates(begin=begin, turn=0.0) for name, begin in begins.items()}
    on = machine(replace(RATES, ways=ways))
    assert Pricer(found.scheduled, on).ways("whole") == [way]
    computed = emit_schedule(found, on).partition("def compute(")[2].partition("return")[0]
    assert function in computed


def test_what_was_not_measured_is_said():
    program = parse_program(TAIL.replace("AllReduce(x)", "Reduce(x, 0)").replace("out = relu(sum + b)", "out = sum"))
    scheduled = check_schedule(program, ()).scheduled
    with pytest.raises(ProgramError, match="the rates have no Reduce, only"):
        estimate(scheduled, machine(RATES))
    with pytest.raises(ProgramError, match="the rates are for 2 ranks, but the schedule is for 3; measure them for 3"):
        RatesByRanks((RATES,)).of(3)


def test_a_file_has_the_same_rates(tmp_path):
    path = tmp_path / "rates.json"
    both = RatesByRanks(
        (RATES, replace(RATES, ranks=4, part=1e-5, reread=2.5, lost=0.25, late=4e-3, cards=TWICE.cards))
    )
    path.write_text(rates_text(both), encoding="utf-8")
    assert read_rates(path) == both


def test_groups_of_fewer_ranks_take_what_was_measured_of_so_many():
    few, many = RATES, replace(RATES, ranks=4, ways={"AllReduce": replace(TWICE, begin=4e-3)})
    known = RatesByRanks((few, many)).of(4)
    assert [known.way("AllReduce", ranks).begin for ranks in (2, 3, 4)] == [1e-3, 4e-3, 4e-3]
    assert RatesByRanks((few, many)).of(2).way("AllReduce", 2).begin == 1e-3


def test_links_take_longer_for_some_bytes_than_for_others_and_on_some_cards():
    slow, fast = Card(10.0, ((1000.0, 1.0), (3000.0, 2.0))), Card(30.0, ((1000.0, 3.0),))
    assert [factor((slow,), brought, 10.0) for brought in (0, 1000, 2000, 3000, 9000)] == [1.0, 1.0, 1.5, 2.0, 2.0]
    assert [factor((slow, fast), 2000, bandwidth) for bandwidth in (1.0, 10.0, 20.0, 30.0, 90.0)] == [
        1.5,
        1.5,
        2.25,
        3.0,
        3.0,
    ]
    assert factor((), 1000, 10.0) == 1.0
    cards = (Card(1.25e7, ((16000.0, 1.0), (32000.0, 2.0))),)
    on = machine(replace(RATES, ways={"AllReduce": replace(TWICE, cards=cards)}))
    stage = Pricer(check_schedule(parse_program(TAIL), ()).scheduled, on).stage(("sum",))
    assert stage.seconds == pytest.approx(1e-3 + (2 * 32000 / 1.25e7))
    assert stage.on_chunk(2) == pytest.approx(1e-3 + (32000 / 2 / 1.25e7))


QUICK = (Card(1.0, ((0.0, 1e-6),)),)


def looped(rates, chunks, text=TAIL):
    """Seconds of the loop in which a product is computed and summed up."""
    text = text.replace("AllReduce(x)", "AllReduce(z)").replace("sum =", "z = x * 2\nsum =")
    scheduled = check_schedule(parse_program(text), parse_schedule(f"overlap z, sum chunks {chunks} dim 0\n")).scheduled
    return estimate(scheduled, machine(rates)).units[0].seconds


@pytest.mark.parametrize("chunks", [2, 8])
def test_a_loop_takes_what_its_only_thread_begins_or_what_links_carry(chunks):
    """With quick links each chunk begins an AllReduce and a call; with slow ones all bytes come behind the first.

    Results are put into `sum`, which others read: 32,000 bytes are read and written for that.
    """
    product, put, wire = 64e-6, 64e-6, 32000 / 1.25e7
    quick = replace(RATES, ways={"AllReduce": CollectiveRates(begin=1e-3, turn=5e-4)}, cards=QUICK)
    assert looped(quick, chunks) == pytest.approx((chunks * (5e-4 + 1e-6)) + product + put + 5e-4, rel=1e-3)
    slow = replace(RATES, ways={"AllReduce": CollectiveRates(begin=1e-6, turn=1e-6)})
    assert looped(slow, chunks) == pytest.approx(wire + 2e-6 + ((product + put) / chunks), rel=1e-3)


def test_taking_chunks_and_putting_them_takes_its_time():
    """In each turn a chunk of `x` is taken, and one of `sum` is put, which others read."""
    plain = replace(RATES, ways={"AllReduce": CollectiveRates(begin=0.0, turn=0.0)}, cards=QUICK)
    more = replace(plain, part=1e-4)
    assert looped(more, 4) - looped(plain, 4) == pytest.approx(4 * 2e-4)


TAILS = """program tail
mesh rank=2
input a : f32[16, 128] sliced(1)
parameter w : f32[128, 64] sliced(0)
layer = matmul(a, w)
sum = AllReduce(layer)
output sum
"""


@pytest.mark.parametrize(
    ("dimension", "chunks", "moved"),
    [(0, 4, (16 / 4 * 64) + (64 * 64) + (16 / 4 * 64)), (1, 4, (16 * 64) + (64 * 64 / 4) + (16 * 64 / 4))],
)
@pytest.mark.parametrize("reread", [1.0, 2.5])
def test_what_a_contraction_does_not_cut_is_read_again_for_every_chunk(dimension, chunks, moved, reread):
    """A rank has 64 of the 128 that are summed over; rows cut `a`, columns `w`, and the other one is read again.

    It takes longer where others have had the caches meanwhile; outside of loops it does not.
    """
    quick = {ELEMENTWISE: Curve(((0.0, 0.0), (1e6, 1e-12))), "matmul": Curve(((1e3, 1e-12), (1e6, 1e-12)))}
    ways = {"AllReduce": CollectiveRates(begin=0.0, turn=0.0)}
    calls = {**quick, OPERANDS: Curve(((0.0, 0.0), (1e6, 1e-3)))}
    rates = replace(RATES, calls=calls, ways=ways, cards=QUICK, reread=reread)
    steps = parse_schedule(f"overlap layer, sum chunks {chunks} dim {dimension}\n")
    scheduled = check_schedule(parse_program(TAILS), steps).scheduled
    assert estimate(scheduled, machine(rates)).seconds == pytest.approx(reread * chunks * 4 * moved * 1e-9, rel=1e-3)
    whole = check_schedule(parse_program(TAILS), ()).scheduled
    (product, _) = estimate(whole, machine(rates)).units
    assert product.seconds == pytest.approx(4 * ((16 * 64) + (64 * 64) + (16 * 64)) * 1e-9, rel=1e-3)


COPIED = {
    "overlap layer, sum chunks 4 dim 0": {"sum": 4096},
    "overlap layer, sum chunks 4 dim 1": {"sum": 4096},
    "rs, ag = split sum rs-ag dim 1\noverlap layer, rs, ag chunks 4 dim 1": {"layer": 16384, "ag": 4096},
    "rs, ag = split sum rs-ag dim 1\noverlap layer, rs, ag chunks 4 dim 0": {"ag": 4096},
}


@pytest.fixture(scope="module")
def two():
    with CallRanks([Seat()] * 2, timeout_s=60.0) as running:
        yield running


@pytest.mark.parametrize("steps", COPIED)
def test_chunks_are_copied_as_often_as_emitted_loops_copy_them(two, steps):
    """By hand: 64 x 64 weights, of which chunks have a block for each rank, and 16 x 64 results.

    Real ranks count what they copy.
    """
    checked = check_schedule(parse_program(TAILS), parse_schedule(f"{steps}\n"))
    (loop,) = checked.scheduled.loops
    pricer = Pricer(checked.scheduled, machine(RATES))
    found = pricer.on_chunks(chunked(checked.scheduled.program, loop.stages, loop.dimension), loop.chunks)
    copied = {name: found.copied(name) for name in loop.stages}
    assert {name: each for name, each in copied.items() if each} == COPIED[steps]
    text = emit_schedule(checked)
    path = two.folder / f"schedule{abs(hash(text))}.py"
    path.write_text(text, encoding="utf-8")
    assert max(two.call(RANK, "copied", str(path), timeout_s=60.0)) == sum(copied.values())


def test_what_is_lost_is_a_part_of_what_goes_on_beside_each_other():
    """With nothing lost the product of all chunks but the first is hidden; of what is hidden so much is lost."""
    ways = {"AllReduce": CollectiveRates(begin=1e-6, turn=1e-6)}
    none, some, every = (looped(replace(RATES, ways=ways, lost=lost), 8) for lost in (0.0, 0.25, 1.0))
    assert every == pytest.approx(8e-6 + 8e-6 + 64e-6 + 64e-6 + (32000 / 1.25e7))
    assert some == pytest.approx(none + (0.25 * (every - none)))


RANKS = st.frozensets(st.integers(0, 2), min_size=1)
COLLECTIVE = st.tuples(st.floats(0, 2), st.floats(0, 2), st.floats(0, 4), RANKS, RANKS)
PARTS = st.lists(st.tuples(st.floats(0, 3), COLLECTIVE), min_size=1, max_size=4)


def collective(own, latency, links, senders, receivers, burst=0.0):
    wire = LinkTransfer(links, senders, receivers, 1.0, 1.0, CollectiveRates(begin=own + latency, turn=own), burst)
    return Stage("AllReduce", own + latency, links, {}, own, (wire,))


@given(PARTS, st.integers(1, 6))
@settings(max_examples=examples(10))
def test_loops_end_where_the_longest_path_through_all_calls_ends(parts, chunks):
    """Found by fixed point, over constraints between the ends of calls and of messages, without going in time.

    Messages wait for earlier ones of which a rank sends in both, or receives in both.
    """
    stages, card = [], Card(1.0, ((0.0, 1.0),))
    for computing, given_ in parts:
        stages += [Stage("computation", 0.0, computing, {}, 0.0), collective(*given_)]
    order = sorted((part + chunk, part, chunk) for part in range(len(parts)) for chunk in range(chunks))
    nodes = [(part, chunk) for _, part, chunk in order]

    def share(one, other):
        (*_, senders, receivers), (*_, others, getting) = parts[one][1], parts[other][1]
        return any(rank in others for rank in senders) or any(rank in getting for rank in receivers)

    earlier = {node: [each for each in nodes[:number] if share(node[0], each[0])] for number, node in enumerate(nodes)}
    called, there = dict.fromkeys(nodes, 0.0), dict.fromkeys(nodes, 0.0)
    for _ in range(2 * len(nodes) + 1):
        for number, (part, chunk) in enumerate(nodes):
            computing, (own, latency, links, _, _) = parts[part]
            before = nodes[number - 1] if number else None
            ready = max(called.get(before, 0.0), there.get((part - 1, chunk), 0.0))
            called[part, chunk] = ready + (computing / chunks) + own
            begun = max([called[part, chunk] + latency, *(there[each] for each in earlier[part, chunk])])
            there[part, chunk] = begun + (links / chunks)
    rates = replace(RATES, cards=(card,))
    last = (len(parts) - 1, chunks - 1)
    ended = max(called[last], *(there[len(parts) - 1, chunk] for chunk in range(chunks)))
    assert turned_seconds(stages, chunks, rates) == pytest.approx(ended)


@pytest.mark.parametrize(("late", "ended"), [(0.0, 8.0), (1.0, 8.0), (1.5, 8.5), (2.0, 9.0), (3.0, 10.0), (9.0, 10.0)])
def test_what_is_begun_sends_once_the_rank_waits_or_was_late_enough(late, ended):
    """Two chunks are computed in 3 s each, and sent in 2 s each. The rank computes till 6, and then waits for both.

    Late by 1.5 s, the first is sent from 4.5 to 6.5, the second behind it. What is late by more than 3 s is sent at 6.
    """
    ranks = frozenset({0}), frozenset({1})
    stages = [Stage("computation", 0.0, 6.0, {}, 0.0), collective(0, 0, 4.0, *ranks)]
    stages += [Stage("computation", 0.0, 0.0, {}, 0.0), collective(0, 0, 0.0, frozenset({5}), frozenset({6}))]
    assert turned_seconds(stages, 2, replace(RATES, cards=(Card(1.0, ((0.0, 1.0),)),), late=late)) == ended


@given(PARTS, st.integers(1, 6), st.floats(0, 3), st.floats(0, 3))
@settings(max_examples=examples(10))
def test_no_loop_ends_later_than_one_thing_at_a_time_and_one_alone_the_later_the_later_it_sends(
    parts, chunks, late, more
):
    """Of several, what is sent later may end sooner, as in all schedules by lists (Graham 1969)."""
    stages = []
    for computing, given_ in parts:
        stages += [Stage("computation", 0.0, computing, {}, 0.0), collective(*given_)]
    sooner, later, last = (
        turned_seconds(stages, chunks, replace(RATES, cards=(Card(1.0, ((0.0, 1.0),)),), late=each))
        for each in (late, late + more, 1e9)
    )
    alone = (
        sum(
            stage.called(chunks) + sum(wire.links / chunks for wire in stage.wires) + stage.fixed - stage.own
            for stage in stages
        )
        * chunks
    )
    assert max(sooner, later, last) <= alone + 1e-9
    if len(parts) == 1:
        assert sooner <= later + 1e-9 <= last + 2e-9


@pytest.mark.parametrize(
    ("senders", "receivers", "seconds"),
    [({0}, {1}, 7.0), ({0}, {2}, 7.0), ({2}, {1}, 7.0), ({2}, {3}, 4.0)],
)
def test_what_cards_have_saved_up_is_sent_once_by_whoever_sends_and_to_whoever_receives(senders, receivers, seconds):
    """Two messages of 5 s behind each other where cards save up 3 s: of one card 2 + 5, of others 2, then 2 + 0."""
    card, ranks = Card(1.0, ((0.0, 1.0),)), (frozenset({0}), frozenset({1}))
    stages = [collective(0, 0, 5.0, *ranks, 3.0), collective(0, 0, 5.0, frozenset(senders), frozenset(receivers), 3.0)]
    assert turned_seconds(stages, 1, replace(RATES, cards=(card,)), idle=9.0) == pytest.approx(seconds)


def test_links_in_loops_take_what_they_do_for_as_many_ranks_as_send():
    slow, quick = Card(1.0, ((0.0, 2.0),)), Card(1.0, ((0.0, 1.0),))
    rates = replace(RATES, ranks=4, cards=(slow,), smaller=(replace(RATES, cards=(quick,)),))
    for senders, seconds in ((2, 4.0), (3, 8.0), (4, 8.0)):
        stages = [collective(0, 0, 4.0, frozenset(range(senders)), frozenset({0}))]
        assert turned_seconds(stages, 1, rates) == pytest.approx(seconds)


def test_a_send_is_received_by_the_next_ranks_and_a_collective_by_its_groups():
    along = AxisDevices(
        parse_program(TAIL.replace("mesh rank=2", "mesh pipe=2, rank=2")).mesh, 0, Pattern(()), (0, 1, 2, 3)
    )
    assert along.sent_to({0, 1}) == {2, 3}
    assert along.together_with({0}) == {0, 2}
    assert replace(along, axis=1).together_with({2}) == {2, 3}


def test_a_reduction_program_takes_what_its_steps_take_among_the_ranks_of_their_groups():
    """Of 32,000 bytes two ranks of a host send each other half, hosts each other twice half of both halves, then back.

    A card and the links inside of a host carry 1.25e7 bytes in a second.
    """
    begins = {"AllToAll and a sum": 1e-3, "AllReduce": 2e-3, "AllGather": 4e-3}
    of_two = replace(RATES, ways={name: CollectiveRates(begin=begin, turn=0.0) for name, begin in begins.items()})
    two_hosts = on_hosts("node:2,gpu:2", replace(RATES, ranks=4, ways={}, smaller=(of_two,)))
    steps = (
        's2 = split sum "(node, InsideGroup, ReduceScatter); (node, Parallel(root), AllReduce); '
        '(node, InsideGroup, AllGather)" levels node=2, gpu={}\n'
    )
    program = parse_program(TAIL.replace("rank=2", "rank=4"))
    pricer = Pricer(check_schedule(program, parse_schedule(steps.format(2))).scheduled, two_hosts)
    assert pricer.as_it_is("s2").seconds == pytest.approx(7e-3 + (16000 + 32000 + 16000) / 1.25e7)
    flat = parse_schedule('s2 = split sum "(root, InsideGroup, AllReduce)" levels gpu=4\n')
    with pytest.raises(ProgramError, match="s2 has levels of 4 units, but its ranks span 2 x 2; --rates need programs"):
        Pricer(check_schedule(program, flat).scheduled, two_hosts).as_it_is("s2")
