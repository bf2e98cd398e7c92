"""Whole plans counted hop by hop and by level: equal, or by level never less where groups hold different amounts."""

import pytest

from p2smt.cost.network.cost import NetworkCost
from p2smt.cost.network.hop_cost import HopCost
from p2smt.errors import ProblemError
from p2smt.placement.matrix import parse_matrix
from p2smt.problem.build import build_problem
from p2smt.problem.model import Axis, Payload, Search
from p2smt.problem.system.algorithm import Algorithm
from p2smt.problem.system.build import default_system
from p2smt.problem.system.network import Level
from p2smt.problem.system.text import find_system
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import CollectiveStep
from p2smt.reduction.synth.session import Synthesizer

CASES = [
    ("p2-a100:2x4", (2, 4), (1,), "1x2/2x2"),
    ("p2-v100:2x8", (4, 4), (0,), "2x2/1x4"),
    ("p2-v100:2x8", (16,), (0,), "2x8"),
    ("dgx-h100:2x8", (2, 8), (1,), "1x2/2x4"),
    ("lab:3x4", (12,), (0,), "3x4"),
    ("rack:2,node:2,gpu:3", (2, 6), (1,), "1x2x1/2x1x3"),
    ("rack:2,node:2,gpu:2", (8,), (0,), "2x2x2"),
]


@pytest.mark.parametrize("algorithm", Algorithm)
@pytest.mark.parametrize(("system", "axes", "reduce", "matrix"), CASES)
def test_both_counts_agree_on_every_program(system, axes, reduce, matrix, algorithm):
    named = [Axis(f"axis{number}", size) for number, size in enumerate(axes)]
    found = find_system(system)
    problem = build_problem(found, named, reduce, Payload(1 << 20, "float32"), Search(limit=4))
    only = parse_matrix(matrix)
    lowering = Lowering(problem, only)
    by_level, by_hop = NetworkCost(found, algorithm), HopCost(found, algorithm)
    seen, unequal = {}, 0
    for program in Synthesizer().synthesize(problem, only=only).placements[0].programs:
        plan = lowering.plan(program)
        for step in plan.steps:
            if step in seen:
                continue
            seen[step] = level, hop = by_level.step_cost(plan, step), by_hop.step_cost(plan, step)
            if isinstance(step, CollectiveStep) and len(step.portions) > 1:
                unequal += 1
                assert hop.seconds <= level.seconds * (1 + 1e-12)
                continue
            assert hop.seconds == pytest.approx(level.seconds, rel=1e-12)
            for one, other in zip(hop.loads, level.loads, strict=True):
                assert one.link == other.link
                for what in ("incoming", "outgoing", "busiest", "switch", "hops", "flow"):
                    assert getattr(one, what) == pytest.approx(getattr(other, what), rel=1e-12)
    assert len(seen) > unequal


def test_too_many_devices_to_draw():
    with pytest.raises(ProblemError) as error:
        HopCost(default_system([Level("node", 1024), Level("gpu", 8)]))
    assert str(error.value) == (
        "the system has 8192 devices; at most 4096 are drawn one by one, more are priced by level"
    )
