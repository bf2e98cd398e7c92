"""Operations of real models: what is captured computes what PyTorch does."""

import pytest
import torch
from frontend.torch_graph.eager import captured, compared
from frontend.torch_graph.real_cases import CASES
from frontend.torch_graph.test_modules import WITHIN, step
from tiers import sample


@pytest.fixture(autouse=True)
def _float64():
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(before)


def test_real_operations_are_captured_right():
    cases = sample(CASES, 10)  # neighbours are of one kind
    assert compared(step(cases), captured(step(cases)), 1) < WITHIN
