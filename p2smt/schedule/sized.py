"""A checked schedule with the memory that it takes, beside what a rank has."""

from dataclasses import dataclass

from p2smt.schedule.check import CheckedSchedule, Verdict
from p2smt.schedule.cost.memory import Held, held
from p2smt.tensor.footprint import footprint


@dataclass(frozen=True, slots=True)
class SizedSchedule:
    """The memory is that of the last program that was proved; `limit` are the bytes of a rank, None where all fits."""

    checked: CheckedSchedule
    held: Held
    limit: int | None

    @property
    def fits(self) -> bool:
        """Whether a rank has as much."""
        return self.limit is None or self.held.peak <= self.limit

    @property
    def verdict(self) -> Verdict:
        """Of the steps, and of the memory that they take."""
        return self.checked.verdict if self.fits or self.checked.verdict is not Verdict.VALID else Verdict.REFUSED


def sized_schedule(checked: CheckedSchedule, limit: int | None = None) -> SizedSchedule:
    """The memory of a schedule. ProgramError where its program is too large to be looked at."""
    scheduled = checked.scheduled
    return SizedSchedule(checked, held(scheduled, footprint(scheduled.program)), limit)
