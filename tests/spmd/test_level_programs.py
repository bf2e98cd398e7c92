"""Reduction programs in the place of whole collectives: what they take, and when they are taken."""

from dataclasses import replace
from fractions import Fraction

import pytest
from looped import looped
from tiers import sample

from p2smt.collective import Collective
from p2smt.cost.network.backend import Gloo, Nccl, cost_of
from p2smt.cost.network.members import MembersCost
from p2smt.errors import ProblemError
from p2smt.problem.build import build_problem
from p2smt.problem.model import Axis, Payload, Search
from p2smt.problem.system.devices import SEND, Effort
from p2smt.problem.system.text import find_system
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.synth.session import Synthesizer
from p2smt.spmd.devices.level_programs import LevelPrograms
from p2smt.spmd.devices.network import PICO
from p2smt.spmd.devices.system import cluster_of
from p2smt.tensor.way import Way

GOALS = (Collective.ALL_REDUCE, Collective.REDUCE_SCATTER, Collective.ALL_GATHER)
SIZES = (4096, 2**20, 3 * 2**24)


def priced(network, goal, count, parts):
    match goal:
        case Collective.ALL_REDUCE:
            return network.all_reduce(count)
        case Collective.REDUCE_SCATTER:
            return network.reduce_scatter(count, parts)
        case _:
            return network.all_gather(count, parts)


@looped("name", ["4x4", "2x2x4", "dgx-h100:4x8", *sample(["node:1,gpu:4", "a100:2"], 1)])
@looped("goal", GOALS)
def test_the_fastest_takes_what_the_cheapest_plan_of_a_search_takes(name, goal):
    system = find_system(name)
    cost, programs = cost_of(system, Nccl()), LevelPrograms(system, Nccl())
    for count in SIZES:
        problem = build_problem(
            system, [Axis("all", system.devices)], ["all"], Payload(count, "float32"), Search(limit=3), goal
        )
        (placed,) = Synthesizer().synthesize(problem).placements
        lowering = Lowering(problem, placed.matrix)
        plans = [lowering.plan(program) for program in placed.programs if len(program) > 1]
        assert {plan.program for plan in programs.plans(goal)} == {plan.program for plan in plans}
        found = programs.fastest(goal, count)
        assert (found is None) == (not plans)
        if found is not None:
            seconds, plan = found
            assert seconds == pytest.approx(min(map(cost.plan_seconds, plans)), rel=1e-12)
            assert cost.plan_seconds(replace(plan, payload=problem.payload)) == pytest.approx(seconds, rel=1e-12)


@pytest.mark.parametrize(("name", "backend"), [("lab:2x2", Gloo()), ("lab:2x4", Gloo()), ("dgx-h100:4x8", Nccl())])
def test_a_collective_takes_what_the_fastest_way_takes(name, backend):
    system = find_system(name)
    with_programs, without = (cluster_of(system, backend, programs=each).network for each in (True, False))
    even = (Fraction(1, system.devices),) * system.devices
    ways = set()
    for goal in GOALS:
        for count in SIZES:
            own, found = (priced(network, goal, count, even) for network in (without, with_programs))
            seconds, plan = with_programs.programs.fastest(goal, count)
            assert found.time == min(own.time, round(seconds * PICO))
            assert (found.way is Way.PROGRAM) == (found.time < own.time)
            assert found.plan == (plan if found.way is Way.PROGRAM else None)
            ways.add(found.way)
    assert Way.PROGRAM in ways
    half = (Fraction(1, 2), Fraction(1, 2), *(Fraction(0),) * (system.devices - 2))
    assert with_programs.all_to_all(4096, even, half) == without.all_to_all(4096, even, half)
    for goal in GOALS[1:]:
        mine = with_programs.programs.fastest(goal, 2**20 * system.devices // 2)
        assert priced(with_programs, goal, 2**20, half).time <= round(mine[0] * PICO), "as if all had the largest"


def test_a_reduce_scatter_of_gloo_is_an_exchange_in_its_groups():
    """Two ranks of a host exchange halves, then one of each host with that of the other."""
    system, count = find_system("lab:2x2"), 2**20
    programs = LevelPrograms(system, Gloo())
    inside, across = (MembersCost(system, Gloo(), members) for members in ((0, 1), (0, 2)))
    seconds, plan = programs.fastest(Collective.REDUCE_SCATTER, count)
    assert plan.program == "(host, InsideGroup, ReduceScatter); (host, Parallel(root), ReduceScatter)"
    alone = inside.exchange(count) + across.exchange(count / 2)
    assert alone < seconds < inside.exchange(count) + 2.1 * across.exchange(count / 2), "two pairs share the cards"
    assert not programs.library
    assert LevelPrograms(system, Nccl()).library


def test_processors_carry_what_steps_send_and_get():
    """A byte takes a second: of a half each rank sends a half inside its host, of what is left a half across."""
    system = replace(find_system("lab:2x2"), effort=Effort(weights=((SEND, 1.0),)))
    cluster = cluster_of(system, Gloo(), 1.0, programs=True)
    programs, count = cluster.network.programs, 4000
    scatter, _ = programs.fastest(Collective.REDUCE_SCATTER, count)
    gather, _ = programs.fastest(Collective.ALL_GATHER, count)
    both, _ = programs.fastest(Collective.ALL_REDUCE, count)
    assert scatter == gather == count / 2 + count / 4
    assert both == pytest.approx(2 * count / 2 + count / 2, rel=1e-6)


def test_systems_without_steps_are_refused():
    with pytest.raises(ProblemError, match="hap-v100-p100 has times of whole collectives, but not of the steps of"):
        LevelPrograms(find_system("hap-v100-p100"), Nccl())
    for name in ("gpu:1", "node:256,gpu:8"):
        with pytest.raises(ProblemError, match="--programs support 2 to"):
            LevelPrograms(find_system(name), Nccl())
