"""Functions that do not run while tensors have no elements: they run with elements, and a copy is traced."""

import pytest
from looped import looped

from p2smt.frontend.torch_graph.graph import TraceRequest
from p2smt.frontend.torch_graph.trace import answer_to

TEXT = """
import torch
from torch import nn

def step():
    module = nn.Sequential({layers})
    x = torch.ones(2, 4)
    {before}
    return module, (x,), lambda module, x: module(x).sum(), torch.optim.SGD(module.parameters(), lr=0.1)
"""
CALLED = "module(x)"


def _answer(tmp_path, layers, before="pass"):
    path = tmp_path / "model.py"
    path.write_text(TEXT.format(layers=layers, before=before), encoding="utf-8")
    return answer_to(TraceRequest(path=str(path), function="step"))


@looped(
    ("layers", "before"),
    [
        ("nn.LazyLinear(3), nn.Linear(3, 2)", CALLED),
        ("nn.Linear(4, 4), nn.Linear(4, 2)", "assert torch.allclose(module[0].weight, module[0].weight)"),
    ],
)
def test_a_model_that_looks_at_elements_is_captured(tmp_path, layers, before):
    answer = _answer(tmp_path, layers, before)
    assert answer.mistake == ""
    assert [each.meta.shape for each in answer.graph.parameters][-2:] == [(2, 4 if "Lazy" not in layers else 3), (2,)]


@pytest.mark.parametrize(
    ("layers", "before", "said"),
    [
        ("nn.LazyLinear(3)", "pass", "0.weight has no shape before its module is called"),
        ("nn.Linear(4, 2)", "raise ZeroDivisionError(0)", "model.py:8: ZeroDivisionError: 0"),
        ("nn.Embedding(4, 2, sparse=True), nn.Linear(2, 2)", "x = x.long()", "embeddings with sparse=False"),
    ],
)
def test_others_are_refused_with_a_way_out(tmp_path, layers, before, said):
    answer = _answer(tmp_path, layers, before)
    found = answer.mistake
    if answer.graph is not None:
        from p2smt.errors import CaptureError
        from p2smt.frontend.torch_graph.program import program_of

        with pytest.raises(CaptureError) as refused:
            program_of(answer.graph)
        found = str(refused.value)
    assert said in found
