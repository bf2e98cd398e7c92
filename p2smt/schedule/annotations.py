"""Conversion of a scheduled program's annotations to the steps that create them: fusions and loops.

Applying these steps to the bare program gives the scheduled program again.
"""

from dataclasses import replace

from p2smt.schedule.scheduled import ScheduledProgram
from p2smt.schedule.step import Fuse, Line, Overlap, Schedule


def annotations(scheduled: ScheduledProgram) -> Schedule:
    """Return the steps that create the groups and loops of a scheduled program.

    Reduction programs of collectives have no such step.
    """
    fused = [Line(Fuse(group.members), (group.name,)) for group in scheduled.groups]
    loops = [Line(Overlap(loop.stages, loop.chunks, loop.dimension), (loop.name,)) for loop in scheduled.loops]
    return (*fused, *loops)


def bare(scheduled: ScheduledProgram) -> ScheduledProgram:
    """Return the scheduled program without groups and loops."""
    return replace(scheduled, groups=(), loops=())
