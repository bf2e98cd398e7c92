"""A lower bound on the time of all schedules that fusing and overlapping can derive from a scheduled program.

Fusing removes kernel starts and repeated reads; overlapping hides work of one resource behind another. Neither removes
work from a resource. With busy[r] the seconds of work of resource r (a link, the memory, the arithmetic units):
    time >= max over r of busy[r]   (minus a burst, which an idle link passes at once),
    time >= sum of the starts that remain (unless symmetric memory can avoid them).
Existing loops keep their time; everything outside them is bounded as above. Time: linear in the number of statements.
Reference: Graham, "Bounds for certain multiprocessing anomalies", 1966 (work of a resource as a bound).

Example: two kernels of 3 and 4 ms of arithmetic and a collective of 5 ms: no schedule takes less than max(7, 5) = 7 ms.
"""

from collections.abc import Mapping, Sequence
from math import inf

from p2smt.schedule.cost.estimate import looped
from p2smt.schedule.cost.price import COMPUTATION, MEMORY
from p2smt.schedule.cost.pricer import Pricer
from p2smt.schedule.cost.stage import Stage
from p2smt.schedule.scheduled import ScheduledProgram


def least_seconds(scheduled: ScheduledProgram, pricer: Pricer) -> float:
    """Return a lower bound on the time after any further fusing and overlapping.

    Without loops: all statements as one kernel have the fewest reads, writes and starts, and occupy every
    link as before. With loops, which are kept and exclude further fusing: the rest is overlapped at best, but
    each resource still does all of its work and every unit still starts. Links may save one burst.
    """
    names = [statement.name for statement in scheduled.program.statements]
    if not scheduled.loops:
        whole = pricer.stage(tuple(names))
        return max(0.0 if pricer.avoids_starts else whole.own, _busiest(whole.busy, [whole]))
    inside = {member for loop in scheduled.loops for stage in loop.stages for member in scheduled.members(stage)}
    units = dict.fromkeys(_unit(scheduled, name) for name in names if name not in inside)
    stages = [pricer.stage(scheduled.members(unit)) for unit in units]
    busy: dict[str, float] = {}
    for stage in stages:
        for resource, seconds in stage.busy.items():
            busy[resource] = busy.get(resource, 0.0) + seconds
    # inf: as if links had been idle for ever before, which is the most that they can have saved up.
    settled = sum(looped(scheduled, loop, pricer, inf).seconds for loop in scheduled.loops)
    own = 0.0 if pricer.avoids_starts else sum(stage.own for stage in stages)
    return settled + max(own, _busiest(busy, stages))


def _busiest(busy: Mapping[str, float], stages: Sequence[Stage]) -> float:
    """Return the seconds of the busiest resource, less one burst for links."""
    burst = max((wire.burst for stage in stages for wire in stage.wires), default=0.0)
    return max(
        (seconds - (0.0 if resource in (COMPUTATION, MEMORY) else burst) for resource, seconds in busy.items()),
        default=0.0,
    )


def _unit(scheduled: ScheduledProgram, name: str) -> str:
    group = scheduled.group_of(name)
    return name if group is None else group.name
