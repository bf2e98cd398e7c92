# about = "the last rank pads its bucket to another length"
# [tracing]
# devices = 4
# elements = 6
# [verdict]
# verdict = "invalid"
# rule = "mismatch"
# step = 1
# device = 3
import torch
import torch.distributed as dist


def reduce(tensor):
    rank, world = dist.get_rank(), dist.get_world_size()
    padded = torch.zeros(8 if rank < world - 1 else 12)
    padded[: tensor.numel()] = tensor
    shard = torch.empty(padded.numel() // world)
    dist.reduce_scatter_single(shard, padded)
    dist.all_gather_single(padded, shard)
    return padded[: tensor.numel()]
