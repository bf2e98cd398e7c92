"""Times measured on shaped network cards of one machine, beside what the preset predicts."""

from dataclasses import replace
from math import prod

import pytest

from p2smt.cost.network.nccl import NetworkCost
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.build import build_problem
from p2smt.problem.model import Axis, Payload, Search
from p2smt.problem.system.algorithm import Algorithm
from p2smt.problem.system.file import preset, resized
from p2smt.reduction.language.hierarchy import read_program
from p2smt.reduction.plan.lower import Lowering

FLAT = "(root, InsideGroup, AllReduce)"
SCATTERED = "(host, InsideGroup, ReduceScatter); (host, Parallel(root), AllReduce); (host, InsideGroup, AllGather)"
MASTERS = "(host, InsideGroup, Reduce); (host, Master(root), AllReduce); (host, InsideGroup, Broadcast)"
TWICE = "(host, InsideGroup, AllReduce); (host, Parallel(root), AllReduce)"
PROGRAMS = (FLAT, SCATTERED, MASTERS, TWICE)

# hosts x ranks, network card in Mbit/s, payload in MB, seconds of the four programs (medians of 3, gloo, float32)
MEASURED = [
    ((2, 4), 100, 4, (0.634, 0.418, 0.376, 1.477)),
    ((4, 2), 100, 4, (0.614, 0.583, 0.553, 1.080)),
    ((4, 4), 50, 2, (0.651, 0.553, 0.546, 2.204)),
]


@pytest.mark.parametrize(("sizes", "card", "megabytes", "seconds"), MEASURED)
def test_the_laboratory_is_predicted(sizes, card, megabytes, seconds):
    system = resized(preset("lab"), sizes)
    nic, loopback = system.network.links
    slower = replace(nic, bandwidth=nic.bandwidth * card / 100)
    system = replace(system, network=replace(system.network, links=(slower, loopback)))
    payload = Payload(megabytes * 10**6, "float32")
    problem = build_problem(system, [Axis("data", prod(sizes))], ["data"], payload, Search())
    lowering = Lowering(problem, ParallelismMatrix((sizes,)))
    cost = NetworkCost(system, Algorithm.RING)
    plans = [lowering.plan(read_program(lowering.hierarchy, text)) for text in PROGRAMS]
    predicted = [cost.plan_seconds(plan) for plan in plans]
    assert predicted == pytest.approx(list(seconds), rel=0.12)
