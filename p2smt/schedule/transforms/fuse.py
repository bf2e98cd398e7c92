"""fuse: a = f(x); b = g(a) -> one kernel that computes both; with ReduceScatter ... AllGather, a fused all-reduce.

Guard: members can be made contiguous and share one index space; no element needs other elements of the group before
a barrier; there is at most one chain of collectives (`kernel.py`). Obligations: none, since values do not change;
the guard ensures that the kernel can run. Rebuild: the group is recorded, and its statements become contiguous.
Statements on paths between members join the group, as in CoCoNet's `fuse(rsSum, scOut, agOut)`, which omits the
computation between the collectives.

    units u1, ..., un  ->  one kernel with members(u1) + ... + members(un), and what lies between them.
Complexity: O(statements) to make them contiguous.

Reference: Jangda et al., "Breaking the computation and communication abstraction barrier in distributed machine
learning workloads", ASPLOS 2022, section 3 (fuse).
"""

from dataclasses import replace

from p2smt.schedule.graph import arranged, enclosed
from p2smt.schedule.kernel import kernel_of
from p2smt.schedule.naming import alone, distinct, new_names, unit
from p2smt.schedule.outcome import Rewriting, StepRefusedError
from p2smt.schedule.scheduled import KernelGroup, ScheduledProgram
from p2smt.schedule.step import Fuse
from p2smt.schedule.why import Why


def fuse(scheduled: ScheduledProgram, step: Fuse, results: tuple[str, ...]) -> Rewriting:
    """Fuse statements and groups into one kernel; groups among them are dissolved."""
    distinct(step.members)
    inside = {name for member in step.members for name in unit(scheduled, member)}
    between = enclosed(scheduled.program, inside)
    for name in sorted(between):
        alone(scheduled, name)
    inside |= between
    members = tuple(each.name for each in scheduled.program.statements if each.name in inside)
    kernel = kernel_of(scheduled.program, members)
    new_names(scheduled, results, ("a group",))
    others = tuple(group for group in scheduled.groups if group.name not in step.members)
    made = arranged(replace(scheduled, groups=(*others, KernelGroup(results[0], kernel, members))))
    if made is None:
        raise StepRefusedError(Why.NOT_CONVEX, f"{results[0]} and another group")
    taken = (f"{', '.join(sorted(between))} lies between and is fused as well",) if between else ()
    return Rewriting(scheduled=made, notes=(f"{results[0]}: {kernel}", *taken))
