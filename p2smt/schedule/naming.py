"""Names in a step, and the statements that they stand for."""

from collections.abc import Iterable

from p2smt.errors import ProgramError
from p2smt.schedule.graph import statements
from p2smt.schedule.outcome import StepRefusedError
from p2smt.schedule.scheduled import ScheduledProgram
from p2smt.schedule.why import Why
from p2smt.tensor.program import Expression
from p2smt.tensor.text.cursor import nearest


class WrongNamesError(ProgramError):
    """The names in front of a step are not as many as it `makes` things."""

    def __init__(self, message: str, makes: int) -> None:
        super().__init__(message)
        self.makes = makes


def known(scheduled: ScheduledProgram, name: str) -> None:
    """A name has a meaning. ProgramError if it has none."""
    if name not in scheduled.names:
        raise ProgramError(f"{name!r} is no name of the program{nearest(name, sorted(scheduled.names))}")


def statement(scheduled: ScheduledProgram, name: str) -> Expression:
    """The expression of a statement that stands alone: it is in no group and no loop."""
    known(scheduled, name)
    expression = statements(scheduled.program).get(name)
    if expression is None:
        raise StepRefusedError(Why.NO_STATEMENT, name)
    alone(scheduled, name)
    return expression


def alone(scheduled: ScheduledProgram, name: str) -> None:
    """A statement or group is in no group and no loop."""
    group = scheduled.group_of(name)
    if group is not None:
        raise StepRefusedError(Why.IN_A_GROUP, f"{name} is in {group.name}")
    loop = scheduled.loop_of(name)
    if loop is not None:
        raise StepRefusedError(Why.IN_A_LOOP, f"{name} is in {loop.name}")


def unit(scheduled: ScheduledProgram, name: str) -> tuple[str, ...]:
    """The statements of a statement or group that stands alone."""
    known(scheduled, name)
    if scheduled.group(name) is None and name not in statements(scheduled.program):
        raise StepRefusedError(Why.NO_STATEMENT, name)
    alone(scheduled, name)
    return scheduled.members(name)


def distinct(names: Iterable[str]) -> None:
    """No name is given twice."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise StepRefusedError(Why.TWICE, name)
        seen.add(name)


def new_names(scheduled: ScheduledProgram, results: tuple[str, ...], makes: tuple[str, ...]) -> None:
    """Check that there are as many names as a step makes things, all of them new. ProgramError if not."""
    if len(results) != len(makes):
        made = f"it makes {len(makes)}: {', '.join(makes)}" if makes else "it makes nothing that has a name"
        raise WrongNamesError(f"{len(results)} names stand in front of the step, but {made}", len(makes))
    fresh(scheduled, results)


def fresh(scheduled: ScheduledProgram, results: tuple[str, ...]) -> None:
    """Names of what a step makes are new. ProgramError if not."""
    for name in results:
        if name in scheduled.names:
            raise ProgramError(f"{name!r} has a meaning already; what a step makes needs a new name")
