"""What a sharding claims of its bound and its proof is what the engine and the checker said."""

from dataclasses import replace
from pathlib import Path

import pytest

import p2smt.tensor
from p2smt.cost.network.backend import Nccl
from p2smt.errors import EngineError
from p2smt.problem.system.text import find_system
from p2smt.spmd.devices.shares import even
from p2smt.spmd.devices.system import cluster_of
from p2smt.spmd.engines import solving
from p2smt.spmd.engines.engine import ShardingEngine
from p2smt.spmd.engines.ilp import IlpResult, solve
from p2smt.spmd.search import sharding
from p2smt.tensor.text.parser import parse_program

STEP = Path(p2smt.tensor.__file__).parent / "examples" / "mlp_step.tp"
PROGRAM = parse_program(STEP.read_text(encoding="utf-8"))
CLUSTER = cluster_of(find_system("hap-a100-p100"), Nccl(), 1e9)


def test_the_bound_of_highs_is_what_it_proved_and_not_what_it_found(monkeypatch):
    pytest.importorskip("scipy")

    def unsure(problem):
        solved = solve(problem)
        return replace(solved, bound=solved.bound // 2)

    sure = sharding.shard(PROGRAM, CLUSTER, [even(4)], ShardingEngine.ILP, beside=False)
    exact = sharding.shard(PROGRAM, CLUSTER, [even(4)], beside=False)
    assert 0 < sure.lower_bound <= exact.lower_bound
    assert sure.account.time == exact.account.time
    monkeypatch.setattr(solving, "solve", unsure)
    assert (
        sharding.shard(PROGRAM, CLUSTER, [even(4)], ShardingEngine.ILP, beside=False).lower_bound
        <= sure.lower_bound / 2
    )


def test_a_bound_above_what_was_found_is_not_believed(monkeypatch):
    pytest.importorskip("scipy")
    exact = sharding.shard(PROGRAM, CLUSTER, [even(4)], beside=False)
    monkeypatch.setattr(solving, "solve", lambda problem: IlpResult(solve(problem).answer, 10**18))
    assert (
        sharding.shard(PROGRAM, CLUSTER, [even(4)], ShardingEngine.ILP, beside=False).lower_bound <= exact.lower_bound
    )


def test_a_certificate_that_is_not_accepted_is_no_proof(monkeypatch):
    monkeypatch.setattr(solving, "check_certificate", lambda *_: "a message is too high")
    with pytest.raises(EngineError, match="; leave certify out, and please report this defect of p2smt"):
        sharding.shard(PROGRAM, CLUSTER, [even(4)], certify=True, beside=False)
