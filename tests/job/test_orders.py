"""What orders cost and lose: against all permutations of the axes, priced one by one."""

from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given, settings
from job.by_force import SYNTHESIZER
from job.jobs import jobs
from tiers import examples

from p2smt.cost.network.backend import Nccl, cost_of
from p2smt.job import orders
from p2smt.job.job_pricer import JobPricer
from p2smt.job.optimize import Optimum, optimize
from p2smt.job.orders import best_order, numbering_matters, order_seconds
from p2smt.placement.matrix import parse_matrix
from p2smt.placement.order import SplitAxis, matrix_of_order
from p2smt.problem.build import build_workload
from p2smt.problem.model import Axis, Payload, Search
from p2smt.problem.system.link import Wiring
from p2smt.problem.system.text import find_system
from p2smt.problem.workload import Reduction
from p2smt.smt.answer import Stop


def every_order(job):
    """Every order of the axes that is a matrix, with the matrix."""
    shards, sizes = [axis.size for axis in job.axes], [level.size for level in job.levels]
    for order in permutations(range(len(shards))):
        found = matrix_of_order(order, shards, sizes)
        if not isinstance(found, SplitAxis):
            yield order, found


@settings(max_examples=examples(3))
@given(jobs(limit=2))
def test_the_best_order_is_the_best_of_all_permutations(job):
    cost = cost_of(job.system, Nccl())
    optimum = optimize(job, cost, synthesizer=SYNTHESIZER)
    assert isinstance(optimum, Optimum)
    priced = [order_seconds(job, cost, order, matrix) for order, matrix in every_order(job)]
    found = best_order(optimum, cost)
    assert found.complete
    assert set(found.expressible) == {matrix for _, matrix in every_order(job)}
    assert (found.best is None) == (priced == [])
    assert found.best is None or found.best.seconds == pytest.approx(min(priced), rel=1e-9)


@settings(max_examples=examples(3))
@given(jobs(limit=2))
def test_where_numbers_do_not_matter_an_order_takes_what_its_matrix_takes(job):
    cost = cost_of(job.system, Nccl())
    if numbering_matters(job.system):
        return
    pricer = JobPricer(job, cost, synthesizer=SYNTHESIZER)
    for order, matrix in every_order(job):
        assert order_seconds(job, cost, order, matrix) == pytest.approx(pricer.placement(matrix).seconds, rel=1e-9)


def two_axes(system, sizes, conditions=()):
    axes = [Axis(name, size) for name, size in zip(("a", "b"), sizes, strict=True)]
    payload = Payload(1 << 28, "float32")
    reductions = [Reduction(name=name, axes=(number,), payload=payload) for number, name in enumerate("ab")]
    return build_workload(find_system(system), axes, reductions, conditions, Search(limit=3))


def test_on_a_ring_the_orders_of_one_matrix_differ():
    job = two_axes("p2-v100:2x8", (4, 4))
    cost = cost_of(job.system, Nccl())
    assert numbering_matters(job.system)
    alone = {matrix: order for order, matrix in every_order(job)}
    assert set(alone) == {parse_matrix("1x4/2x2"), parse_matrix("2x2/1x4")}
    matrix = parse_matrix("1x4/2x2")
    own = JobPricer(job, cost).placement(matrix).seconds  # p2smt has a more significant inside the node
    assert order_seconds(job, cost, alone[matrix], matrix) != pytest.approx(own, rel=1e-3)
    assert order_seconds(job, cost, (0, 1), parse_matrix("2x2/1x4")) == pytest.approx(
        JobPricer(job, cost).placement(parse_matrix("2x2/1x4")).seconds, rel=1e-9
    )


def test_the_best_placement_is_no_order_and_what_that_loses():
    job = two_axes("4x16", (8, 8))
    cost = cost_of(job.system, Nccl())
    optimum = optimize(job, cost)
    assert isinstance(optimum, Optimum)
    assert str(optimum.best.matrix) == "2x4/2x4"
    found = best_order(optimum, cost)
    assert [str(matrix) for matrix in found.expressible] == ["1x8/4x2", "4x2/1x8"]
    assert found.best.seconds > 1.3 * optimum.best.seconds
    assert found.best.order == (1, 0)
    assert best_order(optimum, cost, preferred=(0, 1)).best.order == (0, 1)


def test_numbering_matters_on_rings_and_next_to_ports_alone():
    system = find_system("4x16")
    plain = system.network.links
    for number, link in enumerate(plain):
        for changed, matters in (
            (replace(link, count=1, wiring=Wiring.PORT), False),
            (replace(link, count=2, wiring=Wiring.PORT), True),
            (replace(link, count=1, wiring=Wiring.RING), True),
        ):
            links = (*plain[:number], changed, *plain[number + 1 :])
            assert numbering_matters(replace(system, network=replace(system.network, links=links))) == matters


def test_as_many_orders_as_are_priced_are_all_and_one_more_is_not(monkeypatch):
    job = two_axes("p2-v100:2x8", (4, 4))
    cost = cost_of(job.system, Nccl())
    optimum = optimize(job, cost)
    assert isinstance(optimum, Optimum)
    every = len(list(every_order(job)))
    assert every == 2
    for most in (every - 1, every, every + 1):
        monkeypatch.setattr(orders, "MOST_ORDERS", most)
        assert best_order(optimum, cost).complete == (most >= every)


def test_conditions_are_kept():
    job = two_axes("4x16", (8, 8), ["a on level1"])
    cost = cost_of(job.system, Nccl())
    optimum = optimize(job, cost)
    assert isinstance(optimum, Optimum)
    assert best_order(optimum, cost, preferred=(0, 1)).best.matrix == parse_matrix("1x8/4x2")


def test_no_placement_of_these_is_an_order():
    job = two_axes("4x16", (8, 8), ["a like b"])
    cost = cost_of(job.system, Nccl())
    optimum = optimize(job, cost)
    assert isinstance(optimum, Optimum)
    found = best_order(optimum, cost)
    assert (found.expressible, found.best, found.complete) == ((), None, True)


def test_a_deadline_ends_the_pricing_of_orders():
    job = two_axes("p2-v100:2x8", (4, 4))
    cost = cost_of(job.system, Nccl())
    optimum = optimize(job, cost)
    assert isinstance(optimum, Optimum)
    found = best_order(optimum, cost, deadline=0.0)
    assert found.best is not None
    assert not found.complete


def test_an_order_of_an_unfinished_search_is_not_the_best_of_all():
    job = two_axes("4x16", (8, 8))
    cost = cost_of(job.system, Nccl())
    optimum = optimize(job, cost)
    assert isinstance(optimum, Optimum)
    assert best_order(optimum, cost).complete
    for stop in (Stop.DEADLINE, Stop.INTERRUPTED, Stop.UNKNOWN):
        found = best_order(replace(optimum, placements=optimum.placements[:1], stop=stop), cost)
        assert not found.complete
