"""The step of a distributed program without collectives: there is nothing to place, only kernels to fuse."""

from collections.abc import Callable
from dataclasses import dataclass

from p2smt.cost.ten_digits import ten_digits
from p2smt.job.tuning_options import TuningOptions, most_schedules
from p2smt.schedule.cost.estimate import Estimate, estimate
from p2smt.schedule.cost.machine import Machine
from p2smt.schedule.scheduled import ScheduledProgram
from p2smt.schedule.step import Schedule
from p2smt.schedule.tuner.result import PricedSchedule, TuningResult
from p2smt.schedule.tuner.search import tune
from p2smt.tensor.program import Program


@dataclass(frozen=True, slots=True)
class WithoutCollectives:
    """The step time of a distributed program without collectives, which is the same on every placement.

    `priced` is the fastest schedule, of kernels that are fused; None if none is faster. `tuned` is the search of
    schedules; None if none was asked for.
    """

    program: Program
    estimate: Estimate
    priced: PricedSchedule | None = None
    tuned: TuningResult | None = None

    @property
    def complete(self) -> bool:
        """True if the search of schedules did not end early."""
        return self.tuned is None or not self.tuned.cut_off

    @property
    def schedule(self) -> Schedule:
        """The steps of the fastest schedule; none if the program is left as it is."""
        return () if self.priced is None else self.priced.schedule


def scheduled_alone(
    program: Program, machine: Machine, asked: TuningOptions, on_schedules: Callable[[int], None] | None
) -> WithoutCollectives:
    """Return the time of a program that has nothing to place, with its fastest schedule."""
    plain = estimate(ScheduledProgram(program), machine)
    if asked.depth == 0:
        return WithoutCollectives(program, plain)
    most = most_schedules(program)
    tuned = tune(program, machine, asked.depth, most, 1, on_schedules, deadline=asked.deadline, rival=asked.rival)
    best = tuned.found[0]
    is_faster = ten_digits(best.estimate.seconds) < ten_digits(plain.seconds)
    fastest, priced = (best.estimate, best) if is_faster else (plain, None)
    return WithoutCollectives(program, fastest, priced, tuned)
