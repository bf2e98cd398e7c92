"""A rank alone: it takes what it sends itself."""

import pytest
import torch
import torch.distributed as dist


@pytest.fixture
def alone():
    began = not dist.is_initialized()
    if began:
        dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    yield torch.device("cpu")
    if began:
        dist.destroy_process_group()
