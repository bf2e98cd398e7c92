"""dead: x = f(y), which nobody reads -> nothing.

Guard: no other statement reads it, and it is neither an output nor the last version of a state.
Obligations: none.
Rebuild: the statements are removed; they may read each other.
"""

from dataclasses import replace

from p2smt.schedule.graph import observed, readers, replaced
from p2smt.schedule.naming import distinct, new_names, statement
from p2smt.schedule.outcome import Rewriting, StepRefusedError
from p2smt.schedule.scheduled import ScheduledProgram
from p2smt.schedule.step import Dead
from p2smt.schedule.why import Why


def dead(scheduled: ScheduledProgram, step: Dead, results: tuple[str, ...]) -> Rewriting:
    """Remove statements that nobody needs."""
    distinct(step.statements)
    new_names(scheduled, results, ())
    program = scheduled.program
    watched, who = observed(program), readers(program)
    for name in step.statements:
        statement(scheduled, name)
        others = set(who[name]) - set(step.statements)
        if others:
            raise StepRefusedError(Why.HAS_READERS, f"{name} is read by {min(others)}")
        if name in watched:
            raise StepRefusedError(Why.OBSERVED, name)
    made = replaced(program, dict.fromkeys(step.statements, ()), {})
    kept = tuple(each for each in scheduled.implementations if each.statement not in step.statements)
    return Rewriting(scheduled=replace(scheduled, program=made, implementations=kept))
