"""Statements taken out of programs: what both read is input of both, and what their results are claimed to be."""

from itertools import product

import pytest

from p2smt.tensor.layout import Partial, ReductionOp
from p2smt.tensor.text.parser import parse_program
from p2smt.tensor.verification.alone import both_alone, claims

SINGLE = """program one
input x : f32[4, 6]
parameter w : f32[6, 8]
h = matmul(x, w)
y = relu(h)
output y
"""
MANY = """program many
mesh r=2, s=2
input x : f32[4, 6] sliced(1, r)
parameter w : f32[6, 8] sliced(0, r)
g = matmul(x, w)
h = AllReduce(g, axis=r)
y = relu(h)
output y
"""


def both(single, name="y"):
    return both_alone(parse_program(MANY), parse_program(single), name)


def test_a_statement_of_both_is_taken_out_with_what_it_reads():
    ours, theirs = both(SINGLE)
    assert [source.name for source in ours.sources] == [source.name for source in theirs.sources] == ["h"]
    assert [each.shape for each in (*ours.sources, *theirs.sources)] == [(4, 8)] * 2
    assert theirs.sources[0].layouts == ()
    assert not theirs.is_distributed


@pytest.mark.parametrize(
    "single",
    [
        SINGLE.replace("[4, 6]", "[3, 6]"),  # what is read has another shape
        SINGLE.replace("f32", "f64"),
        SINGLE.replace("h = ", "k = ").replace("relu(h)", "relu(k)"),  # or another name
        SINGLE.replace("y = ", "z = ").replace("output y", "output z"),  # the statement is in one of them alone
    ],
)
def test_what_does_not_stand_in_both_is_not_taken_out(single):
    assert both(single) is None


def test_a_result_is_claimed_whole_or_as_summands_of_one_kind():
    """Of every set of axes one claim for each reduction; first what operands are."""
    text = "program one\nmesh r=2, s=2\ninput x : f32[4] partial({}, {})\ny = neg(x)\noutput y\n"
    for sign, axis in product(("+", "max"), "rs"):
        program = parse_program(text.format(sign, axis))
        claimed = [frozenset((each.axis, each.layout) for each in one.outputs[0].layouts) for one in claims(program)]
        kinds = [Partial(reduction) for reduction in ReductionOp]
        wanted = {frozenset((axis, kind) for axis in axes) for axes in ("r", "s", "rs") for kind in kinds}
        assert (set(claimed), len(claimed)) == ({frozenset(), *wanted}, 1 + len(wanted))
        assert claimed[0] == {(each.axis, each.layout) for each in program.sources[0].layouts}
