"""Which program is cheapest at which payload, against ranking at payload after payload."""

from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import problem
from tiers import examples, sample

from p2smt.cost.any_length import Reach
from p2smt.cost.crossovers import MOST_BYTES, Crossover, cheapest_of, crossovers, program_changes
from p2smt.cost.network.backend import BACKENDS, Nccl, cost_of
from p2smt.cost.ranking import Ranker
from p2smt.problem.model import Payload, Search
from p2smt.problem.system.algorithm import Algorithm
from p2smt.problem.system.build import build_system
from p2smt.problem.system.text import find_system
from p2smt.reduction.synth.session import synthesize


def renamed(system):
    """The same with the names of levels that problems without a system have."""
    names = {level.name: f"level{number}" for number, level in enumerate(system.levels)}
    network = system.network
    links = tuple(replace(link, level=names[link.level]) for link in network.links)
    machine = None if network.machine is None else names[network.machine]
    levels = tuple(replace(level, name=names[level.name]) for level in system.levels)
    return replace(system, levels=levels, network=replace(network, links=links, machine=machine))


ASKED = {
    shape: problem(shape, axes, reduce, limit=3)
    for shape, axes, reduce in [((4, 4), (16,), (0,)), ((2, 4), (2, 4), (1,)), ((2, 2, 2), (8,), (0,))]
}
ASKED[2, 8] = replace(problem((2, 8), (16,), (0,), limit=3), system=renamed(find_system("dgx-h100:2x8")))
SIZES = sample([1, 2, 3, *(int(10 ** (number / 4)) for number in range(3, 60, 2))], 6)


@cache
def found_for(shape):
    return synthesize(ASKED[shape])


@st.composite
def networks(draw, shape):
    """The problem's system with other rates and latencies, many of them equal or 0."""
    system = ASKED[shape].system
    rates, latencies = st.sampled_from([1e6, 1e9, 3e9, 1e11]), st.sampled_from([0.0, 1e-6, 1e-6, 3e-5, 1e-3])
    links = [replace(link, bandwidth=draw(rates), latency=draw(latencies)) for link in system.network.links]
    memory = draw(st.sampled_from([1e9, 1e12]))
    return build_system(replace(system, network=replace(system.network, links=tuple(links), memory_bandwidth=memory)))


def held(problem, system, backend, synthesis):
    """Per placement its crossovers, compared with the ranking at every payload; with how many they are."""
    cost = cost_of(system, backend)
    ranker, every = Ranker(cost), []
    for placed in synthesis.placements:
        found = crossovers(ranker, cost, problem, placed)
        every.append(found)
        starts = [crossover.least_bytes for crossover in found]
        assert starts[0] == 0.0
        assert starts == sorted(set(starts))
        assert all(1 < start <= MOST_BYTES for start in starts[1:])
        near = [max(1, round(start) + more) for start in starts[1:] for more in (-1, 0, 1)]
        for size in sorted({*SIZES, *near}):
            asked = replace(problem, payload=Payload(size, "float32"))
            best = ranker.placement(asked, placed, top=1).programs[0].seconds
            (*_, now) = (crossover for crossover in found if crossover.least_bytes <= size)
            assert now.seconds(size) == pytest.approx(best, rel=1e-6)
    together = cheapest_of(every)
    for size in SIZES:
        least = min(line.seconds(size) for found in every for line in found)
        (*_, now) = (crossover for crossover in together if crossover.least_bytes <= size)
        assert now.seconds(size) == pytest.approx(least, rel=1e-6)
    return max(map(len, every))


@pytest.mark.parametrize("backend", sample(BACKENDS, 2), ids=str)
def test_the_cheapest_at_every_payload_is_the_rankings(backend):
    counts = [held(asked, asked.system, backend, found_for(shape)) for shape, asked in ASKED.items()]
    assert max(counts) > 1


@settings(max_examples=examples(3))
@given(st.sampled_from(sorted(ASKED)).flatmap(lambda shape: st.tuples(st.just(shape), networks(shape))))
def test_it_is_on_random_networks(drawn):
    shape, system = drawn
    held(replace(ASKED[shape], system=system), system, Nccl(), found_for(shape))


def test_changes_of_an_algorithm_within_one_program_are_no_changes_of_the_program():
    asked = ASKED[4, 4]
    cost = cost_of(asked.system)
    found = crossovers(Ranker(cost), cost, asked, found_for((4, 4)).placements[0])
    changes = program_changes(found)
    texts = [change.best.text for change in changes]
    assert all(one != after for one, after in pairwise(texts))
    assert set(changes) <= set(found)
    rings = cost_of(asked.system, Nccl(Algorithm.RING))
    alone = crossovers(Ranker(rings), rings, asked, found_for((4, 4)).placements[0])
    assert program_changes(alone) == alone


def test_after_the_deadline_nothing_is_said_of_other_payloads():
    asked = replace(ASKED[2, 2, 2], search=Search(limit=1))
    cost = cost_of(asked.system)
    (placed,) = synthesize(asked).placements
    assert crossovers(Ranker(cost), cost, asked, placed, deadline=0.0) is None
    late = Ranker(cost).placement(asked, placed, deadline=0.0)
    assert (late.reach, late.any_length) == (Reach.LATE, False)


def test_what_is_known_of_longer_programs_is_not_looked_for_again(monkeypatch):
    asked = replace(ASKED[2, 2, 2], search=Search(limit=1))
    ranker = Ranker(cost_of(asked.system))
    (placed,) = synthesize(asked).placements
    whole = ranker.placement(asked, placed)
    monkeypatch.setattr("p2smt.cost.ranking.cheaper_program", None)
    assert ranker.placement(asked, placed, known=whole.cheaper) == whole
    assert whole.programs[0].beyond_limit


def test_what_is_as_fast_at_one_byte_and_faster_from_there_on_is_the_first():
    """Lines that meet at one byte are one change too few to tell; those that meet at two bytes are not."""

    def line(latency, per_byte):
        return Crossover(0.0, None, latency, per_byte)

    steep, flat, later = line(1.0, 2.0), line(2.0, 1.0), line(3.0, 1.0)
    for lines in ([[steep], [flat]], [[flat, steep]]):
        assert cheapest_of(lines) == (flat,)
    assert cheapest_of([[steep], [later]]) == (steep, replace(later, least_bytes=2.0))
    assert cheapest_of([[flat]]) == (flat,)
    assert cheapest_of([]) == ()
