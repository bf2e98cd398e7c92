"""Operations of real models: what is captured computes what PyTorch does."""

import pytest
import torch
from frontend.torch_graph.eager import captured, compared
from frontend.torch_graph.real_cases import CASES
from frontend.torch_graph.test_modules import WITHIN, step


@pytest.fixture(autouse=True)
def _float64():
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(before)


def test_real_operations_are_captured_right():
    assert compared(step(CASES), captured(step(CASES)), 1) < WITHIN
