"""A checkpoint as rank 0 has it: every tensor as it is, tied ones once. A rank alone takes what it sends itself."""

import pytest
import torch

from p2smt.run.training.joining import from_first

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
