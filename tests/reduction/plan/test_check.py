"""What a plan's parts may be: at the last number that is allowed, and at the first one that is not."""

from dataclasses import replace

import pytest
from looped import looped
from support import problem
from unlike_plans import unlike_plan

from p2smt.errors import P2Error, PlanError
from p2smt.placement.matrix import parse_matrix
from p2smt.problem.system.tree import Tree
from p2smt.reduction.plan.check import check_plan
from p2smt.reduction.plan.model import GroupRule, PermuteStep, PlanDigit, PlanLevel, Portion
from p2smt.reduction.plan.program_plan import program_plan

TEXT = "(level0, InsideGroup, ReduceScatter); (level0, Parallel(root), AllReduce); (level0, InsideGroup, AllGather)"
PLAN = program_plan(problem([2, 4], [8]), TEXT, parse_matrix("2x4"))
STEP = PLAN.steps[0]
ALL = Portion(1)


def permuted(*sizes, order=None, portion=ALL):
    return PermuteStep(sizes, tuple(range(len(sizes))) if order is None else order, portion)


def portions(*classes):
    return replace(STEP, portions=tuple(Portion(1, each) for each in classes))


@looped(
    "step",
    [
        portions((0,), (1,), (2,), (3,)),
        portions((0, 3)),
        replace(STEP, groups=GroupRule((1,), (0,))),
        permuted(),
        permuted(1),
        permuted(4),
        permuted(2, 2, order=(1, 0)),
        permuted(2, portion=Portion(4)),
    ],
)
def test_what_fits_is_taken(step):
    check_plan(replace(PLAN, steps=(step,)))


@looped(
    ("step", "message"),
    [
        (portions((4,)), "classes [4] must lie in 0..3"),
        (portions((0, -1)), "classes [0, -1] must lie in 0..3"),
        (portions((0,), (1,), (2,), (3,), (0,)), "5 portions; give one, or one per class of devices"),
        (portions(), "0 portions"),
        (replace(STEP, portions=(Portion(0),)), "parts 0 does not divide the padding multiple 4"),
        (replace(STEP, portions=(Portion(-2),)), "parts -2 does not divide the padding multiple 4"),
        (replace(STEP, groups=GroupRule((1,), (1,))), "digits [1, 1] must be different indices in 0..1"),
        (replace(STEP, groups=GroupRule((1, 1))), "digits [1, 1] must be different indices in 0..1"),
        (replace(STEP, groups=GroupRule((1, 2))), "digits [1, 2] must be different indices in 0..1"),
        (replace(STEP, groups=GroupRule((1,), (-1,))), "digits [1, -1] must be different indices in 0..1"),
        (replace(STEP, groups=GroupRule((), (0,))), "groups of one device do nothing"),
        (permuted(-2, -2), "dimensions [-2, -2] do not divide the padding multiple 4"),
        (permuted(0), "dimensions [0] do not divide the padding multiple 4"),
        (permuted(8), "dimensions [8] do not divide the padding multiple 4"),
        (permuted(2, 2, order=(0, 0)), "is not a permutation of 2 dimensions; name each once"),
        (permuted(2, 2, order=(0,)), "is not a permutation of 2 dimensions; name each once"),
        (permuted(2, 2, order=(1, 2)), "is not a permutation of 2 dimensions; name each once"),
        (permuted(2, portion=Portion(3)), "parts 3 does not divide the padding multiple 4"),
        (permuted(2, portion=Portion(1, (4,))), "classes [4] must lie in 0..3"),
    ],
)
def test_what_does_not_fit_is_refused_with_the_step(step, message):
    with pytest.raises(PlanError) as caught:
        check_plan(replace(PLAN, steps=(STEP, step)))
    assert str(caught.value).startswith("steps[1]: ")
    assert message in str(caught.value)


@looped("multiple", range(-1, 18))
def test_a_multiple_divides_the_devices_that_reduce_together(multiple):
    plan = replace(PLAN, steps=(), multiple=multiple)
    if multiple in (1, 2, 4, 8):
        check_plan(plan)
    else:
        with pytest.raises(PlanError, match=f"multiple {multiple} does not divide the 8 devices"):
            check_plan(plan)


@pytest.mark.parametrize(("chunks", "allowed"), [(0, False), (1, True), (1024, True), (1025, False)])
def test_a_plan_has_1_to_1024_chunks(chunks, allowed):
    if allowed:
        check_plan(replace(PLAN, chunks=chunks))
    else:
        with pytest.raises(PlanError, match=f"{chunks} chunks is out of range; a plan has 1 to 1024"):
            check_plan(replace(PLAN, chunks=chunks))


@pytest.mark.parametrize(
    ("sizes", "children", "message"),
    [
        ((2, 5), ((2,), (5, 1)), "all reduction groups must have the same number of devices, but some have 5"),
        ((2, 5), ((2,), (5, 3)), "all reduction groups must have the same number of devices, but some have 5"),
        (
            (2, 2, 3),
            ((2,), (2, 2), (1, 3, 2, 2)),
            "on this irregular hierarchy, reduction groups have different structures;",
        ),
        ((2, 2, 3), ((2,), (2, 2), (1, 3, 1, 3)), None),
    ],
)
def test_groups_on_units_of_unlike_size_are_alike(sizes, children, message):
    """Over all levels but the outermost: as many devices, and these in the same places, in every group."""
    inside = tuple(range(1, len(sizes)))
    plan = replace(
        unlike_plan(),
        digits=tuple(PlanDigit(f"level{place}", "axis0", size) for place, size in enumerate(sizes)),
        reduction_levels=tuple(PlanLevel(f"level{place}", (place,)) for place in inside),
        reduction=GroupRule(inside),
        tree=Tree(children),
        multiple=1,
        steps=(),
    )
    if message is None:
        check_plan(plan)
    else:
        with pytest.raises(P2Error, match=message):
            check_plan(plan)
