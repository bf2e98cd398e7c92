"""Steps that follow from a move: storing states in slices, and dropping statements that nobody reads."""

from collections.abc import Iterator

from p2smt.schedule.apply import apply
from p2smt.schedule.graph import observed, readers
from p2smt.schedule.scheduled import ScheduledProgram
from p2smt.schedule.step import Dead, Line, Schedule, SliceStates, Step
from p2smt.tensor.conversion import Slice
from p2smt.tensor.program import Call, Convert, Program, Read, SourceKind
from p2smt.verify.verdict import Proved


def tidied(scheduled: ScheduledProgram, schedule: Schedule) -> tuple[ScheduledProgram, Schedule]:
    """States in slices where they can be, then without what nobody reads."""
    for name in _states(scheduled.program):
        scheduled, schedule = _with(scheduled, schedule, SliceStates((name,)))
    while unread := _unread(scheduled):
        after, schedule_after = _with(scheduled, schedule, Dead(unread))
        if after == scheduled:
            break
        scheduled, schedule = after, schedule_after
    return scheduled, schedule


def _states(program: Program) -> Iterator[str]:
    """Whole states of which some version is read in slices; no other can be stored so."""
    cut = {
        part.operand.name
        for part in program.expressions()
        if isinstance(part, Convert) and isinstance(part.conversion, Slice) and isinstance(part.operand, Read)
    }
    origin = {each.name: each.name for each in program.sources if each.kind is SourceKind.STATE and not each.layouts}
    for statement in program.statements:
        match statement.expression:
            case Call("update", (Read(old), _)) if old in origin:
                origin[statement.name] = origin[old]
            case _:
                pass
    wanted = {origin[name] for name in cut if name in origin}
    yield from (each.name for each in program.sources if each.name in wanted)


def _with(scheduled: ScheduledProgram, schedule: Schedule, step: Step) -> tuple[ScheduledProgram, Schedule]:
    line = Line(step)
    verdict = apply(scheduled, line)
    if isinstance(verdict, Proved):
        return verdict.evidence.scheduled, (*schedule, line)
    return scheduled, schedule


def _unread(scheduled: ScheduledProgram) -> tuple[str, ...]:
    program = scheduled.program
    watched, who = observed(program), readers(program)
    free = (name for name, theirs in who.items() if not theirs and name not in watched)
    names = {statement.name for statement in program.statements}
    return tuple(name for name in free if name in names and scheduled.group_of(name) is None)
