"""What any believable price must keep, on random systems and patterns."""

from collections import Counter
from dataclasses import replace

import pytest
from cost.network.random_systems import listed, merged, placed, shapes_on
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from looped import looped
from tiers import examples, is_full

from p2smt.collective import Collective
from p2smt.cost.calibration.parameters import OVERLAP, parameters, with_parameters
from p2smt.cost.network.cluster_graph import ClusterGraph
from p2smt.cost.network.cost import Work
from p2smt.cost.network.explicit import explicit_loads
from p2smt.cost.network.levels import pattern_loads
from p2smt.cost.network.nccl import NetworkCost
from p2smt.cost.network.pattern import Pattern, Role
from p2smt.cost.network.traffic import HopShape
from p2smt.placement.digits import join, split
from p2smt.problem.system.algorithm import Algorithm
from p2smt.problem.system.build import build_system
from p2smt.problem.system.file import preset, resized
from p2smt.problem.system.link import Link, Wiring
from p2smt.problem.system.network import Level, Network, System

V, F, Z = Role.VARYING, Role.FREE, Role.ZERO
ROUNDING = 1 + 1e-9

collectives = st.sampled_from(Collective)
algorithms = st.sampled_from(Algorithm)
several = placed().filter(lambda case: case[0].group_size > 1)


def cost(system, pattern, collective, algorithm, held=1.0):
    return NetworkCost(system, algorithm).work_cost(Work(collective, pattern, held))


def changed(system: System, name: str, factor: float) -> System:
    values = parameters(system.network)
    return replace(system, network=with_parameters(system.network, {name: values[name] * factor}))


@settings(max_examples=examples(6))
@given(several, collectives, algorithms, st.floats(0.1, 1e9), st.floats(1, 100))
def test_time_is_linear_in_bytes_but_for_latency_and_never_falls(case, collective, algorithm, held, factor):
    pattern, system = case
    small = cost(system, pattern, collective, algorithm, held)
    large = cost(system, pattern, collective, algorithm, held * factor)
    assert large.seconds * ROUNDING >= small.seconds > 0
    assert large.latency_s == small.latency_s
    assert large.seconds - large.latency_s == pytest.approx(factor * (small.seconds - small.latency_s), rel=1e-6)


@settings(max_examples=examples(8))
@given(several, collectives, algorithms, st.data())
def test_time_never_falls_when_a_rate_falls_or_a_latency_grows(case, collective, algorithm, data):
    pattern, system = case
    name = data.draw(st.sampled_from(sorted(parameters(system.network).keys() - {OVERLAP})))
    factor = data.draw(st.floats(1, 100))
    worse = changed(system, name, factor if name.endswith("latency") else 1 / factor)
    before, after = (cost(one, pattern, collective, algorithm) for one in (system, worse))
    assert after.seconds * ROUNDING >= before.seconds
    assert after.latency_s * ROUNDING >= before.latency_s


@given(several, collectives, algorithms, st.floats(0, 1), st.floats(0, 1))
def test_time_never_grows_with_overlap(case, collective, algorithm, one, other):
    pattern, system = case
    less, more = sorted((one, other))
    systems = [replace(system, network=replace(system.network, overlap=part)) for part in (0, less, more, 1)]
    costs = [cost(one, pattern, collective, algorithm) for one in systems]
    seconds = [one.links_s for one in costs]
    assert seconds == pytest.approx(sorted(seconds, reverse=True))
    of_links = [load.seconds for load in costs[0].loads]
    assert (seconds[0], seconds[-1]) == (pytest.approx(sum(of_links)), pytest.approx(max(of_links)))


def with_more_groups(pattern: Pattern, level: int, place: int) -> Pattern:
    digits = list(pattern.levels[level])
    digits[place] = (F, digits[place][1])
    return Pattern((*pattern.levels[:level], merged(digits), *pattern.levels[level + 1 :]))


def test_more_groups_at_once_never_cost_less():
    slower = Counter()

    @settings(max_examples=examples(10))
    @given(several, collectives, algorithms, st.data())
    def compare(case, collective, algorithm, data):
        pattern, system = case
        zeros = [
            (level, place)
            for level, digits in enumerate(pattern.levels)
            for place, (role, _) in enumerate(digits)
            if role is Z
        ]
        assume(zeros)
        more = with_more_groups(pattern, *data.draw(st.sampled_from(zeros)))
        assert more.group_size == pattern.group_size
        alone, together = (cost(system, one, collective, algorithm) for one in (pattern, more))
        for load, other in zip(alone.loads, together.loads, strict=True):
            assert other.bandwidth_bytes * ROUNDING >= load.bandwidth_bytes
        assert together.seconds * ROUNDING >= alone.seconds
        assert together.latency_s * ROUNDING >= alone.latency_s
        slower[together.links_s > alone.links_s * ROUNDING] += 1

    compare()
    assert slower[True] >= (5 if is_full() else 2)


def test_a_group_inside_a_unit_loads_no_link_further_out():
    inside = Counter()

    @settings(max_examples=examples(10))
    @given(several, collectives, algorithms, st.floats(1, 100))
    def check(case, collective, algorithm, factor):
        pattern, system = case
        crossing = next(level for level, count in enumerate(pattern.members) if count > 1)
        outer = [f"l{level}" for level in range(crossing)]
        found = cost(system, pattern, collective, algorithm)
        for load in found.loads:
            if load.link.level in outer:
                amounts = (load.incoming, load.outgoing, load.busiest, load.switch, load.flow)
                assert (*amounts, load.hops) == (0,) * 6
        for link in system.network.links:
            if link.level in outer:
                for what in ("bandwidth", "latency"):
                    if f"{link.name}.{what}" in parameters(system.network):
                        other = changed(system, f"{link.name}.{what}", factor)
                        assert cost(other, pattern, collective, algorithm).seconds == found.seconds
        inside[crossing > 0] += 1

    check()
    assert inside[True] >= (10 if is_full() else 3)


@looped("algorithm", Algorithm)
@looped("collective", Collective)
@looped(("name", "level"), [("p2-a100", 0), ("p2-a100", 1), ("dgx-h100", 0), ("lab", 1)])
def test_latency_grows_with_the_number_of_hops(name, level, collective, algorithm):
    sizes = [2, 2]
    sizes[level] = 8
    system, found = resized(preset(name), (8, 8)), []
    for members in (2, 4, 8):
        levels = [((F, 8),), ((F, 8),)]
        levels[level] = merged([(F, 8 // members), (V, members)])
        found.append(cost(system, Pattern(tuple(levels)), collective, algorithm).latency_s)
    assert found[0] < found[1] < found[2]


@settings(max_examples=examples(5))
@given(several, st.data())
def test_relabelling_the_units_of_a_level_without_a_ring_changes_no_load(case, data):
    """The port next to a device follows from its number, so links further out must have one port per unit."""
    pattern, system = case
    links = [system.network.at(level.name) for level in system.levels]
    level = data.draw(st.integers(0, len(links) - 1))
    assume(links[level][0].wiring is not Wiring.RING and pattern.sizes[level] > 1)
    assume(all(link.count == 1 for outer in links[:level] for link in outer))
    new = data.draw(st.permutations(range(pattern.sizes[level])))

    def moved(device):
        digits = list(split(device, pattern.sizes))
        digits[level] = new[digits[level]]
        return join(digits, pattern.sizes)

    cluster, groups = ClusterGraph(system), listed(pattern)
    for shape in shapes_on(pattern, system):
        before = explicit_loads(cluster, system, [(group, 1.0) for group in groups], shape)
        after = explicit_loads(cluster, system, [([*map(moved, group)], 1.0) for group in groups], shape)
        for one, other in zip(before, after, strict=True):
            assert as_numbers(one) == pytest.approx(as_numbers(other))


def as_numbers(load):
    return (load.incoming, load.outgoing, load.busiest, load.switch, load.flow, load.hops)


@settings(max_examples=examples(4))
@given(several)
def test_explicit_groups_in_any_order_and_one_by_one_give_the_same_bytes_at_most_in_sum(case):
    """Groups share links: together at least as much as each alone, at most as much as all one after the other."""
    pattern, system = case
    cluster, groups = ClusterGraph(system), [(group, 1.0) for group in listed(pattern)]
    for shape in shapes_on(pattern, system):
        together = explicit_loads(cluster, system, groups, shape)
        turned = explicit_loads(cluster, system, groups[::-1], shape)
        assert [load.busiest for load in together] == pytest.approx([load.busiest for load in turned])
        alone = [explicit_loads(cluster, system, [group], shape) for group in groups]
        for place, load in enumerate(together):
            parts = [one[place].busiest for one in alone]
            assert max(parts) <= load.busiest * ROUNDING
            assert load.busiest <= sum(parts) * ROUNDING


def loads_of(name, sizes, levels, shape):
    system = resized(preset(name), sizes)
    return {load.link.name: load for load in pattern_loads(Pattern(levels), system, shape)}


@looped(
    "shape", [shape for shape in HopShape if shape not in (HopShape.STAR, HopShape.DOUBLING)]
)  # of several machines
@looped("name", ["p2-a100", "dgx-h100", "ethernet"])
def test_64_x_1024_devices_cost_per_port_what_4_x_8_cost(name, shape):
    """Where every unit sees the same hops it does not matter how many units there are."""
    small = loads_of(name, (4, 8), (((F, 4),), ((V, 8),)), shape)
    large = loads_of(name, (64, 1024), (((F, 64),), ((F, 128), (V, 8))), shape)
    for link, load in small.items():
        assert (large[link].busiest, large[link].bandwidth_bytes) == (load.busiest, pytest.approx(load.bandwidth_bytes))
        assert large[link].hops == load.hops
    small = loads_of(name, (4, 8), (((V, 4),), ((V, 8),)), shape)
    large = loads_of(name, (64, 1024), (((V, 64),), ((V, 1024),)), shape)
    assert [large[link].bandwidth_bytes for link in small] == pytest.approx([x.bandwidth_bytes for x in small.values()])
    small = loads_of(name, (4, 8), (((V, 4),), ((F, 8),)), shape)
    large = loads_of(name, (64, 1024), (((V, 64),), ((F, 1024),)), shape)
    assert [large[link].busiest for link in small] == pytest.approx([128 * x.busiest for x in small.values()])


def test_a_ring_of_1024_and_the_bus_beside_it():
    contiguous = ((F, 64),), ((F, 256), (V, 4))
    loads = loads_of("p2-v100", (64, 1024), contiguous, HopShape.CYCLE)
    assert (loads["nvlink"].busiest, loads["nvlink"].hops) == (1, 3)
    assert (loads["host"].busiest, loads["host"].hops) == (256, 1)
    strided = loads_of("p2-v100", (64, 1024), (((F, 64),), ((V, 4), (F, 256))), HopShape.CYCLE)
    assert (strided["nvlink"].busiest, strided["host"].busiest) == (0, 1024)


@pytest.mark.parametrize("shape", [HopShape.CYCLE, HopShape.FROM_ROOT, HopShape.TO_ROOT, HopShape.TREES])
def test_two_to_the_30_devices_are_priced_without_listing_them(shape):
    size = 2**10
    levels = tuple(Level(f"l{level}", size) for level in range(3))
    links = tuple(
        Link(name=f"p{level.name}", level=level.name, wiring=Wiring.PORT, bandwidth=1e9, latency=1e-6, uplink=True)
        for level in levels
    )
    system = build_system(System(levels, Network(links, 1e12, machine="l0")))
    loads = pattern_loads(Pattern((((V, size),),) * 3), system, shape)
    if shape is HopShape.TREES:
        assert sum(load.hops for load in loads) == size**2 - 1 + 10
        assert [load.incoming for load in loads] == [2, 3, 3]  # four edges of half each; and one of a chain
    else:
        assert sum(load.hops for load in loads) == size**3 - (shape is not HopShape.CYCLE)
        assert [load.busiest for load in loads] == [1, 1, 1]
