"""Schedules of a distributed program, for those who call p2smt from Python."""

from math import prod

from p2smt.cost.network.backend import Backend, Nccl
from p2smt.problem.system.network import System
from p2smt.schedule.cost.machine import DEFAULT_FLOPS, Machine
from p2smt.schedule.tuner.search import DEPTH, MOST_SCHEDULES, Tuned, tune
from p2smt.spmd.devices.system import dtype_name
from p2smt.tensor.program import Program


def tune_schedule(
    program: Program,
    system: System,
    *,
    backend: Backend | None = None,
    depth: int = DEPTH,
    most: int = MOST_SCHEDULES,
    memory: int | None = None,
) -> Tuned:
    """The schedules of a distributed program on a system, the fastest first; every step that made them is proved.

    A schedule has at most `depth` moves (splits, reorders, fusions, overlaps), and at most `most` are tried; with
    `memory` those that hold no more bytes on any rank. ProgramError where the mesh does not fit the system.
    """
    return tune(program, Machine.of(system, speed(system, program), backend or Nccl()), depth, most, memory=memory)


def speed(system: System, program: Program) -> float:
    """Operations that the slowest device does in a second, on numbers of the type of the program's largest tensor."""
    largest = max(program.sources, key=lambda each: prod(each.shape))
    return min((kind.done(dtype_name(largest.dtype)) for kind in system.kinds), default=DEFAULT_FLOPS)
