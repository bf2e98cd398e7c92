"""Plans that the tests of emitted JAX files share."""

from dataclasses import replace
from functools import cache

from support import plans, problem

from p2smt.collective import Collective
from p2smt.emit.description import group_rules
from p2smt.emit.jax.source import emit_jax
from p2smt.emit.jax.steps import JaxStatement, statements
from p2smt.errors import PlanError
from p2smt.placement.enumeration import all_placements
from p2smt.reduction.language.hierarchy import read_program
from p2smt.reduction.plan.holdings import device_classes
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import CollectiveStep, GroupRule, PermuteStep, Plan, Portion


def permuting() -> Plan:
    """A plan of 2x4 with a permutation."""
    asked = problem([2, 4], [8])
    lowering = Lowering(asked, all_placements(asked).items[0])
    text = (
        "(level0, InsideGroup, ReduceScatter); (level0, Parallel(root), ReduceScatter); (root, InsideGroup, AllGather)"
    )
    return lowering.plan(read_program(lowering.hierarchy, text))


def permuting_some() -> tuple[Plan, frozenset[int]]:
    """A plan of 2x2x2 in which those alone permute that two devices scatter among before, and these devices."""
    asked = problem([2, 2, 2], [8])
    plan = Lowering(asked, all_placements(asked).items[0]).direct
    some = GroupRule((0,), (1, 2))
    scatter, gather = (
        CollectiveStep(kind, some, (Portion(1),)) for kind in (Collective.REDUCE_SCATTER, Collective.ALL_GATHER)
    )
    order = PermuteStep((2, 2), (1, 0), Portion(2, (0, 1)))
    made = replace(plan, multiple=8, steps=(*plan.steps, scatter, order, order, gather))
    return made, frozenset(device for group in plan.groups(some) for device in group)


@cache
def three_levels() -> tuple[Plan, ...]:
    """The 1635 programs of 2x2x2."""
    return tuple(plans(problem([2, 2, 2], [8])))


def statements_of(plan: Plan) -> tuple[JaxStatement, ...]:
    """What is done for the steps of a plan; its group rules are called G0, G1, ..."""
    return statements(plan, device_classes(plan), {rule: f"G{i}" for i, rule in enumerate(group_rules(plan))})


@cache
def rare() -> tuple[Plan, ...]:
    """One plan for each way in which statements on three levels can be other than plain collectives."""
    shapes: dict[tuple[str, str, int, str], Plan] = {}
    for plan in three_levels():
        done = statements_of(plan)
        told_apart = [*dict.fromkeys(each.classes for each in done if each.classes)]
        for each in done:
            if each.classes or "unit" in each.value or "either" in each.value:
                classes = told_apart.index(each.classes) if each.classes else -1
                shapes.setdefault((each.target, each.value, classes, each.otherwise), plan)
    return tuple(dict.fromkeys(shapes.values()))


def refused(plan: Plan) -> str:
    """What the emitter says when it refuses a plan; empty when it does not."""
    try:
        emit_jax(plan)
    except PlanError as error:
        return str(error)
    return ""
