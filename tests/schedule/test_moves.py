"""Of every transform the tuner tries steps, or there is a reason why it does not."""

from typing import get_args

from p2smt.schedule.apply import apply
from p2smt.schedule.scheduled import ScheduledProgram
from p2smt.schedule.step import (
    AllReduceSplit,
    Dead,
    Fuse,
    Line,
    LossyCast,
    Merge,
    Overlap,
    Reorder,
    SliceStates,
    SplitForm,
    Step,
    Through,
    UseProgram,
)
from p2smt.schedule.tuner.moves import moves
from p2smt.schedule.tuner.tidying import tidied
from p2smt.tensor.text.parser import parse_program
from p2smt.verify.verdict import Proved

TEXT = """program small
mesh ranks = 2
input x : f32[4] partial(+)
state m : f32[4]
g = AllReduce(x)
y = relu(g)
c = exp(g)
n = Slice(m, 0)
o = AllGather(relu(n), 0)
output y
output o
"""

TRIED = {AllReduceSplit, UseProgram, Reorder, Fuse, Overlap}
FOLLOWS = {SliceStates, Dead}
LEFT = {
    Merge: "what it makes of two conversions is what a split was made of, or what nobody has written apart",
    Through: "it sums later what it could have summed at once",
    LossyCast: "values change, so that it is done only where it is asked for",
}


def test_every_transform_is_tried_follows_or_is_left_for_a_reason():
    """The kinds are seen on schedules, so that a transform that nobody tries is not said to be tried."""
    plain = ScheduledProgram(parse_program(TEXT))
    split = apply(plain, Line(AllReduceSplit("g", SplitForm.RS_AG), ("part", "whole")))
    assert isinstance(split, Proved)
    by_program = UseProgram("g", "", ())
    tried = {type(step) for each in (plain, split.evidence.scheduled) for step in moves(each, reducing=[by_program])}
    assert tried == TRIED
    _, followed = tidied(plain, ())
    assert {type(line.step) for line in followed} == FOLLOWS
    assert set(get_args(Step)) == TRIED | FOLLOWS | set(LEFT)
    assert len(get_args(Step)) == len(TRIED) + len(FOLLOWS) + len(LEFT)


def test_what_is_sliced_already_is_not_split():
    """A sum of which ranks take their part is a scattered sum in pieces; beside it any other sum is split."""
    beside = "h = AllReduce(x)\nz = exp(h)\noutput z\n"
    for cut, split in (("s = Slice(g, 0)\n", {"h"}), ("s = neg(g)\n", {"g", "h"})):
        head = "program small\nmesh ranks = 2\ninput x : f32[4] partial(+)\ng = AllReduce(x)\n"
        program = parse_program(f"{head}{cut}{beside}output s\n")
        assert {step.value for step in moves(ScheduledProgram(program)) if isinstance(step, AllReduceSplit)} == split
