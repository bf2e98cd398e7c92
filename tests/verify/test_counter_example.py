"""Smallest plans that show a mistake: the same mistake, runnable numbers, and nothing smaller by brute force."""

from dataclasses import replace
from itertools import product
from random import Random

import numpy as np
import pytest
from looped import looped
from paths import TESTS
from tiers import examples, is_full, sample
from verify.interpreter import contributions, given_by, run, wanted
from verify.random_goals import right_plan_for
from verify.random_plans import all_reduce, damaged, right_plan

from p2smt.collective import Collective, Exchange
from p2smt.frontend.importers import read_any
from p2smt.verify import counter_example
from p2smt.verify.counter_example import OF_SHAPE, smallest
from p2smt.verify.goal import payload
from p2smt.verify.judge import judge
from p2smt.verify.operation import LocalOperation
from p2smt.verify.plan import BufferRange, Goal, VerificationPlan, VerificationStep
from p2smt.verify.plan_verdict import PlanRule, mistake_of
from p2smt.verify.projection import Projection, Projections, bits

PLANS = sorted((TESTS / "plans").glob("*.toml"))
WRONG = [
    path
    for path in PLANS
    if isinstance(plan := read_any(path), VerificationPlan) and mistake_of(judge(plan)) is not None
]
BLOCKS = {Collective.REDUCE_SCATTER, Collective.ALL_GATHER, Exchange.ALL_TO_ALL}
ROOTED = {Collective.REDUCE, Collective.BROADCAST, Exchange.SEND}


def same(one, other):
    return other is not None and (one.rule, one.place.step) == (other.rule, other.place.step)


def goes_wrong(plan, rule, device, at, contributor, chunk):
    """Whether a plan, on numbers, breaks a rule there: by one contribution, or because results are random."""
    if rule is PlanRule.TRUNCATED:
        given = [contributions(plan, seed) for seed in range(40)]
        return any(run(plan, g)[device, at] != wanted(plan, g)[device][at] for g in given)
    if rule is PlanRule.UNDEFINED:
        given = given_by(plan, {})
        return run(plan, given, 1)[device, at] != run(plan, given, 2)[device, at]
    given = given_by(plan, {(contributor, chunk): 720720})
    got, aim = run(plan, given)[device, at], wanted(plan, given)[device][at]
    return got != aim and (got == 0) == (rule is PlanRule.MISSING)


def check_small(plan, mistake, small):
    found = mistake_of(judge(small.plan))
    assert same(mistake, found)
    assert found == small.mistake
    assert small.plan.devices == len(small.devices) <= plan.devices
    for kept, part, whole in (
        (small.source, small.plan.goal.source, plan.goal.source),
        (small.target, small.plan.goal.target, plan.goal.target),
    ):
        assert part.length == len(kept) <= whole.length
        assert set(kept) <= set(range(whole.length))
    assert list(small.devices) == sorted(set(small.devices))
    if found.rule in OF_SHAPE:
        assert len(small.plan.steps) == 1
        return
    place, example = found.place, found.example
    if example is not None:
        given = given_by(small.plan, example.contributions)
        assert run(small.plan, given)[example.device, example.at] == example.got != example.wanted
        assert wanted(small.plan, given)[example.device][example.at] == example.wanted
    contributor = None if place.contributor is None else small.devices[place.contributor]
    chunk = None if example is None else small.source[example.chunk]
    whole = (small.devices[place.device], small.target[place.chunk], contributor, chunk)
    assert goes_wrong(plan, found.rule, *whole)


@looped("path", sample(WRONG, 14))
def test_files(path):
    plan = read_any(path)
    mistake = mistake_of(judge(plan))
    small = smallest(plan, mistake)
    check_small(plan, mistake, small)
    assert small.proved


def test_there_are_many_wrong_files():
    assert len(WRONG) >= 35


MANY = 128 if is_full() else 16


def along(sizes, level):
    stride = int(np.prod(sizes[level + 1 :]))
    devices = range(int(np.prod(sizes)))
    firsts = [device for device in devices if device // stride % sizes[level] == 0]
    return tuple(tuple(first + i * stride for i in range(sizes[level])) for first in firsts)


def hierarchical(sizes, chunks, buffers, steps):
    devices = int(np.prod(sizes))
    return all_reduce(devices, {"data": chunks} | dict(buffers), [range(devices)], steps)


def planted():
    """(name, plan, fewest devices, fewest chunks)"""
    inner = 16 if is_full() else 8
    two, data, shard = (4, inner), BufferRange("data", 0, 4 * inner), BufferRange("shard", 0, 4)
    local, across = along(two, 1), along(two, 0)
    add = VerificationStep(Collective.ALL_REDUCE, local, data, data)
    over = VerificationStep(Collective.ALL_REDUCE, across, data, data)
    yield "local twice", hierarchical(two, 4 * inner, (), [add, add, over]), 2, 1
    scatter = VerificationStep(Collective.REDUCE_SCATTER, local, data, shard)
    gather = VerificationStep(Collective.ALL_GATHER, local, shard, data)
    yield "across forgotten", hierarchical(two, 4 * inner, [("shard", 4)], [scatter, gather]), 2, 1
    yield "across on data", hierarchical(two, 4 * inner, [("shard", 4)], [scatter, over, gather]), 2, 1
    spread = replace(over, source=shard, target=shard)
    yield "across twice", hierarchical(two, 4 * inner, [("shard", 4)], [scatter, spread, spread, gather]), 2, 1
    in_place = VerificationStep(Collective.REDUCE_SCATTER, local, data, data, in_place=True)
    # With one member of a group all blocks are its own, so it takes two, with a block each.
    yield "gather forgotten", hierarchical(two, 4 * inner, (), [in_place, over]), 2, 2
    sizes, s1, s2 = (4, 4, 4), BufferRange("s1", 0, 4), BufferRange("s2", 0, 1)
    buffers, data = [("s1", 4), ("s2", 1)], BufferRange("data", 0, 16)
    down = [
        VerificationStep(Collective.REDUCE_SCATTER, along(sizes, 2), data, s1),
        VerificationStep(Collective.REDUCE_SCATTER, along(sizes, 1), s1, s2),
    ]
    top = VerificationStep(Collective.ALL_REDUCE, along(sizes, 0), s2, s2)
    up = [
        VerificationStep(Collective.ALL_GATHER, along(sizes, 1), s2, s1),
        VerificationStep(Collective.ALL_GATHER, along(sizes, 2), s1, data),
    ]
    yield "top twice", hierarchical(sizes, 16, buffers, [*down, top, top, *up]), 2, 1
    yield "top less a group", hierarchical(sizes, 16, buffers, [*down, replace(top, groups=top.groups[:-1]), *up]), 2, 1
    turned = replace(up[0], groups=tuple(group[::-1] for group in up[0].groups))
    yield "gathered backwards", hierarchical(sizes, 16, buffers, [*down, top, turned, up[1]]), 2, 2
    groups = tuple(range(MANY))
    turn = (*range(MANY - 2), MANY - 1, MANY - 2)
    scatter = VerificationStep(
        Collective.REDUCE_SCATTER, (groups,), BufferRange("data", 0, MANY), BufferRange("data", 0, MANY), in_place=True
    )
    turned = replace(scatter, operation=Collective.ALL_GATHER, groups=(turn,))
    yield "two exchanged of many", hierarchical((MANY,), MANY, (), [scatter, turned]), 2, 2
    pairs = [tuple((i, i ^ 1 << k) for i in range(MANY) if not i >> k & 1) for k in range(MANY.bit_length() - 1)]
    every = [
        VerificationStep(Collective.ALL_REDUCE, pair, BufferRange("data", 0, 4), BufferRange("data", 0, 4))
        for pair in pairs
    ]
    yield "butterfly, last twice", hierarchical((MANY,), 4, (), [*every, every[-1]]), 2, 1
    every[-2] = replace(every[-2], groups=every[-2].groups[:-1])
    yield "butterfly, one pair less", hierarchical((MANY,), 4, (), every), 2, 1


@pytest.mark.parametrize(("plan", "devices", "chunks"), [pytest.param(*case, id=name) for name, *case in planted()])
def test_planted_mistakes(plan, devices, chunks, monkeypatch):
    judged = []
    monkeypatch.setattr(counter_example, "judge", lambda small: judged.append(small) or judge(small))
    mistake = mistake_of(judge(plan))
    small = smallest(plan, mistake)
    assert (len(small.devices), len(small.chunks)) == (devices, chunks)
    assert len(judged) < 60
    assert sum(small.devices for small in judged) < 2 * plan.devices
    monkeypatch.undo()
    if plan.devices <= 64:
        check_small(plan, mistake, small)


def test_a_whole_chain_is_needed():
    """Every part of the chain passes on what the next one needs: the mistake at its end needs all before it."""
    steps = [
        VerificationStep(Collective.REDUCE, ((i, i + 1),), BufferRange("data", 0, 3), BufferRange("data", 0, 3), root=1)
        for i in range(4)
    ]
    steps.append(
        VerificationStep(Collective.BROADCAST, ((4, 3, 2, 1, 0),), BufferRange("data", 0, 3), BufferRange("data", 0, 3))
    )
    steps.append(
        VerificationStep(Collective.ALL_REDUCE, ((0, 4),), BufferRange("data", 2, 1), BufferRange("data", 2, 1))
    )
    plan = all_reduce(5, {"data": 3}, [range(5)], steps)
    small = smallest(plan, mistake_of(judge(plan)))
    assert (small.devices, small.chunks, small.proved) == ((0, 1, 2, 3, 4), (2,), True)
    assert {step.number for step in small.plan.steps} == set(range(1, 7))


def test_groups_without_their_old_root_in_one_place_are_steps_apart():
    data = BufferRange("data", 0, 1)
    plan = all_reduce(
        6, {"data": 1}, [range(6)], [VerificationStep(Collective.REDUCE, along((2, 3), 1), data, data, root=2)]
    )
    inside = Projections(plan)
    steps = inside.projected(inside.around(Projection(0b110110 | 0b1, inside.target(0)))).steps
    assert [(step.groups, step.root, step.number) for step in steps] == [(((0, 1, 2),), 2, 1), (((3, 4),), 1, 1)]


def consistent(plan, devices, chunks):
    """By the definition; `chunks[buffer]` are those kept, and the goal is a step."""
    goal = plan.goal
    for step in (*plan.steps, VerificationStep(goal.collective, goal.groups, goal.source, goal.target, root=goal.root)):
        read = {i for i in range(step.source.length) if step.source.start + i in chunks[step.source.buffer]}
        written = {i for i in range(step.target.length) if step.target.start + i in chunks[step.target.buffer]}
        for group in step.groups:
            places = [place for place, device in enumerate(group) if device in devices]
            if not places or not (read or written):
                continue
            if step.operation in ROOTED and step.root not in places:
                return False
            if step.operation not in BLOCKS and read != written:
                return False
            if step.operation in BLOCKS and not are_blocks(step, len(group), places, read, written):
                return False
    return True


def are_blocks(step, members, places, read, written):
    both = step.in_place or step.operation is Exchange.ALL_TO_ALL
    gathers = step.operation is Collective.ALL_GATHER and not both
    size = (step.target.length if gathers else step.source.length) // members
    blocks = written if gathers else read
    offsets = {i % size for i in blocks}
    if blocks != {place * size + offset for place in places for offset in offsets}:
        return False
    return read == written if both else (read if gathers else written) == offsets


def brute_force(plan, mistake):
    """(devices, chunks) of the smallest consistent projection with the same mistake at a place that is wrong."""
    inside, best = Projections(plan), None
    names = [(name, chunk) for name, length in plan.buffers for chunk in range(length)]
    for devices, cells in product(range(1, 1 << plan.devices), range(1, 1 << len(names))):
        chunks = {
            name: {c for bit, (of, c) in enumerate(names) if of == name and cells >> bit & 1} for name, _ in names
        }
        kept = list(bits(devices))
        own = {
            part: [c for c in range(part.length) if part.start + c in chunks[part.buffer]]
            for part in (plan.goal.source, plan.goal.target)
        }
        size = (len(kept), len(own[payload(plan.goal)]))
        if not all(own.values()) or (best and size >= best) or not consistent(plan, set(kept), chunks):
            continue
        found = mistake_of(judge(inside.projected(Projection(devices, cells))))
        if same(mistake, found):
            place = found.place
            contributor = None if place.contributor is None else kept[place.contributor]
            chunk = None if found.example is None else own[plan.goal.source][found.example.chunk]
            at = own[plan.goal.target][place.chunk]
            if goes_wrong(plan, mistake.rule, kept[place.device], at, contributor, chunk):
                best = size
    return best


def test_nothing_smaller_by_brute_force():
    random, sizes = Random(6), []
    while len(sizes) < examples(8):
        plan, _ = right_plan(random)
        if plan.devices > 6 or plan.devices + sum(length for _, length in plan.buffers) > 11:
            continue
        plan = damaged(plan, random)
        mistake = mistake_of(judge(plan))
        if mistake is not None and mistake.rule not in OF_SHAPE:
            small = smallest(plan, mistake)
            check_small(plan, mistake, small)
            assert small.proved
            assert (len(small.devices), len(small.chunks)) == brute_force(plan, mistake), plan
            sizes.append((plan.devices - len(small.devices), payload(plan.goal).length - len(small.chunks)))
    assert sum(devices > 0 for devices, _ in sizes) > len(sizes) / 4
    assert sum(chunks > 0 for _, chunks in sizes) > len(sizes) / 4


@pytest.mark.slow
@pytest.mark.parametrize("collective", Collective)
def test_goals_and_averages(collective):
    """Every goal, half of the plans with divisions; small ones by brute force."""
    random, sizes, brute = Random(f"small {collective}"), [], 0
    while len(sizes) < (80 if is_full() else 5) or not brute:
        plan = damaged(right_plan_for(random, collective, largest=8)[0], random)
        plan = replace(plan, integers=random.random() < 0.3)
        mistake = mistake_of(judge(plan))
        if mistake is None or mistake.rule in OF_SHAPE:
            continue
        small = smallest(plan, mistake)
        check_small(plan, mistake, small)
        sizes.append((plan.devices - len(small.devices), payload(plan.goal).length - len(small.chunks)))
        if brute < (8 if is_full() else 1) and plan.devices + sum(length for _, length in plan.buffers) <= 12:
            brute += 1
            assert (len(small.devices), len(small.chunks)) == brute_force(plan, mistake), plan
    assert sum(devices > 0 for devices, _ in sizes) > len(sizes) / 3
    assert brute > 3 or not is_full()


def test_random_plans_of_all_sizes():
    random, count = Random(8), 0
    while count < (120 if is_full() else 5):
        plan = damaged(right_plan(random)[0], random)
        mistake = mistake_of(judge(plan))
        if mistake is not None:
            check_small(plan, mistake, smallest(plan, mistake))
            count += 1


@pytest.mark.parametrize(
    ("limit", "value"), [("MOST_TRIED", 2), ("MOST_JUDGED", 1), ("MOST_WORK", 1), ("MOST_WORK", 2000)]
)
def test_a_search_that_was_cut_short_proves_nothing(limit, value, monkeypatch):
    """At the wrong results that it begins with, or, after 2,000 of its 2,355 looks, among what grows from them."""
    data = BufferRange("data", 0, 3)
    steps = [VerificationStep(Collective.REDUCE, ((i, i + 1),), data, data, root=1) for i in range(4)]
    steps.append(VerificationStep(Collective.BROADCAST, ((4, 3, 2, 1, 0),), data, data))
    steps.append(
        VerificationStep(Collective.ALL_REDUCE, ((0, 4),), BufferRange("data", 2, 1), BufferRange("data", 2, 1))
    )
    plan = all_reduce(7, {"data": 3}, [range(5)], steps)
    mistake = mistake_of(judge(plan))
    assert smallest(plan, mistake).proved
    monkeypatch.setattr(counter_example, limit, value)
    small = smallest(plan, mistake)
    assert same(mistake, small.mistake)
    assert not small.proved


def test_averages_keep_the_same_members_of_all_groups():
    """Without device 4 the averages of the two groups would be over two and over one, which is no one divisor."""
    data = BufferRange("data", 0, 1)
    average = VerificationStep(Collective.ALL_REDUCE, along((2, 3), 1), data, data, divisor=3)
    inside = Projections(all_reduce(6, {"data": 1}, [range(6)], [average]))
    kept = inside.around(Projection(0b001011, inside.target(0)))
    assert kept.devices == 0b011011
    [step] = inside.projected(kept).steps
    assert (step.groups, step.divisor) == (((0, 1), (2, 3)), 2)


def test_a_division_by_the_goals_average_keeps_its_groups_even():
    """Sums are divided afterwards; without device 4 they would be over two and over one, and no one divisor fits."""
    data, groups = BufferRange("data", 0, 1), along((2, 3), 1)
    steps = [
        VerificationStep(Collective.ALL_REDUCE, groups, data, data),
        VerificationStep(LocalOperation.SCALE, tuple((device,) for device in range(6)), data, data, divisor=3),
    ]
    plan = all_reduce(6, {"data": 1}, groups, steps)
    inside = Projections(replace(plan, goal=replace(plan.goal, average=True)))
    kept = inside.around(Projection(0b001011, inside.target(0)))
    assert kept.devices == 0b011011
    assert [step.divisor for step in inside.projected(kept).steps] == [1, 2]


def test_an_average_that_is_forgotten_shows_on_pairs():
    """Two levels of averages, the second of which is a sum: two devices of one column show it."""
    data = BufferRange("data", 0, 1)
    steps = [
        VerificationStep(Collective.ALL_REDUCE, along((2, 3), 1), data, data, divisor=3),
        VerificationStep(Collective.ALL_REDUCE, along((2, 3), 0), data, data),
    ]
    plan = all_reduce(6, {"data": 1}, [range(6)], steps)
    plan = replace(plan, goal=replace(plan.goal, average=True))
    mistake = mistake_of(judge(plan))
    small = smallest(plan, mistake)
    assert (mistake.rule, small.devices, small.proved) == (PlanRule.WEIGHT, (0, 3), True)


@pytest.mark.parametrize("collective", [Collective.REDUCE, Collective.BROADCAST])
def test_the_roots_of_a_goal_stay_its_roots_whichever_members_are_left(collective):
    """In one place or in two, as members before them are left out in some groups and not in others."""
    data, groups, roots = BufferRange("data", 0, 1), ((0, 1, 2), (5, 4, 3), (6, 7, 8)), {1, 4, 7}
    goal = Goal(collective=collective, groups=groups, source=data, target=data, root=1)
    plan = VerificationPlan(devices=9, buffers=(("data", 1),), goal=goal, steps=())
    inside, places = Projections(plan), set()
    for left in product([False, True], repeat=6):
        others = [device for device, stays in zip((0, 2, 3, 5, 6, 8), left, strict=True) if stays]
        kept = Projection(sum(1 << device for device in (*roots, *others)), 1)
        small = inside.projected(kept)
        names = inside.devices(kept)
        found = [[names[member] for member in group] for group in small.goal.groups]
        assert [group[small.goal.root] for group in found] == [1, 4, 7]
        assert [{*group} for group in found] == [{*group} & {*names} for group in groups]
        places.add(tuple(sum(member in others for member in group[:1]) for group in groups))
    assert len(places) == 8
