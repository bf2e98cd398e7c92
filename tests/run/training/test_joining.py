"""A checkpoint as rank 0 has it: every tensor as it is, tied ones once. A rank alone takes what it sends itself."""

import pytest
import torch

import p2smt
from p2smt.errors import RunError
from p2smt.run.training.joining import agreed, device_of, from_first

WHOLE = torch.arange(16, dtype=torch.float32).reshape(4, 4)
VIEWS = {
    "first rows": WHOLE[:2],
    "first columns": WHOLE[:, :2],
    "flat": WHOLE.view(16),
    "every second": WHOLE.view(16)[::2],
    "transposed": WHOLE.t(),
    "its bits": WHOLE.view(torch.int32),
    "one number": WHOLE[0, 0],
    "nothing": WHOLE[:0],
    "later rows": WHOLE[2:],
}


@pytest.mark.parametrize("name", VIEWS)
def test_tensors_that_begin_alike_are_told_apart(alone, name):
    for names in ((name, "whole"), ("whole", name)):
        state = {each: (VIEWS | {"whole": WHOLE})[each] for each in names}
        sent = from_first(state, alone)
        assert sent.keys() == state.keys()
        for each, tensor in state.items():
            assert sent[each].dtype == tensor.dtype
            assert torch.equal(sent[each], tensor)


def test_tied_tensors_stay_tied_and_others_do_not(alone):
    sent = from_first({"module": {"in": WHOLE, "out": WHOLE, "other": WHOLE.clone()}, "step": 3}, alone)
    module = sent["module"]
    assert module["in"] is module["out"]
    assert module["in"] is not module["other"]
    assert module["in"].data_ptr() != WHOLE.data_ptr()
    assert sent["step"] == 3


def test_what_rank_0_has_made_is_had_by_all_and_a_reason_is_an_error_of_all(alone):
    assert agreed((3, "made"), alone) == (3, "made")
    with pytest.raises(RunError, match=r"^the model cannot be sharded: it is too small$"):
        agreed("the model cannot be sharded: it is too small", alone)


def test_more_devices_than_ranks_are_refused_and_said(alone):
    with pytest.raises(RunError, match="the system has 2 devices, one for each rank, but 1 ranks have joined"):
        p2smt.shard(torch.nn.Linear(2, 2), lambda module, x: module(x).sum(), (torch.ones(2, 2),), "node:1,gpu:2")


def test_tensors_are_kept_where_the_modules_parameters_are():
    assert device_of(torch.nn.Linear(2, 2, device="meta")) == torch.device("meta")
    assert device_of(torch.nn.Linear(2, 2)) == device_of(torch.nn.GELU()) == torch.device("cpu")
