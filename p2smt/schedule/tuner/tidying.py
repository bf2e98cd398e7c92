"""Clean-up steps after a move: store states in slices, remove unread statements, undo useless splits of sources.

Each clean-up is a proved schedule step, applied in this order:
    sum(AllGather(part))      ->  AllReduce(sum(part))     for sums of a split source; others read it whole again
    state read in slices      ->  sliced state, updated in slices
    statement without reader  ->  nothing
The last one is repeated until nothing changes, because removing a statement leaves its operands without readers. This
is dead-code elimination; it ends, since each round removes a statement. Complexity: one pass over the program a round.
Reference: Aho, Lam, Sethi and Ullman, "Compilers", 2006, section 9.1 (dead-code elimination).

Example: a = x + y; b = relu(a), neither of them an output: the first round removes b, the second a.
"""

from collections.abc import Iterator

from p2smt.schedule.apply import apply
from p2smt.schedule.graph import observed, readers, statements
from p2smt.schedule.naming import WrongNamesError
from p2smt.schedule.scheduled import ScheduledProgram
from p2smt.schedule.step import Dead, Line, Merge, Reorder, Schedule, SliceStates, Step
from p2smt.tensor.conversion import AllGather, Slice
from p2smt.tensor.expression import Call, Convert, Expression, Read, SourceKind, parts
from p2smt.tensor.operations.reduce import REDUCTIONS
from p2smt.tensor.program import Program
from p2smt.verify.verdict import Proved

_REDUCING = frozenset(each.name for each in REDUCTIONS)


def tidied(scheduled: ScheduledProgram, schedule: Schedule) -> tuple[ScheduledProgram, Schedule]:
    """Return the program and schedule after clean-up.

    Split sources are summed in slices, states are stored in slices where possible, and unread statements are
    removed.
    """
    for part, gather in list(_cut_sources(scheduled)):
        scheduled, schedule = _summed_in_slices(scheduled, schedule, part, gather)
    for name in _states(scheduled.program):
        scheduled, schedule = _with(scheduled, schedule, SliceStates((name,)))
    while unread := _unread(scheduled):
        after, schedule_after = _with(scheduled, schedule, Dead(unread))
        if after == scheduled:
            break
        scheduled, schedule = after, schedule_after
    return scheduled, schedule


def _states(program: Program) -> Iterator[str]:
    """Yield the whole states with a version that is read in slices; only these can be stored in slices."""
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


def _cut_sources(scheduled: ScheduledProgram) -> Iterator[tuple[str, str]]:
    """Yield the slices of replicated sources, each with its gather."""
    expressions = statements(scheduled.program)
    sources = {each.name for each in scheduled.program.sources}
    for name, expression in expressions.items():
        match expression:
            case Convert(AllGather(), Read(part)) if _stands_alone(scheduled, name) and _stands_alone(scheduled, part):
                match expressions.get(part):
                    case Convert(Slice(), Read(whole)) if whole in sources:
                        yield part, name
                    case _:
                        pass
            case _:
                pass


def _stands_alone(scheduled: ScheduledProgram, name: str) -> bool:
    return scheduled.group_of(name) is None and scheduled.loop_of(name) is None


def _summed_in_slices(
    scheduled: ScheduledProgram, schedule: Schedule, part: str, gather: str
) -> tuple[ScheduledProgram, Schedule]:
    """Return the program in which sums of a gather become sums of its slice.

    Other readers read the source again.
    """
    who, expressions = readers(scheduled.program), statements(scheduled.program)
    sums = tuple(name for name in who[gather] if reduces(expressions[name]))
    if sums and who[part] == (gather,):
        scheduled, schedule = _with(scheduled, schedule, Reorder(gather, sums))
    who = readers(scheduled.program)
    if who.get(gather) and len(who[part]) > 1:
        scheduled, schedule = _with(scheduled, schedule, Merge(part, gather))
    return scheduled, schedule


def reduces(expression: Expression) -> bool:
    """True if an expression contains a sum, maximum or minimum."""
    return any(isinstance(part, Call) and part.operation in _REDUCING for part in parts(expression))


def _with(scheduled: ScheduledProgram, schedule: Schedule, step: Step) -> tuple[ScheduledProgram, Schedule]:
    """Return the schedule extended by a step if that is proved, else unchanged; result names are generated."""
    line = Line(step)
    try:
        verdict = apply(scheduled, line)
    except WrongNamesError as wrong:
        line = Line(step, tuple(f"tidied{len(schedule)}.{position}" for position in range(wrong.makes)))
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
