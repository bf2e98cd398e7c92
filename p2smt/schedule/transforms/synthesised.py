"""split by a reduction program: x = AllReduce(y) -> the same, carried out by a program of p2smt's language over levels.

Guard: the levels make up the ranks of the axis; the program ends with the whole sum on every rank.
Obligations: the program's own, by the concrete semantics of reduction programs at these sizes.
Rebuild: the AllReduce under a new name, with the program noted beside it.
"""

from dataclasses import replace
from math import prod

from p2smt.errors import ProgramError
from p2smt.reduction.semantics.execution import machine
from p2smt.schedule.instructions import instructions
from p2smt.schedule.naming import new_names, statement
from p2smt.schedule.outcome import Rewritten, StepRefusedError
from p2smt.schedule.scheduled import Implementation, Scheduled
from p2smt.schedule.step import Synthesised
from p2smt.schedule.transforms.split import put_before, the_all_reduce
from p2smt.schedule.why import Why
from p2smt.tensor.program import Statement

MOST_RANKS = 128


def synthesised(scheduled: Scheduled, step: Synthesised, results: tuple[str, ...]) -> Rewritten:
    """Carry an AllReduce out by a reduction program."""
    reduce = the_all_reduce(statement(scheduled, step.value), step.value)
    ranks = scheduled.program.mesh[scheduled.program.axis(reduce.axis)].size
    sizes = tuple(size for _, size in step.levels)
    if prod(sizes) != ranks:
        raise StepRefusedError(Why.LEVELS, f"{' x '.join(map(str, sizes))} is not {ranks}")
    if ranks > MOST_RANKS:
        raise ProgramError(f"a reduction program among {ranks} ranks; it is checked at most among {MOST_RANKS}")
    if not machine(sizes).is_valid(instructions(step.program, step.levels)):
        raise StepRefusedError(Why.NOT_THE_GOAL, step.program)
    new_names(scheduled, results, ("the AllReduce",))
    program = put_before(scheduled.program, step.value, reduce, (Statement(results[0], reduce),))
    noted = (*scheduled.implementations, Implementation(results[0], step.program, step.levels))
    fact = f"the reduction program ends with the sum on each of {' x '.join(map(str, sizes))} ranks"
    return Rewritten(scheduled=replace(scheduled, program=program, implementations=noted), facts=(fact,),
                     summing=f"{results[0]} sums level by level")  # fmt: skip
