"""Advice on a model's training: the same job as `optimize` sees, sends counted device by device, splits by memory."""

from dataclasses import fields, replace
from itertools import product

import pytest
from tiers import sample

from p2smt.collective import NeighbourSend
from p2smt.cost.network.backend import cost_of
from p2smt.job.advice import Advice, advise, sends_seconds, training
from p2smt.job.job_pricer import JobPricer
from p2smt.job.optimize import Optimum, optimize
from p2smt.job.placed_step import hidden_seconds, placed_seconds
from p2smt.job.step.step_time import StepTime
from p2smt.placement.digits import DeviceMap, split
from p2smt.placement.enumeration import all_placements
from p2smt.problem.job_file import read_job, training_text
from p2smt.problem.model import Search
from p2smt.problem.system.link import Duplex
from p2smt.problem.system.text import find_system
from p2smt.problem.transformer.model import Zero
from p2smt.problem.transformer.named import named_model
from p2smt.problem.transformer.splits import SplitChoice, the_split

SYSTEM = find_system("dgx-h100:4x8")
MODEL = named_model("llama-8b", 128)


def advice(system=SYSTEM, model=MODEL, **parts):
    job = training(system, model, the_split(SplitChoice(**parts), system.devices), Search())
    result = advise(job, cost_of(system))
    assert isinstance(result, Advice)
    return result


@pytest.mark.parametrize(
    ("described", "parts"),
    sample(product(["name", "tables"], [{"tp": 4, "pp": 2}, {"tp": 8}, {"dp": 32}, {"tp": 2, "cp": 4, "pp": 4}]), 5),
)
def test_advice_agrees_with_optimize_on_the_job_that_it_writes(parts, described, tmp_path):
    found = advice(**parts)
    path = tmp_path / "job.toml"
    system = "dgx-h100:4x8" if described == "name" else SYSTEM
    path.write_text(training_text(system, found.training.transformer, found.training.parallelism), encoding="utf-8")
    workload = read_job(path)
    assert workload.reductions == found.training.workload.reductions
    optimum = optimize(workload, cost_of(workload.system))
    assert isinstance(optimum, Optimum)
    seconds = {one.matrix: one.seconds for one in optimum.placements}
    assert {one.matrix: one.seconds for one in found.times} == seconds
    assert found.best.seconds == optimum.best.seconds
    assert (sends_seconds(found.best) > 0) == (found.training.parallelism.pp > 1)


def test_the_fastest_with_its_sends_comes_first_and_the_usual_one_where_it_is_as_fast():
    found = advice(tp=4, pp=2)
    times = [one.seconds for one in found.times]
    assert times[0] == pytest.approx(min(times))
    assert times[1:] == sorted(times[1:])
    assert found.usual is found.best
    assert (found.loss, found.order) == (0.0, (0, 1, 2))


def test_what_the_usual_order_loses():
    long = named_model("llama2-7b", 8, sequence=1 << 18)
    found = advice(model=long, tp=2, cp=16)
    assert found.usual is not None
    assert found.usual is not found.best
    assert found.loss == pytest.approx(found.usual.seconds / found.best.seconds - 1)
    assert found.loss > 0.05
    assert found.step_loss is None  # no step was predicted


def test_an_order_that_is_no_placement_is_not_compared():
    model = named_model("llama2-7b", 48)
    found = advice(find_system("node:4,gpu:6"), model, tp=4, dp=6)
    assert found.usual is None
    assert found.loss == 0.0


def sends_on(job, matrix):
    """What the sends of a step take, each waited for."""
    time = JobPricer(job.workload, cost_of(job.workload.system)).placement(matrix)
    assert time is not None
    return sends_seconds(time)


def sends_by_force(job, matrix, axis):
    """Bytes through every port, from each device to its next stage, on levels with one full-duplex port per unit."""
    system, parallelism, network = job.workload.system, job.parallelism, job.workload.system.network
    sizes = [level.size for level in system.levels]
    devices = DeviceMap(matrix)
    at = {coordinates: device for device, coordinates in enumerate(devices)}
    out, into = {}, {}
    used = set()
    for coordinates, device in at.items():
        if coordinates[axis] + 1 == parallelism.pp:
            continue
        after = (*coordinates[:axis], coordinates[axis] + 1, *coordinates[axis + 1 :])
        here, there = split(device, sizes), split(at[after], sizes)
        level = next(number for number, pair in enumerate(zip(here, there, strict=True)) if pair[0] != pair[1])
        used.add(level)
        for side, place in ((out, here), (into, there)):
            key = level, place[: level + 1]
            side[key] = side.get(key, 0) + 1
    links = {number: system.network.at(level.name)[0] for number, level in enumerate(system.levels)}
    per_level = [
        max(amount for side in (out, into) for (own, _), amount in side.items() if own == level)
        / links[level].bandwidth
        for level in used
    ]
    (send,) = (one for one in job.workload.reductions if isinstance(one.goal, NeighbourSend))
    memory = 2 * send.payload.bytes / network.memory_bandwidth
    latency = max(links[level].latency for level in used)
    return send.times * (max(per_level) * send.payload.bytes + latency + memory + network.launch)


@pytest.mark.parametrize("system", ["node:4,gpu:4", "rack:2,node:2,gpu:4"])
def test_sends_are_those_of_every_device_to_the_next_stage(system):
    plain = find_system(system)
    network = plain.network
    levels = [level.name for level in plain.levels]
    assert [link.level for link in network.links] == levels
    counted = 0
    for tp, pp in ((2, 4), (1, 8), (4, 2), (1, 2)):
        job = training(plain, MODEL, the_split(SplitChoice(tp=tp, pp=pp), 16), Search())
        axis = [one.name for one in job.workload.axes].index("pp")
        for matrix in all_placements(job.workload).items:
            if len(levels) > 2 and sum(factor > 1 for factor in matrix.rows[axis]) > 1:
                continue  # a middle level's port is an uplink too
            if all(matrix.rows[axis][level] == 1 for level in range(1, len(levels) - 1)):
                assert sends_on(job, matrix) == pytest.approx(sends_by_force(job, matrix, axis))
                counted += 1
    assert counted > 8


def test_with_several_chunks_per_stage_the_last_stage_sends_to_the_first():
    """Over a cable that both directions share, two stages send in one direction, or, with two chunks each, in both."""
    plain = find_system("node:2,gpu:2")
    links = tuple(replace(link, duplex=Duplex.HALF, latency=0.0) for link in plain.network.links)
    network = replace(plain.network, links=links, launch=0.0, memory_bandwidth=float("inf"))
    system = replace(plain, network=network)
    per_byte = {}
    for chunks in (1, 2):
        job = training(system, MODEL, the_split(SplitChoice(tp=2, pp=2, chunks=chunks), 4), Search())
        axis = [one.name for one in job.workload.axes].index("pp")
        matrix = next(one for one in all_placements(job.workload).items if one.rows[axis] == (2, 1))
        (send,) = (one for one in job.workload.reductions if isinstance(one.goal, NeighbourSend))
        per_byte[chunks] = sends_on(job, matrix) / (send.times * send.payload.bytes)
    assert per_byte[2] == pytest.approx(2 * per_byte[1])


def test_one_stage_sends_nothing():
    assert sends_seconds(advice(tp=8).best) == 0.0


def test_gathers_that_computing_hides_do_not_put_tensor_parallelism_across_nodes():
    """ZeRO 3 gathers as much as tensor parallelism sends, but a step does not wait for it."""
    system = find_system("dgx-h100:4x8")
    split = the_split(SplitChoice(tp=8, zero=Zero.PARAMETERS), 32)
    model = named_model("llama-70b", 32, sequence=8192)
    step = step_of(linear=30.0, tensor=8.0, gathers=2.0)
    found = advise(training(system, model, split, Search(), step=step), cost_of(system))
    assert isinstance(found, Advice)
    axes = [axis.name for axis in found.training.workload.axes]
    assert found.best.matrix.rows[axes.index("tp")] == (1, 8)
    assert found.best is found.usual
    assert found.step_seconds(found.best) == step.seconds


def test_the_step_on_a_placement_waits_for_the_part_of_communication_that_it_waits_for_in_the_usual_order():
    """Checked by hand: tensor parallelism is exposed by a quarter, sends not at all, gradients in full."""
    before = advice(tp=4, pp=2)
    usual, job = before.usual, before.training
    assert usual is not None
    network = {one.reduction.name: one.seconds for one in usual.reductions}
    tensor = network["activations, gathered"] + network["activations, scattered"]
    gradients = network["gradients"] + network["parameters"]
    step = step_of(linear=10.0, tensor=tensor / 4, gradients=2 * gradients)
    for placed in before.times:
        there = {one.reduction.name: one.seconds for one in placed.reductions}
        more = (there["activations, gathered"] + there["activations, scattered"] - tensor) / 4
        more += there["gradients"] + there["parameters"] - gradients
        found = placed_seconds(step, job.workload, job.parallelism, usual, placed)
        assert found == pytest.approx(step.seconds + more)


def test_a_difference_below_a_thousandth_of_the_step_leaves_the_usual_order():
    before = advice(tp=4, pp=2)
    job = replace(before.training, step=step_of(linear=1e6, tensor=1e-3))
    found = advise(job, cost_of(job.workload.system))
    assert isinstance(found, Advice)
    assert found.best is found.usual


def test_hidden_communication_is_what_the_step_does_not_wait_for():
    placed = advice(tp=4, pp=2).best
    assert hidden_seconds(step_of(linear=1.0, tensor=placed.seconds / 4), placed) == pytest.approx(
        placed.seconds * 3 / 4
    )
    assert hidden_seconds(step_of(linear=1.0, tensor=placed.seconds * 4), placed) == 0.0


def step_of(**parts):
    """A step with these seconds, and 0 for all other parts."""
    return StepTime(**{each.name: parts.get(each.name, 0.0) for each in fields(StepTime)})
