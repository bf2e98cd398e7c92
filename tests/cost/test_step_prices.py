"""Whole numbers for seconds, against fractions and against what plans take."""

import random
from fractions import Fraction

import pytest
from support import problem, programs

from p2smt.cost.any_length import graph_of, walk_prices
from p2smt.cost.network.backend import cost_of
from p2smt.cost.step_prices import Scale, scale_of
from p2smt.placement.enumeration import all_placements
from p2smt.problem.model import Engine
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import PermuteStep


def test_seconds_are_rounded_down_to_whole_units():
    dice = random.Random(1)
    for _ in range(200):
        scale = Scale(Fraction(dice.randint(1, 10**6), dice.randint(1, 10**9)), 2**60)
        seconds = dice.choice([0.0, 1.0, dice.random() * 10 ** dice.randint(-9, 3)])
        units = scale.units(seconds)
        assert units * scale.unit <= Fraction(seconds) < (units + 1) * scale.unit
        assert scale.least_seconds(units) <= seconds
    exact = scale_of(3.0)
    assert exact.units(3.0) == 2**48
    assert 2**48 - exact.bound == pytest.approx(2**48 / 6 / 10**9, rel=1e-3)  # half of the tenth digit of 3


def test_the_prices_along_a_walk_are_what_its_plan_takes():
    """Also of steps whose groups hold unlike parts of the payload: the largest counts. Every eleventh of the others."""
    asked = problem((2, 3, 2), [12], limit=5)
    (matrix,) = all_placements(asked).items
    lowering, cost = Lowering(asked, matrix), cost_of(asked.system)
    graph = graph_of(lowering, found_all=False)
    scale = Scale(Fraction(cost.plan_seconds(lowering.direct)) / 2**48, 2**60)
    prices, uneven = walk_prices(lowering, graph, cost, scale), 0
    for number, steps in enumerate(sorted(programs(Engine.EXPLICIT, (2, 2, 2), 5))):
        state, charges = 0, []
        for step in steps:
            charge, state = next(pair for pair in graph.edges(state) if graph.charges[pair[0]].step == step)
            charges.append(charge)
        unlike = any(len(graph.charges[charge].scattered) > 1 for charge in charges)
        if unlike or number % 11 == 0:
            plan = lowering.plan(graph.language.program(steps))
            permuted = sum(cost.step_cost(plan, step).seconds for step in plan.steps if isinstance(step, PermuteStep))
            spent = float(sum(int(prices.charges[charge]) for charge in charges) * scale.unit)
            assert spent + permuted == pytest.approx(cost.plan_seconds(plan), rel=1e-9)
            uneven += unlike
    assert uneven == 27
