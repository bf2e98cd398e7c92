"""Random steps on random programs: what is accepted computes the same, what is wrong has numbers that show it."""

import random
from collections import Counter

from schedule.chunk_replay import chunked_differently
from schedule.equality import differs
from schedule.random_schedules import applied, random_program, random_step
from tiers import is_full

from p2smt.schedule.annotations import annotations, bare
from p2smt.schedule.apply import apply
from p2smt.schedule.scheduled import ScheduledProgram
from p2smt.schedule.step import Overlap
from p2smt.tensor.printer import print_program
from p2smt.tensor.reason import Reason
from p2smt.tensor.text.parser import parse_program
from p2smt.verify.verdict import Proved, Refuted, Unknown

CASES = 30 if is_full() else 8


def campaign(seeds, steps=6):
    """How many steps of each kind were accepted, refused for which reason, and not proved."""
    found = Counter()
    for seed in seeds:
        rng = random.Random(seed)
        program, _ = random_program(rng, rng.randint(1, 5))
        scheduled = ScheduledProgram(program)
        for number in range(steps):
            step = random_step(scheduled, rng)
            outcome = applied(scheduled, step, number)
            kind = type(step).__name__
            match outcome:
                case Proved(step_applied):
                    scheduled = step_applied.scheduled
                    found["accepted", kind] += 1
                    wrong = differs(program, scheduled.program, seed)
                    assert wrong is None, (
                        seed,
                        number,
                        str(wrong),
                        print_program(program),
                        print_program(scheduled.program),
                    )
                    assert parse_program(print_program(scheduled.program)) == scheduled.program
                    if isinstance(step, Overlap):
                        assert chunked_differently(scheduled, seed) == "", (seed, number, print_program(program))
                        found["along a scattered dimension"] += _is_scattered(step_applied)
                case Refuted(refused):
                    found["refused", kind] += 1
                    found["reason", refused.reason.name] += 1
                    assert not isinstance(refused.reason, Reason) or refused.counter_example, (seed, number, outcome)
                case Unknown(reason):
                    found["not proved", kind] += 1
                    found["unproved", seed, number, reason] += 1
        again = bare(scheduled)
        for line in annotations(scheduled):
            outcome = apply(again, line)
            assert isinstance(outcome, Proved), (seed, line, outcome)
            again = outcome.evidence.scheduled
        assert again == scheduled
    return found


def _is_scattered(applied_step):
    return any("slices" in name or "scattered" in name for name in applied_step.proof)


def total(found, word):
    return sum(count for key, count in found.items() if key[0] == word)


def test_what_is_accepted_computes_the_same():
    found = campaign(range(CASES))
    assert total(found, "accepted") > CASES
    assert total(found, "refused") > CASES / 2
    assert total(found, "not proved") <= CASES / 5, found
