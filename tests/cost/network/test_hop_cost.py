"""Whole plans counted hop by hop and by level: equal, or by level more where groups hold different amounts."""

from dataclasses import replace

import pytest
from looped import looped
from tiers import is_full

from p2smt.cost.network.hop_cost import HopCost
from p2smt.cost.network.nccl import NetworkCost
from p2smt.errors import ProblemError
from p2smt.placement.matrix import parse_matrix
from p2smt.problem.build import build_problem
from p2smt.problem.model import Axis, Payload, Search
from p2smt.problem.system.algorithm import Algorithm
from p2smt.problem.system.build import default_system
from p2smt.problem.system.network import Level
from p2smt.problem.system.text import find_system
from p2smt.reduction.language.hierarchy import read_program
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


@pytest.mark.thorough  # random patterns agree in test_agreement.py
@looped("algorithm", Algorithm)
@looped(("system", "axes", "reduce", "matrix"), CASES)
def test_both_counts_agree_on_every_program(system, axes, reduce, matrix, algorithm):
    named = [Axis(f"axis{number}", size) for number, size in enumerate(axes)]
    found = find_system(system)
    problem = build_problem(found, named, reduce, Payload(1 << 20, "float32"), Search(limit=4 if is_full() else 3))
    only = parse_matrix(matrix)
    lowering = Lowering(problem, only)
    by_level, by_hop = NetworkCost(found, algorithm), HopCost(found, algorithm)
    seen = {}
    for program in Synthesizer().synthesize(problem, only=only).placements[0].programs:
        plan = lowering.plan(program)
        for step in plan.steps:
            if step in seen:
                continue
            seen[step] = level, hop = by_level.step_cost(plan, step), by_hop.step_cost(plan, step)
            assert not isinstance(step, CollectiveStep) or len(step.portions) == 1
            assert hop.seconds == pytest.approx(level.seconds, rel=1e-12)
            for one, other in zip(hop.loads, level.loads, strict=True):
                assert one.link == other.link
                for what in ("incoming", "outgoing", "busiest", "switch", "hops", "flow"):
                    assert getattr(one, what) == pytest.approx(getattr(other, what), rel=1e-12)
    assert seen


@pytest.mark.parametrize("algorithm", Algorithm)
def test_by_level_groups_that_hold_different_amounts_count_as_those_that_hold_most(algorithm):
    text = "(node, Parallel(root), ReduceScatter); (node, InsideGroup, AllReduce); (node, Master(rack), AllGather); "
    text += "(rack, Parallel(root), AllGather); (root, InsideGroup, Broadcast)"
    found, only = find_system("rack:2,node:2,gpu:2"), parse_matrix("2x2x2")
    problem = build_problem(found, [Axis("axis0", 8)], (0,), Payload(1 << 20, "float32"), Search())
    lowering = Lowering(problem, only)
    plan = lowering.plan(read_program(lowering.hierarchy, text))
    by_level, by_hop = NetworkCost(found, algorithm), HopCost(found, algorithm)
    unequal = [step for step in plan.steps if isinstance(step, CollectiveStep) and len(step.portions) > 1]
    assert unequal
    for step in unequal:
        level, hop = by_level.step_cost(plan, step), by_hop.step_cost(plan, step)
        assert hop.seconds < level.seconds
        assert hop.memory_s == pytest.approx(level.memory_s, rel=1e-12)
        most = max(1 / portion.parts for portion in step.portions)
        alone = replace(step, portions=tuple(replace(portion, parts=round(1 / most)) for portion in step.portions))
        assert by_hop.step_cost(plan, alone).seconds == pytest.approx(level.seconds, rel=1e-12)


def test_too_many_devices_to_draw():
    with pytest.raises(ProblemError) as error:
        HopCost(default_system([Level("node", 1024), Level("gpu", 8)]))
    assert str(error.value) == (
        "the system has 8192 devices; at most 4096 are supported link by link; price larger systems by level"
    )
