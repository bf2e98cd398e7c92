"""Turns of an emitted loop: its statements, split after every collective, which the next turn awaits."""

from p2smt.schedule.chunks import Chunker
from p2smt.schedule.events import deadlock, race
from p2smt.schedule.graph import statements
from p2smt.schedule.kernel import sends
from p2smt.schedule.loop_events import orders
from p2smt.schedule.scheduled import Loop, ScheduledProgram
from p2smt.tensor.expression import Convert, Expression

Turn = tuple[str, ...]
"""Statements that work on the same chunk: a computation, and the collective started after it."""


def turns(scheduled: ScheduledProgram, loop: Loop, chunking: Chunker) -> tuple[Turn, ...]:
    """Return the statements of a loop as turns, each working one chunk behind the previous one.

    If splitting after collectives would race or deadlock, the turns are the loop's own stages.
    """
    expressions = statements(scheduled.program)
    order = [statement.name for statement in scheduled.program.statements]
    stages = [sorted(scheduled.members(stage), key=order.index) for stage in loop.stages]
    parts = _parts([name for stage in stages for name in stage], expressions)
    issued = orders(scheduled.program, tuple((part[0], part) for part in parts), chunking, loop.chunks)
    # Cutting behind collectives issues more of them at once, so the finer order is checked anew.
    if deadlock(issued) is None and race(issued) is None:
        return parts
    return tuple(map(tuple, stages))


def is_collective(expression: Expression) -> bool:
    """True if a statement is just a collective."""
    return isinstance(expression, Convert) and sends(expression.conversion)


def _parts(names: list[str], expressions: dict[str, Expression]) -> tuple[Turn, ...]:
    found: list[list[str]] = [[]]
    for name in names:
        found[-1].append(name)
        if is_collective(expressions[name]):
            found.append([])
    return tuple(tuple(part) for part in found if part)
