"""Random asynchronous functions: the verdict is that of an own interpreter of what happens before what."""

from collections import Counter
from random import Random

import pytest
from frontend.torch_function.random_waits import LENGTH, RANKS, body, generated, judged
from frontend.torch_function.tracing import verdict
from tiers import is_full

from p2smt.verify.plan_verdict import PlanRule
from p2smt.verify.verdict import Proved, Refuted

SEEDS = 100 if is_full() else 20
BEFORE = {PlanRule.ORDER: "stuck", PlanRule.MISMATCH: "stuck", PlanRule.RACE: "race", PlanRule.UNWAITED: "unwaited"}


def outcome(found):
    """The verdict in the interpreter's words."""
    if isinstance(found, Proved):
        return "right"
    assert isinstance(found, Refuted)
    return BEFORE.get(found.counter_example.rule, "wrong")


def compared(seeds, folder):
    outcomes = Counter()
    for seed in seeds:
        statements = generated(Random(seed))
        expected = judged(statements)
        found = verdict(folder, body(statements), RANKS, elements=LENGTH)
        assert outcome(found) in expected, (seed, expected, found, body(statements))
        outcomes[outcome(found)] += 1
    return outcomes


@pytest.mark.slow
def test_verdicts_are_those_of_the_interpreter(tmp_path):
    outcomes = compared(range(SEEDS), tmp_path)
    assert {"right", "wrong", "race", "unwaited", "stuck"} == set(outcomes)
    assert outcomes["right"] >= SEEDS / 5
    assert outcomes["race"] >= SEEDS / 5
