"""Calls, messages and ports of cores that all devices share: counted by hand, and against the bytes of hops."""

from dataclasses import replace
from itertools import product

import pytest
from looped import looped
from support import problem

from p2smt.collective import Collective
from p2smt.cost.calibration.measurement import Measurement
from p2smt.cost.calibration.parameters import parameters
from p2smt.cost.calibration.prediction import predictor
from p2smt.cost.explanation import causes
from p2smt.cost.network.backend import Gloo, Nccl, cost_of
from p2smt.cost.network.cost import Work
from p2smt.cost.network.gloo import gloo_hops
from p2smt.cost.network.members import MembersCost
from p2smt.cost.network.pattern import Pattern, Role
from p2smt.cost.network.processing import gloo_messages
from p2smt.problem.system.file import preset, resized
from p2smt.problem.system.processors import Processors
from p2smt.problem.system.text import find_system
from p2smt.reduction.plan.program_plan import program_plan

HOSTS = resized(preset("lab"), (2, 4))
EVERYONE = Pattern((((Role.VARYING, 2),), ((Role.VARYING, 4),)))
INSIDE = Pattern((((Role.FREE, 2),), ((Role.VARYING, 4),)))
ACROSS = Pattern((((Role.VARYING, 2),), ((Role.FREE, 4),)))
ROOTS = Pattern((((Role.VARYING, 2),), ((Role.ZERO, 4),)))
CALL, MESSAGE, PORT = 1e6, 1e3, 1.0
"""Seconds whose sums can be read digit by digit; and so long that a step takes nothing else to speak of."""


def shared(system, cores=1, call=CALL, message=MESSAGE, port=PORT):
    return replace(system, network=replace(system.network, processors=Processors(cores, call, message, port)))


def step(collective, pattern, system=HOSTS, **figures):
    return cost_of(shared(system, **figures), Gloo()).work_cost(Work(collective, pattern, 8.0))


@looped(
    ("collective", "pattern", "everyone", "most"),
    [
        (Collective.ALL_REDUCE, EVERYONE, 8_112_056, 1_014_014),  # 14 messages each; two of eight neighbours are away
        (Collective.REDUCE_SCATTER, INSIDE, 8_048_000, 1_006_000),  # the loopback is no port
        (Collective.ALL_GATHER, ACROSS, 8_008_016, 1_001_002),
        (Collective.REDUCE, INSIDE, 8_030_000, 1_004_500),  # a root gets three more, the others send one
        (Collective.REDUCE, ACROSS, 8_012_024, 1_001_503),
        (Collective.BROADCAST, EVERYONE, 8_007_008, 1_002_001.0),  # the root sends three, one of them away; half is its
        (Collective.BROADCAST, ROOTS, 2_001_002, 1_000_501),
    ],
)
def test_what_all_devices_and_the_busiest_one_take_by_hand(collective, pattern, everyone, most):
    for cores in (1, 3):
        cost = step(collective, pattern, cores=cores)
        assert cost.processors_s == pytest.approx(everyone / cores)
        if collective is not Collective.BROADCAST:
            assert cost.own_s == pytest.approx(most)


def test_of_a_broadcast_half_a_message_is_the_senders():
    """Of eight the first sends three, the last of them to the other host; place 1 gets one and sends two."""
    assert step(Collective.BROADCAST, EVERYONE, port=0).own_s == pytest.approx(CALL + 1.5 * MESSAGE)
    assert step(Collective.BROADCAST, EVERYONE, message=0).own_s == pytest.approx(CALL + 2 * PORT / 2)


def test_a_message_passes_the_ports_of_all_levels_that_it_goes_through():
    """Racks of hosts of one rank: to the next host two ports; to the next rack the hosts' and the racks'."""
    racks = find_system("rack:2,host:2,rank:1")
    near = Pattern((((Role.FREE, 2),), ((Role.VARYING, 2),), ()))
    far = Pattern((((Role.VARYING, 2),), ((Role.FREE, 2),), ()))
    for pattern, ports in ((near, 2), (far, 4)):
        taken = step(Collective.ALL_REDUCE, pattern, racks, call=0, message=0).processors_s
        ranks = racks.network.links[2].uplink * 2  # bare levels: a rank's own port lies on the way too
        assert taken == 8 * (ports + ranks)


@looped(("kind", "size"), list(product(Collective, (2, 3, 4, 7))))
def test_messages_carry_the_bytes_of_hops(kind, size):
    """Each a block of the payload, or all that one holds."""
    each = 1.0 if kind in (Collective.ALL_GATHER, Collective.BROADCAST) else 1 / size
    sent, moved = {}, {}
    for source, target, count in gloo_messages(kind, size):
        sent[source, target] = sent.get((source, target), 0) + count * each
    for source, target, part in gloo_hops(kind, size):
        moved[source, target] = moved.get((source, target), 0) + part
    assert sent == pytest.approx(moved)


def test_a_step_alone_takes_its_latency_or_the_work_of_cores_whichever_is_more():
    for message in (0.0, 1e-5, 1e-2):
        alone = cost_of(HOSTS, Gloo()).work_cost(Work(Collective.ALL_REDUCE, EVERYONE, 1e6))
        beside = cost_of(shared(HOSTS, 2, 0.0, message, 0.0), Gloo()).work_cost(
            Work(Collective.ALL_REDUCE, EVERYONE, 1e6)
        )
        work = 112 * message / 2
        assert beside.seconds == pytest.approx(alone.seconds + max(0, work - alone.latency_s - alone.launch_s))
        assert sum(causes([beside]).values()) == pytest.approx(beside.seconds)
        assert ("shared cores" in causes([beside])) is (work > alone.fixed_s)


def test_the_predictor_of_a_fit_knows_that_a_step_takes_its_cores():
    """Latency is fitted where it is more than the work of cores, which is known."""
    for message in (1e-5, 1e-2):
        system = shared(HOSTS, 2, 0.0, message, 0.0)
        works = (Work(Collective.ALL_REDUCE, EVERYONE, 1e6), Work(Collective.BROADCAST, INSIDE, 1e4))
        row = Measurement(place="row", group="all", sizes=(2, 4), backend=Gloo(), works=works, seconds=1.0)
        (seconds,) = predictor(system, [row]).predict(parameters(system.network))
        cost = cost_of(system, Gloo())
        assert seconds == pytest.approx(sum(cost.work_cost(work).seconds for work in works))


def test_nccl_takes_no_cores_and_nothing_else_changes():
    asked = problem((2, 4), [8])
    plan = program_plan(asked, "(root, InsideGroup, ReduceScatter); (root, InsideGroup, AllGather)")
    crowded = shared(asked.system, 1)
    assert cost_of(crowded, Nccl()).plan_seconds(plan) == cost_of(asked.system, Nccl()).plan_seconds(plan)
    assert cost_of(crowded, Gloo()).plan_seconds(plan) > cost_of(asked.system, Gloo()).plan_seconds(plan)


def test_calls_among_any_devices_take_their_cores_too():
    system = shared(HOSTS, 2, 5e-5, 4e-5, 7e-6)
    one = MembersCost(system, Gloo(), range(8))
    for collective in Collective:
        whole = cost_of(system, Gloo()).work_cost(Work(collective, EVERYONE, 1e4))
        assert one.collective(collective, 1e4) == pytest.approx(whole.seconds)
