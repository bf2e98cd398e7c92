"""The tuner finds what brute force over all sequences of moves finds; prices say when doing less wins."""

import json
from dataclasses import replace
from functools import cache
from itertools import product

import pytest
from command_line import output
from paths import ROOT
from tiers import sample

from p2smt.cli.main import run
from p2smt.collective import Collective
from p2smt.cost.network.backend import cost_of
from p2smt.cost.network.cost import Work
from p2smt.cost.network.pattern import Pattern, Role
from p2smt.errors import ProgramError
from p2smt.problem.system.text import find_system
from p2smt.schedule.apply import apply
from p2smt.schedule.check import check_schedule, on_ranks
from p2smt.schedule.cost.estimate import estimate
from p2smt.schedule.cost.machine import Machine
from p2smt.schedule.cost.price import COMPUTATION, MEMORY
from p2smt.schedule.cost.pricer import Pricer
from p2smt.schedule.cost.rates import ELEMENTWISE, Card, CollectiveRates, Curve, Rates
from p2smt.schedule.replay import difference
from p2smt.schedule.scheduled import Implementation, Loop, ScheduledProgram
from p2smt.schedule.step import Fuse, Line, Overlap
from p2smt.schedule.text.parser import parse_schedule
from p2smt.schedule.tuner import search
from p2smt.schedule.tuner.bound import least_seconds
from p2smt.schedule.tuner.canonical import Canonical
from p2smt.schedule.tuner.moves import moves
from p2smt.schedule.tuner.reductions import FASTEST, Reductions, all_programs
from p2smt.schedule.tuner.request import TuningRequest
from p2smt.schedule.tuner.search import CHUNKS, tune
from p2smt.tensor.reals import Reals
from p2smt.tensor.text.parser import parse_program
from p2smt.verify.verdict import Proved

TEXT = """program small
input x : f32[64, N] partial(+)
parameter b : f32[N]
sum = AllReduce(x)
y = relu(sum + b)
output y
"""
SYSTEM = "dgx-h100:1x4"


def machine(flops=1e14):
    return Machine(cost_of(find_system(SYSTEM)), flops)


def program(length):
    return on_ranks(parse_program(TEXT.replace("N", str(length))), 4)


def brute_force(scheduled, depth, settled=frozenset(), on=None):
    """The price of every sequence of moves, whatever it is equal to; chunks are tried one by one."""
    on = on or machine()
    yield estimate(scheduled, on)
    if not depth:
        return
    reducing = () if scheduled.groups or scheduled.loops else Reductions(on).steps(scheduled, Pricer(scheduled, on))
    for step in moves(scheduled, settled, reducing):
        chunked = (
            [step]
            if not hasattr(step, "chunks")
            else [type(step)(step.stages, chunks, step.dimension) for chunks in (2, *CHUNKS)]
        )
        for each in chunked:
            for count in range(8):
                try:
                    outcome = apply(scheduled, Line(each, tuple(f"n{depth}.{number}" for number in range(count))))
                    break
                except ProgramError:
                    continue
            if isinstance(outcome, Proved):
                made = frozenset(name for name in outcome.evidence.scheduled.names if name.startswith(f"n{depth}."))
                yield from brute_force(outcome.evidence.scheduled, depth - 1, settled | made, on)


@cache
def every_estimate(length):
    """Of all schedules of a program of up to two steps."""
    return list(brute_force(ScheduledProgram(program(length)), 2))


@pytest.mark.parametrize("length", sample([65536, 16], 1))
def test_the_fastest_is_that_of_brute_force(length):
    tuned = tune(program(length), machine(), depth=2)
    assert tuned.cut_off == ""
    everything = [each.seconds for each in every_estimate(length)]
    assert tuned.found[0].estimate.seconds == pytest.approx(min(everything))
    assert tuned.found[-1].estimate.seconds <= max(everything) * (1 + 1e-12)
    assert len(tuned.found) <= len(everything)
    assert tuned.tried == len(tuned.found) - 1 + tuned.equal + sum(dict(tuned.refused).values()) + tuned.not_proved


def test_the_fastest_that_fits_is_that_of_brute_force():
    plain, everything = ScheduledProgram(program(65536)), every_estimate(65536)
    peaks = sorted({each.held.peak for each in everything})
    assert len(peaks) > 3
    for limit in sample((peaks[0], peaks[1], peaks[len(peaks) // 2]), 2):
        tuned = tune(plain.program, machine(), depth=2, top=1, memory=limit)
        assert tuned.found[0].estimate.held.peak <= limit
        best = min(each.seconds for each in everything if each.held.peak <= limit)
        assert tuned.found[0].estimate.seconds == pytest.approx(best)
    nothing = tune(plain.program, machine(), depth=2, memory=peaks[0] - 1)
    assert nothing.found == ()
    assert nothing.smallest.peak == peaks[0]
    assert nothing.too_large == nothing.tried + 1 - nothing.equal - sum(dict(nothing.refused).values())


TWO_LEVELS = "p2-v100:2x2"


@pytest.mark.thorough  # carriers are tested in tests/job
@pytest.mark.parametrize(("length", "by_program"), [(1, False), (65536, True)])
def test_reduction_programs_are_chosen_together_with_schedules(length, by_program):
    on = Machine.of(find_system(TWO_LEVELS))
    tuned = tune(program(length), on, depth=2)
    everything = [each.seconds for each in brute_force(ScheduledProgram(program(length)), 2, on=on)]
    assert tuned.found[0].estimate.seconds == pytest.approx(min(everything))
    assert any(each.scheduled.implementations for each in tuned.found)
    assert bool(tuned.found[0].scheduled.implementations) is by_program
    for each in sample(tuned.found, 12):
        assert isinstance(check_schedule(program(length), each.schedule).verdict, Proved)


def test_the_programs_that_are_tried_are_the_fastest_of_all():
    on, plain = Machine.of(find_system(TWO_LEVELS)), ScheduledProgram(program(4096))
    pricer = Pricer(plain, on)
    steps = list(Reductions(on).steps(plain, pricer))
    levels = steps[0].levels
    assert [size for _, size in levels] == [2, 2]
    prices = {
        text: pricer.by_program("sum", Implementation("sum", text, levels)).seconds for text in all_programs(levels)
    }
    assert len(prices) > 10
    assert [prices[step.program] for step in steps] == sorted(prices.values())[:FASTEST]
    assert list(Reductions(machine()).steps(plain, Pricer(plain, machine()))) == []


def test_every_schedule_that_is_found_computes_the_same_and_is_a_text():
    tuned = tune(program(7), machine(), depth=2)
    assert len(tuned.found) > 5
    for each in tuned.found:
        assert difference(tuned.untouched.scheduled.program, each.scheduled.program, Reals(1)) is None
    assert tuned.untouched in tuned.found


def test_small_tensors_are_left_whole_and_large_ones_are_scattered_where_ranks_compute_slowly():
    small, large = (tune(program(length), machine(1e9), depth=2) for length in (1, 2**16))
    assert not any("ReduceScatter" in unit.way for unit in small.found[0].estimate.units)
    assert any("ReduceScatter" in unit.way for unit in large.found[0].estimate.units)


def test_a_search_that_is_cut_off_says_so():
    tuned = tune(program(16), machine(), depth=3, most=4)
    assert tuned.cut_off == "4 schedules were found"
    assert len(tuned.found) == 4


def test_schedules_that_nobody_went_on_from_are_counted_where_there_were_moves_left():
    """Cut off behind the first level, those of it; at the last level nothing has to be gone on from."""
    everything = tune(program(16), machine(), depth=1)
    assert (everything.cut_off, everything.left, everything.unfollowed) == ("", 0, 0)
    count = len(everything.found)
    for most in range(1, count + 1):
        last, first = (tune(program(16), machine(), depth=depth, most=most) for depth in (1, 2))
        assert (last.unfollowed, first.unfollowed) == (0, most - 1)
        assert len(last.found) == len(first.found) == most
        assert first.left == last.left
    second = tune(program(16), machine(), depth=2, most=count + 1)
    assert 0 < second.unfollowed < count


def test_what_does_not_fit_bounds_nothing():
    fitting = tune(program(16), machine(), depth=2, top=1, programs=False)
    assert fitting.bounded > 0
    nothing = tune(program(16), machine(), depth=2, top=1, memory=1, programs=False)
    assert (nothing.found, nothing.bounded) == ((), 0)


def test_a_kernel_reads_and_writes_less_than_its_parts():
    apart = ScheduledProgram(
        on_ranks(parse_program("program p\ninput x : f32[1048576]\ny = x * 2\nz = tanh(y)\noutput z\n"), 4)
    )
    (line,) = parse_schedule("f = fuse y, z")
    fused = apply(apart, line).evidence.scheduled
    one, other = estimate(fused, machine()).seconds, estimate(apart, machine()).seconds
    assert one == pytest.approx(other / 2)


def test_a_loop_is_never_faster_than_what_its_stages_keep_busy():
    text = (ROOT / "p2smt" / "schedule" / "examples" / "mlp_tail.tp").read_text(encoding="utf-8")
    plain = ScheduledProgram(on_ranks(parse_program(text), 4))
    units = {unit.name: unit.seconds for unit in estimate(plain, machine()).units}
    for chunks in (2, 8, 32):
        (line,) = parse_schedule(f"overlap layer, sum chunks {chunks} dim 1")
        seconds = {unit.name: unit.seconds for unit in estimate(apply(plain, line).evidence.scheduled, machine()).units}
        assert max(units["layer"], units["sum"]) <= seconds["loop.layer"]


def test_a_kernel_keeps_what_its_collectives_share_busy_for_all_of_them():
    pricer = Pricer(ScheduledProgram(scattered(4096)), machine())
    apart = [pricer.stage((name,)).busy for name in ("rs", "ag")]
    together = pricer.stage(("rs", "ag")).busy
    links = set(apart[0]) & set(apart[1]) - {COMPUTATION, MEMORY}
    assert links
    assert all(together[link] == pytest.approx(apart[0][link] + apart[1][link]) for link in links)
    assert max(min(apart[0][link], apart[1][link]) for link in links) > 0


def test_the_mesh_has_to_fit_the_system():
    with pytest.raises(ProgramError, match="the mesh has 3 ranks, but the system has 4 devices; the two must be equal"):
        tune(on_ranks(parse_program(TEXT.replace("N", "8")), 3), machine())


def test_the_command_prints_the_fastest_beside_the_program_as_it_is(tmp_path, capsys):
    path = tmp_path / "p.tp"
    path.write_text(TEXT.replace("N", "4096"), encoding="utf-8")
    arguments = ["schedule", str(path), "--system", SYSTEM, "--ranks", "4", "--depth", "2", "--top", "2"]
    text = output(arguments, capsys)
    assert any(line.startswith("small on 4 ranks: ") for line in text.splitlines()[1:3])
    assert "as it is" in text
    assert "[2]" in text
    assert max(map(len, text.splitlines()[1:])) <= 80, "but for the assumption, which a terminal wraps"
    document = json.loads(output([*arguments, "--json"], capsys))
    assert len(document["fastest"]) == 2
    assert document["cut_off"] is None
    assert run(["schedule", str(path), "--ranks", "4"]) == 2
    assert "give --steps FILE to prove, or --system SYSTEM to search one" in capsys.readouterr().err


SEND = """program send
mesh pipe=4, model=MODEL
size N = 4194304
input x : f32[N] on_rank(0, pipe)
y = Send(x, next, axis=pipe)
output y on_rank(1, pipe)
"""


def sending(model, system):
    program = parse_program(SEND.replace("MODEL", str(model)))
    network = find_system(system).network
    return network, estimate(ScheduledProgram(program), Machine(cost_of(find_system(system)))).seconds


def test_a_send_takes_one_hop_to_the_next_group_and_no_more():
    size = 4 * 4194304
    network, inside = sending(2, "dgx-h100:1x8")
    (link,) = network.at(network.links[-1].level)
    memory = 2 * size / network.memory_bandwidth
    assert inside == pytest.approx(size / link.bandwidth + link.latency + network.launch + memory)
    pair = ScheduledProgram(
        on_ranks(parse_program("program p\ninput x : f32[4194304] on_rank(0)\ny = Broadcast(x, 0)\noutput y\n"), 4)
    )
    broadcast = estimate(pair, machine()).seconds
    assert inside == pytest.approx(broadcast - 2 * link.latency)
    between = sending(4, "dgx-h100:2x8")[1]
    assert between == pytest.approx(inside), "groups 0 and 1 are in one machine"
    assert sending(8, "dgx-h100:4x8")[1] > 2 * inside, "all eight cards send to the next machine"


@pytest.mark.parametrize(
    ("steps", "collectives"),
    [
        ("(root, InsideGroup, AllReduce)", 1),
        ("(root, InsideGroup, ReduceScatter); (root, InsideGroup, AllGather)", 2),
        ("(node, InsideGroup, ReduceScatter); (node, Parallel(root), AllReduce); (node, InsideGroup, AllGather)", 3),
    ],
)
def test_an_all_reduce_by_a_reduction_program_takes_what_the_program_takes(steps, collectives):
    """Its steps by themselves, as programs on the two axes of the same devices."""
    system = Machine(cost_of(find_system("dgx-h100:2x8")))
    (line,) = parse_schedule(f's = split sum "{steps}" levels node=2, gpu=8')
    plain = ScheduledProgram(parse_program(TEXT.replace("N", "65536").replace("input", "mesh all=16\ninput")))
    outcome = apply(plain, line)
    assert isinstance(outcome, Proved)
    units = {unit.name: unit for unit in estimate(outcome.evidence.scheduled, system).units}
    assert units["s"].way == steps
    size, alone = 64 * 65536, []
    for collective, axis, parts in {
        1: [("AllReduce", None, 1)],
        2: [("ReduceScatter", None, 1), ("AllGather", None, 16)],
        3: [("ReduceScatter", "gpu", 1), ("AllReduce", "node", 8), ("AllGather", "gpu", 8)],
    }[collectives]:
        alone.append(_collective(collective, axis, 4 * size / parts, system))
    assert units["s"].seconds == pytest.approx(sum(alone))


def _collective(name, axis, held, machine):
    inner = {"gpu": Role.VARYING, "node": Role.FREE, None: Role.VARYING}[axis]
    outer = {"gpu": Role.FREE, "node": Role.VARYING, None: Role.VARYING}[axis]
    pattern = Pattern((((outer, 2),), ((inner, 8),)))
    return machine.cost.work_cost(Work(Collective(name), pattern, held)).seconds


TWO_CHAINS = """program chains
input x : f32[64, N] partial(+)
input z : f32[64, N] partial(+)
sum = AllReduce(x)
y = relu(sum)
total = AllReduce(z)
w = tanh(total)
output y
output w
"""


def chains(length):
    return on_ranks(parse_program(TWO_CHAINS.replace("N", str(length))), 4)


def fused_and_overlapped(scheduled, depth, name="n"):
    """Every order of kernels and loops, whatever it is equal to."""
    yield scheduled
    for step in moves(scheduled) if depth else ():
        if isinstance(step, Fuse | Overlap):
            outcome = apply(scheduled, Line(step, (f"{name}{depth}",) if isinstance(step, Fuse) else ()))
            if isinstance(outcome, Proved):
                yield from fused_and_overlapped(outcome.evidence.scheduled, depth - 1, name)


def test_loops_that_commute_are_made_in_one_order_and_none_is_missed(monkeypatch):
    monkeypatch.setattr(search, "CHUNKS", ())
    monkeypatch.setattr(
        search, "moves", lambda scheduled, *_: [step for step in moves(scheduled) if isinstance(step, Fuse | Overlap)]
    )
    tuned = tune(chains(512), machine(), depth=3)
    canonical = Canonical()
    everything = list(fused_and_overlapped(ScheduledProgram(chains(512)), 3))
    assert {canonical.form(each.scheduled) for each in tuned.found} == set(map(canonical.form, everything))
    assert tuned.commuting > 0
    assert tuned.tried < len(everything) - 1


@pytest.mark.thorough  # the tuner is compared with brute force below
@pytest.mark.parametrize(
    ("make", "length", "depth"),
    [
        (program, 16, 3),
        (program, 65536, 3),
        (chains, 4096, 2),
    ],
)
def test_the_fastest_are_the_same_without_what_takes_longer_in_any_case(make, length, depth):
    everything = tune(make(length), machine(), depth=depth)
    assert everything.bounded == 0
    for top in sample((2, 6), 1):
        bounded = tune(make(length), machine(), depth=depth, top=top)
        best = [each.estimate.seconds for each in everything.found[:top]]
        assert [each.estimate.seconds for each in bounded.found[:top]] == pytest.approx(best)
        assert top > 2 or bounded.bounded > 0
        assert top > 2 or len(bounded.found) < len(everything.found)


def test_of_so_many_fastest_the_last_decides_what_is_left_out():
    """Two are asked for: what can be faster than the second best so far is looked at, though the best is faster."""
    asked = TuningRequest(depth=2, most=100, top=2, memory=None, deadline=None, programs=False)
    known = search._Search(asked, machine(), None)
    known._seconds = [1.0, 3.0]
    assert not known._is_beaten(2.0)
    assert known._is_beaten(4.0)
    known._seconds = [1.0]
    assert not known._is_beaten(4.0)
    beside = search._Search(replace(asked, rival=2.5), machine(), None)
    assert not beside._is_beaten(2.5)
    assert beside._is_beaten(2.6)


def in_all_chunks(scheduled, kept):
    """The same with so many chunks as are tried in every loop but those that are kept."""
    for chunks in (2, *CHUNKS) if set(scheduled.loops) - set(kept) else (2,):
        loops = (loop if loop in kept else replace(loop, chunks=chunks) for loop in scheduled.loops)
        yield replace(scheduled, loops=tuple(loops))


def scattered(length):
    """Two collectives one behind the other, on the same links."""
    return check_schedule(program(length), parse_schedule("rs, ag = split sum rs-ag dim 1")).scheduled.program


def measured():
    """A machine with rates: links that take longer for few bytes, longer still where nothing else is under way."""
    way = CollectiveRates(begin=1e-5, turn=2e-6, cards=(Card(1e11, ((100.0, 2.0), (1e6, 1.2))),))
    ways = dict.fromkeys(("AllReduce", "AllGather", "ReduceScatter", "AllToAll and a sum"), way)
    calls = {ELEMENTWISE: Curve(((0.0, 1e-6), (1e6, 1e-5)))}
    beside = (Card(1e11, ((100.0, 1.5), (1e6, 1.0))),)
    rates = Rates(ranks=4, burst=1e5, calls=calls, ways=ways, part=1e-6, cards=beside, lost=0.1)
    return replace(machine(), rates=rates)


@pytest.mark.parametrize(
    ("make", "price"),
    sample([*product([program, chains, scattered], [machine]), *product([program, chains, scattered], [measured])], 3),
)
def test_nothing_that_fuses_and_overlaps_takes_less_than_the_bound(make, price):
    """On a roofline, and by measured rates."""
    shared = 0
    for length in (16, 2**22):
        plain = ScheduledProgram(make(length))
        for start in (plain, *fused_and_overlapped(plain, 1, "first")):
            on = price()
            pricer = Pricer(start, on)
            least = least_seconds(start, pricer)
            reached = [
                estimate(some, on, pricer)
                for each in fused_and_overlapped(start, 1 + (start is plain))
                for some in in_all_chunks(each, start.loops)
            ]
            assert least <= min(each.seconds for each in reached) * (1 + 1e-12)
            shared += any(unit.hidden for each in reached for unit in each.units)
    assert shared > 3


def test_collectives_by_unlike_reduction_programs_are_other_schedules():
    """The program, its levels and its goal tell two apart; so does having none."""
    levels, others = (("node", 2), ("gpu", 2)), (("node", 4), ("gpu", 1))
    noted = [
        Implementation("sum", text, of, goal)
        for text in ("first", "second")
        for of in (levels, others)
        for goal in (Collective.ALL_REDUCE, Collective.REDUCE_SCATTER)
    ]
    plain, canonical = ScheduledProgram(program(64)), Canonical()
    forms = [canonical.form(plain), *(canonical.form(replace(plain, implementations=(each,))) for each in noted)]
    assert len(set(forms)) == len(noted) + 1


def test_loops_that_differ_in_anything_are_other_schedules():
    """Stages, how many chunks, and of which dimension."""
    plain = ScheduledProgram(program(64))
    loops = [
        Loop("loop", stages, chunks, dimension)
        for stages in (("sum", "y"), ("y", "sum"))
        for chunks in (2, 4)
        for dimension in (0, 1)
    ]
    canonical = Canonical()
    forms = [canonical.form(replace(plain, loops=(loop,))) for loop in loops]
    assert len({*forms, canonical.form(plain)}) == len(loops) + 1
    named = [canonical.form(replace(plain, loops=(replace(loop, name="other"),))) for loop in loops]
    assert named == forms
