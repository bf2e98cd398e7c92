"""Programs in the order of their cost; none is lost, and the plan behind each costs what the ranking says."""

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from looped import looped
from support import problem
from tiers import is_full

from p2smt.cost.any_length import Reach
from p2smt.cost.network.nccl import NetworkCost
from p2smt.cost.ranking import RankedPlacement, Ranker, best_placement, competition_ranks, rank
from p2smt.problem.build import build_problem
from p2smt.problem.model import Axis, Payload, Search
from p2smt.problem.system.algorithm import Algorithm
from p2smt.problem.system.text import find_system
from p2smt.reduction.synth.session import Synthesizer
from p2smt.smt.answer import Stop

CASES = {
    "4x16": problem([4, 16], [4, 16], [1]),
    "2x2x2": problem([2, 2, 2], [8]),
    "4x4": problem([4, 4], [4, 4], [0]),
    "p2-v100": ("p2-v100:2x8", [2, 8], [1]),
    "p2-a100": ("p2-a100:4x16", [16, 4], [0]),
    "dgx-h100": ("dgx-h100:2x8", [2, 8], [1]),
    "nothing to reduce": problem([2, 2], [4, 1], [1]),
}
PAIRS = [
    (name, algorithm)
    for name in CASES
    for algorithm in Algorithm
    if is_full() or algorithm is Algorithm.RING or name in ("4x16", "dgx-h100")
]


@cache
def synthesis(name):
    case = CASES[name]
    if isinstance(case, tuple):
        system, axes, reduce = case
        named = [Axis(f"axis{number}", size) for number, size in enumerate(axes)]
        case = build_problem(find_system(system), named, reduce, Payload(1 << 20, "float32"), Search(limit=4))
    return Synthesizer().synthesize(case)


def cost_of(name, algorithm=Algorithm.RING):
    return NetworkCost(synthesis(name).problem.system, algorithm)


@cache
def ranked(name, algorithm=Algorithm.RING) -> tuple[RankedPlacement, ...]:
    return rank(synthesis(name), cost_of(name, algorithm))


@looped(("name", "algorithm"), PAIRS)
def test_every_program_is_kept_in_ascending_order(name, algorithm):
    placements = synthesis(name).placements
    assert [placement.placed for placement in ranked(name, algorithm)] == list(placements)
    for placement in ranked(name, algorithm):
        programs = [entry.program for entry in placement.programs if not entry.beyond_limit]
        assert len(programs) == len(placement.placed.programs)
        assert set(programs) == set(placement.placed.programs)
        longer = [entry for entry in placement.programs if entry.beyond_limit]
        assert longer in ([], list(placement.programs[:1]))
        seconds = [entry.seconds for entry in placement.programs]
        assert seconds == pytest.approx(sorted(seconds), rel=1e-9)


@looped(("name", "algorithm"), PAIRS)
def test_equal_times_have_one_rank_and_the_next_counts_all_before_it(name, algorithm):
    for placement in ranked(name, algorithm):
        entries = placement.programs
        for place, entry in enumerate(entries):
            before = entries[place - 1] if place else None
            if before is None or before.seconds < entry.seconds * (1 - 1e-8):
                assert entry.rank == place + 1
            if before is not None and entry.rank == before.rank:
                assert entry.seconds == pytest.approx(before.seconds, rel=1e-8)
                assert len(entry.program) >= len(before.program)  # the shorter first


def test_some_times_are_equal_and_some_are_not():
    ranks = [entry.rank for placement in ranked("2x2x2") for entry in placement.programs]
    assert len(set(ranks)) > 100
    assert len(ranks) - len(set(ranks)) > 100


@looped(("name", "algorithm"), PAIRS)
def test_the_plan_of_an_entry_costs_its_seconds(name, algorithm):
    cost = NetworkCost(synthesis(name).problem.system, algorithm)
    for placement in ranked(name, algorithm):
        entries = placement.programs
        for entry in [*entries[:25], *entries[25::17]]:
            plan = entry.plan
            assert cost.plan_seconds(plan) == pytest.approx(entry.seconds, rel=1e-9)
            latency = sum(cost.step_cost(plan, step).fixed_s for step in plan.steps)
            assert latency == pytest.approx(entry.latency_s, rel=1e-9)
            assert plan.program == entry.text


@looped(("name", "algorithm"), PAIRS)
def test_latency_is_what_is_left_without_bytes_and_the_rest_is_linear(name, algorithm):
    found = synthesis(name)
    tiny, double = (
        rank(replace(found, problem=replace(found.problem, payload=payload)), cost_of(name, algorithm))
        for payload in (Payload(1, "uint8"), Payload(2 << 20, "float32"))
    )
    for placement, other, twice in zip(ranked(name, algorithm), tiny, double, strict=True):
        without_bytes = {entry.program: entry for entry in other.programs}
        with_twice = {entry.program: entry for entry in twice.programs}
        for entry in placement.programs:
            least, most = without_bytes[entry.program], with_twice[entry.program]
            assert least.latency_s == most.latency_s == entry.latency_s
            of_bytes = entry.seconds - entry.latency_s
            assert least.seconds - entry.latency_s == pytest.approx(of_bytes / (1 << 20), rel=1e-3, abs=1e-15)
            assert most.seconds - entry.latency_s == pytest.approx(2 * of_bytes, rel=1e-6)


@looped("name", CASES)
@looped("top", [0, 1, 3, 10**6])
def test_the_first_of_all_are_the_same_as_all_to_begin_with(name, top):
    for few, every in zip(rank(synthesis(name), cost_of(name), top), ranked(name), strict=True):
        assert few.programs == every.programs[:top]
        assert few.allreduce_seconds == every.allreduce_seconds


@looped(("name", "algorithm"), PAIRS)
def test_one_ranker_for_all_placements_finds_what_one_for_each_finds(name, algorithm):
    cost, found = cost_of(name, algorithm), synthesis(name)
    one_by_one = [Ranker(cost).placement(found.problem, placed) for placed in found.placements]
    assert tuple(one_by_one) == ranked(name, algorithm)
    ranker = Ranker(cost)
    backwards = [ranker.placement(found.problem, placed) for placed in found.placements[::-1]]
    assert tuple(backwards[::-1]) == ranked(name, algorithm)


@pytest.mark.parametrize("stop", [Stop.DEADLINE, Stop.INTERRUPTED, Stop.UNKNOWN])
def test_programs_that_were_not_all_found_are_not_taken_for_all(stop):
    """The slowest alone was found; the fastest of any length is looked for though it is no longer than the limit."""
    asked = problem([4], [4])
    found, cost = Synthesizer().synthesize(asked), NetworkCost(asked.system)
    (placed,), (whole,) = found.placements, rank(found, cost)
    assert (whole.reach, len(whole.programs)) == (Reach.ALL, 3)
    part = replace(placed, programs=(whole.programs[-1].program,), stop=stop)
    cut_off = Ranker(cost).placement(asked, part)
    assert (cut_off.reach, cut_off.programs[0].seconds) == (Reach.CHEAPEST, whole.programs[0].seconds)
    assert [one.rank for one in cut_off.programs] == [1, 2]


def test_one_ranker_serves_several_problems():
    ranker = Ranker(cost_of("4x4"))
    asked, larger = (
        synthesis("4x4").problem,
        replace(synthesis("4x4").problem, payload=Payload(1 << 30, "int8")),
    )
    for placed in synthesis("4x4").placements:
        for which in (asked, larger, asked):
            alone = Ranker(cost_of("4x4")).placement(which, placed)
            assert ranker.placement(which, placed) == alone


def test_the_cost_of_a_plain_allreduce_stands_beside_the_programs():
    for placement in ranked("4x16"):
        (plain,) = [entry for entry in placement.programs if entry.text == "(root, InsideGroup, AllReduce)"]
        assert plain.seconds == pytest.approx(placement.allreduce_seconds)


def test_the_best_placement_keeps_the_reduction_inside_the_nodes():
    best = best_placement(ranked("4x16"))
    assert best is not None
    assert str(best.placed.matrix) == "4x1/1x16"
    assert best.programs[0].seconds == min(entry.seconds for one in ranked("4x16") for entry in one.programs)
    crossing = ranked("4x16")[1]
    assert crossing.programs[0].text == (
        "(level0, InsideGroup, ReduceScatter); (level0, Parallel(root), AllReduce); (level0, InsideGroup, AllGather)"
    )
    assert crossing.programs[0].seconds < crossing.allreduce_seconds


def test_the_first_of_equally_good_placements_is_the_best_and_none_of_none():
    first, second, *_ = ranked("4x4")
    assert best_placement([first, first]) is first
    assert best_placement([second, first]) is best_placement([first, second])
    assert best_placement([]) is None
    assert best_placement([replace(first, programs=()), second]) is second
    assert best_placement([replace(first, programs=())]) is None


@looped("power", range(-12, 7))
def test_times_that_differ_in_the_last_bits_are_equal_at_powers_of_ten_too(power):
    exact = 10.0**power
    assert competition_ranks([exact, exact * (1 - 1e-15), exact * (1 + 1e-14), 2 * exact])[1] == [1, 1, 1, 4]


@given(st.lists(st.sampled_from([0.0, 1e-9, 1.0, 1.0 + 1e-13, 2.0, 2.0 * (1 - 1e-12), 1e6])))
def test_competition_ranks_equal_their_definition(seconds):
    order, numbers = competition_ranks(seconds)
    assert sorted(order) == list(range(len(seconds)))
    for place, number in zip(order, numbers, strict=True):
        assert number == 1 + sum(other < seconds[place] * (1 - 1e-9) for other in seconds)
    ranked_places = list(zip(numbers, order, strict=True))
    assert ranked_places == sorted(ranked_places)  # equal ones keep their order


def test_times_are_compared_to_ten_digits():
    assert competition_ranks([1.00000002, 1.00000001, 1.0]) == ([2, 1, 0], [1, 2, 3])  # the ninth digit tells
    assert competition_ranks([1.000000002, 1.000000001, 1.0]) == ([2, 1, 0], [1, 2, 3])  # so does the tenth
    assert competition_ranks([1.00000000002, 1.00000000001, 1.0]) == ([0, 1, 2], [1, 1, 1])
