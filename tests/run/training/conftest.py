"""A rank alone, which takes what it sends itself, and whose device is timed by a few small operations."""

from collections.abc import Iterator

import pytest
from run.training.few_operations import time_few


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
    with pytest.MonkeyPatch.context() as patch:
        time_few(patch.setattr)
        yield
