"""Plans on units of unlike size, run on numpy buffers, written, read and verified; groups against those by hand."""

import json
from dataclasses import replace

import numpy as np
import pytest
from looped import looped
from support import refused
from tiers import sample
from unlike_plans import LOCAL_AND_MASTERS, every_plan, unlike_plan, unlike_problem

from p2smt.collective import Collective
from p2smt.errors import P2Error, PlanError, ProblemError, ProgramError
from p2smt.frontend.own_plan import verification_plan
from p2smt.placement.matrix import parse_matrix
from p2smt.problem.system.text import find_system
from p2smt.problem.system.tree import Tree
from p2smt.reduction.language.instruction import Grouping
from p2smt.reduction.plan.check import check_plan
from p2smt.reduction.plan.execute import execute
from p2smt.reduction.plan.file import parse_plan, plan_text
from p2smt.reduction.plan.model import CollectiveStep, PermuteStep
from p2smt.reduction.plan.program_plan import program_plan
from p2smt.reduction.plan.rank_holdings import rank_holdings
from p2smt.reduction.plan.tree_schedule import block_sizes
from p2smt.reduction.semantics.execution import machine
from p2smt.verify.check import verify
from p2smt.verify.verdict import Proved, Refuted

CASES = [
    ("node:[5,3]", (8,), "2x5", (16, 1, 17, 1, 3)),
    ("4+2+1", (7,), "3x4", (17, 1, 17, 1, 3)),
    ("rack:2,node:[2,1],gpu:2", (6,), "2x2x2", (51, 3, 109, 6, 19)),
    ("node:[8,8,4]", (5, 4), "3x2/1x4", (17, 1, 17, 1, 3)),
    ("node:[5,1]", (6,), "2x5", (19, 1, 15, 1, 5)),
]
GOALS = (
    Collective.ALL_REDUCE,
    Collective.REDUCE_SCATTER,
    Collective.REDUCE,
    Collective.ALL_GATHER,
    Collective.BROADCAST,
)


def expected(plan, buffers, group, place):
    """What a member of a reduction group ends with; None for anything."""
    total = sum(buffers[rank] for rank in group)
    match plan.goal:
        case Collective.ALL_REDUCE:
            return total
        case Collective.REDUCE:
            return None if place else total
        case Collective.BROADCAST:
            return buffers[group[0]]
        case Collective.ALL_GATHER:
            return np.concatenate([buffers[rank] for rank in group])
        case Collective.REDUCE_SCATTER:
            padded = np.concatenate([total, np.zeros(-len(total) % len(group), total.dtype)])
            return np.split(padded, len(group))[place]


def run(plan, groups, lengths=(0, 1, 13)):
    """Run at lengths that the padding does not divide, and compare."""
    draw = np.random.default_rng(len(plan.program))
    for length in (*lengths, 2 * plan.multiple):
        buffers = [draw.integers(-9, 9, length) for _ in range(plan.devices)]
        results = execute(plan, buffers)
        for group in groups:
            for place, rank in enumerate(group):
                wanted = expected(plan, buffers, group, place)
                assert wanted is None or np.array_equal(results[rank], wanted), (plan.program, length, rank)


@looped("case", sample(CASES, 3))
def test_all_programs_are_lowered_and_do_their_goal(case):
    system, axes, matrix, counts = case
    devices = int(np.prod(axes))
    others = devices // axes[0]
    groups = [tuple(range(other, devices, others)) for other in range(others)]
    permuting = 0
    for goal, count in zip(GOALS, counts, strict=True):
        plans = list(every_plan(system.replace("4+2+1", "node:[4,2,1]"), axes, matrix, goal))
        assert len(plans) == count
        for plan in plans:
            check_plan(plan)
            assert list(plan.groups(plan.reduction)) == groups
            run(plan, groups)
            text = plan_text(plan)
            assert replace(parse_plan(text.encode(), "x"), system=plan.system) == plan
            held = rank_holdings(plan)
            assert all(None not in before for before in held) or plan.program.count("Reduce") or goal.from_root
            permuting += any(isinstance(step, PermuteStep) for step in plan.steps)
    assert permuting > 0 or "rack" not in system


@pytest.mark.parametrize("goal", GOALS, ids=str)
def test_verification_finds_plans_valid_and_others_not(goal):
    plans = list(every_plan("node:[3,2]", (5,), "2x3", goal, limit=2))
    for plan in plans:
        assert isinstance(verify(verification_plan(plan)), Proved), plan.program
    plan = max(plans, key=lambda plan: len(plan.steps))
    assert isinstance(verify(verification_plan(replace(plan, steps=plan.steps[:-1]))), Refuted)


def test_a_step_for_which_a_member_has_nothing_is_refused_without_running_it():
    """After a Reduce the first device of a node alone has a buffer."""
    reduce = unlike_plan().steps[0]
    wrong = replace(unlike_plan(), steps=(reduce, replace(reduce, collective=Collective.ALL_REDUCE)))
    with pytest.raises(PlanError):
        execute(wrong, [np.ones(40)] * 8)
    with pytest.raises(
        PlanError,
        match=(
            "step 2: members of a group hold buffers of different lengths, or none; check the plan with p2smt verify"
        ),
    ):
        rank_holdings(wrong)


def test_a_group_that_is_left_with_one_device_does_nothing():
    steps = unlike_plan(
        "(node, InsideGroup, AllReduce); (node, Master(root), AllReduce); (node, InsideGroup, Broadcast)"
    )
    groups = [[*steps.groups(step.groups)] for step in steps.steps if isinstance(step, CollectiveStep)]
    assert groups == [[(0, 1, 2, 3, 4), (5, 6, 7)], [(0, 5)], [(0, 1, 2, 3, 4), (5, 6, 7)]]
    across = program_plan(
        unlike_problem("node:[5,1]", (6,)),
        "(node, InsideGroup, AllReduce); (node, Parallel(root), AllReduce); (node, InsideGroup, Broadcast)",
        parse_matrix("2x5"),
    )
    assert [[*across.groups(step.groups)] for step in across.steps] == [[(0, 1, 2, 3, 4)], [(0, 5)], [(0, 1, 2, 3, 4)]]


def test_blocks_are_the_finest_levels_over_which_devices_are_a_product():
    assert block_sizes(Tree(((2,), (5, 3)))) == {1: 8}
    assert block_sizes(Tree(((2,), (2, 1), (4, 4, 4)))) == {1: 3, 3: 4}
    assert block_sizes(Tree(((2,), (2, 2), (3, 1, 3, 1)))) == {1: 2, 2: 4}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("(node, InsideGroup, AllReduce); (node, Parallel(root), AllReduce)", "after the last step the goal is not"),
        (
            "(node, InsideGroup, ReduceScatter); (node, Parallel(root), AllReduce); (node, InsideGroup, AllGather)",
            "step 1, ReduceScatter, may not be taken",
        ),
    ],
)
def test_programs_that_only_units_of_one_size_allow_are_refused(text, said):
    assert said in refused(lambda: unlike_plan(text), ProgramError)


def test_shards_that_are_gathered_inside_a_block_are_refused():
    """Devices 000, 010, 011 and 100 are no product of levels, though all of them come to hold everything."""
    tree = Tree(((2,), (2, 1), (1, 2, 1)))
    text = (
        "(b, InsideGroup, AllGather); (a, Parallel(root), AllGather); (b, Parallel(a), AllGather); "
        "(b, InsideGroup, Broadcast); (a, Parallel(root), Broadcast)"
    )
    groupings, gather, cast = [Grouping(2, 3), Grouping(0, 1)], Collective.ALL_GATHER, Collective.BROADCAST
    steps = [*((one, gather) for one in (*groupings, Grouping(1, 2))), *((one, cast) for one in groupings)]
    assert machine(tree, goal=gather).is_valid(steps)
    asked = unlike_problem("a:2,b:[2,1],c:[1,2,1]", (4,), gather)
    said = refused(lambda: program_plan(asked, text, parse_matrix("2x2x2")), ProgramError)
    assert said.startswith("step 1, AllGather, splits the hierarchy")


@pytest.mark.parametrize(
    ("axes", "matrix", "said"),
    [
        ((10,), "2x5", "axes axis0=10 need 10 devices, but a system of units of unlike size 2x[5,3] has 8"),
        ((8,), "2x4", "column of level gpu multiplies to 4, not 5"),
        ((4, 2), "2x5/1x1", "axis axis0 has 8 coordinates, not 4"),
    ],
)
def test_placements_are_grids_of_the_devices_that_there_are(axes, matrix, said):
    def made():
        return program_plan(unlike_problem("node:[5,3]", axes), LOCAL_AND_MASTERS, parse_matrix(matrix))

    assert said in refused(made, ProblemError)


def changed(**values):
    document = json.loads(plan_text(unlike_plan()))
    document.update(values)
    return json.dumps(document).encode()


@looped(
    ("values", "said"),
    [
        ({"version": 2}, "units of an irregular hierarchy need version 4, but the plan has version"),
        ({"units": [[2], [5, 6]]}, "needs levels of [2, 6], not [2, 5]"),
        ({"units": [[2], [5]]}, "level 1 has 1 sizes for"),
        ({"units": [[2], [5, 0]]}, "a size is a whole number >= 1"),
        ({"units": [[2], [5, 4]]}, "has 9"),
        ({"units": [[2], [3, 5]]}, "network has 2x[5,3], but the plan is for 2x[3,5]"),
        ({"units": []}, "the outermost level has one size"),
        ({"version": 5}, "this p2smt reads 1, 2, 3 and 4"),
    ],
)
def test_files_that_say_other_units_are_refused(values, said):
    assert said in refused(lambda: parse_plan(changed(**values), "plan.json"), P2Error)


@pytest.mark.parametrize("collective", Collective, ids=str)
def test_shards_of_groups_of_unlike_size_are_refused_in_files(collective):
    """Whoever cuts into shards is refused, and whoever joins them; among masters, of whom one group is, nobody is."""
    plan = unlike_plan()
    inside = replace(plan, steps=(replace(plan.steps[0], collective=collective), *plan.steps[1:]))
    if collective in (Collective.REDUCE_SCATTER, Collective.ALL_GATHER):
        assert f"steps[0]: {collective} in groups of different sizes," in refused(lambda: check_plan(inside), PlanError)
    else:
        check_plan(inside)
    check_plan(replace(plan, steps=(plan.steps[0], replace(plan.steps[1], collective=collective), plan.steps[2])))


def test_devices_that_reduce_together_are_at_most_128():
    assert len(unlike_plan_of("node:[65,63]").steps) == 3
    assert refused(lambda: unlike_plan_of("node:[65,64]"), ProgramError) == (
        "a reduction group of 129 devices is too large for an irregular hierarchy; the limit is 128"
    )


def unlike_plan_of(system):
    devices = find_system(system).devices
    return program_plan(unlike_problem(system, (devices,)), LOCAL_AND_MASTERS, parse_matrix("2x65"))
