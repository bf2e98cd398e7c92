"""Goals: what they want by their definition, which cannot be wanted, and what single collectives reach."""

from random import Random

import numpy as np
import pytest
from looped import looped
from support import plans, problem
from tiers import sample
from verify import interpreter

from p2smt.collective import Collective
from p2smt.errors import VerifyError
from p2smt.frontend.own_plan import verification_plan
from p2smt.verify.check import verify
from p2smt.verify.goal import check_goal, goal_on, payload, results, wanted
from p2smt.verify.judge import judge
from p2smt.verify.operation import GOAL_COLLECTIVES, adds_members
from p2smt.verify.plan import BufferRange, Goal, VerificationPlan, VerificationStep
from p2smt.verify.plan_verdict import PlanProof
from p2smt.verify.verdict import Proved, Refuted

GROUPS = ((4, 0, 2), (1, 5, 3))
DATA = BufferRange("data", 0, 6)


def goal(collective, **more):
    return goal_on(collective, GROUPS, DATA, DATA, **more)


def plan(wanted_goal, *steps):
    return VerificationPlan(devices=7, buffers=(("data", 6), ("out", 6)), goal=wanted_goal, steps=steps)


@looped("average", [False, True])
@looped("collective", GOAL_COLLECTIVES)
def test_what_is_wanted_is_what_the_collective_is_defined_to_make(collective, average):
    if average and not adds_members(collective):
        return
    one = plan(goal(collective, root=2 if collective in (Collective.REDUCE, Collective.BROADCAST) else 0))
    given = np.random.default_rng(1).integers(0, 1000, (7, one.goal.source.length))
    defined = interpreter.wanted(one, given)
    count = 0
    for group in GROUPS:
        for member, device in enumerate(group):
            here = wanted(one.goal, group, member)
            assert [sum(given[d, w.chunk] for d in w.contributors) for w in here] == list(defined.get(device, []))
            count += len(here)
    assert results(one) == count == sum(map(len, defined.values()))
    assert payload(one.goal).length == 6


@looped("collective", GOAL_COLLECTIVES)
def test_one_step_of_the_collective_reaches_its_goal_and_no_other_reaches_it(collective):
    root = 1 if collective in (Collective.REDUCE, Collective.BROADCAST) else 0
    aim = goal(collective, root=root)
    out = BufferRange("out", 0, aim.target.length)
    for other in GOAL_COLLECTIVES:
        length = {Collective.REDUCE_SCATTER: 3, Collective.ALL_GATHER: 1 / 3}.get(other, 1)
        source = BufferRange("data", 0, int(aim.target.length * length)) if other is not collective else aim.source
        if source.length < 1 or source.length > 6:
            continue
        steps = (
            VerificationStep(other, GROUPS, source, out, root=root),
            VerificationStep(Collective.BROADCAST, tuple((d,) for d in range(7)), out, aim.target),
        )
        verdict = verify(plan(aim, *steps))
        # An AllReduce leaves with the root what a Reduce does.
        right = other is collective or (collective, other) == (Collective.REDUCE, Collective.ALL_REDUCE)
        assert isinstance(verdict, Proved) == right, other
        assert right or isinstance(verdict, Refuted)


def test_messages_say_where_and_what_of_every_goal():
    said = {one: judge(plan(goal(one))).counter_example.message for one in Collective}
    summed = "no step writes it: data[0] of device 4 lacks the contribution of device 0 (2 of 3 are missing)"
    other = (
        "no step writes it: data[0] of device 0 holds the contribution of device 0, where only that of device 4 belongs"
    )
    assert said == dict.fromkeys(["AllReduce", "ReduceScatter", "Reduce"], summed) | dict.fromkeys(
        ["AllGather", "Broadcast"], other
    )


def test_groups_of_one_device_leave_nothing_to_do():
    alone = Goal(collective=Collective.ALL_GATHER, groups=((0,), (3,)), source=DATA, target=DATA)
    assert isinstance(judge(plan(alone)), Refuted)


def test_one_group_of_two_devices_beside_groups_of_one_is_something_to_do():
    """Neither the devices alone nor the order of the groups makes it vacuous."""
    for groups in (((0,), (1, 2), (3,)), ((1, 2), (0,)), ((0,), (2, 1))):
        aim = Goal(collective=Collective.ALL_REDUCE, groups=groups, source=DATA, target=DATA)
        assert isinstance(verify(plan(aim)), Refuted)
        assert verify(plan(aim, VerificationStep(Collective.ALL_REDUCE, groups, DATA, DATA))) == Proved(
            PlanProof(6 * sum(map(len, groups)))
        )


@looped(
    ("more", "message"),
    [
        ({"groups": ((0, 1), (1, 2))}, "goal: device 1 is repeated or out of range; name devices 0 to 6"),
        ({"groups": ((0, 9),)}, "goal: device 9 is repeated or out of range; name devices 0 to 6"),
        ({"root": 3}, "goal: root 3 is not an index in group [4, 0, 2]; indices are 0 to 2"),
        ({"root": 1, "collective": Collective.ALL_REDUCE}, "goal: AllReduce has no root"),
        ({"average": True, "collective": Collective.BROADCAST}, "goal: Broadcast does not reduce, so it has no"),
        ({"collective": Collective.REDUCE_SCATTER}, "of data[0:6], which makes 2 chunks, ends in data[0:6]"),
        ({"collective": Collective.ALL_GATHER}, "of data[0:6], which makes 18 chunks, ends in data[0:6]"),
        (
            {"collective": Collective.REDUCE_SCATTER, "source": BufferRange("data", 0, 5)},
            "of data[0:5], which does not divide into equal shards, ends in data[0:6]",
        ),
        ({"target": BufferRange("out", 1, 6)}, "goal: out[1:7] lies outside the buffer, which has 6 chunks"),
        ({"source": BufferRange("out", -1, 6)}, "goal: out[-1:5] lies outside the buffer, which has 6 chunks"),
        ({"target": BufferRange("out", -1, 6)}, "goal: out[-1:5] lies outside the buffer, which has 6 chunks"),
        ({"source": BufferRange("out", 0, 0)}, "goal: out[0:0] lies outside the buffer, which has 6 chunks"),
    ],
)
def test_what_cannot_be_a_goal(more, message):
    made = {"collective": Collective.REDUCE, "groups": GROUPS, "source": DATA, "target": DATA} | more
    with pytest.raises(VerifyError) as caught:
        check_goal(Goal(**made), 7, (("data", 6), ("out", 6)))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("groups", [((0, 1), (2, 3, 4)), ((0, 1, 2, 3),)])
def test_a_payload_without_equal_shards(groups):
    with pytest.raises(VerifyError, match=r"goal: data\[0:6\] does not divide into equal shards for groups of "):
        goal_on(Collective.REDUCE_SCATTER, groups, DATA, DATA)


@pytest.mark.parametrize("collective", Collective)
def test_plans_of_p2smt_for_every_goal_are_right_and_spoiled_ones_are_not(collective):
    random, checked, wrong = Random(str(collective)), 0, 0
    for sizes, axes, reduce in (((2, 4), [8], (0,)), ((2, 2, 2), [2, 4], (1,)), ((3, 2), [6], (0,))):
        asked = problem(sizes, axes, reduce, goal=collective, limit=3)
        for own in sample(plans(asked), 15):
            made = verification_plan(own)
            assert isinstance(judge(made), Proved), own.program
            checked += 1
            if checked % 10 == 1:
                assert isinstance(verify(made), Proved)
            steps = list(made.steps)
            del steps[random.randrange(len(steps))]
            spoiled = VerificationPlan(
                devices=made.devices, buffers=made.buffers, goal=made.goal, steps=tuple(steps), zeros=made.zeros
            )
            wrong += isinstance(judge(spoiled), Refuted)
    assert checked >= 10
    assert wrong > 0.6 * checked


@pytest.mark.parametrize(("divisor", "kind"), [(3, Proved), (7, Refuted), (6, Refuted), (1, Refuted)])
def test_an_average_is_over_the_members_of_a_group(divisor, kind):
    """Seven devices, six of them in groups of three."""
    average = VerificationStep(Collective.ALL_REDUCE, GROUPS, DATA, DATA, divisor=divisor)
    assert isinstance(verify(plan(goal(Collective.ALL_REDUCE, average=True), average)), kind)
