"""Bus bandwidths in tables and documents, held to nccl-tests' own formulas on links whose rate is known."""

import json

import pytest
from looped import looped

from p2smt.cli.main import run
from p2smt.collective import Collective, Exchange, NeighbourSend
from p2smt.cost.bus_bandwidth import bus_bandwidth, rate_cell, work_bus_bandwidth
from p2smt.cost.network.backend import Nccl, cost_of
from p2smt.cost.network.cost import Work
from p2smt.cost.network.pattern import Pattern, Role
from p2smt.problem.system.algorithm import Algorithm
from p2smt.problem.system.text import find_system


@looped(
    ("goal", "factor"),
    [
        (Collective.ALL_REDUCE, 1.75),
        (Collective.REDUCE_SCATTER, 0.875),
        (Collective.ALL_GATHER, 0.875),
        (Exchange.ALL_TO_ALL, 0.875),
        (Collective.REDUCE, 1.0),
        (Collective.BROADCAST, 1.0),
        (Exchange.SEND, 1.0),
        (NeighbourSend.NEXT, 1.0),
        (NeighbourSend.AROUND, 1.0),
    ],
)
def test_factors_are_those_of_nccl_tests(goal, factor):
    assert bus_bandwidth(goal, 8, 1000, 0.5) == pytest.approx(2000 * factor)
    assert bus_bandwidth(goal, 1, 1000, 0.5) is None
    assert bus_bandwidth(goal, 8, 1000, 0.0) is None


@looped("collective", [Collective.ALL_REDUCE, Collective.REDUCE_SCATTER, Collective.ALL_GATHER])
def test_a_ring_of_large_messages_shows_the_rate_of_its_link(collective):
    """8 devices behind one port each: the ring keeps every port busy, whatever it carries; memory takes some 10 %."""
    system = find_system("node:1,gpu:8")
    (link,) = [one for one in system.network.links if one.name == "gpu"]
    held = 2.0**34 / (8 if collective is Collective.ALL_GATHER else 1)
    work = Work(collective, Pattern(((), ((Role.VARYING, 8),))), held)
    cost = cost_of(system, Nccl(Algorithm.RING)).work_cost(work)
    assert work_bus_bandwidth(work, cost.links_s) == pytest.approx(link.bandwidth, rel=0.02)


def test_cells():
    assert [rate_cell(rate) for rate in (None, 3.2e9, 44.06e9, 478e9, 1234e9)] == ["", "3.2", "44.1", "478", "1234"]


SMALL = ["--system", "node:2,gpu:4", "--axes", "8", "--reduce", "0", "--bytes", "256MiB", "--limit", "1"]


def test_documents_have_the_rate_beside_every_time(capsys):
    assert run(["rank", *SMALL, "--json"]) == 0
    (first, *_) = json.loads(capsys.readouterr().out)["programs"]
    assert first["busbw_bytes_per_s"] == pytest.approx(1.75 * 2**28 / first["cost_s"])
    assert run(["synth", *SMALL, "--json"]) == 0
    (placed, *_) = json.loads(capsys.readouterr().out)["placements"]
    assert placed["best"]["busbw_bytes_per_s"] == pytest.approx(1.75 * 2**28 / placed["best"]["cost_s"])
    assert placed["allreduce_busbw_bytes_per_s"] == pytest.approx(1.75 * 2**28 / placed["allreduce_cost_s"])
