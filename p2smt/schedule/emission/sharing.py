"""Check that the ranks of fused all-reduces share memory, which one kernel needs."""

from p2smt.errors import ProgramError
from p2smt.schedule.cost.machine import Machine, patterns
from p2smt.schedule.cost.pipelined import spans_machines
from p2smt.schedule.graph import statements
from p2smt.schedule.scheduled import Kernel, KernelGroup, ScheduledProgram
from p2smt.tensor.conversion import ReduceScatter
from p2smt.tensor.expression import Convert


def refuse_spanning(scheduled: ScheduledProgram, machine: Machine) -> None:
    """Raise ProgramError for a fused all-reduce of ranks on several machines."""
    program, spans = scheduled.program, patterns(scheduled.program.mesh, machine)
    for group in scheduled.groups:
        axis = _scattered_along(group, scheduled)
        if axis is not None and spans_machines(spans[axis], machine):
            name = program.mesh[axis].name
            raise ProgramError(
                f"{group.name} reduces along axis {name}={program.mesh[axis].size}, which spans several machines of "
                f"{machine.cost.system.name}; one kernel needs memory that all its ranks share, so put the axis inside "
                "a machine, or use --kernels triton"
            )


def _scattered_along(group: KernelGroup, scheduled: ScheduledProgram) -> int | None:
    """Return the axis of a fused all-reduce; None for other groups."""
    if group.kernel is not Kernel.ALL_REDUCE:
        return None
    for name in group.members:
        match statements(scheduled.program)[name]:
            case Convert(ReduceScatter(), _, axis):
                return scheduled.program.axis(axis)
            case _:
                continue
    return None
