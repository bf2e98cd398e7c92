"""Stand-alone figures for papers, of a placement, a program or its time line."""

from collections.abc import Sequence

from p2smt.cost.chunk_time_line import chunk_time_line
from p2smt.cost.network.cost import Cost
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.model import Axis, Problem
from p2smt.problem.system.network import System
from p2smt.reduction.plan.model import Plan
from p2smt.report.content.content import JobReport, PlacementContent
from p2smt.report.content.naming import naming_of
from p2smt.report.content.program_content import program_content, steps_of
from p2smt.report.content.selection import selection_of
from p2smt.report.figures.chunks_drawing import chunks_drawing
from p2smt.report.figures.cluster_drawing import placement_drawing
from p2smt.report.figures.program_drawing import program_drawing
from p2smt.report.figures.shapes import Drawing


def cluster_figure(
    system: System, axes: tuple[Axis, ...], reduced: Sequence[int], matrix: ParallelismMatrix
) -> Drawing:
    """Return the drawing of a placement, with devices coloured by their coordinate on the first reduced axis."""
    placement = PlacementContent(selection_of(matrix, reduced, system.tree))
    return placement_drawing(placement, naming_of(system, axes), reduced[0])


def program_figure(problem: Problem, plan: Plan, cost: Cost) -> Drawing:
    """Return the drawing of a plan, with one panel per step."""
    selection = selection_of(plan.matrix, problem.reduce, plan.tree)
    steps = steps_of(plan, cost, selection.devices)
    seconds = sum(step.seconds for step in steps)
    program = program_content("", plan.program, seconds, plan.payload.bytes, steps)
    return program_drawing(program, selection, naming_of(problem.system, problem.axes))


def time_line_figure(plan: Plan, cost: Cost) -> Drawing:
    """Return the time line of a plan's chunks."""
    return chunks_drawing(chunk_time_line(plan, cost))


def job_cluster_figure(report: JobReport) -> Drawing:
    """Return the drawing of the first placement in a job's report, coloured as in that report."""
    return placement_drawing(report.placements[0], naming_of(report.system, report.axes), report.coloured)
