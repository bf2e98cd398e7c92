"""Random plans of any shape: counting, the solver and numbers in buffers give one verdict."""

from collections import Counter
from random import Random

import numpy as np
import pytest
from verify.interpreter import contributions, run, sums
from verify.random_plans import damaged, right_plan

from p2smt.collective import Collective, Exchange
from p2smt.smt.answer import Sat, Unsat
from p2smt.verify.judge import judge
from p2smt.verify.rules import difference
from p2smt.verify.verdict import Invalid, Rule, Valid

PLANS = 2_000
OF_RUNNING = {Rule.UNDEFINED, Rule.MISSING, Rule.COUNTED_TWICE, Rule.FOREIGN}


def fits(plan):
    """Whether every step can be run at all, by the definition of its operation."""
    lengths = dict(plan.buffers)
    return all(
        everyone_once(plan, step)
        and inside(step.source, lengths)
        and inside(step.target, lengths)
        and all(0 <= step.root < len(group) and blocks_fit(step, len(group)) for group in step.groups)
        and (step.source == step.target or not cells(step.source) & cells(step.target))
        for step in plan.steps
    )


def everyone_once(plan, step):
    named = [device for group in step.groups for device in group]
    return len(named) == len(set(named)) and set(named) <= set(range(plan.devices))


def inside(part, lengths):
    return bool(cells(part)) and cells(part) <= {(part.buffer, chunk) for chunk in range(lengths[part.buffer])}


def cells(part):
    return {(part.buffer, part.start + chunk) for chunk in range(part.length)}


def blocks_fit(step, size):
    read, written = step.source.length, step.target.length
    if step.in_place:
        return read == written and read % size == 0
    match step.operation:
        case Collective.REDUCE_SCATTER:
            return read == written * size
        case Collective.ALL_GATHER:
            return read * size == written
        case Exchange.ALL_TO_ALL:
            return read == written and read % size == 0
        case _:
            return read == written


def adds_up(plan, seed):
    given = contributions(plan, seed)
    found = run(plan, given, seed)
    return all((found[device] == total).all() for device, total in sums(plan, given).items())


def check_witness(plan, found, solved):
    """What judge and solver give as numbers goes wrong in buffers just so."""
    if found.rule is Rule.UNDEFINED:
        assert found.example is None
        return
    given = np.zeros((plan.devices, plan.chunks), dtype=np.int64)
    given[found.example.contributor, found.example.chunk] = found.example.given
    assert run(plan, given)[found.example.device, found.example.at] == found.example.got != found.example.wanted
    given[:] = 0
    for place, number in solved.contributions.items():
        given[place] = np.array(number % 2**64, dtype=np.uint64).astype(np.int64)
    if run(plan, given, 1)[solved.device, solved.chunk] != run(plan, given, 2)[solved.device, solved.chunk]:
        return  # The solver chose what is undefined, too.
    modulo = 2 ** min(64, solved.bits)
    assert int(run(plan, given)[solved.device, solved.chunk]) % modulo == solved.got % modulo
    assert int(sums(plan, given)[solved.device][solved.chunk]) % modulo == solved.wanted % modulo
    assert solved.got != solved.wanted


@pytest.mark.slow
def test_counting_solver_and_buffers_agree():
    random, outcomes, sizes, ways = Random(4), Counter(), set(), set()
    for number in range(PLANS):
        plan, taken = right_plan(random)
        for _ in range(random.choice([0, 0, 1, 1, 2])):
            plan = damaged(plan, random)
        found = judge(plan)
        if not fits(plan):
            assert isinstance(found, Invalid), plan
            assert found.rule not in OF_RUNNING, plan
            assert found.example is None
            outcomes["refused"] += 1
            continue
        solved = difference(plan)
        assert isinstance(solved, Unsat | Sat)
        assert isinstance(found, Valid) == isinstance(solved, Unsat) == adds_up(plan, number), plan
        if isinstance(found, Invalid):
            assert found.rule in OF_RUNNING, plan
            check_witness(plan, found, solved.model)
        outcomes["valid" if isinstance(found, Valid) else found.rule.name] += 1
        sizes.add(plan.devices)
        ways |= taken
    assert outcomes["valid"] > PLANS / 3
    assert min(outcomes[rule.name] for rule in OF_RUNNING) > PLANS / 100
    assert outcomes["refused"] > PLANS / 20
    assert (sizes, len(ways)) == (set(range(2, 17)), 13)


def test_undamaged_plans_are_right():
    random = Random(11)
    for number in range(200):
        plan, _ = right_plan(random)
        assert fits(plan)
        assert isinstance(judge(plan), Valid)
        assert adds_up(plan, number)
