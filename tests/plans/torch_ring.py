# about = "a ring of messages: scatter and add, then gather"
# [tracing]
# devices = 4
# elements = 8
# function = "reduce"
# [verdict]
# verdict = "valid"
import torch
import torch.distributed as dist


def reduce(tensor):
    rank, world = dist.get_rank(), dist.get_world_size()
    blocks, came = list(tensor.chunk(world)), torch.empty(tensor.numel() // world)
    for turn in range(world - 1):
        exchange(blocks[(rank - turn) % world], came)
        blocks[(rank - turn - 1) % world] += came
    for turn in range(world - 1):
        exchange(blocks[(rank + 1 - turn) % world], blocks[(rank - turn) % world])


def exchange(sent, got):
    rank, world = dist.get_rank(), dist.get_world_size()
    operations = [
        dist.P2POp(dist.isend, sent, (rank + 1) % world),
        dist.P2POp(dist.irecv, got, (rank - 1) % world),
    ]
    for work in dist.batch_isend_irecv(operations):
        work.wait()
