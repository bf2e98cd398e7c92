"""More to choose from, bandwidth or memory never makes a step slower; equal devices are not told apart."""

import random
from dataclasses import replace

import pytest
from spmd.joint_problems import MOMENTUM, cluster
from spmd.test_astar import drawn, sharding_of
from tiers import is_full

from p2smt.errors import ProblemError
from p2smt.spmd.devices.shares import Shares, even, proportional
from p2smt.spmd.engines.elimination import eliminate
from p2smt.spmd.engines.ilp import solve
from p2smt.spmd.engines.problem import Best
from p2smt.spmd.search.bound import relaxations
from p2smt.spmd.search.memory import stored_limits
from p2smt.spmd.search.sharding import shard
from p2smt.tensor.text.parser import parse_program

COUNT = 15 if is_full() else 9


def optimum(single, machines, shares):
    """What the search adds up, and the bound by stages."""
    sharding = sharding_of(single, machines, shares)
    costs = [eliminate(problem).answer.cost for problem in (sharding.problem, *relaxations(sharding))]
    return costs[0], max(costs[1:])


def test_more_bandwidth_or_speed_is_never_slower():
    rng = random.Random(21)
    fell = 0
    for _ in range(COUNT):
        single, machines, shares = drawn(rng)
        before = optimum(single, machines, shares)
        unit = machines.network.unit
        for other in (
            replace(machines, network=replace(machines.network, unit=unit // 2)),
            replace(machines, devices=tuple(replace(each, speed=2 * each.speed) for each in machines.devices)),
        ):
            after = optimum(single, other, shares)
            assert all(now <= was for now, was in zip(after, before, strict=True))
            fell += after[0] < before[0]
    assert fell > COUNT


def test_devices_of_equal_speed_can_be_renamed():
    """Among themselves and as a whole: swapped shares of devices that are alike, or all devices in another order."""
    rng = random.Random(22)
    for _ in range(COUNT):
        single, machines, _ = drawn(rng)
        speeds = (*machines.speeds, machines.speeds[0])
        last = len(speeds) - 1
        parts = [each / 2 for each in proportional(machines.speeds).parts]
        unlike = (*parts, 1 - sum(parts))
        swapped = (unlike[last], *unlike[1:last], unlike[0])
        machines = cluster(speeds, machines.network.unit)
        first = optimum(single, machines, Shares("one way", unlike))
        assert optimum(single, machines, Shares("the other", swapped)) == first


def test_more_memory_never_makes_a_step_slower():
    """What is stored within a cap costs least by HiGHS; caps go from what everything takes down to what nobody can."""
    pytest.importorskip("scipy")
    single, machines = parse_program(MOMENTUM), cluster((10**9,) * 4, 10)
    sharding = sharding_of(single, machines, even(4))
    stored = sum(tensor.bytes for tensor in sharding.pricing.graph.tensors if tensor.source is not None)
    costs = []
    for cap in (stored, stored // 2, stored // 3, stored // 4, stored // 8):
        limits = stored_limits(sharding, (cap,) * 4)
        answer = solve(replace(sharding.problem, limits=limits)).answer
        costs.append(answer.cost if isinstance(answer, Best) else None)
    able = [cost for cost in costs if cost is not None]
    assert able == sorted(able)
    assert costs[0] == eliminate(sharding.problem).answer.cost < able[-1]
    assert costs[-1] is None


def test_a_condition_never_makes_a_step_faster():
    """A layout less to choose from: what conditions leave costs no less than everything."""
    single, machines = parse_program(MOMENTUM), cluster((10**9, 3 * 10**9), 10)
    shares = (proportional(machines.speeds),)
    free = shard(single, machines, shares, beside=False)
    dearer = 0
    for name in ("x", "w", "m"):
        for layout in ("replicated", "sliced(0)", "sliced(1)"):
            try:
                fixed = shard(single, machines, shares, conditions=(f"{name} {layout}",), beside=False)
            except ProblemError:
                continue
            assert fixed.account.apart >= free.account.apart
            assert fixed.lower_bound >= free.lower_bound
            dearer += fixed.account.apart > free.account.apart
    assert dearer > 2
