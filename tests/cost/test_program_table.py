"""Programs priced together, equal work once, cost to the last bit what their plans cost step by step."""

from operator import attrgetter

import numpy as np
import pytest
from support import problem

from p2smt.collective import Collective
from p2smt.cost.network.backend import Gloo, Nccl, cost_of
from p2smt.cost.program_table import ProgramTable
from p2smt.placement.enumeration import all_placements
from p2smt.problem.build import build_problem
from p2smt.problem.model import Axis, Engine, Payload
from p2smt.problem.system.text import find_system
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import PermuteStep
from p2smt.reduction.synth.engines import find_programs

MEASURES = tuple(map(attrgetter, ("seconds", "fixed_s", "memory_s", "hop_bytes")))
PLACED = [
    (problem([2, 4], [8]), Collective.ALL_REDUCE, 5),
    (problem([3, 2, 4], [6, 4]), Collective.ALL_REDUCE, 4),
    (problem([2, 2, 4], [16], goal=Collective.ALL_GATHER), Collective.ALL_GATHER, 4),
    (build_problem(find_system("node:[5,3]"), [Axis("a", 8)], [0], Payload(10**6, "uint8")), Collective.ALL_REDUCE, 3),
]
CASES = [(Nccl(), *placed) for placed in PLACED] + [(Gloo(), *placed) for placed in PLACED[:3]]  # like units alone


def step_by_step(cost, lowering, programs, measure):
    plans = [lowering.plan(program) for program in programs]
    rows = np.zeros((len(plans), max(len(plan.steps) for plan in plans)))
    for row, plan in zip(rows, plans, strict=True):
        row[: len(plan.steps)] = [measure(cost.step_cost(plan, step)) for step in plan.steps]
    return rows.sum(axis=1), sum(isinstance(step, PermuteStep) for plan in plans for step in plan.steps)


@pytest.mark.parametrize(("backend", "asked", "goal", "limit"), CASES)
def test_equal_work_is_priced_once_and_nothing_changes(backend, asked, goal, limit):
    permuted = 0
    for matrix in all_placements(asked).items[:3]:
        lowering, cost = Lowering(asked, matrix), cost_of(asked.system, backend)
        steps = find_programs(Engine.EXPLICIT, lowering.language, lowering.hierarchy.shape, limit).items
        programs = tuple(map(lowering.language.program, steps))
        assert len(programs) >= 3
        priced = ProgramTable(programs, lowering).price(cost, lowering, MEASURES)
        for column, measure in zip(priced, MEASURES, strict=True):
            wanted, permutations = step_by_step(cost, lowering, programs, measure)
            assert column.tolist() == wanted.tolist()
            permuted += permutations
    assert permuted or goal is not Collective.ALL_REDUCE or lowering.tree is not None


def test_no_programs_and_a_program_of_no_steps():
    lowering = Lowering(asked := problem([4], [4]), all_placements(asked).items[0])
    (nothing,) = ProgramTable((), lowering).price(cost_of(asked.system), lowering, MEASURES[:1])
    assert nothing.tolist() == []
