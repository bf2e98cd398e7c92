"""Random plans decided three ways: contributions counted, numbers in the solver, numbers in real buffers."""

from random import Random

import numpy as np
import pytest
from support import problem

from p2smt.placement.matrix import ParallelismMatrix
from p2smt.plan.lower import Lowering
from p2smt.program.free_plan import FreePlan, Operation, Part, Step
from p2smt.smt.free_rules import Difference, Same, difference
from p2smt.synth.session import Synthesizer
from p2smt.verify.check import verify
from p2smt.verify.judge import judge
from p2smt.verify.own_plan import free_plan_of
from p2smt.verify.shape import shape_mistake
from p2smt.verify.verdict import Invalid, Valid

PLANS = 10_000


def numeric(plan, random):
    """Whether two runs on random numbers, with garbage in what is undefined, give every sum."""
    for _ in range(2):
        given = np.array([[random.randrange(1 << 40) for _ in range(plan.chunks)] for _ in range(plan.devices)])
        held = run(plan, given, random)
        for group in plan.goal:
            wanted = given[list(group)].sum(axis=0)
            if any((held[device][plan.result] != wanted).any() for device in group):
                return False
    return True


def run(plan, given, random):
    def garbage(length):
        return np.array([random.randrange(1 << 40) for _ in range(length)])

    held = [{name: garbage(length) for name, length in plan.buffers} for _ in range(plan.devices)]
    for device in range(plan.devices):
        held[device][plan.result] = given[device].copy()
    for step in plan.steps:
        source, target = step.source, step.target
        for group in step.groups:
            parts = [held[d][source.buffer][source.start : source.start + source.length].copy() for d in group]
            for place, device in enumerate(group):
                new = after(step, parts, place, garbage)
                if new is not None:
                    held[device][target.buffer][target.start : target.start + target.length] = new
    return held


def after(step, parts, place, garbage):
    """What a member's target holds afterwards; None: what it held before."""
    size = len(parts[0]) // len(parts)
    own = slice(place * size, place * size + size)
    kind = step.operation
    if kind is Operation.ALL_REDUCE:
        return sum(parts)
    if kind is Operation.REDUCE:
        return sum(parts) if place == step.root else garbage(len(parts[0]))
    if kind is Operation.BROADCAST or (kind is Operation.SEND and place != step.root):
        return parts[step.root]
    if kind in (Operation.ALL_TO_ALL, Operation.ALL_GATHER):
        whole = kind is Operation.ALL_GATHER and not step.in_place
        blocks = [place if kind is Operation.ALL_TO_ALL else i for i in range(len(parts))]
        return np.concatenate(
            [p if whole else p[i * size : i * size + size] for i, p in zip(blocks, parts, strict=True)]
        )
    if kind is Operation.REDUCE_SCATTER:
        whole = garbage(len(parts[0]))
        whole[own] = sum(parts)[own]
        return whole if step.in_place else whole[own]
    return None


def right_plans():
    """Synthesised programs as free plans, and hand-made ones on groups that follow no hierarchy."""
    found = []
    for sizes, limit in (((2, 2), 5), ((2, 4), 4), ((2, 3), 4), ((2, 2, 2), 3), ((8,), 3), ((4, 4), 3)):
        devices = int(np.prod(sizes))
        asked = problem(sizes, [devices], limit=limit)
        lowering = Lowering(asked, ParallelismMatrix((sizes,)))
        for program in Synthesizer().synthesize(asked).placements[0].programs:
            found.append(free_plan_of(lowering.plan(program)))
    return found


def arbitrary(random):
    """Two all-reduces of shuffled parts of the devices, joined over pairs that need not be aligned."""
    half = random.choice([2, 3, 4, 5])
    devices = random.sample(range(2 * half), 2 * half)
    left, right = devices[:half], devices[half:]
    data = Part("data", 0, 2)
    partners = tuple(zip(random.sample(left, half), random.sample(right, half), strict=True))
    steps = (
        Step(Operation.ALL_REDUCE, (tuple(left), tuple(right)), data, data),
        Step(Operation.ALL_REDUCE, partners, data, data),
    )
    return FreePlan(2 * half, (("data", 2),), "data", (tuple(range(2 * half)),), steps)


def damaged(plan, random):
    """One thing changed: a step dropped, doubled or swapped, its operation, root, or members exchanged."""
    steps = list(plan.steps)
    place = random.randrange(len(steps))
    step = steps[place]
    match random.randrange(5):
        case 0:
            del steps[place]
        case 1:
            steps.insert(place, step)
        case 2:
            other = random.randrange(len(steps))
            steps[place], steps[other] = steps[other], step
        case 3:
            kind = random.choice([Operation.ALL_REDUCE, Operation.BROADCAST, Operation.REDUCE, Operation.SEND])
            root = random.randrange(len(step.groups[0]))
            steps[place] = Step(kind, step.groups, step.source, step.target, root)
        case _:
            devices = [device for group in step.groups for device in group]
            one, other = random.sample(devices, 2) if len(devices) > 1 else (devices[0], devices[0])
            swap = {one: other, other: one}
            groups = tuple(tuple(swap.get(device, device) for device in group) for group in step.groups)
            steps[place] = Step(step.operation, groups, step.source, step.target, step.root, step.in_place)
    return FreePlan(plan.devices, plan.buffers, plan.result, plan.goal, tuple(steps))


@pytest.mark.slow
def test_three_ways_agree():
    random = Random(20)
    right = right_plans()
    valid = refused = 0
    for number in range(PLANS):
        plan = arbitrary(random) if number % 5 == 0 else random.choice(right)
        if number % 2:
            plan = damaged(plan, random)
        verdict = judge(plan)
        if shape_mistake(plan):
            assert isinstance(verdict, Invalid)
            refused += 1
            continue
        found = difference(plan)
        assert isinstance(found, Same | Difference)
        assert isinstance(verdict, Valid) == isinstance(found, Same) == numeric(plan, random), plan
        valid += isinstance(verdict, Valid)
    assert valid > PLANS / 3
    assert PLANS - valid - refused > PLANS / 5


def test_every_synthesised_program_is_proved_right():
    plans = right_plans()
    assert len(plans) > 250
    assert all(isinstance(judge(plan), Valid) for plan in plans)
    assert all(isinstance(verify(plan), Valid) for plan in plans[::10])


def test_examples_show_the_mistake():
    """The numbers of a verdict, run through the buffers, give what the verdict says."""
    random = Random(7)
    right, shown = right_plans(), 0
    for _ in range(300):
        plan = damaged(random.choice(right), random)
        verdict = judge(plan)
        if isinstance(verdict, Invalid) and (example := verdict.example) is not None:
            given = np.zeros((plan.devices, plan.chunks), dtype=np.int64)
            given[example.contributor, example.chunk] = 1
            got = run(plan, given, random)[example.device][plan.result][example.at]
            assert (got, example.got != example.wanted) == (example.got, True)
            shown += 1
    assert shown > 50
