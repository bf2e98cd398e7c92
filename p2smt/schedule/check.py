"""A whole schedule on a program: step after step, until one is refused or not proved."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import assert_never

from p2smt.errors import ProgramError
from p2smt.problem.typed import read_bounded
from p2smt.schedule.apply import apply
from p2smt.schedule.layouts_of import typed
from p2smt.schedule.outcome import Applied, NotProved, Outcome, Refused
from p2smt.schedule.scheduled import Scheduled
from p2smt.schedule.step import Schedule
from p2smt.schedule.text.parser import parse_schedule
from p2smt.tensor.program import Axis, Program
from p2smt.tensor.text.layouts import MAX_RANKS
from p2smt.tensor.text.lexer import MAX_TEXT

RANKS_AXIS = "rank"


class Verdict(StrEnum):
    """What is said of a schedule."""

    VALID = "valid"
    REFUSED = "refused"
    NOT_PROVED = "not proved"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedSchedule:
    """What became of every step that was tried, the last of which may be refused or not proved.

    `program` is the one given, `start` the same on the mesh asked for, and `scheduled` the last that was proved.
    """

    program: Program
    start: Program
    scheduled: Scheduled
    outcomes: tuple[Outcome, ...]
    steps: int

    @property
    def verdict(self) -> Verdict:
        """Of the whole."""
        match self.outcomes[-1] if self.outcomes else None:
            case Applied() | None:
                return Verdict.VALID
            case Refused():
                return Verdict.REFUSED
            case NotProved():
                return Verdict.NOT_PROVED
            case other:
                assert_never(other)

    @property
    def written(self) -> Program:
        """The last program that was proved; for any number of ranks, if the one given was."""
        return replace(self.scheduled.program, mesh=self.program.mesh)


def check_schedule(
    program: Program,
    schedule: Schedule,
    ranks: int | None = None,
    *,
    bitwise: bool = False,
    on_progress: Callable[[Outcome], None] | None = None,
) -> CheckedSchedule:
    """Prove a schedule step by step. `ranks` where the program has no mesh.

    ProgramError where names have no meaning, or the program has no layouts. Nothing is run.
    """
    start = on_ranks(program, ranks)
    scheduled = Scheduled(start)
    typed(start)
    outcomes: list[Outcome] = []
    for line in schedule:
        outcome = apply(scheduled, line, bitwise=bitwise)
        outcomes.append(outcome)
        if on_progress is not None:
            on_progress(outcome)
        if not isinstance(outcome, Applied):
            break
        scheduled = outcome.scheduled
    return CheckedSchedule(
        program=program, start=start, scheduled=scheduled, outcomes=tuple(outcomes), steps=len(schedule)
    )


def on_ranks(program: Program, ranks: int | None) -> Program:
    """The program on a mesh of one axis, or on its own."""
    if program.mesh:
        if ranks is not None and (len(program.mesh) > 1 or program.mesh[0].size != ranks):
            axes = ", ".join(f"{axis.name}={axis.size}" for axis in program.mesh)
            raise ProgramError(f"program {program.name} is for the mesh {axes}, not for {ranks} ranks; leave them out")
        return program
    if ranks is None:
        raise ProgramError(f"program {program.name} has no mesh; say on how many ranks it is to run, such as --ranks 4")
    if not 1 <= ranks <= MAX_RANKS:
        raise ProgramError(f"{ranks} ranks; there have to be 1 to {MAX_RANKS}")
    return program.on(Axis(RANKS_AXIS, ranks))


def read_schedule(path: Path | str) -> Schedule:
    """The steps in a file of at most 4 MiB. ProgramError with the place in the file."""
    data = read_bounded(Path(path), MAX_TEXT, ProgramError)
    try:
        return parse_schedule(data.decode())
    except UnicodeDecodeError as cause:
        raise ProgramError(f"{path}: byte {cause.start} is not UTF-8; is it a schedule?") from cause
    except ProgramError as cause:
        raise ProgramError(f"{path}: {cause}") from cause
