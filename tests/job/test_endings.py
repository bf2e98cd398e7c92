"""Of a job's questions none is answered after its time, and a schedule that was not placed leaves no whole answer."""

import time
from dataclasses import replace

import pytest
from job.test_joint import NODES, SEARCH, answer, program
from job.test_orders import two_axes
from job.test_stopping import job

from p2smt.cli.main import run
from p2smt.cli.output.joint import joint_document, print_joint
from p2smt.cost.network.backend import Nccl, cost_of
from p2smt.cost.network.nccl import NetworkCost
from p2smt.job.infeasible import Infeasible, explain_infeasible
from p2smt.job.joint import joint
from p2smt.job.mesh_price import mesh_price
from p2smt.job.optimize import Optimum, Unfinished, optimize
from p2smt.job.possible import Possible
from p2smt.job.tuning_options import TuningOptions
from p2smt.placement import enumeration
from p2smt.placement.enumeration import all_placements
from p2smt.placement.mesh_reading import read_given
from p2smt.problem.system.text import find_system
from p2smt.smt.answer import Enumeration, NoAnswer, Stop
from p2smt.smt.cores import Minimality

TEXT = "program p\nmesh a=2, b=4\ninput x : f32[64] partial(+, a)\ny = AllReduce(x, axis=a)\noutput y\n"

QUESTIONS = {
    "ask": lambda possible: possible.ask([0, 1]),
    "ask for placements": lambda possible: possible.ask([0]),
    "first": lambda possible: possible.first([0]),
    "first within limits": lambda possible: possible.first([0, 1]),
    "everything": lambda possible: possible.everything(),
    "least limit": lambda possible: possible.least_limit(1),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_no_question_is_answered_after_its_time(question):
    outer = find_system("4x8").levels[0].name
    asked = job(f"b on {outer}", "at most 1 communicators")
    found = QUESTIONS[question](Possible(asked, NetworkCost(asked.system), time.monotonic() - 1))
    assert isinstance(found, NoAnswer)
    assert found.stop is Stop.DEADLINE
    assert not isinstance(QUESTIONS[question](Possible(asked, NetworkCost(asked.system), None)), NoAnswer)


def test_after_its_time_a_core_is_all_conditions_and_nothing_is_known_of_it():
    outer = find_system("4x8").levels[0].name
    asked = job(f"a on {outer}", f"b on {outer}")
    found = explain_infeasible(asked, NetworkCost(asked.system), time.monotonic() - 1)
    assert found.core == asked.conditions
    assert found.minimality is Minimality.UNREDUCED
    assert found.without == (None, None)
    assert (found.dropped, found.looser, found.sizes) == ((), (), ())


def test_an_interruption_while_placements_are_put_together_leaves_some(monkeypatch):
    made, asked = [], job()
    whole = all_placements(asked).items

    def interrupted(*given):
        if len(made) == 2:
            raise KeyboardInterrupt
        made.append(1)
        return matrix_of(*given)

    matrix_of = enumeration.matrix_of
    monkeypatch.setattr(enumeration, "matrix_of", interrupted)
    found = all_placements(asked)
    assert (found.complete, found.stop) == (False, Stop.INTERRUPTED)
    assert len(found.items) == 2
    assert set(found.items) < set(whole)

    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(enumeration, "_tables", stopped)
    assert all_placements(asked) == Enumeration((), Stop.INTERRUPTED)


@pytest.mark.parametrize("ending", [Unfinished(Stop.DEADLINE, ""), Unfinished(Stop.UNKNOWN, "gave up"), "infeasible"])
def test_a_schedule_that_is_not_placed_leaves_no_whole_answer(ending, monkeypatch, capsys):
    """The program as it is has placements; those of its schedules are not found."""
    calls = []

    def search(workload, cost, *given, **named):
        calls.append(1)
        if len(calls) == 1:
            return optimize(workload, cost, *given, **named)
        clash = Infeasible(workload, (), Minimality.SMALLEST, (), (), (), ())
        return clash if ending == "infeasible" else ending

    monkeypatch.setattr("p2smt.job.joint.optimize", search)
    found = answer(1 << 16, depth=1)
    assert len(calls) > 1
    assert len(found.unplaced) == len(calls) - 1
    assert {each.priced.schedule for each in found.placed} == {()}
    assert not found.complete
    print_joint(found, Nccl(), 3)
    said = " ".join(capsys.readouterr().out.split())
    reason = "nothing keeps all conditions" if ending == "infeasible" else f"stopped ({ending.stop})"
    assert f"not placed, {reason}" in said
    assert "a search ended early, so that a better one may be missed" in said
    document = joint_document(found, Nccl(), 3)
    assert document["schedule"]["complete"] is False


@pytest.mark.parametrize("ended", [Unfinished(Stop.DEADLINE, ""), Infeasible])
def test_a_program_that_has_no_placement_is_not_scheduled(ended, monkeypatch):
    def search(workload, *_, **__):
        return ended if isinstance(ended, Unfinished) else ended(workload, (), Minimality.SMALLEST, (), (), (), ())

    monkeypatch.setattr("p2smt.job.joint.optimize", search)
    found = joint(program(16), NODES, (), SEARCH, TuningOptions(depth=2, backend=Nccl()))
    assert isinstance(found, Unfinished if isinstance(ended, Unfinished) else Infeasible)


@pytest.mark.parametrize("stop", [Stop.DEADLINE, Stop.INTERRUPTED, Stop.UNKNOWN])
def test_programs_that_were_not_all_found_leave_no_whole_answer(stop):
    whole = answer(16, depth=0)
    assert whole.complete
    assert not replace(whole, programs=stop).complete
    first = whole.placed[0]
    cut_off = replace(first, optimum=replace(first.optimum, stop=stop))
    assert not replace(whole, placed=(*whole.placed[1:], cut_off)).complete


def test_what_numbers_of_devices_a_price_is_of_is_said_where_they_matter():
    """On rings; an order is priced by its own numbers, a mesh file of other numbers by those of p2smt."""
    workload = two_axes("p2-v100:2x8", (4, 4))
    cost = cost_of(workload.system)
    optimum = optimize(workload, cost)
    assert isinstance(optimum, Optimum)
    differ = 0
    for text in ("axes:a,b", "axes:b,a"):
        reading = read_given(text, workload)
        if reading.matrix is None:
            continue
        own = mesh_price(replace(reading, exact=True), optimum, cost)
        assert own.notes == ()
        priced = mesh_price(replace(reading, exact=False), optimum, cost)
        other = abs(priced.seconds - own.seconds) > 1e-9 * own.seconds
        differ += other
        assert len(priced.notes) == other
        unnumbered = mesh_price(replace(reading, exact=False, order=None), optimum, cost)
        assert unnumbered.seconds == own.seconds
        assert unnumbered.notes[0].startswith("the time is that of p2smt's own device numbers inside units")
    assert differ
    plain = two_axes("4x4", (4, 4))
    reading = read_given("axes:a,b", plain)
    priced = mesh_price(
        replace(reading, exact=False, order=None), optimize(plain, cost_of(plain.system)), cost_of(plain.system)
    )
    assert (reading.matrix is None, priced.notes) == (False, ())


def test_a_command_whose_schedules_were_not_all_placed_says_so_by_its_code(monkeypatch, tmp_path, capsys):
    path = tmp_path / "two.tp"
    path.write_text(TEXT, encoding="utf-8")
    arguments = ["optimize", str(path), "--system", "node:2,gpu:4", "--depth", "0", "--limit", "2"]
    assert run(arguments) == 0
    monkeypatch.setattr("p2smt.job.joint.Joint.complete", property(lambda _: False))
    assert run(arguments) == 3
    monkeypatch.setattr("p2smt.job.joint.optimize", lambda *_, **__: Unfinished(Stop.DEADLINE, ""))
    assert run(arguments) == 3
    capsys.readouterr()
