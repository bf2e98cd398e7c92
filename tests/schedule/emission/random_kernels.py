"""Random valid schedules, of which groups of any statements that stand side by side are made in the end."""

import random

from schedule.random_schedules import applied, random_program, random_step

from p2smt.schedule.check import CheckedSchedule
from p2smt.schedule.outcome import Applied
from p2smt.schedule.scheduled import Scheduled
from p2smt.schedule.step import Fuse, Synthesised

STEPS, FUSINGS = 5, 12


def random_schedule(seed, ranks):
    """A schedule of a program on so many ranks."""
    rng = random.Random(seed)
    program, _ = random_program(rng, ranks)
    scheduled, outcomes = Scheduled(program), []
    for number in range(STEPS + FUSINGS):
        names = [each.name for each in scheduled.program.statements]
        start = rng.randrange(len(names))
        step = random_step(scheduled, rng) if number < STEPS else Fuse(tuple(names[start : start + rng.randint(2, 4)]))
        outcome = None if isinstance(step, Synthesised) else applied(scheduled, step, number)
        if isinstance(outcome, Applied):
            scheduled = outcome.scheduled
            outcomes.append(outcome)
    return CheckedSchedule(
        program=program, start=program, scheduled=scheduled, outcomes=tuple(outcomes), steps=len(outcomes)
    )
