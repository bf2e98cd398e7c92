"""A printed plan parses back to the same plan."""

from dataclasses import replace
from random import Random

import pytest
from paths import TESTS
from tiers import is_full
from verify.random_plans import damaged, right_plan

from p2smt.collective import Collective
from p2smt.errors import VerifyError
from p2smt.frontend.importers import read_any
from p2smt.frontend.plan_file import parse_hand_written
from p2smt.frontend.plan_text import verification_plan_text
from p2smt.verify.judge import judge
from p2smt.verify.plan import BufferRange, Goal, VerificationPlan, VerificationStep
from p2smt.verify.plan_verdict import PlanMistake
from p2smt.verify.verdict import Unknown

PLANS = sorted((TESTS / "plans").glob("*.toml"))
DATA = BufferRange("data", 0, 2)
RANDOM = 1000 if is_full() else 200


def parsed(plan):
    return parse_hand_written(verification_plan_text(plan).encode(), "text")


def can_be_written(plan):
    """In place is written only for scatter and gather of one part; parts do not begin before a buffer."""
    return all(
        step.source.start >= 0
        and step.target.start >= 0
        and (
            not step.in_place
            or (step.operation in (Collective.REDUCE_SCATTER, Collective.ALL_GATHER) and step.source == step.target)
        )
        for step in plan.steps
    )


def numbered(plan, random):
    """The plan with numbers of steps, divisors, zeros, averages."""
    steps = tuple(
        replace(step, number=random.choice([0, 0, 7]), divisor=random.choice([1, 1, step.root + 2]))
        for step in plan.steps
    )
    zeros = tuple(name for name, _ in plan.buffers if name != plan.goal.source.buffer and random.random() < 0.3)
    average = plan.goal.collective not in (Collective.ALL_GATHER, Collective.BROADCAST) and random.random() < 0.5
    goal = replace(plan.goal, average=average)
    return replace(plan, steps=steps, zeros=zeros, goal=goal, integers=random.random() < 0.5)


def test_random_plans():
    random, count = Random(3), 0
    for _ in range(RANDOM):
        plan, _ = right_plan(random)
        for _ in range(random.randrange(3)):
            plan = damaged(plan, random)
        if random.random() < 0.5:
            plan = numbered(plan, random)
        if can_be_written(plan):
            count += 1
            assert parsed(plan) == plan
    assert count > 0.8 * RANDOM


def test_plans_of_files():
    for path in PLANS:
        plan = read_any(path)
        if not isinstance(plan, PlanMistake | Unknown):
            assert parsed(plan) == plan, path.name


def test_names_and_labels_that_cannot_be_written():
    copy = VerificationStep(Collective.BROADCAST, ((0,), (1,)), DATA, BufferRange("a.b", 0, 2))
    total = VerificationStep(
        Collective.ALL_REDUCE, ((0, 1),), BufferRange("a.b", 0, 2), BufferRange("%out", 0, 2), number=5
    )
    buffers = (("buffer1", 1), ("data", 2), ("a.b", 2), ("%out", 2))
    out = BufferRange("%out", 0, 2)
    goal = Goal(collective=Collective.ALL_REDUCE, groups=((0, 1),), source=out, target=out)
    plan = VerificationPlan(
        devices=2, buffers=buffers, goal=goal, steps=(copy, total), labels=((5, "line 3\nof x.py"),)
    )
    text, back = verification_plan_text(plan), parsed(plan)
    assert "# line 3 of x.py\n[[step]]" in text
    assert back.buffers == (("data", 2), ("buffer1", 1), ("buffer2", 2), ("buffer3", 2))
    assert [str(step.source) for step in back.steps] == ["buffer2[0:2]", "buffer3[0:2]"]
    assert judge(back).counter_example.rule is judge(plan).counter_example.rule


def test_a_text():
    step = VerificationStep(Collective.REDUCE_SCATTER, ((1, 0),), DATA, BufferRange("shard", 0, 1), number=3, divisor=2)
    goal = Goal(collective=Collective.ALL_REDUCE, groups=((0, 1),), source=DATA, target=DATA, average=True)
    plan = VerificationPlan(devices=2, buffers=(("data", 2), ("shard", 1)), goal=goal, steps=(step,), zeros=("shard",))
    assert verification_plan_text(plan) == (
        "version = 1\ndevices = 2\nchunks = 2\ngoal = [[0, 1]]\naverage = true\n"
        'zeros = ["shard"]\n\n[buffers]\nshard = 1\n\n'
        '[[step]]\noperation = "ReduceScatter"\nnumber = 3\ngroups = [[1, 0]]\nfrom = "data[0:2]"\nto = "shard[0:1]"\n'
        "divisor = 2\n"
    )


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('zeros = ["none"]', "zeros names 'none'; it lists buffers of [buffers]"),
        ('zeros = ["data"]', "zeros names 'data'; it lists buffers of [buffers]"),
        ('[[step]]\noperation = "Reduce"\nnumber = -1', "step 1: its number is -1; steps are counted from 1"),
    ],
)
def test_mistakes(line, message):
    with pytest.raises(VerifyError, match=r"^text: ") as caught:
        parse_hand_written(f"version = 1\ndevices = 2\nchunks = 1\n{line}\n".encode(), "text")
    assert str(caught.value) == f"text: {message}"
