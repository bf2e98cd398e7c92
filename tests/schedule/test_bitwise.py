"""`bitwise` refuses steps that change the order of summing, and those that round; the others pass."""

import pytest
from schedule.test_cases import CASES, read

from p2smt.schedule.check import check_schedule
from p2smt.schedule.text.parser import parse_schedule
from p2smt.schedule.why import Why
from p2smt.tensor.text.parser import parse_program
from p2smt.verify.verdict import Proved, Refuted

KEPT = [
    "split_slice_ag",
    "split_slice_ag_of_an_output",
    "merge_slice_ag",
    "fuse_computation",
    "fuse_send",
    "reorder_of_a_broadcast",
    "reorder_of_a_send",
    "reorder_written_blocks",
    "nothing_to_do",
]
CHANGED = [
    "split_rs_ag",
    "split_reduce_broadcast",
    "split_by_a_reduction_program",
    "merge_sum_and_slice",
    "through_a_scaling",
    "through_a_gather_that_is_contracted",
    "overlap_a_contraction",
]


def bitwise(name):
    _, program, schedule, ranks = read(CASES / "valid" / f"{name}.steps")
    return check_schedule(program, schedule[-1:] if name == "lossy_cast" else schedule, ranks, bitwise=True)


@pytest.mark.parametrize("name", KEPT)
def test_steps_that_keep_the_order_pass(name):
    assert isinstance(bitwise(name).verdict, Proved)


@pytest.mark.parametrize("name", CHANGED)
def test_steps_that_change_the_order_are_refused(name):
    last = bitwise(name).verdicts[-1]
    assert isinstance(last, Refuted)
    assert last.counter_example.reason is Why.ORDER_OF_SUMMING


def test_a_lossy_cast_is_refused():
    last = bitwise("lossy_cast").verdicts[-1]
    assert isinstance(last, Refuted)
    assert last.counter_example.reason is Why.ROUNDS
    assert "results change by up to" in last.counter_example.detail


@pytest.mark.parametrize(
    ("given", "conversion", "result", "adds"),
    [
        ("partial(+)", "AllReduce(x)", "", True),
        ("partial(+)", "ReduceScatter(x, 0)", " sliced(0)", True),
        ("partial(+)", "Reduce(x, 1)", " on_rank(1)", True),
        ("sliced(0)", "AllGather(x, 0)", "", False),
        ("on_rank(1)", "Broadcast(x, 1)", "", False),
        ("sliced(0)", "AllToAll(x, 0, 2)", " sliced(2)", False),
    ],
)
def test_loops_change_the_order_of_summing_just_where_a_collective_of_theirs_adds(given, conversion, result, adds):
    """A chunk is summed by itself; what is moved alone is moved as it was."""
    text = f"program loop\ninput x : f32[6, 4, 8] {given}\nc = {conversion}\ny = c * 2\noutput y{result}\n"
    schedule = parse_schedule("overlap c, y chunks 2 dim 1")
    assert isinstance(check_schedule(parse_program(text), schedule, 2).verdict, Proved)
    last = check_schedule(parse_program(text), schedule, 2, bitwise=True).verdicts[-1]
    assert isinstance(last, Refuted) is adds
    assert not adds or last.counter_example.reason is Why.ORDER_OF_SUMMING
