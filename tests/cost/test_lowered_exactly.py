"""A winner is beaten by no plan that permutes buffers elsewhere."""

from dataclasses import replace
from pathlib import Path

import pytest

from p2smt.collective import Collective
from p2smt.cost.network.nccl import NetworkCost
from p2smt.cost.ranking import rank
from p2smt.problem.build import build_problem
from p2smt.problem.model import Axis, Payload
from p2smt.problem.system.algorithm import Algorithm
from p2smt.problem.system.text import find_system
from p2smt.reduction.plan.model import CollectiveStep, PermuteStep
from p2smt.reduction.synth.session import synthesize

SYSTEM = Path(__file__).with_name("permute_before_gathering.toml")


def test_on_a_system_with_slow_memory_the_winner_permutes_before_its_last_gathering():
    """After the last AllGather the permutation moves eight times the bytes: 506.6 ms, and another program wins."""
    system = find_system(str(SYSTEM))
    asked = build_problem(system, [Axis("data", 256)], [0], Payload(232_142_000, "uint8"))
    cost = NetworkCost(system, Algorithm.TREE)
    (placement,) = rank(synthesize(asked), cost)
    longer, best, _, third = placement.programs[:4]
    assert longer.beyond_limit
    assert longer.seconds == pytest.approx(0.46338, rel=1e-4)
    assert best.seconds == pytest.approx(0.48248, rel=1e-4)
    *_, permutation, gathering = best.plan.steps
    assert isinstance(permutation, PermuteStep)
    assert isinstance(gathering, CollectiveStep)
    assert gathering.collective is Collective.ALL_GATHER
    late = replace(best.plan, steps=(*best.plan.steps[:-2], gathering, permutation))
    late = replace(late, steps=(*late.steps[:-1], replace(permutation, portion=replace(permutation.portion, parts=1))))
    assert cost.plan_seconds(late) == pytest.approx(0.50660, rel=1e-4)
    assert third.seconds == pytest.approx(0.49473, rel=1e-4)
