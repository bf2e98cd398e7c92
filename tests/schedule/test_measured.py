"""Schedules on real ranks beside the program as it is: what was predicted, what was measured, what was not run."""

import json
from dataclasses import replace

import pytest
from command_line import output, refused
from paths import ROOT

from p2smt.cli.output.measured_schedules import measured_text
from p2smt.errors import RunError
from p2smt.problem.system.text import find_system
from p2smt.schedule.check import check_schedule
from p2smt.schedule.cost.estimate import estimate
from p2smt.schedule.cost.machine import Machine
from p2smt.schedule.measured import MeasuredSchedule, MeasuredSchedules, measured
from p2smt.schedule.text.parser import parse_schedule
from p2smt.schedule.tuner.result import PricedSchedule
from p2smt.tensor.text.parser import parse_program

TEXT = """program small
input g : f32[99] partial(+)
state p : f32[99]
sum = AllReduce(g)
kept = dropout(sum, 0.5, seed=1)
p1 = update(p, p - kept * 0.25)
output p1
"""
SLICED = "rs, ag = split sum rs-ag\nsc, sc.p1, whole = reorder ag past kept, p1\n"
NOT_EMITTED = "rs, ag = split sum rs-ag\noverlap rs, ag, kept chunks 2 dim 0\n"
BY_A_PROGRAM = 'x = split sum "(root, InsideGroup, AllReduce)" levels gpu=2\n'


def priced(text, machine, ranks=2):
    made = check_schedule(parse_program(TEXT), parse_schedule(text), ranks)
    return PricedSchedule(
        schedule=made.schedule,
        scheduled=made.scheduled,
        estimate=estimate(made.scheduled, machine),
    )


@pytest.fixture(scope="module")
def machine():
    return Machine.of(find_system("node:1,gpu:2"))


@pytest.mark.slow
def test_schedules_are_run_and_compared_and_what_is_not_emitted_is_said(machine):
    asked = [priced(text, machine) for text in (NOT_EMITTED, SLICED, BY_A_PROGRAM)]
    ran = measured(priced("", machine), asked, machine, repeats=2, limit_s=60.0)
    assert ran.untouched.seconds > 0
    assert [each.priced for each in ran.schedules] == asked
    assert [each.seconds is None for each in ran.schedules] == [True, False, False]
    assert "has an operation that depends on element indices, such as dropout, but its" in ran.schedules[0].why
    assert [each.differing for each in ran.schedules[1:]] == [0, 0]
    assert ran.fastest in (ran.untouched, *ran.schedules[1:])


@pytest.mark.thorough  # schedules are run and compared below
@pytest.mark.slow
def test_programs_have_their_own_groups_beside_files_that_have_none():
    """The plain form, whose ReduceScatter is an exchange too, is run first, and has groups along the axis alone."""
    on = Machine.of(find_system("node:2,gpu:2"))
    steps = '"(node, InsideGroup, ReduceScatter); (node, Parallel(root), AllReduce); (node, InsideGroup, AllGather)"'
    asked = [priced(SLICED, on, 4), priced(f"x = split sum {steps} levels node=2, gpu=2\n", on, 4)]
    ran = measured(priced("", on, 4), asked, on, repeats=2, limit_s=60.0)
    assert [each.differing for each in ran.schedules] == [0, 0]


@pytest.mark.slow
def test_the_command_prints_what_was_predicted_beside_what_was_measured(tmp_path, capsys):
    program, steps = tmp_path / "small.tp", tmp_path / "sliced.steps"
    program.write_text(TEXT, encoding="utf-8")
    steps.write_text(SLICED, encoding="utf-8")
    arguments = ["schedule", str(program), "--system", "node:1,gpu:2", "--ranks", "2", "--measure", "--json"]
    ran = json.loads(output([*arguments, "--steps", str(steps)], capsys))["measured"]
    assert (ran["ranks"], ran["backend"], len(ran["schedules"])) == (2, "gloo", 1)
    assert ran["schedules"][0]["steps"] == SLICED.splitlines()
    assert ran["schedules"][0]["seconds"] > 0
    assert ran["untouched"]["predicted"] > 0


def test_measuring_needs_a_system_and_few_ranks(capsys, machine):
    adam = str(ROOT / "p2smt" / "tensor" / "examples" / "adam.tp")
    assert "add --system SYSTEM" in refused(["schedule", adam, "--ranks", "2", "--measure"], capsys)
    many = check_schedule(parse_program(TEXT), (), 17)
    plain = PricedSchedule(schedule=(), scheduled=many.scheduled, estimate=priced("", machine).estimate)
    with pytest.raises(RunError, match="17 ranks need 17 processes on this machine; the limit is 16"):
        measured(plain, [], machine)


def test_wrong_ones_and_those_that_were_not_run_are_told_apart(machine):
    plain, sliced = priced("", machine), priced(SLICED, machine)
    wrong = MeasuredSchedule(sliced, 1e-6, 2)
    ran = MeasuredSchedules(
        untouched=MeasuredSchedule(plain, 3e-6),
        schedules=(wrong, MeasuredSchedule(sliced, None, why="it is not emitted"), MeasuredSchedule(sliced, 2e-6)),
        ranks=2,
        repeats=7,
        torch_version="2",
    )
    text = measured_text(ran)
    assert "\n[1] is WRONG: 2 tensors are not those of the program\n" in text
    assert "\n[2] was not run: it is not emitted\n" in text
    assert text.endswith("\nthe fastest of them: [3]\n")
    assert "1.50x\n" in text
    slower = replace(ran, schedules=(wrong, MeasuredSchedule(sliced, 4e-6)))
    assert measured_text(slower).endswith("\nthe fastest of them: the program as it is\n")
