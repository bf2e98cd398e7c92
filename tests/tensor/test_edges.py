"""Calls that differ in one thing are judged apart, reductions do not mix, meshes are those that are said."""

from itertools import product

import pytest
from looped import looped
from tensor.one_operation import distributed, single
from tiers import is_full

from p2smt.errors import ProgramError
from p2smt.tensor.comparison import compare
from p2smt.tensor.expression import AxisLayout, ProgramAxis
from p2smt.tensor.inference import infer
from p2smt.tensor.judgement import Inferred, Refused
from p2smt.tensor.layout import Partial, ReductionOp, Replicated
from p2smt.tensor.program import versions
from p2smt.tensor.reals import Reals
from p2smt.tensor.reason import Reason
from p2smt.tensor.text.parser import parse_program

TWINS = (
    "sum(x, 0)",
    "sum(x, 1)",
    "max(x, 1)",
    "max(v, 1)",
    "transpose(x, 1, 0)",
    "transpose(x, 0, 1)",
    "slice(x, 1, 0, 2)",
    "slice(x, 1, 1, 3)",
    "slice(x, 1, 0, 3)",
    "softmax(x, 1)",
    "softmax(v, 1)",
    "x * x",
    "x * y",
    "y * x",
    "x + y",
    "reshape(x, 2, 12)",
    "reshape(x, 12, 2)",
    "pow(v, 2)",
    "cat(x, x, dim=1)",
    "cat(v, v, dim=0)",
)
SOURCES = """input x : f32[6, 4] sliced(0)
input y : f32[6, 4]
input v : f32[6, 4] sliced(1)
"""


def layouts_of(calls):
    lines = "".join(f"t{number} = {call}\n" for number, call in enumerate(calls))
    outputs = "".join(f"output t{number}\n" for number in range(len(calls)))
    return infer(parse_program(f"program twins\nmesh r=2\n{SOURCES}{lines}{outputs}"))


def test_what_a_call_is_does_not_depend_on_the_calls_before_it():
    alone = {call: layouts_of([call]) for call in TWINS}
    allowed = [call for call in TWINS if isinstance(alone[call], Inferred)]
    assert len(allowed) > 10
    for calls in (allowed, allowed[::-1]):
        together = layouts_of(calls)
        for number, call in enumerate(calls):
            assert together.layouts[f"t{number}"] == alone[call].layouts["t0"], call
    for call in set(TWINS) - set(allowed):
        made = layouts_of([*allowed, call])
        assert isinstance(made, Refused)
        assert made.refusal == alone[call].refusal


@looped("reduction", ReductionOp)
@looped("call", ["neg(x0)", "sub(x0, x1)", "gt(x0, x1)", "ge(x0, x1)", "lt(x0, x1)", "sqrt(x0)", "relu(x0)", "abs(x0)"])
def test_a_summand_passes_just_as_numbers_do(call, reduction):
    """Whatever is allowed computes what one device does."""
    types = ("f32[3,4]",) * (2 if "x1" in call else 1)
    one = single(call, types)
    passed = 0
    for given in product((Replicated(), Partial(reduction)), repeat=len(types)):
        for made in (*map(Partial, ReductionOp), Replicated()):
            declared = () if isinstance(made, Replicated) else (AxisLayout(made),)
            many = distributed(call, types, given, 3, declared)
            if isinstance(infer(many), Inferred):
                passed += 1
                seeds = range(3 if is_full() else 1)
                assert all(compare(many, one, Reals(seed)) is None for seed in seeds), (given, made)
    assert passed > 0


def test_the_negative_of_maxima_is_a_minimum():
    pairs = (ReductionOp.MAX, ReductionOp.MIN), (ReductionOp.MIN, ReductionOp.MAX), (ReductionOp.SUM, ReductionOp.SUM)
    for reduction, turned in pairs:
        many = distributed("neg(x0)", ("f32[3]",), (Partial(reduction),), 2, (AxisLayout(Partial(turned)),))
        assert infer(many).layouts["y"] == (Partial(turned),)


@looped("one", ReductionOp)
@looped("other", ReductionOp)
def test_what_is_reduced_on_two_axes_is_reduced_in_one_way(one, other):
    text = f"program two\nmesh a=2, b=2\ninput x : f32[4] partial({one.value}, a) partial({other.value}, b)\n"
    text += f"y = AllReduce(AllReduce(x, {other.value}, axis=b), {one.value}, axis=a)\noutput y\n"
    found = infer(parse_program(text))
    assert isinstance(found, Inferred if one is other else Refused)


def test_a_program_for_a_mesh_is_for_no_other():
    program = parse_program("program p\nmesh a=2, b=3\ninput x : f32[6] sliced(0, a)\noutput x\n")
    assert program.on(ProgramAxis("a", 2), ProgramAxis("b", 3)) == program
    for axes in (
        (ProgramAxis("a", 2),),
        (ProgramAxis("a", 3), ProgramAxis("b", 2)),
        (ProgramAxis("b", 3), ProgramAxis("a", 2)),
        (ProgramAxis("a", 2), ProgramAxis("c", 3)),
        (ProgramAxis("a", 2), ProgramAxis("b", 3), ProgramAxis("c", 1)),
    ):
        with pytest.raises(ProgramError, match="is for the mesh a=2, b=3, not"):
            program.on(*axes)


def test_the_last_version_of_a_state_is_the_one_that_is_kept():
    program = parse_program("""program p
input x : f32[2]
state s : f32[2]
parameter w : f32[2]
input other : f32[2]
a = update(s, s + x)
b = update(a, a * 2)
c = update(b, b + x)
d = update(w, w - c)
output other
""")
    assert versions(program) == {"s": "c", "w": "d"}


@pytest.mark.parametrize(
    "lines",
    [
        "input x : f32[4, 4] sliced(0) replicated(a)\noutput x",
        "input x : f32[4, 4] replicated(a) sliced(0)\noutput x",
        "input x : f32[4, 4] sliced(1, a) sliced(0)\noutput x",
        "input x : f32[4, 4] partial(+)\noutput x partial(max, a) partial(+)",
    ],
)
def test_one_axis_has_one_layout_by_whichever_name(lines):
    """The only axis of a mesh need not be named."""
    with pytest.raises(ProgramError, match="two layouts on the axis 'a'"):
        infer(parse_program(f"program p\nmesh a=2\n{lines}\n"))


@pytest.mark.parametrize("ranks", [1, 2, 3])
def test_one_rank_that_has_a_value_is_a_rank_that_there_is(ranks):
    """It is given there, or reduced, kept or sent to: from the first rank to two behind the last."""
    for rank in range(ranks + 2):
        there, given = rank < ranks, f"input x : f32[4] on_rank({rank})\n"
        lines = {
            f"{given}y = Broadcast(x, {rank})": there,
            f"{given}y = relu(x)": there,
            f"input x : f32[4] partial(+)\ny = Reduce(x, {rank})": there,
            f"input x : f32[4]\ny = AllReduce(Keep(x, {rank}))": there,
            f"{given}y = Send(x, next)": rank + 1 < ranks,
            f"{given}y = Broadcast(x, {rank + 1})": False,
            f"{given}input v : f32[4] on_rank(0)\ny = x + v": rank == 0,
        }
        for text, right in lines.items():
            found = infer(parse_program(f"program p\nmesh r={ranks}\n{text}\noutput y\n"))
            assert isinstance(found, Inferred if right else Refused), text


TWO = "program two\nmesh a=2, b=2\n"


@looped(
    ("right", "wrong", "reason"),
    [
        # A new version is stored as the old one is, on every axis.
        (
            "state m : f32[4, 4] sliced(1, b)\ninput x : f32[4, 4] sliced(1, b)\nn = update(m, x)\noutput x\n",
            ("input x : f32[4, 4] sliced(1, b)", "input x : f32[4, 4]"),
            Reason.UPDATE_LAYOUT,
        ),
        (
            "state m : f32[4, 4] sliced(1, a)\ninput x : f32[4, 4] sliced(1, a)\nn = update(m, x)\noutput x\n",
            ("input x : f32[4, 4] sliced(1, a)", "input x : f32[4, 4] sliced(0, a)"),
            Reason.UPDATE_LAYOUT,
        ),
        # What is declared of an output has to be so, and what has no whole has to be declared.
        (
            "input x : f32[4] sliced(0, a)\ny = relu(x)\noutput y sliced(0, a)\n",
            ("f32[4] sliced(0, a)", "f32[4]"),
            Reason.OUTPUT_LAYOUT,
        ),
        (
            "input x : f32[4]\ny = relu(x)\noutput y replicated(a)\n",
            ("f32[4]", "f32[4] sliced(0, a)"),
            Reason.OUTPUT_LAYOUT,
        ),
        (
            "input x : f32[4] partial(+, b)\noutput x partial(+, b)\n",
            ("output x partial(+, b)", "output x"),
            Reason.OUTPUT_LAYOUT,
        ),
        ("input x : f32[4] local(a)\noutput x local(a)\n", ("output x local(a)", "output x"), Reason.OUTPUT_LAYOUT),
        # Blocks of an axis are cut one by one.
        (
            "input x : f32[4] sliced(0, a, sizes=3/1) sliced(0, b, sizes=2/1/0/1)\noutput x\n",
            ("2/1/0/1", "2/2/0/0"),
            Reason.WRONG_SIZES,
        ),
        ("input x : f32[4] sliced(0, a, sizes=3/1)\noutput x\n", ("3/1", "3/2"), Reason.WRONG_SIZES),
        ("input x : f32[4] sliced(0, a, sizes=3/1)\noutput x\n", ("3/1", "3/1/0"), Reason.WRONG_SIZES),
    ],
)
def test_a_layout_is_refused_for_one_thing_that_is_wrong(right, wrong, reason):
    assert isinstance(infer(parse_program(TWO + right)), Inferred), infer(parse_program(TWO + right))
    changed = right.replace(*wrong)
    assert changed != right
    found = infer(parse_program(TWO + changed))
    assert isinstance(found, Refused)
    assert found.refusal.reason is reason


def test_operands_that_are_cut_in_another_order_do_not_meet():
    """On two axes of two ranks: rank 1 has the second quarter, or the third."""
    text = TWO + "input x : f32[4] sliced(0, a) sliced(0, b)\ninput y : f32[4] {order}\nz = x + y\noutput z\n"
    same = parse_program(text.format(order="sliced(0, a) sliced(0, b)"))
    assert isinstance(infer(same), Inferred)
    assert isinstance(infer(parse_program(text.format(order="sliced(0, b) sliced(0, a)"))), Refused)
