"""Search schedules of a distributed program; entry points for users of the Python API."""

import time
from math import prod

from p2smt.argument_types import require
from p2smt.cost.network.backend import Backend, Nccl, backend_given
from p2smt.errors import ProgramError
from p2smt.problem.spellings import system_given
from p2smt.problem.system.network import System
from p2smt.schedule.cost.machine import Machine
from p2smt.schedule.tuner.result import TuningResult
from p2smt.schedule.tuner.search import MOST_SCHEDULES, tune
from p2smt.spmd.devices.kernel_times import dtype_name
from p2smt.tensor.program import Program


def tune_schedule(
    program: Program,
    system: System | str,
    *,
    backend: Backend | str | None = None,
    depth: int | None = None,
    most: int = MOST_SCHEDULES,
    memory: int | None = None,
    seconds: float | None = None,
) -> TuningResult:
    """Return the schedules of a distributed program on a system, fastest first; every step is proved correct.

    A schedule has at most `depth` moves (splits, reorders, fusions, overlaps); None increases the number while
    that takes seconds, or for as many `seconds` as are given. At most `most` schedules are tried, and with `memory`
    only those that hold no more bytes on any rank are returned. Raises ProgramError if the mesh does not fit the
    system, or if both `depth` and `seconds` are given.
    """
    require(program, Program, "program", "read_program reads a file, shard_program distributes one")
    if depth is not None and seconds is not None:
        raise ProgramError(f"seconds {seconds:g} and depth {depth} both limit the search; give one of them")
    machine = machine_of(system_given(system), program, backend_given(backend or Nccl()))
    if seconds is None:
        return tune(program, machine, depth, most, memory=memory)
    return tune(program, machine, most=most, memory=memory, deadline=time.monotonic() + seconds, effort=None)


def machine_of(system: System, program: Program, backend: Backend) -> Machine:
    """Return the prices for a program, by the roofline or the speed of the slowest device."""
    largest = max(program.sources, key=lambda each: prod(each.shape))
    return Machine.priced(system, None, backend, dtype=dtype_name(largest.dtype))
