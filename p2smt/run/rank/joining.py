"""Create the process group on a rank; imports torch, only in the processes of ranks."""

import os
from datetime import timedelta
from multiprocessing.connection import Connection
from typing import Any  # Any: torch's values

import torch
import torch.distributed as dist

from p2smt.run.rank.message import JoinMessage, Start

# The same module, for names that it has but does not declare.
_c10d: Any = dist


def join(start: Start, pipe: Connection, first_address: str) -> None:
    """Join the process group; rank 0 listens on a free port and sends its number, which the other ranks receive.

    As rank 0 keeps the port open, no other program can take it in between.
    """
    torch.set_num_threads(1)
    if start.debug:
        os.environ["TORCH_DISTRIBUTED_DEBUG"] = "DETAIL"
        _c10d.set_debug_level(_c10d.DebugLevel.DETAIL)
    timeout = timedelta(seconds=start.timeout_s)
    first = start.rank == 0
    port = 0 if first else pipe.recv()
    store = _c10d.TCPStore(first_address, port, start.ranks, first, timeout, wait_for_workers=False)
    if first:
        pipe.send(JoinMessage(store.port, str(torch.__version__)))
    dist.init_process_group("gloo", store=store, rank=start.rank, world_size=start.ranks, timeout=timeout)
    pipe.send(JoinMessage(store.port, str(torch.__version__)))
