"""Random valid schedules, of which groups of any statements that stand side by side are made in the end."""

import random

from schedule.random_schedules import applied, random_program, random_step

from p2smt.schedule.check import CheckedSchedule
from p2smt.schedule.scheduled import ScheduledProgram
from p2smt.schedule.step import Fuse, UseProgram
from p2smt.verify.verdict import Proved

STEPS, FUSINGS = 5, 12


def random_schedule(seed, ranks):
    """A schedule of a program on so many ranks."""
    rng = random.Random(seed)
    program, _ = random_program(rng, ranks)
    scheduled, verdicts = ScheduledProgram(program), []
    for number in range(STEPS + FUSINGS):
        names = [each.name for each in scheduled.program.statements]
        start = rng.randrange(len(names))
        step = random_step(scheduled, rng) if number < STEPS else Fuse(tuple(names[start : start + rng.randint(2, 4)]))
        outcome = None if isinstance(step, UseProgram) else applied(scheduled, step, number)
        if isinstance(outcome, Proved):
            scheduled = outcome.evidence.scheduled
            verdicts.append(outcome)
    schedule = tuple(verdict.evidence.line for verdict in verdicts)
    return CheckedSchedule(
        program=program, start=program, scheduled=scheduled, schedule=schedule, verdicts=tuple(verdicts)
    )
