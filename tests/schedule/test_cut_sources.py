"""A source that every rank has whole is cut, summed in slices, and read whole again, as LAMB's parameters are."""

import pytest
from schedule.equality import differs

from p2smt.cost.network.backend import cost_of
from p2smt.problem.system.text import find_system
from p2smt.schedule.check import check_schedule, on_ranks
from p2smt.schedule.cost.machine import Machine
from p2smt.schedule.step import AllReduceSplit, SplitForm
from p2smt.schedule.text.parser import parse_schedule
from p2smt.schedule.tuner.search import tune
from p2smt.schedule.why import Why
from p2smt.tensor.conversion import AllGather
from p2smt.tensor.expression import Convert, parts
from p2smt.tensor.text.parser import parse_program
from p2smt.verify.verdict import Proved, Refuted

LAMB = """program lamb
size N = 50
input g : f32[N] partial(+)
state p : f32[N]
scalar lr
sum = AllReduce(g)
r1 = norm(p)
r2 = norm(sum)
p1 = update(p, p - lr * (r1 / r2) * sum)
output p1
"""
CUT = "cut, whole = split p slice-ag\n"
SUMMED = f"{CUT}r1s = reorder whole past r1\n"


def checked(steps, text=LAMB, ranks=4):
    return check_schedule(parse_program(text), parse_schedule(steps), ranks)


@pytest.mark.parametrize("ranks", [2, 4, 7])
@pytest.mark.parametrize("steps", [CUT, SUMMED, f"{SUMMED}back = merge cut, whole\n"])
def test_a_parameter_is_cut_and_its_norm_is_of_slices(steps, ranks):
    """Fifty elements on 4 and on 7 ranks are uneven slices."""
    found = checked(steps, ranks=ranks)
    assert isinstance(found.verdict, Proved)
    assert differs(found.start, found.scheduled.program) is None


def test_what_updates_the_state_updates_the_state_itself():
    found = checked(CUT).scheduled.program
    update = next(each.expression for each in found.statements if each.name == "p1")
    assert update.operands[0].name == "p"
    assert {part.name for part in parts(update.operands[1]) if hasattr(part, "name")} >= {"whole"}


def test_a_merged_gather_is_gone_and_its_slice_stays_for_what_is_summed():
    found = checked(f"{SUMMED}back = merge cut, whole\n").scheduled.program
    gathers = [each for each in found.expressions() if isinstance(each, Convert)]
    assert not any(isinstance(each.conversion, AllGather) for each in gathers)
    assert "cut" in {each.name for each in found.statements}


@pytest.mark.parametrize(
    ("source", "dimension", "why"),
    [("state p : f32[N] sliced(0)", 0, Why.NOT_WHOLE), ("state p : f32[N]", 1, Why.NO_DIMENSION)],
)
def test_what_is_in_slices_and_what_has_no_such_dimension_is_refused(source, dimension, why):
    text = LAMB.replace("state p : f32[N]", source)
    if "sliced" in source:
        text = text.replace("norm(p)", "AllReduce(sum(p * p))").replace("* sum)", "* Slice(sum, 0))")
    found = checked(f"cut, whole = split p slice-ag dim {dimension}\n", text)
    assert isinstance(found.verdict, Refuted)
    assert found.verdict.counter_example.reason is why


@pytest.mark.parametrize("length", [256, 2**26])
def test_the_tuner_cuts_a_parameter_where_reading_it_takes_longer_than_a_call(length):
    program = on_ranks(parse_program(LAMB.replace("50", str(length))), 4)
    found = tune(program, Machine(cost_of(find_system("dgx-h100:1x4"))), 1, programs=False)
    steps = [line.step for each in found.found for line in each.schedule]
    assert AllReduceSplit("p", SplitForm.SLICE_AG, 0) in steps
    cut = next(
        each
        for each in found.found
        if each.schedule and each.schedule[0].step == AllReduceSplit("p", SplitForm.SLICE_AG)
    )
    assert (cut.estimate.seconds < found.untouched.estimate.seconds) is (length > 256)
    if length == 256:
        assert differs(program, cut.scheduled.program) is None
