"""Lowering of a collective's reduction program to a plan, whose devices are rank positions along an axis."""

from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.build import build_problem
from p2smt.problem.model import Axis, Payload
from p2smt.problem.system.build import default_system
from p2smt.problem.system.network import Level
from p2smt.reduction.language.instruction import Grouping, Program, instruction_for
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import Plan
from p2smt.schedule.instructions import instructions
from p2smt.schedule.scheduled import Implementation

_PAYLOAD = Payload(4, "float32")
"""An arbitrary payload; the steps do not depend on it."""


def lowered(noted: Implementation) -> Plan | None:
    """Return the plan over the levels with more than one unit; None if there are none, so that nothing is sent."""
    sizes = [size for _, size in noted.levels if size > 1]
    if not sizes:
        return None
    system = default_system([Level(f"level{number}", size) for number, size in enumerate(sizes)])
    axis = Axis("ranks", system.devices)
    problem = build_problem(system, [axis], [0], _PAYLOAD, goal=noted.goal)
    return Lowering(problem, ParallelismMatrix((tuple(sizes),))).plan(_without_ones(noted))


def _without_ones(noted: Implementation) -> Program:
    """Return the program over the levels with more than one unit, without steps in groups of one rank."""
    kept = [number for number, (_, size) in enumerate(noted.levels, 1) if size > 1]
    found = []
    for grouping, collective in instructions(noted.program, noted.levels):
        varying = [place for place, number in enumerate(kept, 1) if number in grouping.levels]
        if varying:
            inner = varying[-1]
            rest = Grouping(varying[0] - 1, inner, grouping.masters and inner < len(kept))
            found.append(instruction_for(rest, collective, len(kept)))
    return tuple(found)
