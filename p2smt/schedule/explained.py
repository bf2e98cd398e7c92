"""Explanation of a schedule: the gain of each step, the time line, hidden communication, and crossovers."""

from collections.abc import Sequence
from dataclasses import dataclass

from p2smt.errors import ProgramError
from p2smt.schedule.check import CheckedSchedule, check_schedule
from p2smt.schedule.cost.estimate import Estimate, estimate
from p2smt.schedule.cost.machine import Machine
from p2smt.schedule.cost.pricer import Pricer
from p2smt.schedule.cost.time_line import TimeLine, time_line
from p2smt.schedule.crossover import ScheduleCrossover, crossovers
from p2smt.schedule.emission.kernel_share import KernelShare
from p2smt.schedule.emission.source import kernel_shares
from p2smt.schedule.outcome import AppliedStep
from p2smt.schedule.scheduled import ScheduledProgram
from p2smt.schedule.step import Line
from p2smt.schedule.tuner.result import TuningResult


@dataclass(frozen=True, slots=True)
class StepGain:
    """A step, and the estimated time of the program after it, in seconds.

    `fixed` are start-ups, `moving` grows with sizes, and `hidden` is saved by overlap.
    """

    line: Line
    seconds: float
    fixed: float
    moving: float
    hidden: float

    @property
    def parts(self) -> tuple[float, float, float]:
        """Start-up seconds, seconds proportional to sizes, hidden seconds.

        The total is the first two minus the third.
        """
        return self.fixed, self.moving, self.hidden


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleExplanation:
    """The program before and after a schedule, with the gain of each step.

    `kernels` are the Triton kernels of the emitted program; if there are none, `no_kernels` gives the reason.
    """

    before: Estimate
    after: Estimate
    steps: tuple[StepGain, ...]
    time_line: TimeLine
    crossovers: tuple[ScheduleCrossover, ...]
    kernels: tuple[KernelShare, ...]
    no_kernels: str

    @property
    def pays(self) -> bool:
        """True if the schedule is faster than the unscheduled program."""
        return self.after.seconds < self.before.seconds

    @property
    def parts_before(self) -> tuple[float, float, float]:
        """The parts of the unscheduled program's time, as in `StepGain.parts`."""
        return self.before.parts


def explained(checked: CheckedSchedule, machine: Machine) -> ScheduleExplanation:
    """Explain the proved steps of a schedule. ProgramError if the mesh does not fit the system."""
    plain = ScheduledProgram(checked.start)
    applied = checked.applied
    prices = [estimate(each.scheduled, machine) for each in applied]
    after = checked.scheduled
    kernels, no_kernels = _kernels(checked)
    return ScheduleExplanation(
        before=estimate(plain, machine),
        after=estimate(after, machine),
        steps=_bought(applied, prices),
        time_line=time_line(after, Pricer(after, machine)),
        crossovers=crossovers(plain, after, machine) if applied else (),
        kernels=kernels,
        no_kernels=no_kernels,
    )


def _kernels(checked: CheckedSchedule) -> tuple[tuple[KernelShare, ...], str]:
    """Return the Triton kernels of a schedule, or the reason why there are none."""
    try:
        return kernel_shares(checked), ""
    except ProgramError as error:
        return (), str(error)


def explained_tuned(tuned: TuningResult, machine: Machine) -> ScheduleExplanation | None:
    """Explain the fastest schedule found, compared with the unscheduled program; None if only that one was found."""
    others = (each for each in tuned.found if each.schedule)
    fastest = next(others, None)
    return (
        None
        if fastest is None
        else explained(check_schedule(tuned.untouched.scheduled.program, fastest.schedule), machine)
    )


def _bought(applied: Sequence[AppliedStep], prices: Sequence[Estimate]) -> tuple[StepGain, ...]:
    return tuple(
        StepGain(outcome.line, price.seconds, *price.parts) for outcome, price in zip(applied, prices, strict=True)
    )
