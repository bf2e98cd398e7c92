"""What is said of SPMD functions: right ones are proved, wrong ones are shown, and no other is called either."""

import pytest
from frontend.torch_ranks.gloo import values_agree
from frontend.torch_ranks.judged import FUNCTIONS, judged, single
from tiers import is_full, sample

from p2smt.errors import VerifyError
from p2smt.tensor.inference import infer
from p2smt.tensor.judgement import Inferred
from p2smt.tensor.printer import print_program
from p2smt.tensor.text.parser import parse_program
from p2smt.tensor.verification.verdict import Equality
from p2smt.verify.verdict import Proved, Refuted, Unknown

RIGHT = (
    "mlp",
    "mlp_own_slices",
    "mlp_scattered",
    "mlp_gathered",
    "mlp_functional",
    "mlp_dtensor",
    "mlp_dtensor_to_rows",
    "mlp_both",
    "sgd",
    "sgd_both",
    "zero",
    "relu",
    "relu_stacked",
    "relu_transposed",
    "relu_in_columns",
    "attention",
    "mlp_broadcast_functional",
    "relu_written_in_parts",
    "relu_written_above",
)
OF_ANOTHER = (
    "mlp",
    "sgd",
    "mlp_dtensor",
    "relu",
    "relu_in_columns",
    "mlp_functional",
    "mlp_bias_too_early",
    "mlp_same_slices",
    "mlp_both_wrong",
    "sgd_alone",
    "mlp_dtensor_left_partial",
    "mlp_averaged_by_one",
    "mlp_scattered_by_one",
    "mlp_of_other_lengths",
    "relu_written_above",
    "mlp_blocks_sent",
    "mlp_blocks_got_functional",
    "mlp_blocks_too_few",
    "mlp_blocks_too_small_functional",
    "mlp_blocks_too_few_functional",
    "relu_transposed",
    "sgd_both",
    "mlp_dtensor_that_lies",
    "mlp_of_chance",
    "mlp_of_values",
    "mlp_reduced_otherwise",
    "mlp_blocks_got",
)
"""What these do others do too, for the same reason: on two axes, to other layouts, transposed, by another call."""
WRONG = {
    "mlp_without_all_reduce": "an operand that is not partial would be counted once per rank",
    "mlp_reduced_twice": "only partial values can be reduced",
    "mlp_bias_too_early": "an operand that is not partial would be counted once per rank",
    "mlp_in_pairs": "among the ranks [0, 1] [2, 3], which are not the groups of a mesh axis",
    "mlp_same_slices": "only partial values can be reduced",
    "mlp_other_slices": "the slices that ranks take are not consecutive blocks in the order of a mesh axis",
    "mlp_dtensor_that_lies": "an operand that is not partial would be counted once per rank",
    "mlp_both_wrong": "only partial values can be reduced",
    "relu_of_summands": "the operation does not distribute over a sum of partial values",
    "relu_in_another_order": None,
    "sgd_by_sum": None,
    "sgd_alone": "an operand that is not partial would be counted once per rank",
    "table_in_parts": "embedding counts along a dimension that is sliced over ranks",
}
"""Each with the rule that is broken; of two the layouts hold, and the value is another."""
RANKED = ("mlp_of_everything", "mlp_dtensor_left_partial", "mlp_rooted")
"""Right ones that no layouts allow, or whose ranks run other operations: each rank's values are what they should be."""
UNMET = {
    "mlp_not_waited_for": "all_reduce), rank 0: line 104 reads what it writes, and nothing waits for it",
    "mlp_on_some": "rank 1 waits in all_reduce (sum) of [8, 4] float64",
    "mlp_reduced_otherwise": "rank 2 calls all_reduce (max) of [8, 4] float64",
    "mlp_averaged_by_one": "rank 1 calls all_reduce (sum) of [8, 4] float64",
    "mlp_scattered_by_one": "rank 1 calls reduce_scatter (avg) of [2, 4] float64",
    "mlp_of_other_types": "rank 3 calls all_reduce (sum) of [8, 4] float16",
    "mlp_of_other_lengths": "rank 3 calls broadcast from rank 0 of [4, 4] float64",
    "mlp_from_other_roots": "rank 3 calls broadcast from rank 1 of [8, 4] float64",
    "mlp_blocks_got": "rank 0 takes [1, 6] from rank 0, which sends [2, 6]",
    "mlp_blocks_sent": "rank 0 takes [2, 6] from rank 0, which sends [1, 6]",
    "mlp_blocks_got_functional": "rank 0 takes [1, 6] from rank 0, which sends [2, 6]",
    "mlp_blocks_sent_functional": "rank 0 takes [2, 6] from rank 0, which sends [1, 6]",
}
"""Wrong ones that do not run: calls that do not meet, or touch what is at work."""
NOT_PROVED = {
    "mlp_of_chance": "aten.bernoulli_.float: it draws random numbers, which are each rank's own",
    "mlp_of_values": "it depends on the values of tensors",
    "mlp_unknown": "aten.i0.default is called there",
}
MISFIT = (
    "mlp_blocks_too_small",
    "mlp_blocks_too_few",
    "mlp_blocks_too_small_functional",
    "mlp_blocks_too_few_functional",
    "mlp_too_few_gathered",
    "mlp_too_many_gathered",
)
"""Blocks that are not all of the tensor of an all-to-all, or not one for each rank: torch refuses them."""
ELSEWHERE = ("relu_stacked", "table_in_parts")
"""NCCL gathers along a new dimension, and gloo refuses; a row that a rank has not is an error there and not zeros."""
REAL = tuple(sorted({*RIGHT, *WRONG, *RANKED} - {*ELSEWHERE}))
"""What is run by processes too."""


OF_FOUR = (
    "mlp_in_pairs",
    "mlp_reduced_otherwise",
    "mlp_of_other_types",
    "mlp_from_other_roots",
    "mlp_of_other_lengths",
    *MISFIT,
)
"""What only some of four ranks do, and blocks of a quarter; others are right or wrong on two as well."""


def mesh(function):
    """Four ranks, in the standard tier two where these show the same: each of them is a process."""
    if "both" in function:
        return (("data", 2), ("model", 2))
    return (("ranks", 4 if is_full() or function in OF_FOUR or "blocks" in function else 2),)


def some(cases):
    """In the standard tier without those that others stand for."""
    return [each for each in cases if is_full() or (each if isinstance(each, str) else each[0]) not in OF_ANOTHER]


def said(monkeypatch, function):
    return judged(monkeypatch, function, single(function), axes=mesh(function))


@pytest.mark.parametrize("function", sample(some(RIGHT), 2))
def test_right_code_is_proved_as_the_distributed_program_that_it_is(monkeypatch, function):
    found = said(monkeypatch, function)
    assert isinstance(found.verdict, Proved), found.verdict
    assert isinstance(infer(found.program), Inferred)
    assert parse_program(print_program(found.program)) == found.program


@pytest.mark.parametrize(("function", "reason"), sample(some(WRONG.items()), 4))
def test_wrong_code_is_shown_with_rank_element_and_rule(monkeypatch, function, reason):
    verdict = said(monkeypatch, function).verdict
    assert isinstance(verdict, Refuted), verdict
    assert verdict.counter_example.wrong.rank is not None
    assert verdict.counter_example.wrong.element is not None
    if reason is None:
        assert verdict.counter_example.refusal is None
    else:
        assert reason in str(verdict.counter_example.refusal)
        assert ".line" in verdict.counter_example.statement or verdict.counter_example.statement == "y"


@pytest.mark.parametrize("function", some(RANKED))
def test_right_code_that_is_no_distributed_program_is_proved_rank_by_rank(monkeypatch, function):
    found = said(monkeypatch, function)
    assert isinstance(found.verdict, Proved), found.verdict
    assert found.verdict.evidence.equality is Equality.RANKS
    assert found.program is None


@pytest.mark.parametrize(("function", "reason"), sample(some(UNMET.items()), 2))
def test_calls_that_do_not_meet_are_wrong(monkeypatch, function, reason):
    verdict = said(monkeypatch, function).verdict
    assert isinstance(verdict, Refuted), verdict
    assert reason in str(verdict.counter_example.wrong)


@pytest.mark.parametrize(("function", "reason"), some(NOT_PROVED.items()))
def test_other_code_is_neither_and_what_is_not_covered_is_named(monkeypatch, function, reason):
    verdict = said(monkeypatch, function).verdict
    assert isinstance(verdict, Unknown), verdict
    assert reason in verdict.reason


@pytest.mark.parametrize("function", some(MISFIT))
def test_blocks_that_are_not_those_of_the_tensors_are_refused(monkeypatch, function):
    with pytest.raises(VerifyError, match=r"rank 0, line \d+: an all-(to-all|gather) .* does not fit"):
        said(monkeypatch, function)


@pytest.mark.thorough  # this is about torch; what p2smt says of each function is tested above
def test_processes_on_gloo_agree_with_every_verdict():
    agree = values_agree(FUNCTIONS, {name: single(name) for name in REAL})
    assert {name for name, same in agree.items() if same} == {*REAL} - WRONG.keys()
