"""Check of a whole schedule: steps are applied in order until one is refused or not proved."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from p2smt.argument_types import path_of, require
from p2smt.display import MOST_ROWS, html_table, one_line
from p2smt.errors import ProgramError
from p2smt.problem.typed import read_bounded
from p2smt.schedule.apply import apply
from p2smt.schedule.layouts_of import typed
from p2smt.schedule.outcome import AppliedStep, RefusedStep, StepVerdict, schedule_word
from p2smt.schedule.scheduled import ScheduledProgram
from p2smt.schedule.step import Line, Schedule
from p2smt.schedule.text.parser import parse_schedule
from p2smt.schedule.text.printer import print_line
from p2smt.tensor.expression import ProgramAxis
from p2smt.tensor.program import Program
from p2smt.tensor.text.file import shown_by
from p2smt.tensor.text.layouts import MAX_RANKS
from p2smt.tensor.text.lexer import MAX_TEXT
from p2smt.verify.verdict import Proved, Verdict
from p2smt.wording import counted

RANKS_AXIS = "rank"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedSchedule:
    """The verdicts on the steps tried; the last one may be refused or not proved.

    `program` is the program as given, `start` the same on the requested mesh, and `scheduled` the result of
    the last proved step.
    """

    program: Program
    start: Program
    scheduled: ScheduledProgram
    schedule: Schedule
    verdicts: tuple[StepVerdict, ...]

    @property
    def verdict(self) -> Verdict[ScheduledProgram, RefusedStep]:
        """The verdict on the whole schedule, which is that on its last step."""
        last = self.verdicts[-1] if self.verdicts else None
        return Proved(self.scheduled) if last is None or isinstance(last, Proved) else last

    @property
    def tried(self) -> tuple[tuple[Line, StepVerdict], ...]:
        """The steps that were tried, each with its verdict."""
        return tuple(zip(self.schedule, self.verdicts, strict=False))

    @property
    def applied(self) -> tuple[AppliedStep, ...]:
        """The proved steps: all that were tried, or all but the last."""
        return tuple(each.evidence for each in self.verdicts if isinstance(each, Proved))

    @property
    def written(self) -> Program:
        """The result of the last proved step, without a mesh if the given program had none."""
        return replace(self.scheduled.program, mesh=self.program.mesh)

    def __repr__(self) -> str:
        steps = counted(len(self.schedule), "step")
        return one_line(self, f"{self.program.name}: {steps}, {schedule_word(self.verdict)}")

    def _repr_html_(self) -> str:
        """Return a table of the steps with their verdicts as HTML, for notebooks."""
        rows = [(print_line(line), schedule_word(verdict)) for line, verdict in self.tried[:MOST_ROWS]]
        return html_table(repr(self)[1:-1], ("step", "verdict"), rows, max(0, len(self.tried) - MOST_ROWS))


def check_schedule(
    program: Program,
    schedule: Schedule,
    ranks: int | None = None,
    *,
    bitwise: bool = False,
    on_progress: Callable[[StepVerdict], None] | None = None,
) -> CheckedSchedule:
    """Prove a schedule step by step, without running anything.

    `ranks` is required if the program has no mesh. ProgramError for unknown names, or if the program has no
    layouts.
    """
    require(program, Program, "program", "read_program reads a file")
    start = on_ranks(program, ranks)
    scheduled = ScheduledProgram(start)
    typed(start)
    verdicts: list[StepVerdict] = []
    for line in schedule:
        verdict = apply(scheduled, line, bitwise=bitwise)
        verdicts.append(verdict)
        if on_progress is not None:
            on_progress(verdict)
        if not isinstance(verdict, Proved):
            break
        scheduled = verdict.evidence.scheduled
    return CheckedSchedule(
        program=program, start=start, scheduled=scheduled, schedule=tuple(schedule), verdicts=tuple(verdicts)
    )


def on_ranks(program: Program, ranks: int | None) -> Program:
    """Return the program on its own mesh, or on a mesh of one axis with this number of ranks."""
    if program.mesh:
        if ranks is not None and (len(program.mesh) > 1 or program.mesh[0].size != ranks):
            axes = ", ".join(f"{axis.name}={axis.size}" for axis in program.mesh)
            raise ProgramError(
                f"program {program.name} is for the mesh {axes}, not for {ranks} ranks; leave --ranks out"
            )
        return program
    if ranks is None:
        raise ProgramError(f"program {program.name} has no mesh; give the number of ranks, such as --ranks 4")
    if not 1 <= ranks <= MAX_RANKS:
        raise ProgramError(f"--ranks {ranks} is out of range; give 1 to {MAX_RANKS}")
    return program.on(ProgramAxis(RANKS_AXIS, ranks))


def read_schedule(path: Path | str) -> Schedule:
    """Read the steps in a file of at most 4 MiB. ProgramError with the position in the file."""
    data = read_bounded(path_of(path, "adam.steps"), MAX_TEXT, ProgramError)
    try:
        return parse_schedule(data.decode())
    except UnicodeDecodeError as cause:
        raise ProgramError(f"{path} is not UTF-8 text (byte {cause.start}); give a schedule") from cause
    except ProgramError as cause:
        raise ProgramError(f"{path}: {cause}{shown_by('optimizer-steps', cause)}") from cause
