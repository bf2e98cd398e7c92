"""A single-device program in several shardings: never slower than the separate commands in sequence."""

import random
from dataclasses import replace
from types import SimpleNamespace

import pytest
from tiers import sample

from p2smt.cost.network.backend import Nccl
from p2smt.job import shardings as module
from p2smt.job.arithmetic_bound import least_step_seconds
from p2smt.job.infeasible import Infeasible
from p2smt.job.joint import Joint, joint
from p2smt.job.optimize import Unfinished
from p2smt.job.schedules import machine_of
from p2smt.job.shardings import BestSharding, NamedSharding, SingleDeviceStep, TrialOutcome, best_sharding, shardings
from p2smt.job.tuning_options import TuningOptions
from p2smt.job.without_collectives import WithoutCollectives
from p2smt.problem.model import Search
from p2smt.problem.system.text import find_system
from p2smt.schedule.cost.machine import Machine
from p2smt.smt.answer import Stop
from p2smt.spmd.request import ShardingRequest, shard_program
from p2smt.tensor.text.parser import parse_program

STEP = """program step
input x : f32[{batch}, {width}]
parameter w : f32[{width}, {hidden}]
parameter v : f32[{hidden}, {width}]
scalar lr
h = relu(matmul(x, w))
e = matmul(h, v)
dv = matmul(transpose(h, 1, 0), e)
dh = matmul(e, transpose(v, 1, 0))
dw = matmul(transpose(x, 1, 0), dh)
w2 = update(w, w - lr * dw)
v2 = update(v, v - lr * dv)
loss = sum(e * e)
output loss
"""
SYSTEMS = ("node:2,gpu:2", "dgx-h100:1x4", "node:4", "dgx-a100:2x2")
SEARCH, ASKED = Search(limit=3), TuningOptions(depth=1, backend=Nccl())


def program(seed):
    rng = random.Random(seed)
    sizes = {name: 1 << rng.randint(6, 13) for name in ("batch", "width", "hidden")}
    return parse_program(STEP.format(**sizes))


def seconds(result):
    return result.best.estimate.seconds if isinstance(result, Joint) else result.estimate.seconds


@pytest.mark.thorough  # the trials below are in the order of their times
@pytest.mark.parametrize(("seed", "system"), sample([(seed, SYSTEMS[seed % 4]) for seed in range(20)], 1))
def test_never_slower_than_the_commands_in_sequence(seed, system):
    step, devices = program(seed), find_system(system)
    best = best_sharding(SingleDeviceStep(step, ShardingRequest()), devices, (), SEARCH, ASKED)
    assert isinstance(best, BestSharding)
    for mesh in (None, "auto"):
        for buckets in (0, None):
            sharded = shard_program(step, devices, ShardingRequest(shares="even", mesh=mesh, buckets=buckets)).program
            alone = seconds(joint(sharded, devices, (), SEARCH, ASKED))
            assert seconds(best.result) <= alone * (1 + 1e-9), (mesh, buckets)
    assert best.tried[0].seconds == pytest.approx(seconds(best.result))
    assert [one.seconds for one in best.tried] == sorted(one.seconds for one in best.tried)
    # five products, each of two operations for every sample, input and hidden value
    machine = machine_of(devices, step, Nccl())
    assert machine.model is not None
    rate = machine.model.speed("float32") * devices.devices
    sizes = dict(step.sizes) or {source.name: source.shape for source in step.sources}
    (batch, width), (_, hidden) = sizes["x"], sizes["w"]
    assert best.bound == pytest.approx(10 * batch * width * hidden / rate)
    assert all(best.bound <= one.seconds for one in best.tried)
    assert best.gap == pytest.approx(1 - best.bound / seconds(best.result))


def test_the_bound_counts_products_that_are_needed_and_each_of_them_once():
    text = "program one\ninput x : f32[64, 32]\nparameter w : f32[32, 16]\n"
    machine = Machine.of(find_system("dgx-h100:1x4"), 1e12)
    plain = least_step_seconds(parse_program(f"{text}y = matmul(x, w)\noutput y\n"), machine)
    assert plain == 2 * 64 * 32 * 16 / 4e12
    twice = parse_program(f"{text}y = relu(matmul(x, w)) + matmul(x, w)\nz = matmul(w, transpose(w, 1, 0))\noutput y\n")
    assert least_step_seconds(twice, machine) == plain
    none = parse_program(f"{text}y = x + x\noutput y\n")
    assert least_step_seconds(none, machine) == 0


@pytest.mark.parametrize(
    ("ending", "complete", "outcome"),
    [
        (Unfinished(Stop.DEADLINE, "the deadline has passed"), False, TrialOutcome.UNFINISHED),
        (Infeasible(*[()] * 7), True, TrialOutcome.INFEASIBLE),
        (None, True, TrialOutcome.COMPLETE),
    ],
)
def test_a_sharding_whose_search_was_stopped_makes_the_answer_incomplete(ending, complete, outcome, monkeypatch):
    """The best of the others is given, and the one that may be faster is listed."""

    def one_fails(program, *given):
        if ending is not None and program == last:
            return ending
        return WithoutCollectives(program, SimpleNamespace(seconds=1.0))

    step, system = SingleDeviceStep(program(1), ShardingRequest(), meshes=False), find_system("node:2,gpu:2")
    every = [replace(one, required=True) for one in shardings(step, system)]
    last = every[-1].program
    monkeypatch.setattr(module, "shardings", lambda *given: tuple(every))
    monkeypatch.setattr(module, "joint", one_fails)
    best = best_sharding(step, system, (), SEARCH, ASKED)
    assert len(every) > 1
    assert best.complete == complete
    assert outcome in [one.outcome for one in best.tried]
    assert best.tried[0].outcome is TrialOutcome.COMPLETE


def test_each_rival_bounds_the_next_and_the_bound_on_all_ends_the_search(monkeypatch):
    step, system = SingleDeviceStep(program(1), ShardingRequest(), meshes=False), find_system("node:2,gpu:2")
    every = tuple(NamedSharding(name, step.program, required=True) for name in ("a", "b", "c"))
    rivals = []

    def scheduled(one, *given):
        rivals.append(given[-1].rival)
        return WithoutCollectives(one, SimpleNamespace(seconds=[2.0, 1.0][len(rivals) - 1]))

    monkeypatch.setattr(module, "shardings", lambda *given: every)
    monkeypatch.setattr(module, "joint", scheduled)
    monkeypatch.setattr(module, "estimate", lambda *given: SimpleNamespace(seconds=3.0))
    monkeypatch.setattr(module, "least_step_seconds", lambda *given: 1.0)
    best = best_sharding(step, system, (), SEARCH, ASKED)
    assert rivals == [None, 2.0]
    assert [one.name for one in best.tried if one.outcome is TrialOutcome.COMPLETE] == ["b", "a"]
    assert [one.name for one in best.tried if one.outcome is TrialOutcome.BEATEN] == ["c"]


def test_with_conditions_there_is_one_axis():
    every = shardings(SingleDeviceStep(program(1), ShardingRequest(), meshes=False), find_system("node:2,gpu:2"))
    assert {len(one.program.mesh) for one in every} == {1}
    assert next(one.name for one in every if one.required) == "one axis"
