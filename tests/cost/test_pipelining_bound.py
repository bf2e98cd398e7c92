"""No program of any length takes less in chunks than the bound says, and good ones come close to it."""

from collections import defaultdict
from dataclasses import replace
from itertools import permutations
from math import prod

import networkx
import numpy as np
import pytest
from cost.network.random_systems import costs, systems
from cost.test_pipelining import asked
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import examples, is_full, sample

from p2smt.collective import Collective
from p2smt.cost.cheapest_chunks import LEAST_GAIN, cheapest_chunked
from p2smt.cost.network.backend import Gloo, cost_of
from p2smt.cost.network.pipelining import MOST_CHUNKS, Pipelines
from p2smt.cost.pipelining_bound import Band, BandBound, ChunksBound, bands, chunks_bound
from p2smt.cost.ranking import rank
from p2smt.placement.enumeration import all_placements
from p2smt.problem.build import build_problem
from p2smt.problem.model import Axis, Grammar, Payload, Search
from p2smt.problem.system.processors import Processors
from p2smt.problem.system.text import find_system
from p2smt.reduction.language.hierarchy import language_of
from p2smt.reduction.plan.chunking import payload_chunks
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.semantics.goal import level_goal
from p2smt.reduction.semantics.level_algebra import apply_step, class_groups
from p2smt.reduction.semantics.state_graph import state_graph
from p2smt.reduction.synth.session import Synthesizer
from p2smt.smt.answer import Stop


def test_bands_lie_side_by_side():
    assert bands(1) == ()
    for most in (2, 3, 9, MOST_CHUNKS):
        assert [chunks for band in bands(most) for chunks in range(band.fewest, band.most + 1)] == list(
            range(2, most + 1)
        )


def test_the_bound_on_all_numbers_of_chunks_is_that_of_the_least_band():
    none = np.zeros(0, dtype=np.int64)
    least, middle, most = (BandBound(Band(2**n, 2**n), none, units, 0.5) for n, units in ((1, 40), (2, 44), (3, 60)))
    for every in permutations((least, middle, most)):
        assert ChunksBound(every, ()).seconds == least.seconds
    assert ChunksBound((most,), ()).seconds == most.seconds
    assert 30 * (1 - 1e-8) < most.seconds < 30


def random_program(graph, random):
    """A program along random steps, those that leave many more to do before others."""
    state, steps = 0, []
    while not graph.goals[state]:
        edges = sorted(graph.edges(state), key=lambda edge: graph.depth[edge[1]])
        charge, state = random.choice(edges[-2:])
        steps.append(graph.charges[charge].step)
    return graph.language.program(tuple(steps))


def test_no_program_takes_less_in_chunks_than_the_bound():
    ratios, lengths = [], []

    @settings(max_examples=examples(6))
    @given(st.data(), st.randoms(use_true_random=False))
    def holds(data, random):
        sizes = data.draw(st.sampled_from([(4,), (2, 3), (4, 2), (2, 2, 2), (2, 4, 2)]))
        system, goal = data.draw(systems(sizes)), data.draw(st.sampled_from(Collective))
        payload = Payload(data.draw(st.sampled_from([1 << 10, 1 << 16, 3 << 22])), "uint8")
        problem = build_problem(system, [Axis("a", prod(sizes))], [0], payload, goal=goal, search=Search())
        lowering = Lowering(problem, all_placements(problem).items[0])
        cost = data.draw(costs(system))
        bound = chunks_bound(lowering, cost, MOST_CHUNKS)
        pipelines = Pipelines(cost)
        graph = state_graph(language_of(lowering.hierarchy, Grammar.FULL, goal))
        programs = [*bound.programs, *(random_program(graph, random) for _ in range(5))]
        for program in programs:
            plan = lowering.plan(program)
            for chunks in (2, 3, 8, 21, 200):
                cut = replace(plan, chunks=chunks)
                real = len(payload_chunks(cut))
                if real < 2:
                    continue
                (band,) = (one for one in bound.bands if one.band.fewest <= real <= one.band.most)
                seconds = pipelines.pipeline(cut).seconds
                assert seconds >= band.seconds >= bound.seconds
                ratios.append(seconds / band.seconds)
                lengths.append(len(program))

    holds()
    assert min(ratios) < 1.02
    assert max(lengths) > (5 if is_full() else 4)


@pytest.mark.thorough  # no program takes less than the bound above
@pytest.mark.parametrize("text", sample(["2x4", "dgx-h100:2x8", "2x2x2"], 2))
def test_the_bound_is_a_distance_in_the_graph_of_the_level_algebra(text):
    """Over states that `apply_step` reaches, with the bound's own prices, by networkx."""
    asked_for = asked(text)
    lowering = Lowering(asked_for, all_placements(asked_for).items[0])
    bound = chunks_bound(lowering, cost_of(asked_for.system), 64)
    language = language_of(lowering.hierarchy, Grammar.FULL, asked_for.goal)
    charges = state_graph(language).charges
    goal = level_goal(asked_for.goal, language.levels)
    for band in bound.bands[::3]:
        prices = {
            (charge.step, charge.scattered): int(price) for charge, price in zip(charges, band.prices, strict=True)
        }
        walks, waiting, seen = networkx.DiGraph(), [goal.start], {goal.start}
        while waiting:
            state = waiting.pop()
            if goal.is_reached(state):
                walks.add_edge(state, "goal", weight=0)
                continue
            for step in language.steps():
                after = apply_step(state, step, language.levels)
                if after is None:
                    continue
                roots = [state[group[0]] for group in class_groups(step[0], language.levels)]
                scattered = tuple(sorted({held.scattered for held in roots if held is not None}))
                price = prices.get((step, scattered))
                if price is not None:
                    old = walks.get_edge_data(state, after, {"weight": price})["weight"]
                    walks.add_edge(state, after, weight=min(price, old))
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)
        assert networkx.shortest_path_length(walks, goal.start, "goal", weight="weight") == band.units


@pytest.mark.thorough  # above, bounds are within 2 % of programs; whole searches: test_chunks_search.py
def test_many_chunks_come_close_to_the_bound():
    """Three levels whose links take about as long: 0.4 % above what any program takes; the wire here is the bound.

    That this search is right is compared with all programs in test_chunks_search.py.
    """
    asked_for = asked("2x4x8")
    found = cheapest_chunked(asked_for, cost_of(asked_for.system))
    assert found.every
    assert found.weighed_least_s == found.seconds
    assert found.least_s < found.seconds < 1.004 * found.least_s
    assert found.plan.chunks > 32


@pytest.mark.thorough  # test_endings.py stops a smaller search
def test_placements_that_were_not_found_in_time_may_take_less_than_any_bound(monkeypatch):
    """The same search on three levels, as if it had been cut off; test_endings.py does so without longer programs."""
    asked_for = replace(asked("2x2x2"), search=Search(limit=2))
    cost = cost_of(asked_for.system)
    whole = Synthesizer().synthesize(asked_for)
    for stop, known in ((Stop.EXHAUSTED, True), (Stop.DEADLINE, False)):
        monkeypatch.setattr(Synthesizer, "synthesize", lambda *_, stop=stop, **__: replace(whole, stop=stop))
        found = cheapest_chunked(asked_for, cost)
        assert (found.complete, found.every, found.least_s is not None) == (known, known, known)


@pytest.mark.thorough  # the bound of programs up to a limit is tested above
def test_over_two_levels_all_programs_of_any_length_are_weighed():
    found = cheapest_chunked(asked("dgx-h100:2x8"), cost_of(asked("dgx-h100:2x8").system))
    assert found.every
    assert found.weighed_least_s == found.seconds
    assert found.least_s is not None
    assert 0 < found.least_s <= found.seconds


SLOW_LINKS = """name = "slow"
device = { memory_bandwidth = "2000GB/s", launch = "8us" }
level = [{ name = "node", size = 3 }, { name = "gpu", size = 2 }]
link = [
    { name = "across", level = "node", bandwidth = "9GB/s", latency = "2us" },
    { name = "inside", level = "gpu", bandwidth = "9GB/s", latency = "2us" },
]
"""


@pytest.mark.thorough  # no program takes less than the bound in the test of all levels
def test_over_two_levels_no_number_of_chunks_is_below_the_bound(tmp_path):
    """22 chunks save 0.3 % of what 16 take: the best program is priced in the numbers between powers of two as well."""
    path = tmp_path / "slow.toml"
    path.write_text(SLOW_LINKS, encoding="utf-8")
    system = find_system(str(path))
    problem = build_problem(system, [Axis("data", 6)], ["data"], Payload(2**26, "float32"))
    cost = cost_of(system)
    found = cheapest_chunked(problem, cost)
    assert found.plan.chunks == 22
    ranked = rank(Synthesizer().synthesize(problem), cost)
    plans = [program.plan for placement in ranked for program in placement.programs]
    for chunks in sample(range(2, 41), 6):
        least = min(cost.plan_seconds(replace(plan, chunks=chunks)) for plan in plans)
        assert least >= found.least_s, chunks
        assert least >= found.seconds * (1 - LEAST_GAIN), chunks


def test_a_given_number_of_chunks_is_claimed_nothing_of():
    asked_for = asked("2x4")
    found = cheapest_chunked(asked_for, cost_of(asked_for.system), 8)
    assert (found.every, found.least_s) == (False, None)


def test_every_chunk_pays_for_its_calls_and_messages_on_shared_cores():
    """One core and eight devices: at least seven messages bring all together, and seven bring it back."""
    asked_for = asked("node:2,gpu:4", 4096)
    network = replace(asked_for.system.network, processors=Processors(1, 0.0, 1e-5))
    cost = cost_of(replace(asked_for.system, network=network), Gloo())
    bound = chunks_bound(Lowering(asked_for, all_placements(asked_for).items[0]), cost, 64)
    for one in bound.bands:
        assert one.seconds >= one.band.fewest * 14 * 1e-5
    assert bound.bands[-1].seconds == pytest.approx(32 * bound.bands[0].seconds)


def test_one_band_of_one_number_counts_what_every_chunk_pays():
    """Starts alone: on a network without bytes to speak of, the bound grows with the number of chunks."""
    asked_for = asked("dgx-h100:2x8", 4096)
    lowering = Lowering(asked_for, all_placements(asked_for).items[0])
    bound = chunks_bound(lowering, cost_of(asked_for.system), 64)
    by_band = defaultdict(float, {one.band: one.seconds for one in bound.bands})
    assert by_band[Band(32, 63)] == pytest.approx(8 * by_band[Band(4, 7)], rel=0.05)
    assert np.all(np.diff([one.seconds for one in bound.bands]) > 0)
