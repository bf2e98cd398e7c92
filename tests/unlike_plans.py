"""Plans on units of unlike size, which several rooms' tests take."""

from collections.abc import Iterator

from p2smt.collective import Collective
from p2smt.placement.matrix import parse_matrix
from p2smt.problem.build import build_problem
from p2smt.problem.model import Axis, Engine, Payload, Problem, Search
from p2smt.problem.system.text import find_system
from p2smt.reduction.language.language import shape_language
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import Plan
from p2smt.reduction.plan.program_plan import program_plan
from p2smt.reduction.synth.engines import find_programs

LOCAL_AND_MASTERS = "(node, InsideGroup, Reduce); (node, Master(root), AllReduce); (node, InsideGroup, Broadcast)"


def unlike_problem(system: str, axes: tuple[int, ...], goal: Collective = Collective.ALL_REDUCE) -> Problem:
    """A reduction over the first axis."""
    named = [Axis(f"axis{place}", size) for place, size in enumerate(axes)]
    return build_problem(find_system(system), named, [0], Payload(1 << 20, "float32"), Search(), goal)


def unlike_plan(text: str = LOCAL_AND_MASTERS, goal: Collective = Collective.ALL_REDUCE) -> Plan:
    """A plan on a node of five devices beside one of three."""
    return program_plan(unlike_problem("node:[5,3]", (8,), goal), text, parse_matrix("2x5"))


def every_plan(
    system: str, axes: tuple[int, ...], matrix: str, goal: Collective = Collective.ALL_REDUCE, limit: int = 3
) -> Iterator[Plan]:
    """The plans of all programs that a walk through the states comes to."""
    lowering = Lowering(unlike_problem(system, axes, goal), parse_matrix(matrix))
    assert lowering.tree is not None
    language = shape_language(lowering.tree, goal=goal)
    found = find_programs(Engine.EXPLICIT, language, lowering.tree, limit)
    assert found.complete
    yield from (lowering.plan(language.program(steps)) for steps in found.items)
