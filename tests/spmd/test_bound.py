"""The relaxation of which the bound is the optimum: no operation takes less than a weighted mean of the devices."""

import math
import random
from dataclasses import replace
from fractions import Fraction

import pytest
from spmd.joint_problems import MOMENTUM, cluster

from p2smt.spmd.account.instructions import account
from p2smt.spmd.devices.shares import even, given, proportional
from p2smt.spmd.emission.emission import emit
from p2smt.spmd.engines.elimination import eliminate
from p2smt.spmd.engines.engine import EngineOptions
from p2smt.spmd.model.build import NodeChoice, build
from p2smt.spmd.model.classes import classes_of
from p2smt.spmd.model.graph import graph_of
from p2smt.spmd.model.options import OptionCache
from p2smt.spmd.model.pricing import on_one_axis
from p2smt.spmd.search.bound import lost, relaxations, relaxed
from p2smt.spmd.search.device_weights import WeightedTime, better_weights, weighted_time
from p2smt.spmd.search.searching import searched
from p2smt.spmd.search.sharding import shard
from p2smt.tensor.text.parser import parse_program

SPEEDS = (7 * 10**9, 7 * 10**9, 3 * 10**9, 10**9)


def shardings():
    graph = graph_of(parse_program(MOMENTUM.replace("4096", "35").replace("64", "11")))
    for shares in (even(4), proportional(SPEEDS)):
        yield build(OptionCache(on_one_axis(graph, classes_of(graph), cluster(SPEEDS), shares)))


def times(sharding, node, rule):
    """Picoseconds of an operation on every device, exact."""
    divided, (shares,) = sharding.pricing.divided(node, rule), sharding.pricing.shares
    parts = [Fraction(1)] * 4
    for atoms, _ in divided:
        parts = [Fraction(each, atoms) for each in shares.atoms(atoms)]
    return [node.flops * part * 10**12 / speed for part, speed in zip(parts, SPEEDS, strict=True)]


@pytest.mark.parametrize("number", range(2), ids=["even", "proportional"])
def test_no_operation_of_a_relaxation_takes_more_than_the_mean_of_the_devices(number):
    sharding = list(shardings())[number]
    rng = random.Random(3)
    between = 0
    for _ in range(5):
        drawn = {speed: Fraction(rng.randint(1, 9)) for speed in SPEEDS}
        total = sum(drawn[speed] for speed in SPEEDS)
        weights = {speed: each / total for speed, each in drawn.items()}
        problem = relaxed(sharding, weights)
        for old, new, meaning in zip(sharding.problem.choices, problem.choices, sharding.meanings, strict=True):
            if not isinstance(meaning, NodeChoice):
                assert new == old
                continue
            for rule, before, after in zip(meaning.form.rules, old.costs, new.costs, strict=True):
                each = times(sharding, meaning.node, rule)
                mean = sum(weights[speed] * one for speed, one in zip(SPEEDS, each, strict=True))
                assert after <= mean <= max(each) <= before
                assert mean < after + 1
                between += mean.denominator > 1 and mean < max(each)
    assert between > 20


def test_weights_are_those_of_all_devices_together():
    for sharding in shardings():
        equal, ours = relaxations(sharding)
        assert equal != ours
        assert equal == relaxed(sharding, dict.fromkeys(SPEEDS, Fraction(1, 4)))
        assert ours == relaxed(sharding, {speed: Fraction(speed, sum(SPEEDS)) for speed in SPEEDS})


def test_no_assignment_of_a_relaxation_costs_less_by_more_than_what_is_lost():
    rng = random.Random(6)
    tight = 0
    for sharding in shardings():
        for problem in relaxations(sharding):
            most = lost(sharding.problem, problem)
            for _ in range(20):
                assignment = [rng.randrange(len(choice.costs)) for choice in problem.choices]
                assert 0 <= sharding.problem.cost(assignment) - problem.cost(assignment) <= most
            worst = []
            for before, after in zip(sharding.problem.choices, problem.choices, strict=True):
                less = [one - other for one, other in zip(before.costs, after.costs, strict=True)]
                worst.append(less.index(max(less)))
            tight += sharding.problem.cost(worst) - problem.cost(worst) == most > 0
    assert tight > 0


@pytest.mark.parametrize("speeds", [(3 * 10**9,) * 4, (7 * 10**9, 7 * 10**9, 6 * 10**9, 6 * 10**9)])
def test_a_search_says_the_best_bound_of_the_relaxations_and_none_above_their_optima(speeds):
    """Thirds of picoseconds are rounded up in what a program takes, and down in what none is below."""
    graph = graph_of(parse_program(MOMENTUM))
    for shares in (even(4), proportional(speeds)):
        sharding = build(OptionCache(on_one_axis(graph, classes_of(graph), cluster(speeds), shares)))
        found = searched(sharding, EngineOptions())
        optima = [eliminate(problem).answer.cost for problem in relaxations(sharding)]
        least = eliminate(sharding.problem).answer.cost
        assert max(optima) < least
        assert max(optima) - found.bound <= Fraction(5, 10**7) * least
        assert found.bound <= (max(optima) if len(set(speeds)) == 1 else found.fastest.time)


def test_no_program_takes_less_than_the_raised_bound():
    """Programs with random prices are optimal for those: all kinds of them are drawn, and timed by stages."""
    rng = random.Random(4)
    for sharding in shardings():
        found = searched(sharding, EngineOptions())
        assert found.bound > max(eliminate(problem).answer.cost for problem in relaxations(sharding))
        times = set()
        for _ in range(30):
            priced = [
                choice._replace(costs=tuple([rng.randrange(100) for _ in choice.costs]))
                for choice in sharding.problem.choices
            ]
            drawn = eliminate(replace(sharding.problem, choices=tuple(priced))).answer.assignment
            times.add(account(emit(sharding, drawn), sharding.pricing.cluster).time)
        assert len(times) > 20
        assert found.bound <= min(times)


def test_weighted_times_are_costs_of_relaxations_before_rounding():
    rng = random.Random(8)
    for sharding in shardings():
        for _ in range(10):
            assignment = [rng.randrange(len(choice.costs)) for choice in sharding.problem.choices]
            drawn = {speed: Fraction(rng.randint(0, 3)) + Fraction(1, 9) for speed in SPEEDS}
            total = sum(drawn[speed] for speed in SPEEDS)
            weights = {speed: each / total for speed, each in drawn.items()}
            exact = weighted_time(sharding, assignment).at(weights)
            assert 0 <= exact - relaxed(sharding, weights).cost(assignment) < len(assignment)


def test_weights_towards_devices_of_one_speed_sum_to_one_and_no_line_is_higher_elsewhere():
    line = WeightedTime(10, {7: Fraction(4), 3: Fraction(9)})
    even = {7: Fraction(1, 3), 3: Fraction(1, 3)}
    estimate, weights = better_weights((7, 7, 3), even, [line])
    assert weights == {7: 0, 3: 1}
    assert estimate == line.at(weights) == 19
    steep = WeightedTime(0, {7: Fraction(40), 3: Fraction(0)})
    estimate, weights = better_weights((7, 7, 3), even, [line, steep])
    assert 2 * weights[7] + weights[3] == 1
    assert estimate == min(line.at(weights), steep.at(weights)) < 19


def test_with_even_ratios_the_slowest_devices_make_the_bound_nearly_tight():
    """It was 31 % below a program that computes everything everywhere, on models too small for any collective."""
    graph = graph_of(parse_program(MOMENTUM))
    machines = cluster((3 * 10**12, 3 * 10**12, 10**12, 10**12), unit=10**6)
    sharding = build(OptionCache(on_one_axis(graph, classes_of(graph), machines, even(4))))
    found = searched(sharding, EngineOptions(certify=True))
    assert found.fastest.candidate.account.communication == 0
    assert max(eliminate(problem).answer.cost for problem in relaxations(sharding)) < 0.7 * found.fastest.time
    assert 0.999 * found.fastest.time < found.bound <= found.fastest.time


def test_a_bound_for_several_shares_is_the_least_of_theirs():
    """No program is faster with any of them: in whichever order they are tried."""
    program, machines = parse_program(MOMENTUM.replace("4096", "35").replace("64", "11")), cluster(SPEEDS)
    tried = (even(4), given((Fraction(1), Fraction(0), Fraction(0), Fraction(0))), proportional(SPEEDS))
    bounds = [shard(program, machines, (each,), beside=False).lower_bound for each in tried]
    assert len(set(bounds)) == 3
    for some in (tried, tried[::-1], tried[1:], tried[:2]):
        together = shard(program, machines, some, beside=False).lower_bound
        assert together == min(bounds[tried.index(each)] for each in some)


def test_without_a_bound_the_gap_is_infinite():
    """It was 0, and the answer said that no program is faster."""
    found = shard(parse_program(MOMENTUM), cluster(SPEEDS), (even(4),), beside=False)
    assert replace(found, lower_bound=0).gap == math.inf
    assert replace(found, lower_bound=found.searched.account.time).gap == 0
