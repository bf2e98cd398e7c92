"""Elementary functions, random numbers and what goes to given places, a few; the others are in `test_modules.py`."""

import pytest
import torch
from frontend.torch_graph import function_cases
from frontend.torch_graph.eager import captured, compared
from frontend.torch_graph.test_modules import step

FEW = ("angle", "drawn: normal", "drawn: compared twice", "amax True", "complex sums")


@pytest.fixture(autouse=True)
def _float64():
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(before)


def test_a_few_are_captured_right():
    cases = [case for case in function_cases.CASES if case[0] in FEW]
    assert len(cases) == len(FEW)
    assert compared(step(cases), captured(step(cases)), 2) < 1e-12
