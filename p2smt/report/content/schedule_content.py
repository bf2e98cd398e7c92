"""Contents of the report on a schedule."""

from collections.abc import Sequence
from dataclasses import dataclass

from p2smt.report.content.versions import versions
from p2smt.schedule.check import CheckedSchedule, check_schedule
from p2smt.schedule.cost.machine import Machine
from p2smt.schedule.explained import ScheduleExplanation, explained
from p2smt.schedule.outcome import RefusedStep
from p2smt.schedule.tuner.result import PricedSchedule, TuningResult
from p2smt.tensor.footprint import Footprint, footprint
from p2smt.verify.verdict import Refuted


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleReport:
    """A checked schedule with its price, the memory footprints of both programs, and the search's other results.

    `searched` is the search that found the schedule; None if the user wrote it.
    """

    checked: CheckedSchedule
    why: ScheduleExplanation
    before: Footprint
    after: Footprint
    searched: TuningResult | None
    system: str
    versions: tuple[tuple[str, str], ...]

    @property
    def alternatives(self) -> Sequence[PricedSchedule]:
        """Other schedules that the search found, fastest first."""
        if self.searched is None:
            return ()
        mine = tuple(line for line, _ in self.checked.tried)
        return [each for each in self.searched.found if each.schedule != mine]

    @property
    def refusals(self) -> Sequence[RefusedStep]:
        """Rejected steps: the step at which the schedule failed, and one step per distinct reason from the search."""
        verdict = self.checked.verdict
        own = [verdict.counter_example] if isinstance(verdict, Refuted) else []
        return [*own, *(() if self.searched is None else self.searched.refusals)]


def schedule_report(checked: CheckedSchedule, machine: Machine, searched: TuningResult | None = None) -> ScheduleReport:
    """Return the report of a schedule. Raises ProgramError if the mesh does not fit the system."""
    return ScheduleReport(
        checked=checked,
        why=explained(checked, machine),
        before=footprint(checked.start),
        after=footprint(checked.scheduled.program),
        searched=searched,
        system=machine.cost.system.name + (" by measured rates" if machine.rates is not None else ""),
        versions=versions(),
    )


def searched_report(searched: TuningResult, machine: Machine) -> ScheduleReport:
    """Return the report of the fastest schedule that a search found, or of the unchanged program if none fits."""
    fastest = searched.found[0] if searched.found else searched.untouched
    return schedule_report(check_schedule(searched.untouched.scheduled.program, fastest.schedule), machine, searched)
