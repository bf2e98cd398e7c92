"""Reduce-scatters, all-gathers and all-to-alls are priced as the plans and hops that they are made of."""

from dataclasses import replace
from math import factorial

import numpy as np
import pytest
from cost.network.random_systems import systems
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import examples

from p2smt.collective import Collective, Exchange
from p2smt.cost.network.all_to_all import all_to_all_cost
from p2smt.cost.network.nccl import NetworkCost
from p2smt.cost.network.pattern import pattern_of
from p2smt.job.candidate import Candidates, PricedRows, ReductionCandidate
from p2smt.job.job_pricer import JobPricer
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.build import build_workload
from p2smt.problem.model import Axis, Payload, Search
from p2smt.problem.workload import GOALS, Reduction
from p2smt.reduction.language.hierarchy import read_program
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import CollectiveStep

MATRICES = [
    ((2, 4), (2, 4), ((1, 4), (2, 1))),
    ((4, 4), (4, 4), ((2, 2), (2, 2))),
    ((2, 2, 2), (8,), ((2, 2, 2),)),
    ((2, 4, 2), (4, 4), ((2, 2, 1), (1, 2, 2))),
]


@st.composite
def placed_exchanges(draw):
    sizes, axes, rows = draw(st.sampled_from(MATRICES))
    system = draw(systems(sizes, rates=st.floats(1e6, 1e7), latencies=st.floats(0, 1e-3)))
    reductions = [
        Reduction(
            name=goal.hyphenated,
            axes=(len(axes) - 1,),
            payload=Payload(4 * draw(st.integers(1, 10**5)), "float32"),
            goal=goal,
        )
        for goal in GOALS
    ]
    sized = [Axis(f"a{number}", size) for number, size in enumerate(axes)]
    return build_workload(system, sized, reductions, search=Search(limit=5)), ParallelismMatrix(rows)


def reduction_of(job, goal):
    return next(reduction for reduction in job.reductions if reduction.goal is goal)


def as_all_reduce(job, goal, matrix):
    problem = job.problem(reduction_of(job, goal))
    return Lowering(replace(problem, goal=Collective.ALL_REDUCE), matrix)


def candidates(job, matrix, goal, cost):
    number = job.reductions.index(reduction_of(job, goal))
    found = JobPricer(job, cost).candidates(number, matrix)
    return [found.made(place) for place in range(len(found))]


def together(plan):
    return [step for step in plan.steps if isinstance(step, CollectiveStep)]


@settings(max_examples=examples(4))
@given(placed_exchanges())
def test_a_scatter_takes_what_an_allreduce_takes_without_its_last_gather(pair):
    job, matrix = pair
    cost = NetworkCost(job.system)
    lowering = Lowering(
        replace(job.problem(job.reductions[0]), payload=reduction_of(job, Collective.REDUCE_SCATTER).payload), matrix
    )
    found = candidates(job, matrix, Collective.REDUCE_SCATTER, cost)
    assert [one.seconds for one in found] == sorted(one.seconds for one in found)
    for one in found:
        plan = lowering.plan(read_program(lowering.hierarchy, f"{one.text}; (root, InsideGroup, AllGather)"))
        *_, last = together(plan)
        wanted = cost.plan_seconds(plan) - cost.step_cost(plan, last).seconds
        assert one.seconds == pytest.approx(wanted, rel=1e-9)
        assert one.communicators == {step.groups.varying for step in together(plan)[:-1]}
    # At least one has its blocks in the right order as it goes.
    assert any(
        len(lowering.plan(read_program(lowering.hierarchy, f"{one.text}; (root, InsideGroup, AllGather)")).steps)
        == one.text.count(";") + 2
        for one in found
    )


@settings(max_examples=examples(4))
@given(placed_exchanges())
def test_a_gather_takes_what_an_allreduce_takes_without_its_first_scatter(pair):
    job, matrix = pair
    cost = NetworkCost(job.system)
    lowering = Lowering(
        replace(job.problem(job.reductions[0]), payload=reduction_of(job, Collective.ALL_GATHER).payload), matrix
    )
    for one in candidates(job, matrix, Collective.ALL_GATHER, cost):
        plan = lowering.plan(read_program(lowering.hierarchy, f"(root, InsideGroup, ReduceScatter); {one.text}"))
        wanted = cost.plan_seconds(plan) - cost.step_cost(plan, plan.steps[0]).seconds
        assert one.seconds == pytest.approx(wanted, rel=1e-9)


@settings(max_examples=examples(4))
@given(placed_exchanges())
def test_an_exchange_at_once_takes_what_its_blocks_take(pair):
    job, matrix = pair
    cost = NetworkCost(job.system)
    exchange = reduction_of(job, Exchange.ALL_TO_ALL)
    plain = Lowering(job.problem(exchange), matrix).direct
    pattern = pattern_of(plain, plain.reduction)
    at_once = all_to_all_cost(pattern, exchange.payload.bytes, job.system).seconds
    found = candidates(job, matrix, Exchange.ALL_TO_ALL, cost)
    assert {one.text.count(";") for one in found} == set(range(len(plain.reduction_levels)))
    (single,) = [one for one in found if ";" not in one.text]
    assert single.seconds == pytest.approx(at_once, rel=1e-9)
    orders = [one.text.split("; ") for one in found if one.text.count(";") == len(plain.reduction_levels) - 1]
    assert len(orders) == factorial(len(plain.reduction_levels))


@given(st.lists(st.tuples(*[st.integers(1, 4)] * 3), min_size=1, max_size=12), st.booleans())
def test_of_all_candidates_those_stay_that_none_beats(rows, longer):
    """Against the definition; in ascending order, and of equal ones the first."""

    def made(number):
        seconds, *busy = map(float, rows[number])
        return ReductionCandidate((), str(number), seconds, tuple(busy), frozenset())

    values = np.array(rows, dtype=np.float64)
    less = tuple(part / 2 for part in made(0).busy)
    cheaper = replace(made(0), text="longer", seconds=values[:, 0].min() / 2, busy=less) if longer else None
    ordered = values[values[:, 0].argsort(kind="stable")]
    seconds, busy = Candidates(PricedRows(ordered[:, 0], lambda: ordered[:, 1:]), made, cheaper=cheaper).least()
    found = Candidates(PricedRows(values[:, 0], lambda: values[:, 1:]), made, cheaper=cheaper).undominated()
    every = [*([cheaper] if cheaper else []), *map(made, range(len(rows)))]
    assert seconds == min(one.seconds for one in every)
    assert busy.tolist() == [min(column) for column in zip(*(one.busy for one in every), strict=True)]

    def row(one):
        return one.seconds, *one.busy

    def beats(one, other):
        return all(a <= b for a, b in zip(row(one), row(other), strict=True)) and row(one) != row(other)

    kept = [one for one in every if not any(beats(other, one) for other in every)]
    first = {row(one): one.text for one in reversed(kept)}
    expected = sorted(first.items(), key=lambda item: (item[1] != "longer", item[0]))
    assert [(row(one), one.text) for one in found] == expected
