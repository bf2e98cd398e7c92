"""Execution plans changed at random: what is judged valid runs right, and damaged files are refused with a place."""

from collections import Counter
from random import Random

import pytest
from emit.msccl.test_msccl_source import plans
from emit.mscclpp.expected import runs_right, verdict
from emit.mscclpp.test_mscclpp_source import written
from frontend.mscclpp.executor import LeftOverError, StuckError
from frontend.mscclpp.mutations import mutated

from p2smt.collective import Collective
from p2smt.errors import VerifyError
from p2smt.verify.plan_verdict import PlanRule
from p2smt.verify.verdict import Proved, Refuted, Unknown

MUTATIONS, SEEDS = 40, 2


def outcome(text, goal, seed):
    """Whether a run is right: None where the file has no such meaning."""
    try:
        return runs_right(text, goal, seed, length=3)
    except (StuckError, LeftOverError):
        return False


def agreements(count, seeds, random):
    """By verdict, how often all runs, some or none were right."""
    pool = [
        (goal, written(plan, chunks))
        for goal in Collective
        for plan in plans("node:2,gpu:2", (4,), (0,), goal)[:8]
        for chunks in (1, 2)
    ]
    counts = Counter()
    for _ in range(count):
        goal, text = random.choice(pool)
        text = mutated(text, random)
        try:
            said = verdict(text, goal)
        except VerifyError:
            counts["refused"] += 1
            continue
        assert not isinstance(said, Unknown)
        right = sum(outcome(text, goal, seed) for seed in range(seeds))
        if isinstance(said, Proved):
            assert right == seeds, text
        elif said.counter_example.rule not in (PlanRule.RACE, PlanRule.OVERLAP):
            assert right < seeds, (said, text)
        kind = "valid" if isinstance(said, Proved) else said.counter_example.rule.name
        counts[kind, "right" if right == seeds else "some" if right else "wrong"] += 1
    return counts


@pytest.mark.thorough  # right and wrong plans run beside it
def test_changed_plans_that_are_valid_run_right():
    counts = agreements(MUTATIONS, SEEDS, Random(5))
    assert counts["valid", "right"] > MUTATIONS / 10
    assert counts["ORDER", "wrong"] > 2
    assert counts["MISMATCH", "wrong"] > 2
    assert sum(count for (kind, *_), count in counts.items() if kind == "RACE") > 2


def test_nothing_but_a_verify_error_comes_of_damaged_files():
    (plan, *_) = plans("node:2,gpu:2", (4,), (0,), Collective.BROADCAST)
    text, random, seen = written(plan), Random(6), Counter()
    for _ in range(300):
        at = random.randrange(len(text))
        damaged = text[:at] + random.choice(['"', "-1", "[", "{}", "99", "null", ""]) + text[at + random.randrange(4) :]
        try:
            seen[type(verdict(damaged, Collective.BROADCAST)) in (Proved, Refuted)] += 1
        except VerifyError as refusal:
            seen["refused" if str(refusal).startswith("plan.json: ") else "without a place"] += 1
    assert seen["refused"] > 200
    assert not seen["without a place"]
    assert seen[False] == 0
