"""Programs priced together, equal work once, cost to the last bit what their plans cost step by step."""

from copy import copy
from operator import attrgetter

import numpy as np
from looped import looped
from support import problem

from p2smt.collective import Collective
from p2smt.cost.network.backend import Gloo, Nccl, cost_of
from p2smt.cost.program_table import ProgramTable, ProgramTables
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


@looped(("backend", "asked", "goal", "limit"), CASES)
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


def test_tables_are_shared_and_those_asked_for_last_are_kept():
    """One table of 93 programs and one of 3, of 95 programs at most."""
    lowerings = [Lowering(asked, all_placements(asked).items[0]) for asked in (problem([2, 4], [8]), problem([4], [4]))]
    both, inner = (
        tuple(map(each.language.program, find_programs(Engine.EXPLICIT, each.language, each.hierarchy.shape, 5).items))
        for each in lowerings
    )
    assert (len(both), len(inner)) == (93, 3)
    tables = ProgramTables(most_programs=95)
    first = tables.of(both, lowerings[0])
    assert tables.of(both, lowerings[0]) is first
    fewer = tables.of(both[:92], lowerings[0])
    assert (fewer is first, fewer.programs) == (False, both[:92])
    small = tables.of(inner, lowerings[1])
    assert tables.of(fewer.programs, lowerings[0]) is fewer
    assert tables.of(inner, lowerings[1]) is small
    assert tables.of(both, lowerings[0]).programs is both
    assert tables.of(inner, lowerings[1]) is not small
    assert tables.of(both, lowerings[0]).programs is both, "one is kept, however large"
    assert tables.of(both, lowerings[0]) is tables.of(both, lowerings[0])


def test_levels_in_another_order_have_a_table_of_their_own():
    """Of the same programs, for members of groups are numbered by the levels' order."""
    lowering = Lowering(asked := problem([2, 4], [8]), all_placements(asked).items[0])
    other = copy(lowering)
    other.significance = lowering.significance[::-1]
    steps = find_programs(Engine.EXPLICIT, lowering.language, (2, 4), 2).items
    programs, tables = tuple(map(lowering.language.program, steps)), ProgramTables()
    first = tables.of(programs, lowering)
    assert tables.of(programs, other) is not first
    assert tables.of(programs, lowering) is first
