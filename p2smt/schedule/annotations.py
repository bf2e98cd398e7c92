"""Annotations of a scheduled program, written as the steps that make them: fuse, overlap, and reduction programs.

Holds: these steps on the bare program make the scheduled one again.
"""

from dataclasses import replace

from p2smt.schedule.scheduled import ScheduledProgram
from p2smt.schedule.step import Fuse, Line, Overlap, Schedule


def annotations(scheduled: ScheduledProgram) -> Schedule:
    """The steps that make these annotations; a reduction program beside an AllReduce has none."""
    fused = [Line(Fuse(group.members), (group.name,)) for group in scheduled.groups]
    loops = [Line(Overlap(loop.stages, loop.chunks, loop.dimension), (loop.name,)) for loop in scheduled.loops]
    return (*fused, *loops)


def bare(scheduled: ScheduledProgram) -> ScheduledProgram:
    """The program alone."""
    return replace(scheduled, groups=(), loops=())
