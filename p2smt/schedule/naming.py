"""Names in a step, and the statements that they refer to."""

from collections.abc import Iterable

from p2smt.errors import ProgramError
from p2smt.schedule.graph import statements
from p2smt.schedule.outcome import StepRefusedError
from p2smt.schedule.scheduled import ScheduledProgram
from p2smt.schedule.why import Why
from p2smt.tensor.expression import Expression
from p2smt.tensor.text.cursor import nearest

_SHOWN = 12
"""The names of a program that a message lists."""


class WrongNamesError(ProgramError):
    """A step has a wrong number of result names; `makes` is the right one."""

    def __init__(self, message: str, makes: int) -> None:
        super().__init__(message)
        self.makes = makes


def known(scheduled: ScheduledProgram, name: str) -> None:
    """Raise ProgramError unless the name is defined."""
    if name not in scheduled.names:
        names = sorted(scheduled.names)
        more = ["..."] if len(names) > _SHOWN else []
        meant = nearest(name, names) or f"; its names are {', '.join([*names[:_SHOWN], *more])}"
        raise ProgramError(f"{name!r} is not a name of the program{meant}")


def statement(scheduled: ScheduledProgram, name: str) -> Expression:
    """Return the expression of a statement that is in no group and no loop."""
    known(scheduled, name)
    expression = statements(scheduled.program).get(name)
    if expression is None:
        raise StepRefusedError(Why.NO_STATEMENT, name)
    alone(scheduled, name)
    return expression


def alone(scheduled: ScheduledProgram, name: str) -> None:
    """Raise StepRefusedError if a statement or group is in a group or loop."""
    group = scheduled.group_of(name)
    if group is not None:
        raise StepRefusedError(Why.IN_A_GROUP, f"{name} is in {group.name}")
    loop = scheduled.loop_of(name)
    if loop is not None:
        raise StepRefusedError(Why.IN_A_LOOP, f"{name} is in {loop.name}")


def unit(scheduled: ScheduledProgram, name: str) -> tuple[str, ...]:
    """Return the statements of a statement or group that is in no group and no loop."""
    known(scheduled, name)
    if scheduled.group(name) is None and name not in statements(scheduled.program):
        raise StepRefusedError(Why.NO_STATEMENT, name)
    alone(scheduled, name)
    return scheduled.members(name)


def distinct(names: Iterable[str]) -> None:
    """Raise StepRefusedError if a name is given twice."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise StepRefusedError(Why.TWICE, name)
        seen.add(name)


def new_names(scheduled: ScheduledProgram, results: tuple[str, ...], makes: tuple[str, ...]) -> None:
    """Raise ProgramError unless there is one new name for each result of a step."""
    if len(results) != len(makes):
        made = f"it makes {len(makes)}: {', '.join(makes)}" if makes else "it makes nothing that has a name"
        raise WrongNamesError(
            f"the step assigns {len(results)} names, but {made}; give one name per result", len(makes)
        )
    fresh(scheduled, results)


def fresh(scheduled: ScheduledProgram, results: tuple[str, ...]) -> None:
    """Raise ProgramError unless all names are new."""
    for name in results:
        if name in scheduled.names:
            raise ProgramError(f"{name!r} is already defined; give the result of the step a new name")
