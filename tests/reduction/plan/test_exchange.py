"""Plans of all-to-alls and sends: every device ends with what the definition says, files read back, edits refused."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from random import Random

import msgspec
import numpy as np
import pytest
from looped import looped
from support import problem

from p2smt.collective import NeighbourSend
from p2smt.errors import PlanError, VerifyError
from p2smt.frontend.own_exchange import exchange_to_verify
from p2smt.placement.enumeration import all_placements
from p2smt.reduction.language.hierarchy import all_to_all_text, send_text
from p2smt.reduction.plan.exchange import ExchangeStep, all_to_all_plan, all_to_all_steps, check_exchange, send_plan
from p2smt.reduction.plan.exchange_execution import execute_exchange
from p2smt.reduction.plan.exchange_file import any_plan_text, parse_any_plan
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import GroupRule, PermuteStep, Portion
from p2smt.reduction.synth.all_to_all import all_to_all_programs
from p2smt.verify.judge import judge
from p2smt.verify.verdict import Proved, Refuted

PROBLEMS = [
    problem([5], [5]),
    problem([2, 4], [8]),
    problem([2, 4], [4, 2]),
    problem([2, 2, 2], [8]),
    problem([2, 3, 2], [6, 2]),
    problem([2, 2, 2], [2, 2, 2], [0, 2]),
    problem([3, 4], [6, 2], hierarchy="c"),
    problem([2, 4], [2, 4], [0, 1], hierarchy="b"),
    problem([2, 2], [1, 4]),
]


def lowerings():
    for asked in PROBLEMS:
        for matrix in all_placements(asked).items:
            yield Lowering(asked, matrix)


def all_to_alls():
    for lowering in lowerings():
        for program in all_to_all_programs(lowering.language, 5):
            text = all_to_all_text(lowering.hierarchy, program.groupings)
            yield all_to_all_plan(lowering, program.groupings, text)


def sends():
    for lowering in lowerings():
        for send in NeighbourSend:
            yield send_plan(lowering, send, send_text(lowering.hierarchy, send))


PLANS = list(all_to_alls())
SENDS = list(sends())


def numbered(plan, length):
    """Buffers of which no two elements are alike, and none is 0."""
    return [np.arange(1, length + 1) + 1000 * device for device in range(plan.devices)]


def test_block_j_of_member_i_becomes_block_i_of_member_j():
    for plan in PLANS:
        size = plan.groups(plan.group).size
        for length in (3 * size, 3 * size - 1, 1, 0):
            given = numbered(plan, length)
            results = execute_exchange(plan, given)
            filled = [np.concatenate([one, np.zeros(-length % size, one.dtype)]) for one in given]
            for members in plan.groups(plan.group):
                for j, member in enumerate(members):
                    blocks = [np.split(filled[other], size)[j] for other in members]
                    assert np.array_equal(results[member], np.concatenate(blocks)), (plan.program, member)
    assert len(PLANS) > 60
    assert {sum(isinstance(step, ExchangeStep) for step in plan.steps) for plan in PLANS} == {0, 1, 2, 3}


def other_steps(plan, random):
    """The steps with one left out, doubled, moved or of another plan; or those of any rules over the group's digits."""
    steps, place = list(plan.steps), random.randrange(len(plan.steps))
    match random.randrange(5):
        case 0:
            del steps[place]
        case 1:
            steps.insert(random.randrange(len(steps) + 1), steps[place])
        case 2:
            steps.append(random.choice(steps))
        case 3:
            steps.insert(random.randrange(len(steps)), steps.pop(place))
        case 4:
            digits = plan.group.varying
            some = [random.sample(digits, random.randint(1, len(digits))) for _ in range(random.randint(1, 3))]
            return all_to_all_steps(plan.sizes, [GroupRule(tuple(sorted(each))) for each in some])
    return tuple(steps)


def test_other_steps_are_taken_only_if_they_do_the_same():
    random, outcomes = Random(3), Counter()
    for plan in [plan for plan in PLANS if plan.steps and plan.devices <= 12]:
        length = 2 * plan.groups(plan.group).size
        right = execute_exchange(plan, numbered(plan, length))
        for _ in range(8):
            other = replace(plan, steps=other_steps(plan, random))
            try:
                check_exchange(other)
            except PlanError:
                outcomes["refused"] += 1
                continue
            outcomes["taken"] += 1
            results = execute_exchange(other, numbered(plan, length))
            assert all(np.array_equal(one, wanted) for one, wanted in zip(results, right, strict=True)), other.steps
    assert outcomes["refused"] > outcomes["taken"] > 20


def test_permutations_stand_between_steps_and_where_the_first_or_last_digits_are_others():
    counts = set()
    for plan in PLANS:
        rules = [step.groups for step in plan.steps if isinstance(step, ExchangeStep)]
        permutes = len(plan.steps) - len(rules)
        if len(rules) < 2:
            assert permutes == 0
            continue
        first = plan.group.varying
        starts, ends = (sorted(rule.varying) == list(first[: len(rule.varying)]) for rule in (rules[0], rules[-1]))
        assert permutes == len(rules) - 1 + (not starts) + (not ends)
        counts.add(permutes - len(rules))
        kinds = [type(step) for step in plan.steps]
        assert not any(a is b is PermuteStep for a, b in pairwise(kinds))
    assert counts == {0, 1}


def test_a_send_gives_each_member_what_the_one_before_has():
    for plan in SENDS:
        given = numbered(plan, 5)
        results = execute_exchange(plan, given)
        for members in plan.groups(plan.group):
            before = [members[-1], *members[:-1]]
            for member, source in zip(members, before, strict=True):
                nothing = (plan.goal is NeighbourSend.NEXT and member == members[0]) or len(members) == 1
                expected = given[source][:0] if nothing else given[source]
                assert np.array_equal(results[member], expected)
    assert {len(plan.steps) for plan in SENDS} == {0, 1}


def test_files_read_back_to_the_same_plan():
    for plan in (*PLANS, *SENDS):
        text = any_plan_text(plan)
        assert parse_any_plan(text.encode(), "it") == plan
        assert any_plan_text(parse_any_plan(text.encode(), "it")) == text


def hierarchical():
    return next(plan for plan in PLANS if len(plan.steps) == 4)


def edited(change):
    document = msgspec.json.decode(any_plan_text(hierarchical()))
    change(document)
    return msgspec.json.encode(document)


@looped(
    ("change", "message"),
    [
        (
            lambda it: it["steps"].pop(),
            "3 steps; AllToAll in these groups needs 4, so make the plan again with p2smt plan",
        ),
        (lambda it: it["steps"].pop(0), r"but the group varies \[.*\]; every digit|for AllToAll it must"),
        (lambda it: it.update(goal="SendNext"), "it must be SendNext along"),
        (lambda it: it.update(goal="Broadcast"), "goal"),
        (lambda it: it.update(version=2), "version"),
        (lambda it: it["network"]["level"][0].update(size=4), "network has the levels level0:4,.* but the"),
        (lambda it: it["network"]["level"][1].update(size=[4, 3]), "network is the irregular hierarchy"),
        (lambda it: it["steps"][1].update(order=[0, 1]), "it must be"),
    ],
)
def test_a_file_whose_steps_do_something_else_is_refused(change, message):
    with pytest.raises(PlanError, match=message):
        parse_any_plan(edited(change), "it")


def test_verification_finds_all_of_them_right_and_ones_that_lack_a_step_wrong():
    right = [plan for plan in PLANS if plan.group.varying and plan.devices <= 8]
    for plan in right[::3]:
        assert isinstance(judge(exchange_to_verify(plan)), Proved), plan.program
    wrong = replace(hierarchical(), steps=hierarchical().steps[:-1])
    with pytest.raises(PlanError, match="3 steps"):
        check_exchange(wrong)
    assert isinstance(judge(exchange_to_verify(wrong)), Refuted)
    sizes = hierarchical().steps[1].sizes
    other = PermuteStep(sizes, tuple(range(len(sizes))), Portion(1))
    assert isinstance(judge(exchange_to_verify(replace(wrong, steps=(*wrong.steps, other)))), Refuted)
    with pytest.raises(VerifyError, match="its own goal"):
        exchange_to_verify(SENDS[0])


def test_an_exchange_in_which_some_groups_take_no_part_is_none():
    first, *others = hierarchical().steps
    last = next(step for step in others if isinstance(step, ExchangeStep))
    some = replace(first, groups=replace(first.groups, zero=last.groups.varying))
    wrong = replace(hierarchical(), steps=(some, *others))
    with pytest.raises(PlanError, match="; every digit of the group must be varied exactly once"):
        check_exchange(wrong)
    assert isinstance(judge(exchange_to_verify(wrong)), Refuted)


def test_buffers_have_to_fit():
    with pytest.raises(PlanError, match="1 buffers are given; the plan needs"):
        execute_exchange(PLANS[0], [np.zeros(1)])
