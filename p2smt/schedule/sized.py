"""A checked schedule with its peak memory, and the memory limit of a rank."""

from dataclasses import dataclass

from p2smt.schedule.check import CheckedSchedule
from p2smt.schedule.cost.memory import PeakMemory, held
from p2smt.schedule.outcome import RefusedStep
from p2smt.schedule.scheduled import ScheduledProgram
from p2smt.tensor.footprint import footprint
from p2smt.verify.verdict import Proved, Refuted, Verdict


@dataclass(frozen=True, slots=True)
class OverMemory:
    """The peak memory of a rank exceeds the limit, both in bytes."""

    peak: int
    limit: int


@dataclass(frozen=True, slots=True)
class SizedSchedule:
    """A checked schedule with the peak memory of its last proved program.

    `limit` is a rank's memory in bytes; None for no limit.
    """

    checked: CheckedSchedule
    held: PeakMemory
    limit: int | None

    @property
    def fits(self) -> bool:
        """True if the peak memory is within the limit."""
        return self.limit is None or self.held.peak <= self.limit

    @property
    def verdict(self) -> Verdict[ScheduledProgram, RefusedStep | OverMemory]:
        """The verdict on the steps, and then on the peak memory."""
        verdict = self.checked.verdict
        if isinstance(verdict, Proved) and self.limit is not None and self.held.peak > self.limit:
            return Refuted(OverMemory(self.held.peak, self.limit))
        return verdict


def sized_schedule(checked: CheckedSchedule, limit: int | None = None) -> SizedSchedule:
    """Return the schedule with its peak memory. ProgramError if its program is too large for footprints."""
    scheduled = checked.scheduled
    return SizedSchedule(checked, held(scheduled, footprint(scheduled.program)), limit)
