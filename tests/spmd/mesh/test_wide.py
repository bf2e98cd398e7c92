"""Large programs on three axes: axes alone bound them first, and one placement is searched for all."""

import pytest

from p2smt.cost.network.backend import Nccl
from p2smt.problem.system.text import find_system
from p2smt.spmd.devices.system import cluster_of
from p2smt.spmd.search.mesh import search as search_module
from p2smt.spmd.search.mesh.choice import meshes_of
from p2smt.spmd.search.mesh.search import MeshSearch
from p2smt.spmd.search.mesh.sharding import shard_on
from p2smt.spmd.search.searching import made_of
from p2smt.tensor.text.parser import parse_program

SMALL = """program small
input x : f32[64, 32]
parameter w : f32[32, 16]
loss = sum(relu(matmul(x, w)))
output loss
"""
SYSTEM = find_system("dgx-h100:2x4")


def answer(**given):
    cluster = cluster_of(SYSTEM, Nccl(), 1e9)
    return shard_on(parse_program(SMALL), meshes_of("2,2,2", SYSTEM, cluster, Nccl()), beside=False, **given)


@pytest.fixture(name="wide")
def wide_search(monkeypatch):
    """All programs are large."""
    monkeypatch.setattr(search_module, "MOST_PAIRS", 0)
    monkeypatch.setattr(search_module, "_MANY_PAIRS", 0)


def test_strategies_that_share_a_program_take_what_each_takes_by_itself(wide, monkeypatch):
    def times():
        cluster = cluster_of(SYSTEM, Nccl(), 1e9)
        found = shard_on(parse_program(SMALL), meshes_of("2,4", SYSTEM, cluster, Nccl()))
        return {name: each.account.time for name, each in found.baselines}

    shared = times()
    monkeypatch.setattr(MeshSearch, "_written", lambda _, turn: made_of(turn.sharding, turn.assignment))
    assert shared == times()
    assert len(set(shared.values())) > 1


def test_programs_of_other_placements_are_where_a_search_begins(wide, monkeypatch):
    begun = []
    start = MeshSearch._start
    monkeypatch.setattr(MeshSearch, "_start", lambda self, *given: begun.append(self) or start(self, *given))
    # Otherwise the bounds of the other placements are above what the first one finds, and none is searched.
    monkeypatch.setattr(MeshSearch, "not_worthwhile", lambda *_: 10**30)
    found = answer(certify=True)
    assert len(begun) == 1 < len(found.scope.tried)
    assert found.proved
    assert found.lower_bound <= found.account.time


@pytest.mark.thorough  # test_joint.py holds bounds of meshes below their programs
def test_the_bound_is_below_the_optimum_and_the_least_of_all_placements(wide, monkeypatch):
    found = answer()
    alone = []
    monkeypatch.setattr(MeshSearch, "raised", lambda self, *_: alone.append(self.alone.bound))
    first = answer()
    assert first.lower_bound == min(alone[0], *[each.bound for each in first.scope.tried]) <= found.lower_bound
    assert found.lower_bound == min(each.bound for each in found.scope.tried)
    monkeypatch.setattr(search_module, "MOST_PAIRS", 10**6)
    exact = answer()
    assert exact.scope.exact
    assert found.lower_bound <= exact.lower_bound <= exact.account.time <= found.account.time
