"""A program scheduled, placed and given reduction programs together, beside every pair priced by itself."""

import json
from dataclasses import replace
from functools import cache
from itertools import product

import pytest
from command_line import output
from paths import ROOT

from p2smt.cli.main import run
from p2smt.collective import Collective
from p2smt.cost.network.backend import Nccl, cost_of
from p2smt.job.carrier import JobContext, ProgramCarrier
from p2smt.job.job_pricer import JobPricer
from p2smt.job.joint import Joint, joint
from p2smt.job.optimize import placements_of
from p2smt.job.schedules import machine_of
from p2smt.job.sharded import sharded_workload
from p2smt.job.tuning_options import TuningOptions
from p2smt.problem.model import Search
from p2smt.problem.system.device_model_entries import device_model
from p2smt.problem.system.text import find_system
from p2smt.schedule.check import check_schedule
from p2smt.schedule.cost.estimate import estimate
from p2smt.schedule.cost.machine import Machine, devices
from p2smt.schedule.cost.pricer import Pricer
from p2smt.schedule.scheduled import ScheduledProgram
from p2smt.schedule.tuner.search import tune
from p2smt.smt.answer import Enumeration, Stop
from p2smt.tensor.footprint import footprint
from p2smt.tensor.text.parser import parse_program
from p2smt.verify.verdict import Proved

TWO_AXES = """program two
mesh data=2, model=4
input x : f32[64, N] partial(+, model) partial(+, data)
parameter b : f32[N]
sum = AllReduce(x, axis=model)
both = AllReduce(sum, axis=data)
y = relu(both + b)
output y
"""
NODES = find_system("node:2,gpu:4")
SEARCH = Search(limit=3)


def program(length):
    return parse_program(TWO_AXES.replace("N", str(length)))


def answer(length, depth=2, conditions=(), **more):
    result = joint(program(length), NODES, conditions, SEARCH, TuningOptions(depth=depth, backend=Nccl(), **more))
    assert isinstance(result, Joint)
    return result


def placed_machine(found, matrix):
    """What prices the program on a placement: the slowest device's roofline."""
    priced = Machine.priced(NODES, None, Nccl())
    assert priced.model is not None
    return replace(priced, cost=found.cost, placement=matrix, carrier=ProgramCarrier(found, matrix))


@cache
def whole_answer(length):
    return answer(length)


@pytest.mark.parametrize("length", [pytest.param(16, marks=pytest.mark.thorough), 1 << 16])  # placed alike
def test_the_pairs_are_those_of_every_placement_and_the_best_is_the_least(length):
    result = whole_answer(length)
    assert result.complete
    workload = sharded_workload(program(length), NODES, (), SEARCH)
    found = JobContext(workload, cost_of(NODES))
    matrices = placements_of(workload).items
    schedules = {each.priced.schedule: each.priced.scheduled for each in result.placed}
    assert () in schedules
    assert len(schedules) > 1
    assert len(matrices) > 1
    everything = {}
    for (schedule, scheduled), matrix in product(schedules.items(), matrices):
        on = placed_machine(found, matrix)
        everything[schedule, matrix] = estimate(scheduled, on).seconds
    assert {(each.priced.schedule, each.matrix): each.estimate.seconds for each in result.placed} == everything
    assert result.best.estimate.seconds == pytest.approx(min(everything.values()))
    for schedule in schedules:
        assert isinstance(check_schedule(program(length), schedule).verdict, Proved)


@pytest.mark.thorough  # pairs of every placement are compared below
def test_the_schedules_that_are_placed_are_the_fastest_of_the_search_where_the_program_as_it_is_is_best():
    result = whole_answer(1 << 16)
    found = JobContext(sharded_workload(program(1 << 16), NODES, (), SEARCH), cost_of(NODES))
    matrix = result.searched_on
    on = placed_machine(found, matrix)
    everything = tune(program(1 << 16), on, 2, programs=False)
    least = [each.estimate.seconds for each in everything.found if each.schedule][:3]
    placed = {each.priced.schedule: each.priced.estimate.seconds for each in result.placed if each.priced.schedule}
    assert sorted(placed.values()) == pytest.approx(least)


def test_a_collective_is_carried_by_the_fastest_of_all_programs():
    cards = find_system("p2-v100:2x4")
    workload = sharded_workload(program(1 << 16), cards, (), SEARCH)
    pricer, found = JobPricer(workload, cost_of(cards)), JobContext(workload, cost_of(cards))
    seen = set()
    for matrix, (number, reduction) in product(placements_of(workload).items, enumerate(workload.reductions)):
        carrier = ProgramCarrier(found, matrix)
        (best,) = pricer.candidates(number, matrix).cheapest()
        price = carrier.price(Collective.ALL_REDUCE, reduction.axes[0], reduction.payload.bytes)
        assert price is not None
        assert price.seconds == pytest.approx(best.seconds)
        seen.add(price.way)
    assert len(seen) > 1


def test_ranks_are_on_the_devices_of_a_placement():
    """What an axis costs by its own program is what a machine of that axis alone costs."""
    text = "program p\nmesh a=2, b=4\ninput x : f32[65536] partial(+, a)\ny = AllReduce(x, axis=a)\noutput y\n"
    plain, cost = ScheduledProgram(parse_program(text)), cost_of(NODES)
    workload = sharded_workload(plain.program, NODES, (), SEARCH)
    prices = {}
    for matrix in placements_of(workload).items:
        on = replace(Machine.priced(NODES, None, Nccl()), cost=cost, placement=matrix)
        assert sorted(devices(plain.program.mesh, on)) == list(range(8))
        prices[str(matrix)] = Pricer(plain, on, footprint(plain.program)).stage(("y",)).seconds
    assert prices["1x2/2x2"] < prices["2x1/1x4"]


def test_a_search_that_is_cut_off_is_no_complete_answer(monkeypatch):
    monkeypatch.setattr("p2smt.job.tuning_options.STATEMENTS", 12)
    result = answer(1 << 16)
    assert not result.complete
    assert result.tuned is not None
    assert result.tuned.cut_off == "4 schedules were found"
    assert result.tuned.left > 0


def test_computing_takes_as_long_as_on_the_slowest_device():
    """One waits for the other at every collective, so what hides behind computing hides behind the slowest."""
    unlike = find_system("hap-a100-p100")
    each = [kind.done("float32") for kind in unlike.kinds]
    assert len({*each}) == 2
    by_speed = machine_of(unlike, program(16), Nccl())
    assert (by_speed.flops, by_speed.model) == (min(each), None)
    by_roofline = machine_of(replace(unlike, computing=None), program(16), Nccl())
    assert by_roofline.model == device_model("p100")


def test_schedules_are_not_searched_where_they_were_not_asked_for_or_communicators_count():
    assert answer(16, depth=0).why_not == "no moves were asked for (--depth 0)"
    limited = answer(16, conditions=("at most 9 communicators",))
    assert limited.why_not == "a condition limits communicators, which schedules do not count"
    assert {each.priced.schedule for each in limited.placed} == {()}


@pytest.mark.thorough  # the joint search is tested without the command
def test_the_command_shards_schedules_places_and_synthesises(tmp_path, capsys):
    path = tmp_path / "mlp_tail.tp"
    text = (ROOT / "p2smt" / "schedule" / "examples" / "mlp_tail.tp").read_text(encoding="utf-8")
    path.write_text(text.replace("program mlp_tail", "program mlp_tail\nmesh rank=4"), encoding="utf-8")
    arguments = ["optimize", str(path), "--system", "p2-v100:1x4", "--depth", "2", "--limit", "2"]
    printed = output(arguments, capsys)
    assert "with this schedule, as it is" in printed
    assert "each with its best program" in printed
    assert "all up to 2 moves" in " ".join(printed.split())
    document = json.loads(output([*arguments, "--json"], capsys))
    assert document["schedule"]["seconds"] < document["schedule"]["untouched_s"]
    assert document["schedule"]["complete"] is True
    assert document["schedule"]["steps"]
    assert document["job"]["reductions"]


def test_a_job_file_has_no_depth(tmp_path, capsys):
    assert run(["example", "job", "--out", str(tmp_path / "job.toml")]) == 0
    assert run(["optimize", str(tmp_path / "job.toml"), "--depth", "2"]) == 2
    assert "--depth is for a tensor program" in capsys.readouterr().err


@pytest.mark.parametrize("ending", Stop)
def test_a_carrier_says_that_not_all_programs_were_found(ending, monkeypatch, tmp_path):
    monkeypatch.setenv("P2SMT_CACHE", str(tmp_path))
    workload = sharded_workload(program(64), NODES, (), SEARCH)
    monkeypatch.setattr("p2smt.reduction.synth.session.find_programs", lambda *_: Enumeration((), ending))
    carrier = ProgramCarrier(JobContext(workload, cost_of(NODES)), placements_of(workload).items[0])
    assert carrier.ended is Stop.EXHAUSTED
    carrier.price(Collective.ALL_REDUCE, 0, 1 << 20)
    assert carrier.ended is ending
