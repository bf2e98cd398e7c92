"""A checked schedule with the memory that it takes, beside what a rank has."""

from dataclasses import dataclass

from p2smt.schedule.check import CheckedSchedule
from p2smt.schedule.cost.memory import PeakMemory, held
from p2smt.schedule.outcome import RefusedStep
from p2smt.schedule.scheduled import ScheduledProgram
from p2smt.tensor.footprint import footprint
from p2smt.verify.verdict import Proved, Refuted, Verdict


@dataclass(frozen=True, slots=True)
class OverMemory:
    """A rank would hold `peak` bytes, and has `limit`."""

    peak: int
    limit: int


@dataclass(frozen=True, slots=True)
class SizedSchedule:
    """The memory is that of the last program that was proved; `limit` are the bytes of a rank, None where all fits."""

    checked: CheckedSchedule
    held: PeakMemory
    limit: int | None

    @property
    def fits(self) -> bool:
        """True if a rank has that much memory."""
        return self.limit is None or self.held.peak <= self.limit

    @property
    def verdict(self) -> Verdict[ScheduledProgram, RefusedStep | OverMemory]:
        """The verdict on the steps, and on the memory that they take."""
        verdict = self.checked.verdict
        if isinstance(verdict, Proved) and self.limit is not None and self.held.peak > self.limit:
            return Refuted(OverMemory(self.held.peak, self.limit))
        return verdict


def sized_schedule(checked: CheckedSchedule, limit: int | None = None) -> SizedSchedule:
    """The memory of a schedule. ProgramError where its program is too large to be looked at."""
    scheduled = checked.scheduled
    return SizedSchedule(checked, held(scheduled, footprint(scheduled.program)), limit)
