"""Two axes: programs are right and cost what the search says, engines agree, an axis of one rank changes nothing."""

import random
from dataclasses import replace

import pytest
from spmd.joint_problems import MOMENTUM, cluster
from spmd.mesh.meshes import mesh, options
from spmd.test_programs import SINGLE, costs_of_sets, is_right
from spmd.training import apart
from tensor.random_programs import single_program
from tiers import is_full, sample

from p2smt.errors import EngineError, ProblemError
from p2smt.spmd.account.instructions import account
from p2smt.spmd.account.recognition import recognised
from p2smt.spmd.devices.shares import even
from p2smt.spmd.emission.emission import emit
from p2smt.spmd.engines.brute import brute
from p2smt.spmd.engines.certificate_check import check_certificate
from p2smt.spmd.engines.elimination import eliminate
from p2smt.spmd.engines.engine import ShardingEngine
from p2smt.spmd.engines.ilp import solve
from p2smt.spmd.engines.problem import Compatibility, JointProblem, Limit
from p2smt.spmd.model.availability import ConversionGraph
from p2smt.spmd.model.build import build
from p2smt.spmd.model.classes import classes_of
from p2smt.spmd.model.conditions import OneAxisOf, parse_conditions
from p2smt.spmd.model.graph import graph_of
from p2smt.spmd.model.options import OptionCache
from p2smt.spmd.model.pricing import on_one_axis
from p2smt.spmd.model.restriction import FREEDOM
from p2smt.spmd.search.mesh import search as search_module
from p2smt.spmd.search.mesh.fitting import lacks
from p2smt.spmd.search.mesh.search import MeshSearch
from p2smt.tensor.inference import infer
from p2smt.tensor.layout import Sliced
from p2smt.tensor.printer import print_program
from p2smt.tensor.text.parser import parse_program

SEVERAL = sample([("sgd", (2, 5)), ("momentum", (3, 2)), ("adamw", (2, 2))], 1)


@pytest.mark.parametrize(("name", "sizes"), SEVERAL)
def test_an_example_is_right_and_costs_what_the_search_says(name, sizes):
    where = mesh(sizes)
    sharding = build(options(SINGLE[name], where))
    eliminated = eliminate(sharding.problem)
    program = emit(sharding, eliminated.answer.assignment)
    is_right(program, SINGLE[name])
    assert len(program.mesh) == 2
    assert account(program, where.cluster, where.networks).apart == eliminated.answer.cost
    assert check_certificate(sharding.problem, eliminated.certificate, eliminated.answer.assignment) is None


def test_random_programs_are_right_on_two_axes_and_no_search_finds_more_than_all_choices_hold(monkeypatch):
    """All at once is exact; one axis given the other finds no less, and the bound is below both."""
    rng = random.Random(5)
    twice, tight, same = 0, 0, 0
    for _ in range(8 if is_full() else 3):
        single = single_program(rng, count=3)
        sizes = rng.choice(((2, 2), (3, 2), (2, 3)))
        where = mesh(sizes, rng.choice((10**5, 10**6)), rng.choice(((1, 1), (10, 1), (10**4, 10))))
        made = options(single, where)
        sharding = build(made)
        answer = eliminate(sharding.problem).answer
        program = emit(sharding, answer.assignment)
        is_right(program, single)
        assert account(program, where.cluster, where.networks).apart == answer.cost
        monkeypatch.setattr(search_module, "MOST_PAIRS", 0)
        by_axes = MeshSearch(made, certify=True).search(FREEDOM)
        is_right(by_axes.fastest.candidate.program, single)
        assert by_axes.bound <= answer.cost <= by_axes.fastest.cost
        same += by_axes.fastest.cost == answer.cost
        tight += by_axes.bound * 100 >= answer.cost * 99
        cuts = [
            layouts for layouts in infer(program).layouts.values() if all(isinstance(each, Sliced) for each in layouts)
        ]
        twice += any(one.dimension == other.dimension for one, other in cuts)
    assert twice > 0
    assert same > (2 if is_full() else 1)
    assert tight > 0


def together(problem):
    """The same problem, every choice next to one that it is linked with: trying all then meets contradictions early."""
    near = {number: set() for number in range(len(problem.choices))}
    for link in problem.links:
        near[link.left].add(link.right)
        near[link.right].add(link.left)
    order = []
    waiting = sorted(near, reverse=True)
    while waiting:
        number = waiting.pop()
        if number not in order:
            order.append(number)
            waiting += sorted(near[number], key=lambda each: -len(problem.choices[each].costs))
    at = {number: position for position, number in enumerate(order)}
    links = tuple(Compatibility(at[link.left], at[link.right], link.allowed) for link in problem.links)
    return JointProblem(tuple(problem.choices[number] for number in order), links)


def agree(rng):
    """Whether a cap changes anything after all engines have agreed; None if trying all takes too long."""
    single = single_program(rng, count=rng.randint(1, 2))
    where = mesh((2, 2), rng.choice((10**5, 10**6)), rng.choice(((1, 1), (10, 1), (10**4, 10))))
    problem = together(build(options(single, where)).problem)
    weighed = sorted(rng.sample(range(len(problem.choices)), min(3, len(problem.choices))))
    weights = tuple((each, tuple(rng.randrange(9) for _ in problem.choices[each].costs)) for each in weighed)
    capped = replace(problem, limits=(Limit("some", rng.randint(1, 12), weights),))
    try:
        tried, within = brute(problem, 30_000), brute(capped, 30_000)
    except EngineError:
        return None
    eliminated, solved = eliminate(problem), solve(capped).answer
    assert check_certificate(problem, eliminated.certificate, eliminated.answer.assignment) is None
    assert solve(problem).answer.cost == eliminated.answer.cost == tried.cost
    assert type(solved) is type(within)
    assert getattr(solved, "cost", None) == getattr(within, "cost", None)
    return getattr(within, "cost", None) != tried.cost


@pytest.mark.thorough  # engines agree on random problems in tests/spmd/test_engines.py
def test_engines_agree_on_tiny_problems_of_two_axes_with_and_without_caps():
    rng = random.Random(3)
    results = [agree(rng) for _ in range(12 if is_full() else 4)]
    assert results.count(True) > 0
    assert results.count(None) < len(results) / 2


@pytest.mark.parametrize(("name", "sizes"), [("momentum", (4, 1)), ("adamw", (1, 4))])
def test_an_axis_of_one_rank_changes_nothing(name, sizes):
    where = mesh(sizes, units=(7, 7))
    both = eliminate(build(options(SINGLE[name], where)).problem).answer.cost
    graph = graph_of(SINGLE[name])
    machines = cluster((10**7,) * 4, unit=7)
    one = eliminate(build(OptionCache(on_one_axis(graph, classes_of(graph), machines, even(4)))).problem).answer.cost
    assert both == one


def test_a_network_for_each_axis_counts(monkeypatch):
    """Where one axis' network is dear beyond all measure, a step takes what it takes on the other alone."""
    monkeypatch.setattr(search_module, "MOST_PAIRS", 0)
    single = SINGLE["mlp_step"]
    dear = MeshSearch(options(single, mesh((2, 4), 10**12, (10**9, 1)))).search(FREEDOM).fastest
    graph = graph_of(single)
    alone = build(OptionCache(on_one_axis(graph, classes_of(graph), cluster((10**12,) * 4), even(4))))
    assert dear.cost <= eliminate(alone.problem).answer.cost


TWICE = """program twice
input x : f32[4, 4]
y = x * 2
output y
"""


def test_an_engine_without_a_certificate_is_refused_where_one_is_asked_for():
    small = MeshSearch(options(parse_program(TWICE), mesh((2, 2))), ShardingEngine.ILP, certify=True)
    with pytest.raises(EngineError, match="engine ilp gives no certificate; use --engine elimination"):
        small.search(FREEDOM)


def random_prices(rng, count):
    return tuple(
        tuple(None if one == other or rng.random() < 0.5 else rng.choice((0, 1, 2, 3, 5, 8)) for other in range(count))
        for one in range(count)
    )


def test_sets_of_layouts_cost_what_a_search_over_all_sets_says():
    rng = random.Random(9)
    for _ in range(150):
        prices = random_prices(rng, 6)
        readers = [rng.randrange(1, 64) for _ in range(rng.randint(1, 3))]
        wanted = 0
        for mask in readers:
            wanted |= mask
        most = rng.choice((None, None, 1, 0))
        ways, every = ConversionGraph(prices, most).ways(0, wanted), costs_of_sets(prices, most)
        options = ways.options(readers)
        for needed in range(64):
            if needed & ~wanted:
                continue
            best = min((cost for there, cost in every.items() if not needed & ~there), default=None)
            assert ways.cost(needed) == best
            if needed.bit_count() == 1 and best is not None:
                origin = ways.origins(needed)
                at, cost = needed.bit_length() - 1, 0
                while at:
                    cost += prices[origin[at]][at]
                    at = origin[at]
                assert cost == best
                assert (
                    not all(needed & mask for mask in readers)
                    or min(price for mask, price in options if needed & mask) == best
                )


TRAINED = """program trained
size B = 8, H = 4, F = 8
input x : f32[B, H]
input y : f32[B, H]
parameter w1 : f32[H, F]
parameter w2 : f32[F, H]
state m1 : f32[H, F]
scalar lr
h = matmul(x, w1)
a = relu(h)
e = matmul(a, w2) - y
loss = sum(e * e)
g2 = matmul(transpose(a, 1, 0), e)
ga = matmul(e, transpose(w2, 1, 0)) * a
g1 = matmul(transpose(x, 1, 0), ga)
m1_new = update(m1, m1 * 0.5 + g1)
w1_new = update(w1, w1 - lr * m1_new)
w2_new = update(w2, w2 - lr * g2)
output loss
"""


@pytest.mark.thorough  # two axes run in tests/run/local/test_steps.py, three steps in test_captured_models.py
@pytest.mark.parametrize("units", [(1, 10**5), (1, 1)])
def test_three_steps_on_simulated_ranks_are_those_of_one_device(units, monkeypatch):
    monkeypatch.setattr(search_module, "MOST_PAIRS", 0)
    single = parse_program(TRAINED)
    made = MeshSearch(options(single, mesh((2, 3), 10**6, units))).search(FREEDOM).fastest
    program = parse_program(print_program(made.candidate.program))
    is_right(program, single)
    assert apart(program, single) is None


def test_megatron_beside_data_parallelism_is_found_and_named(monkeypatch):
    """Cheap among four, dear between two: the model is cut where sums are cheap, samples are where they are not."""
    if not is_full():
        monkeypatch.setattr(search_module, "MOST_PAIRS", 0)
    text = TRAINED.replace("B = 8, H = 4, F = 8", "B = 64, H = 256, F = 1024")
    made = MeshSearch(options(parse_program(text), mesh((2, 4), 10**9, (20, 1)))).search(FREEDOM).fastest
    names = {(each.name, each.axis) for each in recognised(made.candidate.program)}
    assert ("Megatron's tensor parallelism", "columns") in names


@pytest.mark.parametrize(
    "most_pairs",
    [0, pytest.param(5000, marks=pytest.mark.thorough)],  # searches of both axes at once are compared above
)
def test_more_is_sliced_where_memory_asks_for_it(most_pairs, monkeypatch):
    """What fits is right and takes no less time than what does not; what fits nowhere is refused with a device."""
    monkeypatch.setattr(search_module, "MOST_PAIRS", most_pairs)
    single = parse_program(MOMENTUM.replace("4096", "64"))
    peaks, times = [], []
    for memory in (None, 45_000):
        where = mesh((2, 2), 10**12, (2, 1), memory)
        search = MeshSearch(options(single, where))
        fastest = search.search(FREEDOM).fastest
        made = search.fitting(FREEDOM, fastest)
        is_right(made.candidate.program, single)
        assert made.candidate.account == account(made.candidate.program, where.cluster, where.networks)
        if memory is not None:
            # where all choices are searched at once, what fits is looked for at once
            assert lacks(fastest) is not search.is_small
            assert max(made.candidate.account.memory) <= memory
        peaks.append(max(made.candidate.account.memory))
        times.append(made.candidate.account.time)
    assert times == sorted(times)
    assert peaks[1] < peaks[0]
    tight = MeshSearch(options(single, mesh((2, 2), 10**12, (1, 1), 1_000)))
    with pytest.raises(ProblemError, match="no sharding fits into memory:"):
        tight.fitting(FREEDOM, tight.search(FREEDOM).fastest)


def test_a_program_lacks_memory_where_a_single_device_has_too_little():
    where = mesh((2, 2))
    peak = MeshSearch(options(parse_program(TWICE), where)).search(FREEDOM).fastest.candidate.account.memory
    for short in (None, *range(4)):
        devices = tuple(
            replace(device, memory=peak[number] - (number == short))
            for number, device in enumerate(where.cluster.devices)
        )
        tight = replace(where, cluster=replace(where.cluster, devices=devices))
        assert lacks(MeshSearch(options(parse_program(TWICE), tight)).search(FREEDOM).fastest) == (short is not None)


def test_a_bound_holds_for_a_parameter_that_a_condition_keeps_as_summands():
    """Its gradient need not be added up then, whatever that would take."""
    single = parse_program(MOMENTUM.replace("4096", "64"))
    read = parse_conditions(["w partial", "m partial"], graph_of(single))
    known = options(single, mesh((2, 2), 10**12, (1000, 1000)))
    exact = eliminate(build(known, read).problem).answer.cost
    assert MeshSearch(known, each_axis=[OneAxisOf(read, axis) for axis in range(2)]).alone.bound <= exact
