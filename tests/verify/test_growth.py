"""Counts of contributions have room in their fields, however they grow."""

from dataclasses import replace

import pytest

from p2smt.collective import Collective
from p2smt.verify.execution import execute
from p2smt.verify.growth import greatest_count
from p2smt.verify.operation import Local
from p2smt.verify.plan import Goal, Part, Step, VerificationPlan


@pytest.mark.parametrize("doublings", [*range(9), 40])
def test_sums_that_are_added_to_themselves_again_and_again(doublings):
    """Everyone has 2^k times its own contribution, then all have that of all."""
    part, alone, everyone = Part("data", 0, 1), ((0,), (1,), (2,)), (0, 1, 2)
    steps = [Step(Local.ADD, alone, part, part)] * doublings
    goal = Goal(collective=Collective.ALL_REDUCE, groups=(everyone,), source=part, target=part)
    plan = VerificationPlan(devices=3, buffers=(("data", 1),), goal=goal, steps=tuple(steps))
    outcome = execute(plan)
    for device in everyone:
        ((_, fields),) = outcome.cells[device]["data"][0].counts
        assert [outcome.count(fields, one) for one in everyone] == [2**doublings * (one == device) for one in everyone]
    assert greatest_count(plan) >= 2**doublings
    summed = replace(plan, steps=(*steps, Step(Collective.ALL_REDUCE, (everyone,), part, part)))
    ((_, fields),) = execute(summed).cells[0]["data"][0].counts
    assert [execute(summed).count(fields, one) for one in everyone] == [2**doublings] * 3
