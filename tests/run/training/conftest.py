"""A rank alone: it takes what it sends itself."""

import pytest


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
