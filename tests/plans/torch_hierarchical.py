# about = "ReduceScatter inside nodes of 4, AllReduce across, AllGather inside"
# [tracing]
# devices = 8
# elements = 8
# [verdict]
# verdict = "valid"
import torch
import torch.distributed as dist


def reduce(tensor):
    rank, world = dist.get_rank(), dist.get_world_size()
    nodes = [dist.new_group(list(range(first, first + 4))) for first in range(0, world, 4)]
    across = [dist.new_group(list(range(first, world, 4))) for first in range(4)]
    shard = torch.empty(tensor.numel() // 4)
    dist.reduce_scatter_single(shard, tensor, group=nodes[rank // 4])
    dist.all_reduce(shard, group=across[rank % 4])
    dist.all_gather_single(tensor, shard, group=nodes[rank // 4])
