"""A schedule explained: the gain of each step, the time line, what is hidden, and where it stops paying."""

from collections.abc import Sequence
from dataclasses import dataclass

from p2smt.errors import ProgramError
from p2smt.schedule.check import CheckedSchedule, check_schedule
from p2smt.schedule.cost.estimate import Estimate, Pricer, estimate
from p2smt.schedule.cost.machine import Machine
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
    """A step, and the program's time after it: start-ups, seconds proportional to sizes, hidden seconds."""

    line: Line
    seconds: float
    fixed: float
    moving: float
    hidden: float

    @property
    def parts(self) -> tuple[float, float, float]:
        """Start-ups, what is in proportion to sizes, what is hidden: seconds are the first two less the third."""
        return self.fixed, self.moving, self.hidden


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleExplanation:
    """The program as it is, the schedule, and what each step of it buys on the way.

    `kernels` are those of Triton's that it is emitted with; where there are none, `no_kernels` says why.
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
        """True if the schedule is faster than the program as it is."""
        return self.after.seconds < self.before.seconds

    @property
    def parts_before(self) -> tuple[float, float, float]:
        """The parts of the time of the program as it is, as in `StepGain.parts`."""
        return self.before.parts


def explained(checked: CheckedSchedule, machine: Machine) -> ScheduleExplanation:
    """Explain the steps that were proved. ProgramError where the mesh does not fit the system."""
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
    """Triton's kernels, or the reason why there are none."""
    try:
        return kernel_shares(checked), ""
    except ProgramError as error:
        return (), str(error)


def explained_tuned(tuned: TuningResult, machine: Machine) -> ScheduleExplanation | None:
    """Explain the fastest schedule that was found beside the program as it is; None where there is no other."""
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
