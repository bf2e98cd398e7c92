"""HAP's search finds what the other engines find, whatever is switched off; restrictions cost what they cost in all."""

import random
import re
from dataclasses import replace

import pytest
from spmd.joint_problems import MOMENTUM, cluster
from spmd.test_programs import CLUSTERS, SINGLE, is_right
from tensor.random_programs import single_program
from tiers import is_full

from p2smt.errors import EngineError, ProblemError
from p2smt.spmd.account.instructions import account
from p2smt.spmd.devices.shares import proportional, vertices
from p2smt.spmd.emission.emission import emit
from p2smt.spmd.engines.brute import brute
from p2smt.spmd.engines.elimination import eliminate
from p2smt.spmd.engines.engine import ALL, HapRestriction, Heuristic, ShardingEngine
from p2smt.spmd.engines.ilp import solve
from p2smt.spmd.engines.problem import Best
from p2smt.spmd.hap.astar import astar
from p2smt.spmd.model.build import build
from p2smt.spmd.model.classes import classes_of
from p2smt.spmd.model.graph import graph_of
from p2smt.spmd.model.options import OptionCache
from p2smt.spmd.model.pricing import on_one_axis
from p2smt.spmd.search.bound import relaxations
from p2smt.spmd.search.sharding import shard
from p2smt.tensor.text.parser import parse_program


def sharding_of(single, machines, shares, published=frozenset()):
    graph = graph_of(single)
    return build(OptionCache(on_one_axis(graph, classes_of(graph), machines, shares)), published=published)


def drawn(rng):
    """A random program, devices of unlike speeds, one of their shares."""
    speeds = tuple(rng.choice((10**5, 10**6, 3 * 10**6)) for _ in range(rng.randint(2, 4)))
    machines = cluster(speeds, unit=rng.choice((1, 10, 10**4)))
    return single_program(rng), machines, rng.choice(vertices(speeds))


def test_it_is_elimination_the_integer_program_and_brute_force_on_random_programs():
    pytest.importorskip("scipy")
    rng = random.Random(5)
    tried, by_stages = 0, 0
    count = 25 if is_full() else 8
    for _ in range(count):
        single, machines, shares = drawn(rng)
        sharding = sharding_of(single, machines, shares)
        for problem in (sharding.problem, *relaxations(sharding)):
            one = replace(sharding, problem=problem)
            best = eliminate(problem).answer
            reached = astar(one)
            assert isinstance(best, Best)
            assert reached.answer.cost == best.cost == problem.cost(reached.answer.assignment)
            assert problem.allows(reached.answer.assignment)
            by_stages += problem is not sharding.problem
        assert solve(sharding.problem).answer.cost == astar(sharding).answer.cost
        try:
            assert brute(sharding.problem, 3_000).cost == astar(sharding).answer.cost
            tried += 1
        except EngineError:
            continue
    assert tried > count / 4
    assert by_stages >= count


def test_no_way_of_searching_less_changes_the_optimum():
    rng = random.Random(6)
    looked = dict.fromkeys(Heuristic, 0)
    with_all = 0
    for _ in range(12):
        single, machines, shares = drawn(rng)
        sharding = sharding_of(single, machines, shares)
        reached = astar(sharding)
        with_all += reached.programs
        for left_out in Heuristic:
            less = astar(sharding, ALL - {left_out})
            assert less.answer.cost == reached.answer.cost
            looked[left_out] += less.programs
    assert all(count >= with_all for count in looked.values())
    assert looked[Heuristic.DOMINANCE] > with_all < looked[Heuristic.ESTIMATE]


@pytest.mark.thorough  # engines are compared on random programs
@pytest.mark.parametrize("name", ["adamw", "gpt_block", "momentum"])
def test_an_example_is_sharded_right(name):
    machines = CLUSTERS["unlike"]
    sharding = sharding_of(SINGLE[name], machines, proportional(machines.speeds))
    reached = astar(sharding)
    assert reached.answer.cost == eliminate(sharding.problem).answer.cost
    program = emit(sharding, reached.answer.assignment)
    is_right(program, SINGLE[name])
    assert account(program, machines).apart == reached.answer.cost


def test_a_search_that_ends_early_says_what_it_knows():
    machines = CLUSTERS["unlike"]
    sharding = sharding_of(SINGLE["gpt_block"], machines, proportional(machines.speeds))
    least = eliminate(sharding.problem).answer.cost
    bounds = []
    for most in (1, 10, 100, 1000):
        with pytest.raises(EngineError, match="partial programs, having proved a lower bound of") as error:
            astar(sharding, most=most)
        bounds.append(int(re.search(r"lower bound of (\d+) ps", str(error.value))[1]))
    assert bounds == sorted(bounds)
    assert 0 < bounds[0] <= bounds[-1] <= least


@pytest.mark.parametrize(
    "published", [[each] for each in HapRestriction] + [list(HapRestriction)], ids=lambda some: "+".join(map(str, some))
)
def test_restrictions_of_the_published_code_are_kept_by_all_engines_and_never_cheaper(published):
    rng = random.Random(7)
    for _ in range(12 if is_full() else 4):
        single, machines, shares = drawn(rng)
        free = sharding_of(single, machines, shares)
        narrow = sharding_of(single, machines, shares, frozenset(published))
        best = eliminate(narrow.problem).answer
        assert isinstance(best, Best)
        assert best.cost >= eliminate(free.problem).answer.cost
        assert astar(narrow).answer.cost == best.cost
        program = emit(narrow, best.assignment)
        is_right(program, single)
        assert account(program, machines).apart == best.cost
        if HapRestriction.ONE_COLLECTIVE in published:
            assert most_collectives_of_a_tensor(narrow, best.assignment) <= 1


def most_collectives_of_a_tensor(sharding, assignment):
    """Counted by the prices that an option is the sum of: none of two collectives is what one of them takes."""
    counts = [0]
    for choice in sharding.choice_of.values():
        meaning = sharding.meanings[choice]
        root, mask = meaning.options[assignment[choice]]
        origins = meaning.reach.ways(root, mask).origins(mask)
        counts.append(sum(1 for after, before in origins.items() if meaning.reach.prices[before][after]))
    return max(counts)


SUMS = """program layers
input x : f32[8, 64]
parameter w : f32[64, 512]
parameter v : f32[512, 64]
y = matmul(relu(matmul(x, w)), v)
output y
"""
TWO_CUTS = """program cuts
input x : f32[16, 256]
input w : f32[256, 16]
y = matmul(x, w)
a = softmax(y, 0)
b = softmax(y, 1)
output a
output b
"""
OUTER = """program outer
input x : f32[64]
input v : f32[64]
y = softmax(einsum("a, b -> a b", x, v), 0)
output y
"""


@pytest.mark.parametrize(
    ("text", "conditions", "restriction", "free", "narrow"),
    [
        (SUMS, "w sliced(1), v sliced(0)", HapRestriction.NO_LINEAR_SUMS, "AllReduce", "AllGather AllToAll"),
        (TWO_CUTS, "x sliced(1), w sliced(0)", HapRestriction.ONE_COLLECTIVE, "AllToAll ReduceScatter", "AllReduce"),
        (OUTER, "x sliced(0)", HapRestriction.SOURCES_STAY, "AllGather", "AllToAll"),
    ],
)
def test_what_a_restriction_costs(text, conditions, restriction, free, narrow):
    """Column then row: y is added up, or hidden values and v are gathered or exchanged. A sum in two cuts: scattered
    and exchanged, or added up everywhere. An outer product: the vector is gathered, or the matrix exchanged."""
    machines, single = cluster((10**5,) * 4), parse_program(text)
    shares = (proportional(machines.speeds),)
    whole = [f"{output.name} replicated" for output in single.outputs if restriction is HapRestriction.NO_LINEAR_SUMS]
    wanted = (*conditions.split(", "), *whole)
    times = []
    for published, expected in ((frozenset(), free), (frozenset({restriction}), narrow)):
        made, same = (
            shard(single, machines, shares, engine, wanted, beside=False, published=published)
            for engine in (ShardingEngine.ELIMINATION, ShardingEngine.ASTAR)
        )
        assert {each.text for each in made.account.instructions if each.way is not None} == set(expected.split())
        assert same.account.apart == made.account.apart
        is_right(made.program, single)
        times.append(made.account.time)
    assert times[0] < times[1]


def test_sources_that_stay_and_are_cut_in_two_ways_leave_nothing():
    machines, single = cluster((10**9,) * 4), parse_program(MOMENTUM)
    sliced, shares = ("parameters sliced", "x sliced(0)"), (proportional(machines.speeds),)
    made = shard(single, machines, shares, conditions=sliced, beside=False)
    assert any(each.statement.startswith("w_") for each in made.account.instructions if each.way is not None)
    with pytest.raises(ProblemError, match="no program keeps all conditions and restrictions"):
        shard(
            single,
            machines,
            shares,
            conditions=sliced,
            beside=False,
            published=frozenset({HapRestriction.SOURCES_STAY}),
        )
