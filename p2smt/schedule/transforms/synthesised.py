"""split by a reduction program: x = AllReduce(y) -> the same, implemented by a reduction program over levels.

Also for x = ReduceScatter(y) and x = AllGather(y), with block i on rank i after or before.
Guard: the product of level sizes is the number of ranks of the axis; the program computes what the collective does.
Obligations: the program's own, checked by the concrete semantics of reduction programs at these sizes.
Rebuild: the collective under a new name, with the program recorded as its implementation.

    AllReduce over n ranks = (steps of a program over levels of n1, n2, ... ranks),   n1 n2 ... = n.
Complexity: one run of the program on n state matrices.

Reference: Xie et al., "Synthesizing optimal parallelism placement and reduction strategies on hierarchical systems for
deep learning", 2022.
"""

from dataclasses import replace
from math import prod

from p2smt.collective import Collective
from p2smt.errors import ProgramError
from p2smt.reduction.semantics.execution import machine
from p2smt.schedule.instructions import instructions
from p2smt.schedule.naming import new_names, statement
from p2smt.schedule.outcome import Rewriting, StepRefusedError
from p2smt.schedule.scheduled import Implementation, ScheduledProgram
from p2smt.schedule.step import UseProgram
from p2smt.schedule.summing import adds
from p2smt.schedule.transforms.split import put_before, the_only
from p2smt.schedule.why import Why
from p2smt.tensor.conversion import COMMUNICATION, AllGather, AllReduce, Conversion, ReduceScatter
from p2smt.tensor.expression import Statement

MOST_RANKS = 128

BY_PROGRAMS: tuple[type[Conversion], ...] = (AllReduce, ReduceScatter, AllGather)
"""The conversions that reduction programs implement.

Reduce and Broadcast are not among them: the language fixes their root.
"""


def synthesised(scheduled: ScheduledProgram, step: UseProgram, results: tuple[str, ...]) -> Rewriting:
    """Implement a collective by a reduction program."""
    convert = the_only(statement(scheduled, step.value), step.value, BY_PROGRAMS, Why.NO_PROGRAM)
    goal = COMMUNICATION[type(convert.conversion)]
    assert isinstance(goal, Collective)
    ranks = scheduled.program.mesh[scheduled.program.axis(convert.axis)].size
    sizes = tuple(size for _, size in step.levels)
    if prod(sizes) != ranks:
        raise StepRefusedError(Why.LEVELS, f"{' x '.join(map(str, sizes))} is not {ranks}")
    if ranks > MOST_RANKS:
        raise ProgramError(
            f"a reduction program among {ranks} ranks is too large to check; the limit is {MOST_RANKS} ranks"
        )
    if not machine(sizes, goal=goal).is_valid(instructions(step.program, step.levels)):
        raise StepRefusedError(Why.NOT_THE_GOAL, f"{step.program} for {goal}")
    new_names(scheduled, results, ("the collective",))
    program = put_before(scheduled.program, step.value, convert, (Statement(results[0], convert),))
    noted = (*scheduled.implementations, Implementation(results[0], step.program, step.levels, goal))
    fact = f"the reduction program does {goal.hyphenated} among {' x '.join(map(str, sizes))} ranks"
    return Rewriting(
        scheduled=replace(scheduled, program=program, implementations=noted),
        facts=(fact,),
        summing=f"{results[0]} sums level by level" if adds(convert.conversion) else "",
    )
