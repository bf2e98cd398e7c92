"""Whatever writes, aliases, draws random numbers or communicates is in the program, or ends the claim by name."""

from pathlib import Path

import pytest
from frontend.torch_ranks.judged import judged
from tiers import sample

from p2smt.verify.verdict import Proved, Refuted, Unknown

FUNCTIONS = Path(__file__).with_name("writes.py")
SINGLE = "program half\nparameter w : f64[8, 6]\ny = w * 0.5\noutput y\n"
RIGHT = (
    "second_part_written_then_all",
    "halved_in_a_list",
    "averaged_in_a_list",
    "with_numbers_for_each",
    "stepped_by_half",
    "data_assigned_right",
    "data_shared",
    "from_a_vector",
    "running_mean_that_is_not_read",
    "cut_result",
    "whole_and_cut",
    "gathered",
    "gathered_beside_other_work",
    "barriers",
    "drawn_and_not_used",
)
WRONG = (
    "written_in_a_list",
    "copied_into_a_list",
    "gradients_cleared",
    "stepped_foreach",
    "split_into",
    "data_assigned",
    "set_to_other_memory",
    "running_mean",
    "stepped_fused",
)
NOT_PROVED = {
    "unscaled": "aten._amp_foreach_non_finite_check_and_unscale",
    "storage_filled": "UntypedStorage.fill_ goes past torch's operations",
    "overlapping": "aten.mul.out writes into memory that it reads as another tensor",
    "constant_that_is_reduced": "it depends on the values of tensors",
    "with_the_error_caught": "it depends on the values of tensors",
    "drawn": "aten.bernoulli_.float: it draws random numbers",
    "custom": "mylib.zero_it.default: it writes into what it is given, which is not modelled",
    "left_alone": "nothing waits for it; keep what the call returns, and wait for it",
    "asked_whether_done": "depends on whether a call has ended, which depends on timing",
    "objects_exchanged": "all_gather_object exchanges Python objects",
}
DOES_NOT_RUN = {
    "input_in_flight": "writes what it reads, and it is waited for only in line",
    "input_in_flight_in_a_list": "writes what it reads, and it is waited for only in line",
    "output_in_flight": "reads what it writes, and it is waited for only in line",
    "not_waited_for": "the result is what it writes, and nothing waits for it",
    "barrier_on_one_rank": "rank 0 waits in barrier",
    "group_on_one_rank": "rank 0 waits in new_group(0)",
}

"""The random functions of `scripts/break_functions.py`, of which the standard tier runs some, have all these kinds."""


def said(monkeypatch, function):
    return judged(monkeypatch, function, SINGLE, FUNCTIONS, (("ranks", 2),)).verdict


@pytest.mark.parametrize("function", sample(RIGHT, 2))
def test_what_is_written_is_in_the_program(monkeypatch, function):
    verdict = said(monkeypatch, function)
    assert isinstance(verdict, Proved), verdict


@pytest.mark.parametrize("function", sample(WRONG, 2))
def test_what_is_written_and_must_not_be_is_shown(monkeypatch, function):
    verdict = said(monkeypatch, function)
    assert isinstance(verdict, Refuted), verdict


@pytest.mark.parametrize(("function", "reason"), sample(NOT_PROVED.items(), 4))
def test_what_is_not_modelled_is_neither_and_is_named(monkeypatch, function, reason):
    verdict = said(monkeypatch, function)
    assert isinstance(verdict, Unknown), verdict
    assert reason in verdict.reason


@pytest.mark.parametrize(("function", "reason"), sample(DOES_NOT_RUN.items(), 2))
def test_races_and_calls_on_some_ranks_alone_are_wrong(monkeypatch, function, reason):
    verdict = said(monkeypatch, function)
    assert isinstance(verdict, Refuted), verdict
    assert reason in str(verdict.counter_example.wrong)
