"""Explanations of schedules: parts add up, spans are those of the recurrence, crossovers are where prices cross."""

from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest
from paths import ROOT

from p2smt.cli.output.schedule_explained import explained_document, explained_text
from p2smt.cli.output.screen import GLUE
from p2smt.problem.system.text import find_system
from p2smt.schedule.check import check_schedule
from p2smt.schedule.cost.estimate import estimate
from p2smt.schedule.cost.knobs import Bandwidth, Length, Speed, turned
from p2smt.schedule.cost.machine import Machine
from p2smt.schedule.cost.pricer import Pricer
from p2smt.schedule.cost.time_line import time_line
from p2smt.schedule.crossover import crossovers
from p2smt.schedule.emission.source import kernel_shares
from p2smt.schedule.explained import explained
from p2smt.schedule.scheduled import ScheduledProgram
from p2smt.schedule.text.parser import parse_schedule
from p2smt.tensor.text.parser import parse_program

EXAMPLES = ROOT / "p2smt" / "schedule" / "examples"
MACHINE = Machine.of(find_system("dgx-h100:1x4"))


def checked(program, steps, ranks=4):
    return check_schedule(parse_program(program), parse_schedule(steps), ranks)


def packaged(program, steps, ranks=4):
    folder = EXAMPLES if (EXAMPLES / program).exists() else ROOT / "p2smt" / "tensor" / "examples"
    return checked(
        (folder / program).read_text(encoding="utf-8"), (EXAMPLES / steps).read_text(encoding="utf-8"), ranks
    )


@cache
def told_of(program, steps):
    """What is told of a packaged schedule."""
    return explained(packaged(program, steps), MACHINE)


SMALL = """program small
input x : f32[N, 64] partial(+)
parameter b : f32[64]
sum = AllReduce(x)
y = relu(sum + b)
output y
"""
SPLIT = "rs, ag = split sum rs-ag\ns, whole = reorder ag past y\n"


@pytest.mark.parametrize(
    ("program", "steps"),
    [
        ("adam.tp", "adam_overlapped.steps"),
        ("mlp_tail.tp", "mlp_overlapped.steps"),
        ("zero2.tp", "zero2_overlapped.steps"),
    ],
)
def test_spans_follow_each_other_and_end_with_the_estimate(program, steps):
    scheduled = packaged(program, steps).scheduled
    line = time_line(scheduled, Pricer(scheduled, MACHINE))
    assert line.seconds == pytest.approx(estimate(scheduled, MACHINE).seconds)
    assert max(span.end for span in line.spans) == pytest.approx(line.seconds)
    for stage in {span.stage for span in line.spans}:
        runs = [span for span in line.spans if span.stage == stage]
        assert all(one.end <= other.start * (1 + 1e-12) for one, other in pairwise(runs))
    for loop in scheduled.loops:
        for chunk in range(loop.chunks):
            theirs = [span for span in line.spans if (span.unit, span.chunk) == (loop.name, chunk)]
            assert [span.stage for span in theirs] == list(loop.stages) or len(theirs) == len(loop.stages)
            ends = {span.stage: span for span in theirs}
            for one, other in pairwise(loop.stages):
                assert ends[one].end <= ends[other].start * (1 + 1e-12)
    assert all(seconds <= line.seconds * (1 + 1e-9) for _, seconds in line.busy)


@pytest.mark.thorough  # the crossover is made of the same prices
def test_what_steps_buy_adds_up_to_the_whole():
    told = told_of("mlp_tail.tp", "mlp_overlapped.steps")
    assert told.steps[-1].seconds == told.after.seconds
    for step in told.steps:
        fixed, moving, hidden = step.parts
        assert fixed + moving - hidden == pytest.approx(step.seconds)
    assert told.steps[-1].hidden > 0
    (hiding,) = told.time_line.hiding
    assert hiding.in_turn - hiding.seconds == pytest.approx(told.steps[-1].hidden)


def test_a_crossover_is_where_the_prices_cross():
    slow = Machine.of(find_system("dgx-h100:1x4"), 1e9)
    result = checked(SMALL.replace("N", "4096"), SPLIT)
    plain = ScheduledProgram(result.start)
    found = {type(each.knob): each for each in crossovers(plain, result.scheduled, slow)}
    assert set(found) == {Length, Bandwidth, Speed}
    (turn,) = found[Speed].turns
    assert (found[Speed].faster, turn.faster) == (True, False)
    for factor, faster in ((turn.factor / 1.01, True), (turn.factor * 1.01, False)):
        one, other = (estimate(*turned(Speed(), factor, each, slow)).seconds for each in (plain, result.scheduled))
        assert (other < one) is faster
    lengths = [each for each in crossovers(plain, result.scheduled, slow) if isinstance(each.knob, Length)]
    (rows,) = [each for each in lengths if each.knob.value == 4096]
    assert [turn.faster for turn in rows.turns] == [True]
    assert 1 < round(4096 * rows.turns[0].factor) < 4096


def test_a_schedule_that_does_not_pay_says_why():
    told = explained(
        checked(SMALL.replace("N", "64"), "rs, ag = split sum rs-ag\noverlap rs, ag, y chunks 4 dim 0"), MACHINE
    )
    assert not told.pays
    text = " ".join(explained_text(told).split())
    assert "leave it as it is: +" in text
    assert "of start-ups" in text
    assert "nothing hidden" in text


def test_a_shared_resource_is_named():
    told = explained(checked(SMALL.replace("N", "1048576"), SPLIT + "overlap rs, s, whole chunks 4 dim 0"), MACHINE)
    (hiding,) = told.time_line.hiding
    assert (hiding.bound, hiding.users) == ("nvswitch", ("rs", "whole"))
    text = explained_text(told)
    said = "nvswitch is busy all the time, which rs and whole share, so that no more can be hidden"
    assert said in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize(
    ("program", "steps"),
    [
        ("mlp_tail.tp", "mlp_overlapped.steps"),
        pytest.param("zero2.tp", "zero2_overlapped.steps", marks=pytest.mark.thorough),  # a time line of two loops
        pytest.param("lamb.tp", "lamb_fused.steps", marks=pytest.mark.thorough),  # a group, which the first has too
    ],
)
def test_nothing_is_wider_than_80_columns_and_blanks_are_blanks(program, steps, monkeypatch):
    text = explained_text(told_of(program, steps))
    assert "time line of " in text
    assert max(map(len, text.splitlines())) <= 80
    assert GLUE not in text


def test_what_stays_torch_s_beside_kernels_of_triton_s_is_told():
    told = told_of("sequence_parallel.tp", "sequence_parallel_overlapped.steps")
    (share,) = told.kernels
    assert (share.unit, share.kernels) == ("loop.layer", 1)
    assert dict(share.kept) == {"layer": "torch.matmul", "scnorm": "layer_norm", "out": "torch.matmul"}
    text = " ".join(explained_text(told).split())
    said = "loop.layer: 1 kernel; by torch: layer (torch.matmul), scnorm (layer_norm), out (torch.matmul)"
    assert text.endswith(f"emitted with kernels of Triton's; what is in no group or loop stays torch's {said}")
    shares = kernel_shares(packaged("lamb.tp", "lamb_fused.steps"))
    assert [(each.unit, each.kernels, each.kept) for each in shares] == [("f", 2, ())]


def test_where_no_kernel_is_emitted_it_is_told_why_in_the_document():
    told = explained(checked(SMALL.replace("N", "64"), SPLIT), MACHINE)
    document = explained_document(told)
    assert document["kernels"] == []
    assert document["no_kernels"].startswith("no group or loop of the schedule is element-wise; fuse element-wise")
    said = " ".join(explained_text(told).split())
    assert said.endswith(f"no kernels of Triton's: {document['no_kernels']}")


def test_what_chunks_cost_is_every_start_once_more_for_each_but_the_first():
    scheduled = checked(SMALL.replace("N", "4096"), SPLIT + "overlap rs, s, whole chunks 2 dim 0").scheduled
    (loop,) = scheduled.loops
    costs = {}
    for chunks in (2, 3, 4, 8):
        other = replace(scheduled, loops=(replace(loop, chunks=chunks),))
        pricer = Pricer(other, MACHINE)
        (hiding,) = time_line(other, pricer).hiding
        costs[chunks] = hiding.start_ups
    once = sum(pricer.stage(scheduled.members(each)).fixed for each in loop.stages)
    assert costs == {chunks: pytest.approx((chunks - 1) * once) for chunks in costs}
    assert once > 0
