"""Random plans decided three ways: contributions counted, numbers in the solver, numbers in real buffers."""

from dataclasses import replace
from functools import cache
from random import Random

import numpy as np
import pytest
from support import problem
from tiers import is_full, sample
from verify.interpreter import run, wanted
from verify.random_plans import all_reduce

from p2smt.collective import Collective, Exchange
from p2smt.frontend.own_plan import verification_plan
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.synth.session import Synthesizer
from p2smt.smt.answer import Sat, Unsat
from p2smt.verify.check import verify
from p2smt.verify.difference import difference
from p2smt.verify.judge import judge
from p2smt.verify.plan import BufferRange, VerificationStep
from p2smt.verify.shape import shape_mistake
from p2smt.verify.verdict import Proved, Refuted

PLANS = 600 if is_full() else 60


def numeric(plan, random):
    """Whether two runs on random numbers, with garbage in what is undefined, give every sum."""
    for _ in range(2):
        chunks = range(plan.goal.source.length)
        given = np.array([[random.randrange(1 << 40) for _ in chunks] for _ in range(plan.devices)])
        found = run(plan, given, random.randrange(1 << 32))
        if any((found[device] != total).any() for device, total in wanted(plan, given).items()):
            return False
    return True


@cache
def right_plans():
    """Synthesised programs as verification plans, and hand-made ones on groups that follow no hierarchy."""
    found = []
    for sizes, limit in (((2, 2), 5), ((2, 4), 4), ((2, 3), 4), ((2, 2, 2), 3), ((8,), 3), ((4, 4), 3)):
        devices = int(np.prod(sizes))
        asked = problem(sizes, [devices], limit=limit)
        lowering = Lowering(asked, ParallelismMatrix((sizes,)))
        for program in Synthesizer().synthesize(asked).placements[0].programs:
            found.append(verification_plan(lowering.plan(program)))
    return found


def arbitrary(random):
    """Two all-reduces of shuffled parts of the devices, joined over pairs that need not be aligned."""
    half = random.choice([2, 3, 4, 5])
    devices = random.sample(range(2 * half), 2 * half)
    left, right = devices[:half], devices[half:]
    data = BufferRange("data", 0, 2)
    partners = tuple(zip(random.sample(left, half), random.sample(right, half), strict=True))
    steps = (
        VerificationStep(Collective.ALL_REDUCE, (tuple(left), tuple(right)), data, data),
        VerificationStep(Collective.ALL_REDUCE, partners, data, data),
    )
    return all_reduce(2 * half, {"data": 2}, [range(2 * half)], list(steps))


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
            kind = random.choice([Collective.ALL_REDUCE, Collective.BROADCAST, Collective.REDUCE, Exchange.SEND])
            root = random.randrange(len(step.groups[0]))
            steps[place] = VerificationStep(kind, step.groups, step.source, step.target, root=root)
        case _:
            devices = [device for group in step.groups for device in group]
            one, other = random.sample(devices, 2) if len(devices) > 1 else (devices[0], devices[0])
            swap = {one: other, other: one}
            groups = tuple(tuple(swap.get(device, device) for device in group) for group in step.groups)
            steps[place] = VerificationStep(
                step.operation, groups, step.source, step.target, root=step.root, in_place=step.in_place
            )
    return replace(plan, steps=tuple(steps))


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
            assert isinstance(verdict, Refuted)
            refused += 1
            continue
        found = difference(plan)
        assert isinstance(found, Unsat | Sat)
        assert isinstance(verdict, Proved) == isinstance(found, Unsat) == numeric(plan, random), plan
        valid += isinstance(verdict, Proved)
    assert valid > PLANS / 3
    assert PLANS - valid - refused > PLANS / 5


def test_every_synthesised_program_is_proved_right():
    plans = right_plans()
    assert len(plans) > 250
    assert all(isinstance(judge(plan), Proved) for plan in sample(plans, 80))
    assert all(isinstance(verify(plan), Proved) for plan in sample(plans[::10], 10))
