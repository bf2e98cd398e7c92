"""Single figures, for papers: a placement or a program without a whole report around it."""

from enum import StrEnum

from p2smt.cost.backend import Cost
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.plan.model import Plan
from p2smt.problem.model import Problem
from p2smt.report.cluster_drawing import placement_drawing
from p2smt.report.content import PlacementContent, ProgramContent
from p2smt.report.naming import naming_of
from p2smt.report.program_content import steps_of
from p2smt.report.program_drawing import program_drawing
from p2smt.report.selection import select_devices
from p2smt.report.shapes import Drawing


class Figure(StrEnum):
    """What can be drawn alone."""

    CLUSTER = "cluster"
    PROGRAM = "program"
    RANKING = "ranking"
    SENSITIVITY = "sensitivity"


def cluster_figure(problem: Problem, matrix: ParallelismMatrix) -> Drawing:
    """The devices of a placement with their coordinates, coloured by the first axis that is reduced over."""
    placement = PlacementContent(select_devices(matrix, problem.reduce))
    return placement_drawing(placement, naming_of(problem.system, problem.axes), problem.reduce[0])


def program_figure(problem: Problem, plan: Plan, cost: Cost) -> Drawing:
    """A plan step by step."""
    selection = select_devices(plan.matrix, problem.reduce)
    steps = steps_of(plan, cost, selection.devices)
    program = ProgramContent(None, plan.program, sum(step.seconds for step in steps), plan, steps)
    return program_drawing(program, selection, naming_of(problem.system, problem.axes))
