"""A rank alone, which takes what it sends itself, and whose device is timed by a few small operations."""

from collections.abc import Iterator

import pytest

from p2smt.run.measure.operation_cases import OperationCase

FEW = [
    OperationCase("matmul", "float32", (64, 64, 64)),
    OperationCase("add", "float32", (4096,)),
    OperationCase("softmax", "float32", (64, 64)),
]


@pytest.fixture
def alone():
    import torch  # here, as every part of the tests loads this file
    import torch.distributed as dist

    began = not dist.is_initialized()
    if began:
        dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    yield torch.device("cpu")
    if began:
        dist.destroy_process_group()


@pytest.fixture(scope="package", autouse=True)
def few_operations() -> Iterator[None]:
    """Time three small operations for a moment; all 160 take six CPU seconds, and say nothing about a step's result."""
    from p2smt.run.training import measured_device  # here, as it loads torch

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measured_device, "_SECONDS", 0.0)
        patch.setattr(measured_device, "few_operation_cases", lambda *, cuda: FEW)
        yield
