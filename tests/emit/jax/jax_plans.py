"""Plans that the tests of emitted JAX files share."""

from functools import cache

from support import plans, problem

from p2smt.emit.jax.source import emit_jax
from p2smt.errors import PlanError
from p2smt.placement.enumeration import all_placements
from p2smt.reduction.language.hierarchy import read_program
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import Plan


def permuting() -> Plan:
    """A plan of 2x4 with a permutation."""
    asked = problem([2, 4], [8])
    lowering = Lowering(asked, all_placements(asked).items[0])
    text = (
        "(level0, InsideGroup, ReduceScatter); (level0, Parallel(root), ReduceScatter); (root, InsideGroup, AllGather)"
    )
    return lowering.plan(read_program(lowering.hierarchy, text))


@cache
def three_levels() -> tuple[Plan, ...]:
    """The 1635 programs of 2x2x2."""
    return tuple(plans(problem([2, 2, 2], [8])))


def statements(plan: Plan) -> str:
    """What is done for the steps, without the numbers of steps."""
    body = emit_jax(plan).partition("def reduced")[2].partition("\n\n")[0]
    return "\n".join(line.partition("  # ")[0] for line in body.splitlines()[2:])


def rare() -> list[Plan]:
    """One plan for each way in which statements on three levels can be other than plain collectives."""
    shapes: dict[frozenset[str], Plan] = {}
    for plan in three_levels():
        special = [line for line in statements(plan).splitlines() if "unit" in line or "either" in line]
        for line in special:
            shapes.setdefault(frozenset([line.replace("return ", "buffer = ")]), plan)
    return list(dict.fromkeys(shapes.values()))


def refused(plan: Plan) -> str:
    """What the emitter says when it refuses a plan; empty when it does not."""
    try:
        emit_jax(plan)
    except PlanError as error:
        return str(error)
    return ""
